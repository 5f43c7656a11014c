//! The client's model with tools of this server: it asks for calls, they are made here, it goes on.
//!
//! Each turn of the model is an ask, and each result of a tool is remembered, so that on 2026-07-28, where the
//! handler runs again after every turn, nothing is done twice. The tools run within the call, with its caller's
//! rights and their own bounds (`exchange/nested.rs`); what one of them asks the client goes out under keys that
//! begin with its place in the run.

mod kept;
mod record;
mod run;

pub(crate) use kept::Kept;
pub use record::{SampledCall, SamplingRun};
pub use run::ToolSampling;
