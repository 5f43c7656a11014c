//! Sessions of the handshake era.
//!
//! What a handshake agreed on is a record in a [`SessionStore`](crate::ports::SessionStore), which every node can
//! read. Beside it each process holds what only it can hold: the requests in flight, the questions the client has
//! not answered, the changes it has not heard of, and who sends which stream. All of that may be lost with the
//! process; a client finds its session again on the next.
//!
//! Spec: 2025-11-25, basic/transports#session-management, #resumability-and-redelivery.

mod begin;
mod change;
mod detached;
mod end;
mod find;
mod holders;
mod host;
mod http_session;
mod journal;
mod keeper;
mod lifecycle;
mod live;
mod open;
mod options;
mod recorded;
mod refuse;
mod replayed;
mod serve;
mod standalone;
mod work;

pub use lifecycle::Lifecycle;
pub use options::Sessions;

pub(crate) use begin::begin;
pub(crate) use end::end;
pub(crate) use find::{Found, find};
pub(crate) use host::SessionHost;
pub(crate) use http_session::HttpSession;
pub(crate) use journal::Journal;
pub(crate) use lifecycle::until_initialized;
pub(crate) use live::LiveSession;
pub(crate) use open::open_stream;
pub(crate) use recorded::Recorded;
pub(crate) use replayed::Replayed;
pub(crate) use serve::{is_named, serve, serve_batch, take};
pub(crate) use standalone::{Standalone, change_message};
pub(crate) use work::{SessionWork, Working};
