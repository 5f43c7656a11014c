//! Asking the client in the middle of a call: elicitation, sampling, roots.
//!
//! A handler awaits an [`Ask`] and is written once. What carries the question differs: in the handshake era a
//! request on the call's own stream, on 2026-07-28 the result of the call, which the client repeats with its
//! answers while the handler runs again with what is remembered. The rules that make one handler true in both:
//!
//! * each ask has a key that is the same whenever the handler runs;
//! * an ask is polled within its handler's own poll, or fails;
//! * two open asks of a call have different keys;
//! * an ask that is dropped is withdrawn;
//! * a round ends as soon as the handler waits and something is asked.
//!
//! Spec: 2026-07-28, basic/patterns/mrtr; 2025-11-25, client/elicitation, client/sampling, client/roots.

mod answer;
mod asks;
mod detach;
mod error;
mod future;
mod live;
mod of_task;
mod questions;
mod remember;
mod request;
mod round;
mod tools;
mod turn;

pub mod state;

pub use detach::Detach;
pub use error::AskError;
pub use future::Ask;
pub use tools::{SampledCall, SamplingRun, ToolSampling};

pub(crate) use answer::{check_answer, read_elicitation, read_roots, read_sampling};
pub(crate) use asks::Asks;
pub(crate) use questions::{NoQuestion, Outcome as QuestionOutcome, Question, Questions};
pub(crate) use remember::{operation_id, remember, remember_within};
pub(crate) use request::AskRequest;
pub(crate) use round::{LocalRounds, RoundEnd, resume};
pub(crate) use state::{StateKey, StateKeys};
pub(crate) use tools::Kept;
pub(crate) use turn::Turn;
