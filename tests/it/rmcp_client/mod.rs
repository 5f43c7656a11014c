//! The official Rust client visits the example servers: over HTTP and stdio, with and without the handshake.

#![expect(
    deprecated,
    reason = "this is about the older revisions, too, and 2026-07-28 drops what only they have"
)]

mod answers;
mod application;
mod asking;
mod calls;
mod changes;
mod connecting;
mod pages;
mod tasks;
mod toolboxes;
mod visitor;
