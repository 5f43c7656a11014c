//! Serving over HTTP as the command line says.

use crate::arguments::Arguments;
use mcp_server::{
    Server,
    auth::{StaticTokens, Verifier},
    http::{Endpoint, HttpOptions, LegacyPaths, LegacySse, QuietAnswers},
    run_endpoint,
};
use std::{error::Error, fs, net::SocketAddr, path::Path, sync::Arc};
use tokio::net::TcpListener;

/// The endpoint of the server.
pub(crate) fn endpoint(server: &Server, arguments: &Arguments) -> Result<Endpoint, Box<dyn Error>> {
    let options = HttpOptions {
        path: format!("{}/mcp", arguments.prefix),
        allowed_hosts: arguments.allow_host.clone(),
        allowed_origins: arguments.cors.clone(),
        verifier: arguments.tokens.as_deref().map(verifier).transpose()?,
        legacy_sse: arguments.legacy_sse.then(|| legacy_sse(&arguments.prefix)),
        quiet_answers: if arguments.event_streams {
            QuietAnswers::EventStream
        } else {
            QuietAnswers::PlainJson
        },
        ..HttpOptions::default()
    };
    Ok(Endpoint::new(server.clone(), arguments.bounds.on_endpoint(options))?)
}

/// Serves HTTP until the process is asked to end.
pub(crate) async fn http(
    endpoint: Endpoint,
    address: SocketAddr,
    arguments: &Arguments,
) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}{}", listener.local_addr()?, endpoint.options().path);
    Ok(run_endpoint(listener, &endpoint, endpoint.routes(), arguments.bounds.serving()).await?)
}

fn legacy_sse(prefix: &str) -> LegacySse {
    let paths =
        LegacyPaths::Separate { stream: format!("{prefix}/sse"), messages: format!("{prefix}/messages") };
    LegacySse { paths, ..LegacySse::default() }
}

fn verifier(file: &Path) -> Result<Arc<dyn Verifier>, Box<dyn Error>> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Arc::new(StaticTokens::parse(&text)?))
}
