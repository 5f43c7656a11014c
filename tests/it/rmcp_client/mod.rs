//! The official Rust client visits the fixture server: over HTTP and stdio, with and without the handshake.

mod answers;
mod asking;
mod calls;
mod changes;
mod connecting;
mod visitor;
