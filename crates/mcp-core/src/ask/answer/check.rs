//! The check of an answer, by what was asked.

use super::{AnswerFault, elicitation, read_roots, read_sampling};
use crate::{ask::AskRequest, json::Node};

/// Checks the client's result object for a request: its shape, the action, and the content of a form.
///
/// # Errors
/// The first [`AnswerFault`].
pub(crate) fn check_answer(request: &AskRequest, answer: Node<'_>) -> Result<(), AnswerFault> {
    match request {
        AskRequest::Form { form, .. } => elicitation::check_form(form, answer),
        AskRequest::Url { .. } => elicitation::check_page(answer),
        AskRequest::Sample(_) => read_sampling(answer).map(drop),
        AskRequest::Roots => read_roots(answer).map(drop),
    }
}
