//! Every connection of a Unix socket.

use crate::{
    driver::AtEnd,
    options::{StdioError, StdioOptions},
    serve::{drive, peer},
};
use mcp_core::server::Server;
use std::{future::Future, io, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{UnixListener, UnixStream, unix::UCred},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::sleep,
};

/// How long accepting rests when it fails, for want of file descriptors say.
const REST: Duration = Duration::from_millis(100);

/// Serves every connection of a Unix socket until `shutdown` completes.
///
/// The framing is that of stdio. At most [`StdioOptions::connections`] are open at once; further ones wait to be
/// accepted. Each call has the peer's credentials attached (`Attached<tokio::net::unix::UCred>`) where the
/// system tells them. Who may connect is decided by the permissions of the socket's file and folder.
///
/// At the shutdown no connection is accepted any more, the server is shut down, and each connection ends like
/// one of [`serve`](crate::serve). Removing the socket's file is left to the caller.
///
/// # Errors
/// [`StdioError::Options`] for settings outside their range. A connection that fails costs only itself.
pub async fn serve_unix(
    listener: UnixListener,
    server: Server,
    options: StdioOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StdioError> {
    options.check()?;
    let places = Arc::new(Semaphore::new(options.connections));
    let options = Arc::new(options);
    let (ending, ended) = watch::channel(());
    let mut shutdown = pin!(shutdown);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = accept(&listener, &places) => match accepted {
                Ok((stream, place)) => {
                    let (server, options, mut ended) = (server.clone(), Arc::clone(&options), ended.clone());
                    connections.spawn(async move {
                        let _place = place;
                        let ended = async move {
                            // The sender goes away at the shutdown and says nothing before.
                            let _ = ended.changed().await;
                        };
                        serve_stream(server, stream, &options, ended).await;
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(REST).await;
                }
            }
        }
    }
    drop(listener);
    drop(ending);
    while connections.join_next().await.is_some() {}
    Ok(())
}

async fn accept(
    listener: &UnixListener,
    places: &Arc<Semaphore>,
) -> io::Result<(UnixStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

async fn serve_stream(
    server: Server,
    stream: UnixStream,
    options: &StdioOptions,
    ended: impl Future<Output = ()>,
) {
    let mut peer = peer(options);
    if let Ok(credentials) = stream.peer_cred() {
        peer.attachment = Some(Arc::<UCred>::new(credentials));
    }
    let streams = stream.into_split();
    if let Err(error) = drive(server, peer, streams, options, AtEnd::GoOn, ended).await {
        tracing::debug!(%error, "a connection ended badly");
    }
}
