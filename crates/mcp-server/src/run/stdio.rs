//! Serving one client over the process's stdin and stdout.

use super::{RunError, log_panics, shutdown_signal};
use mcp_core::server::Server;
use mcp_transport_stdio::{StdioError, StdioOptions, serve_stdio};

/// Serves the client at the other end of stdin and stdout, until it closes stdin, or until SIGINT or SIGTERM.
///
/// Stdout carries messages and nothing else; logs belong on stderr.
///
/// # Errors
/// [`RunError`] when stdin or stdout fails.
pub async fn run_stdio(server: Server) -> Result<(), RunError> {
    run_stdio_with(server, StdioOptions::default()).await
}

/// Serves the client at the other end of stdin and stdout, with settings.
///
/// # Errors
/// [`RunError`] when the settings cannot be used, or stdin or stdout fails.
pub async fn run_stdio_with(server: Server, options: StdioOptions) -> Result<(), RunError> {
    log_panics();
    let shutdown = shutdown_signal()?;
    serve_stdio(server, options, shutdown).await.map_err(|error| match error {
        StdioError::Options(_) => RunError::Settings(Box::new(error)),
        _ => RunError::Transport(Box::new(error)),
    })
}
