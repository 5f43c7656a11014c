//! What is wrong with a sampling request.

/// A reason why a sampling request is not sent; `message` counts from 0.
///
/// Spec: 2025-11-25, client/sampling#message-content-constraints.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SamplingFault {
    /// A message has no blocks.
    #[error("message {message} is empty: give it at least one block")]
    EmptyMessage {
        /// Which message.
        message: usize,
    },
    /// A user's message calls a tool, or a model's message holds a result.
    #[error("message {message} has the wrong role: the assistant calls tools, and the user holds results")]
    Role {
        /// Which message.
        message: usize,
    },
    /// A message with results holds something else, too.
    #[error("message {message} mixes tool results with other content: send the rest in a message of its own")]
    MixedResults {
        /// Which message.
        message: usize,
    },
    /// The calls of a message are not answered by the next one.
    #[error(
        "message {message} calls the tool `{id}`, and the next message does not hold exactly one result for it"
    )]
    Unanswered {
        /// Which message.
        message: usize,
        /// The call's id.
        id: Box<str>,
    },
    /// A result answers no call of the message before.
    #[error("message {message} holds a result for `{id}`, which the message before does not call")]
    NotCalled {
        /// Which message.
        message: usize,
        /// The id the result names.
        id: Box<str>,
    },
    /// The arguments of a call are no object.
    #[error("message {message} calls the tool `{id}` with arguments that are no object")]
    Input {
        /// Which message.
        message: usize,
        /// The call's id.
        id: Box<str>,
    },
    /// The temperature is NaN or infinite.
    #[error("the temperature must be a finite number")]
    Temperature,
}
