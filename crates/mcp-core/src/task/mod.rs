//! Tasks: calls whose client does not wait for them.
//!
//! One machine for both wires. Of a call it says whether it [becomes](begin) a task; from then on its handler is
//! polled by a future of its own ([run]), what is known of it is in the [`TaskStore`](crate::ports::TaskStore), and
//! what only its process can know in a [`RunningTask`]. Clients of 2025-11-25 wait for it with `tasks/result`, on
//! whose stream it asks ([`TaskWait`]); the extension `io.modelcontextprotocol/tasks` shows what is asked in
//! `tasks/get` and takes answers with `tasks/update`.
//!
//! Spec: 2025-11-25, basic/utilities/tasks; the extension `io.modelcontextprotocol/tasks`.

mod attached;
mod begin;
mod host;
mod keeper;
mod options;
mod questions;
mod requests;
mod run;
mod running;
mod slot;
mod steps;
mod support;
mod wait;

pub use options::Tasks;
pub use support::{TaskStart, TaskSupport};

pub(crate) use begin::{Chosen, begin, choose, give_up};
pub(crate) use host::{TaskHost, TaskReply};
pub(crate) use questions::TaskAnswer;
pub(crate) use run::run;
pub(crate) use running::RunningTask;
pub(crate) use slot::{TaskSlot, Wish};
pub(crate) use support::{CAPABILITY, EXTENSION, ToolTask};
pub(crate) use wait::TaskWait;
