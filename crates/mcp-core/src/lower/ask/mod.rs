//! What the client is asked, in the shape of each revision.

mod message;
mod params;
mod sampling;

#[cfg(test)]
mod tests;

pub(super) use message::ask_members;
pub(crate) use message::{ask_cancelled, ask_request, elicitation_complete, input_required};
pub(super) use params::ask_param_members;
pub(crate) use params::ask_params;
