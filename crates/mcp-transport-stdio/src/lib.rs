//! MCP over byte streams: one JSON-RPC message per line.
//!
//! | function | what it serves |
//! |---|---|
//! | [`serve_stdio`] | the stdin and stdout of this process |
//! | [`serve`] | any pair of reader and writer, as one connection |
//! | [`serve_unix`] | every connection of a Unix socket |
//!
//! Both eras are served on one stream: the handshake lives in the connection, and modern requests take nothing
//! from it. Requests run concurrently, and their messages leave as whole lines. A request that is
//! answered without waiting costs no task and no channel; the others run as tokio tasks.
//!
//! # When the other side is slow
//! Messages wait in small bounded queues. While the writer is stuck, no further request is taken, so a slow
//! reader slows the peer's requests down and does not cost memory.
//!
//! # When it ends
//! * The end of the input: what is in flight may finish within [`StdioOptions::grace`], then it is cancelled.
//!   Everything that was answered is written, and the function returns `Ok`.
//! * The `shutdown` future: the same, and further requests are refused in the meantime.
//! * Nobody reads the output any more (`EPIPE`): everything is cancelled, and the function returns `Ok` at once,
//!   because a peer that leaves is a normal end.
//!
//! # What handlers must not do
//! Async handlers are polled between two reads, so one that blocks its thread holds up its connection.
//! Blocking work belongs in `blocking` handlers.

mod batch;
mod carry;
mod driver;
mod framing;
mod options;
mod process;
mod serve;
#[cfg(unix)]
mod unix_socket;

pub use mcp_core::setting::{SettingFault, SettingFaults};
pub use options::{StdioError, StdioOptions};
pub use process::serve_stdio;
pub use serve::serve;
#[cfg(unix)]
pub use unix_socket::serve_unix;
