//! HTTP+SSE, the wire of 2024-11-05: one event stream for everything the server says, a POST for each message of
//! the client.
//!
//! A stream is a peer on a connection of its own, as over stdio: opening it begins a session, closing it ends the
//! session and cancels its calls. The first event tells the URL for POSTs; a POST is answered with 202, and what
//! comes of it goes out on the stream.
//!
//! | file | what it does |
//! |---|---|
//! | `options` | the settings |
//! | `doors` | GET and POST: every check, then the session |
//! | `reference` | the URL for POSTs, relative to the stream's own |
//! | `table` | the open sessions, and how many there may be |
//! | `session` | a session: its connection, what waits for the stream, its end |
//! | `carry` | a call that did not end at once, as a task of its own |
//! | `stream` | the body of the stream |
//! | `watch` | what ends a session beside its client |
//!
//! Spec: 2024-11-05, basic/transports#http-with-sse.

mod carry;
mod doors;
mod options;
mod reference;
mod session;
mod stream;
mod table;
mod watch;

pub(crate) use doors::{Legacy, message, open};
pub use options::{LegacyPaths, LegacySse};
