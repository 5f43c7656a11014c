//! The official Rust client visits the fixture server: over HTTP and stdio, with and without the handshake.

mod answers;
mod calls;
mod connecting;
mod visitor;
