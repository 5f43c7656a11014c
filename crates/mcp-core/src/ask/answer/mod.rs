//! The client's answers: checked against what was asked, then read.
//!
//! Members that nobody asked for are ignored.

mod check;
mod elicitation;
mod fault;
mod roots;
mod sampling;

#[cfg(test)]
mod tests;

pub(crate) use check::check_answer;
pub(crate) use elicitation::read_elicitation;
pub(crate) use fault::AnswerFault;
pub(crate) use roots::read_roots;
pub(crate) use sampling::read_sampling;
