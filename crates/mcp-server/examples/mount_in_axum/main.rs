//! A small library as an axum application whose routes agents use: with every guard that people meet.
//!
//! Run it with `cargo run -p mcp-server --example mount_in_axum`. Another address than `127.0.0.1:8080` may follow
//! `--`. When it is ready it writes `listening on http://ADDRESS/mcp` to stderr. It serves
//!
//! * people: `/books`, `/loans`, `/rooms/garden/state` and others, which `/openapi.json` documents as far as utoipa
//!   knows them, and `/health`;
//! * agents: `/mcp`, the whole library, and `/rooms/{room_id}/mcp`, one reading room.
//!
//! All but `/openapi.json` and `/health` want a library card: `Authorization: Bearer card-7` is a reader's,
//! `card-1` a librarian's, who may do more.
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/books -H 'Authorization: Bearer card-7'
//! claude mcp add --transport http library http://127.0.0.1:8080/mcp --header 'Authorization: Bearer card-7'
//! ```
//!
//! Read `application.rs` first: it puts everything together. `members.rs` tells who is there, `library/` is what the
//! library knows, `routes/` what can be asked of it.

mod application;
mod library;
mod members;
mod problem;
mod routes;

use library::Library;
use mcp_server::shutdown_signal;
use std::error::Error;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let application = application::build(Library::with_a_few_books())?;
    let router = application::guarded(&application);

    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".into());
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let shutdown = shutdown_signal()?;
    let ending = async move {
        shutdown.await;
        application.shut_down(); // ends the streams that would keep axum waiting
    };
    Ok(axum::serve(listener, router).with_graceful_shutdown(ending).await?)
}
