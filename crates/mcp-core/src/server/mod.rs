//! The server: a catalogue, its settings, and the ways requests come in.
//!
//! [`Server::post`] takes an HTTP request's body, [`Connection`](crate::connection::Connection) the
//! messages of a byte stream, [`Server::dispatch`] one message from the same process.

mod builder;
mod change;
mod handle;
mod limits;
mod offer;
mod post;

pub use builder::ServerBuilder;
pub use handle::Server;
pub use limits::Limits;
pub use post::{Peer, Posted};
pub(crate) use post::{modern_caller, progress_token};
