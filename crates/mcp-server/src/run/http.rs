//! Serving over HTTP until a signal.

use super::{RunError, log_panics, shutdown_signal};
use mcp_core::server::Server;
use mcp_transport_http::{Endpoint, HttpOptions, ServeError, ServeOptions, serve};
use std::fmt::Debug;
use tokio::net::{TcpListener, ToSocketAddrs};

/// Serves over Streamable HTTP at the path `/mcp` until SIGINT or SIGTERM.
///
/// ```no_run
/// # async fn run(server: mcp_server::Server) -> Result<(), mcp_server::RunError> {
/// mcp_server::run_http(server, "127.0.0.1:8080").await
/// # }
/// ```
///
/// An address that other machines can reach is refused, because nobody would check the callers; see
/// [`run_http_with`].
///
/// # Errors
/// [`RunError`] when the address cannot be listened on or is refused, or the listener fails.
pub async fn run_http(server: Server, address: impl ToSocketAddrs + Debug) -> Result<(), RunError> {
    run_http_with(server, address, HttpOptions::default(), ServeOptions::default()).await
}

/// Serves over Streamable HTTP until SIGINT or SIGTERM, with settings.
///
/// # Errors
/// [`RunError`] when the settings cannot be used or the address cannot be listened on, or the listener fails.
pub async fn run_http_with(
    server: Server,
    address: impl ToSocketAddrs + Debug,
    options: HttpOptions,
    serving: ServeOptions,
) -> Result<(), RunError> {
    let endpoint = Endpoint::new(server, options).map_err(|faults| RunError::Settings(Box::new(faults)))?;
    let listener = TcpListener::bind(&address).await.map_err(|source| RunError::Bind {
        address: format!("{address:?}").trim_matches('"').to_owned(),
        source,
    })?;
    run_endpoint(listener, &endpoint, endpoint.routes(), serving).await
}

/// Serves a router that has the endpoint among its routes until SIGINT or SIGTERM.
///
/// # Errors
/// [`RunError`] when the settings cannot be used or the listener fails.
pub async fn run_endpoint(
    listener: TcpListener,
    endpoint: &Endpoint,
    router: axum::Router,
    serving: ServeOptions,
) -> Result<(), RunError> {
    log_panics();
    let shutdown = shutdown_signal()?;
    if let Ok(address) = listener.local_addr() {
        let url = format!("http://{address}{}", endpoint.options().path);
        tracing::info!(url, "serving");
    }
    serve(listener, router, endpoint, serving, shutdown).await.map_err(|error| match error {
        ServeError::Unguarded(_) | ServeError::Option(_) => RunError::Settings(Box::new(error)),
        _ => RunError::Transport(Box::new(error)),
    })
}
