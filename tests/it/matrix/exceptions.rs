//! All that revisions differ in, as far as the cases reach: which revisions, and why.

use super::case::{A, B, C, D, E};

type Difference = (&'static [&'static str], &'static str);

pub(super) const NO_AUDIO: Difference = (&[A], "content of the kind `audio` exists since 2025-03-26");
pub(super) const NO_STRUCTURE: Difference = (&[A, B], "`structuredContent` exists since 2025-06-18");
pub(super) const OBJECTS_ONLY: Difference =
    (&[A, B, C, D], "`structuredContent` of another type than an object exists since 2026-07-28");
pub(super) const ARGUMENTS_BY_CODE: Difference = (
    &[A, B, C],
    "arguments that do not fit are a result the model reads since 2025-11-25, and -32602 before",
);
pub(super) const NOT_FOUND_CODE: Difference =
    (&[A, B, C, D], "a resource that is not found has a code of its own, -32002, until 2025-11-25");
pub(super) const NO_ELICITATION: Difference = (&[A, B], "elicitation exists since 2025-06-18");
pub(super) const NO_RICH_FORMS: Difference = (&[C], "choices of several, in forms, exist since 2025-11-25");
pub(super) const NO_PING: Difference = (&[E], "`ping` exists until 2025-11-25");
pub(super) const NO_MODEL_WITH_TOOLS: Difference = (&[A, B, C], "a model is offered tools since 2025-11-25");
pub(super) const MISSING_CAPABILITY_CODE: Difference =
    (&[A, B, C, D], "a call that has to be a task names the missing extension since 2026-07-28");
