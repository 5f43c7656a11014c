//! One connection over any pair of reader and writer.

use crate::{
    driver::{AtEnd, Driver},
    options::{StdioError, StdioOptions},
};
use mcp_core::{
    context::Transport,
    server::{Peer, Server},
};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
};
use tokio::io::{AsyncRead, AsyncWrite};

/// Serves one connection over a reader and a writer, until either side ends it.
///
/// The end of the input ends this connection only: its listen streams are dropped, and the server can go on
/// with others. When `shutdown` completes, the whole server is shut down
/// ([`Server::shut_down`]): listen streams end with their result and new requests are refused. Both ways, requests
/// in flight may finish within [`StdioOptions::grace`].
///
/// Dropping the future cancels the requests in flight. It must run on a tokio runtime with time enabled.
///
/// # Errors
/// [`StdioError::Options`] for settings outside their range; [`StdioError::Read`] when reading fails with something
/// other than the peer's leaving.
///
/// Spec: 2026-07-28, basic/transports/stdio.
pub async fn serve<R: AsyncRead, W: AsyncWrite>(
    server: Server,
    reader: R,
    writer: W,
    options: StdioOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StdioError> {
    options.check()?;
    let peer = peer(&options);
    drive(server, peer, (reader, writer), &options, AtEnd::GoOn, shutdown).await
}

/// The peer of every connection with these options.
pub(crate) fn peer(options: &StdioOptions) -> Peer {
    Peer { principal: options.principal.clone().map(Arc::new), ..Peer::anonymous(Transport::Stdio) }
}

/// Drives a connection to its end.
pub(crate) async fn drive<R: AsyncRead, W: AsyncWrite>(
    server: Server,
    peer: Peer,
    (reader, writer): (R, W),
    options: &StdioOptions,
    at_end: AtEnd,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StdioError> {
    let (reader, writer, mut shutdown) = (pin!(reader), pin!(writer), pin!(shutdown));
    let mut driver = Driver::new(server, peer, (reader, writer), options, at_end);
    let mut told = false;
    poll_fn(|context| {
        if !told && shutdown.as_mut().poll(context).is_ready() {
            told = true;
            driver.shut_down();
        }
        driver.poll_drive(context)
    })
    .await;
    match driver.into_read_error() {
        Some(error) => Err(StdioError::Read(error)),
        None => Ok(()),
    }
}
