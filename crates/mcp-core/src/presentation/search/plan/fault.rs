//! Why a step is not run, or what it gave is not used.

use thiserror::Error;

/// What is wrong with a step; the text is for the model that wrote the plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum StepFault {
    #[error("another step before has the id `{0}`")]
    DuplicateId(Box<str>),
    #[error("`$from` names `{0}`, and no step has this id")]
    UnknownStep(Box<str>),
    #[error("`$from` names `{0}`, which does not come before this step")]
    NotEarlier(Box<str>),
    #[error(
        "`{0}` is no JSON Pointer: it begins with `/` or is empty, and `~` stands for itself as `~0` only"
    )]
    NoPointer(Box<str>),
    #[error("it refers to other steps more than {0} times")]
    TooManyReferences(usize),
    #[error("`{0}` cannot be a step")]
    NoStep(Box<str>),
    #[error("the step `{0}` has no result to take from, because it failed")]
    OfFailed(Box<str>),
    #[error("the result of `{step}` has nothing at `{path}`")]
    NothingThere { step: Box<str>, path: Box<str> },
    #[error("the result of `{0}` is a text and has no parts; leave out `path`")]
    TextWithoutParts(Box<str>),
    #[error(
        "with what it takes from other steps its arguments are more than a message may be (setting: limits.message)"
    )]
    TooLarge,
    #[error("it was run, and its result is more than the results of a plan may be together (setting: {0})")]
    NoRoom(&'static str),
    #[error(
        "it asks the client, and the results before it are more than can be kept meanwhile (setting: limits.ask_state_bytes)"
    )]
    NotCarried,
}

/// A name of a peer's in an error, kept short.
pub(super) fn clipped(text: &str) -> Box<str> {
    text[..text.floor_char_boundary(128)].into()
}
