//! The server: a catalogue, its settings, and the ways requests come in.
//!
//! [`Server::post`], [`Server::open_stream`] and [`Server::end_session`] take what HTTP brings,
//! [`Connection`](crate::connection::Connection) the messages of a byte stream, [`Server::dispatch`] one message
//! from the same process.

mod batch;
mod builder;
mod change;
mod counts;
mod elicitations;
mod extensions;
mod handle;
mod handshake;
mod in_process;
mod instructions;
mod limits;
mod offer;
mod peer;
mod post;
mod stream;

pub use builder::ServerBuilder;
pub use counts::Counts;
pub use handle::Server;
pub use instructions::Connecting;
pub use limits::Limits;
pub use peer::{Authorization, Peer};
pub use post::Posted;
pub use stream::{Ended, Opened};

pub use crate::{
    session::{Lifecycle, Sessions},
    task::{TaskStart, TaskSupport, Tasks},
};

pub(crate) use batch::{BatchOutcome, serve_batch};
pub(crate) use elicitations::Elicitations;
pub(crate) use in_process::InProcess;
