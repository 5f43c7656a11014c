//! What came of a run.

use crate::{
    json::RawJson,
    protocol::{SamplingContent, SamplingMessage, SamplingResult, StopReason},
};

/// What the client's model said in the end, and how it came to it.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingRun {
    pub(super) answer: SamplingResult,
    pub(super) rounds: u32,
    pub(super) calls: Vec<SampledCall>,
    pub(super) messages: Vec<SamplingMessage>,
}

impl SamplingRun {
    /// The text of the answer: its text blocks, one after the other without anything between.
    #[must_use]
    pub fn text(&self) -> String {
        self.answer.text()
    }

    /// The blocks of the answer, in order; none of them asks for a tool.
    #[must_use]
    pub fn content(&self) -> &[SamplingContent] {
        self.answer.content()
    }

    /// The name of the model that answered.
    #[must_use]
    pub fn model(&self) -> &str {
        self.answer.model()
    }

    /// Why the model stopped, when the client says so.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&StopReason> {
        self.answer.stop_reason()
    }

    /// How often tools were called: 0 when the model answered at once.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The calls that the model asked for, in the order they were made.
    #[must_use]
    pub fn calls(&self) -> &[SampledCall] {
        &self.calls
    }

    /// The whole conversation: the request's messages, every call and result, and the answer at its end.
    ///
    /// A further message makes it the next request: `SamplingRequest::new(n).messages(run.into_messages())`.
    #[must_use]
    pub fn messages(&self) -> &[SamplingMessage] {
        &self.messages
    }

    /// The conversation by itself.
    #[must_use]
    pub fn into_messages(self) -> Vec<SamplingMessage> {
        self.messages
    }
}

/// One call that the model asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledCall {
    pub(super) name: Box<str>,
    pub(super) arguments: RawJson,
    pub(super) failed: Failed,
}

/// Whether a call failed, as the model was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    Yes,
    No,
}

impl SampledCall {
    /// The name that the model gave, whether there is such a tool or not.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as the model wrote them, a JSON object.
    #[must_use]
    pub fn arguments(&self) -> &RawJson {
        &self.arguments
    }

    /// Tells whether the call failed, or was not made because the tool is none of the run's.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed == Failed::Yes
    }
}
