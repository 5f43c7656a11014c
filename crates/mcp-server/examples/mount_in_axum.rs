//! An MCP endpoint in an axum application that authenticates its callers itself.
//!
//! Run it with `cargo run -p mcp-server --example mount_in_axum`; the endpoint is `http://127.0.0.1:8080/mcp`, and
//! whoever names themselves in the header `x-user` may call. Another address may follow `--`.

use axum::{
    Router,
    extract::Request,
    http::StatusCode,
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
    routing::get,
};
use mcp_server::{
    McpRouter, Principal,
    http::{Endpoint, HttpOptions},
    server, shutdown_signal, tool,
};
use std::{error::Error, sync::Arc};
use tokio::net::TcpListener;

/// The application's own authentication; a real one would check a cookie or a token.
async fn authenticate(mut request: Request, next: Next) -> Response {
    let user = request.headers().get("x-user").and_then(|user| user.to_str().ok()).map(str::to_owned);
    let Some(user) = user else { return StatusCode::UNAUTHORIZED.into_response() };
    request.extensions_mut().insert(Principal::new(user));
    next.run(request).await
}

async fn who_am_i(caller: Arc<Principal>) -> String {
    caller.subject().to_owned()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let tools = McpRouter::new().tool("who_am_i", tool(who_am_i).describe("Names the caller").read_only());
    let server = server(tools).name("mounted").version("1.0.0").build()?;
    let endpoint = Endpoint::new(server.clone(), HttpOptions::default())?;
    let app = Router::new()
        .merge(endpoint.routes())
        .layer(from_fn(authenticate))
        .route("/health", get(|| async { "fine" }));

    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".into());
    let listener = TcpListener::bind(address).await?;
    eprintln!("serving http://{}/mcp", listener.local_addr()?);
    let shutdown = shutdown_signal()?;
    let ending = async move {
        shutdown.await;
        server.shut_down(); // ends the streams that would keep axum waiting
    };
    Ok(axum::serve(listener, app).with_graceful_shutdown(ending).await?)
}
