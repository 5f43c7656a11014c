//! Serving over HTTP or over stdin and stdout, as the command line says.

use crate::{arguments::Arguments, signals::shutdown};
use mcp_auth::{StaticTokens, Verifier};
use mcp_server::Server;
use mcp_transport_http::{Endpoint, HttpOptions, ServeOptions, serve};
use mcp_transport_stdio::{StdioOptions, serve_stdio};
use std::{error::Error, fs, net::SocketAddr, path::Path, sync::Arc};
use tokio::net::TcpListener;

/// Serves HTTP until the process is asked to end.
pub(crate) async fn http(
    server: Server,
    address: SocketAddr,
    arguments: &Arguments,
) -> Result<(), Box<dyn Error>> {
    let options = HttpOptions {
        path: format!("{}/mcp", arguments.prefix),
        allowed_hosts: arguments.allow_host.clone(),
        allowed_origins: arguments.cors.clone(),
        verifier: arguments.tokens.as_deref().map(verifier).transpose()?,
        ..HttpOptions::default()
    };
    let endpoint = Endpoint::new(server, options)?;
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}{}", listener.local_addr()?, endpoint.options().path);
    serve(listener, endpoint.routes(), &endpoint, ServeOptions::default(), shutdown()).await?;
    Ok(())
}

fn verifier(file: &Path) -> Result<Arc<dyn Verifier>, Box<dyn Error>> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Arc::new(StaticTokens::parse(&text)?))
}

/// Serves stdin and stdout until they close or the process is asked to end.
pub(crate) async fn stdio(server: Server) -> Result<(), Box<dyn Error>> {
    serve_stdio(server, StdioOptions::default(), shutdown()).await?;
    Ok(())
}
