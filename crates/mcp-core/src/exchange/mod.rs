//! One request and everything sent in answer to it.
//!
//! An [`Exchange`] is polled by whoever carries the request: an HTTP response future, a stdio loop,
//! a test. No task is started and no channel is made for it. It yields messages and then, unless it was
//! cancelled, exactly one reply; nothing follows the reply.

mod batch;
mod call;
mod check;
mod clock;
mod close;
mod events;
mod finish;
mod held;
mod in_flight;
mod listen;
mod nested;
mod outgoing;
mod report;
mod serving;
mod work;

pub use crate::lower::Reply;
pub use events::{Events, StreamEvent};
pub use in_flight::CancelFlag;
pub use outgoing::{Outgoing, StreamControl};
pub use serving::Exchange;

pub(crate) use batch::Part;
pub(crate) use call::Call;
pub(crate) use events::EventSource;
pub(crate) use in_flight::{CancelCause, InFlight, Place};
pub(crate) use listen::Listen;
pub(crate) use nested::run_within;
pub(crate) use report::{Asked, Outcome};
pub(crate) use work::Work;
