//! What the client's model is asked.

use super::{
    super::{Meta, Role},
    ModelPreferences, SamplingContentKind, SamplingFault, SamplingMessage, SamplingTool, ToolChoice,
};

/// What the client's model is asked: a conversation and how to go on with it.
///
/// Spec: 2026-07-28, schema `CreateMessageRequestParams`.
///
/// ```
/// use mcp_core::protocol::{SamplingMessage, SamplingRequest};
/// let request = SamplingRequest::new(100)
///     .system_prompt("Answer in one word.")
///     .message(SamplingMessage::user("What is the capital of France?"));
/// request.check()?;
/// # Ok::<(), mcp_core::protocol::SamplingFault>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingRequest {
    pub(crate) messages: Vec<SamplingMessage>,
    pub(crate) max_tokens: u64,
    pub(crate) system_prompt: Option<Box<str>>,
    pub(crate) temperature: Option<f64>,
    pub(crate) stop_sequences: Vec<Box<str>>,
    pub(crate) preferences: Option<ModelPreferences>,
    pub(crate) include_context: Option<IncludeContext>,
    pub(crate) metadata: Option<Meta>,
    pub(crate) tools: Vec<SamplingTool>,
    pub(crate) tool_choice: Option<ToolChoice>,
}

/// Which servers' context the client is to add to the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these three values")]
pub enum IncludeContext {
    /// None.
    None,
    /// This server's. From 2025-11-25 on the client must have declared `sampling.context`.
    ThisServer,
    /// Every connected server's. From 2025-11-25 on the client must have declared `sampling.context`.
    AllServers,
}

impl IncludeContext {
    /// The value's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ThisServer => "thisServer",
            Self::AllServers => "allServers",
        }
    }
}

impl SamplingRequest {
    /// A request for an answer of at most so many tokens, without messages yet.
    #[must_use]
    pub fn new(max_tokens: u64) -> Self {
        Self {
            messages: Vec::new(),
            max_tokens,
            system_prompt: None,
            temperature: None,
            stop_sequences: Vec::new(),
            preferences: None,
            include_context: None,
            metadata: None,
            tools: Vec::new(),
            tool_choice: None,
        }
    }

    /// Adds a message at the end of the conversation.
    #[must_use]
    pub fn message(mut self, message: SamplingMessage) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds messages at the end of the conversation, in order.
    #[must_use]
    pub fn messages(mut self, messages: impl IntoIterator<Item = SamplingMessage>) -> Self {
        self.messages.extend(messages);
        self
    }

    /// Sets the system prompt; the client may change or ignore it.
    #[must_use]
    pub fn system_prompt(mut self, prompt: impl Into<Box<str>>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    /// Sets the temperature, in the model's own range.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Adds texts at which the model is to stop.
    #[must_use]
    pub fn stop_at<T: Into<Box<str>>>(mut self, sequences: impl IntoIterator<Item = T>) -> Self {
        self.stop_sequences.extend(sequences.into_iter().map(Into::into));
        self
    }

    /// Says which model the server would like.
    #[must_use]
    pub fn prefer(mut self, preferences: ModelPreferences) -> Self {
        self.preferences = Some(preferences);
        self
    }

    /// Says which servers' context to add to the prompt.
    #[must_use]
    pub fn include_context(mut self, context: IncludeContext) -> Self {
        self.include_context = Some(context);
        self
    }

    /// Sets what is passed on to the model's provider, in its own format.
    #[must_use]
    pub fn metadata(mut self, metadata: Meta) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Offers a tool. The client must have declared `sampling.tools`.
    #[must_use]
    pub fn tool(mut self, tool: SamplingTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Says whether the model may, must or must not ask for tools.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    /// Checks what the builders cannot: the order of calls and results.
    ///
    /// A user's message with tool results holds nothing else, and every call of a tool is answered by the next
    /// message, each once.
    ///
    /// # Errors
    /// The first [`SamplingFault`].
    ///
    /// Spec: 2025-11-25, client/sampling#message-content-constraints.
    pub fn check(&self) -> Result<(), SamplingFault> {
        if self.temperature.is_some_and(|temperature| !temperature.is_finite()) {
            return Err(SamplingFault::Temperature);
        }
        let mut called: Vec<&str> = Vec::new();
        for (message, current) in self.messages.iter().enumerate() {
            let (calls, results) = tools_of(current);
            check_blocks(message, current, &calls, &results)?;
            check_results(message, &called, &results)?;
            called = calls;
        }
        match called.first() {
            Some(&id) => Err(SamplingFault::Unanswered {
                message: self.messages.len().saturating_sub(1),
                id: id.into(),
            }),
            None => Ok(()),
        }
    }

    /// Whether the request needs a client that knows tools.
    pub(crate) fn uses_tools(&self) -> bool {
        let has_tools = |message: &SamplingMessage| {
            let (calls, results) = tools_of(message);
            !calls.is_empty() || !results.is_empty()
        };
        !self.tools.is_empty() || self.tool_choice.is_some() || self.messages.iter().any(has_tools)
    }

    /// Whether the client is to add context to the prompt.
    pub(crate) fn wants_context(&self) -> bool {
        matches!(self.include_context, Some(IncludeContext::ThisServer | IncludeContext::AllServers))
    }
}

/// The ids of the calls and of the results in a message.
fn tools_of(message: &SamplingMessage) -> (Vec<&str>, Vec<&str>) {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    for block in &message.content {
        match &block.kind {
            SamplingContentKind::ToolUse(call) => calls.push(&*call.id),
            SamplingContentKind::ToolResult(result) => results.push(&*result.id),
            _ => {}
        }
    }
    (calls, results)
}

fn check_blocks(
    message: usize,
    current: &SamplingMessage,
    calls: &[&str],
    results: &[&str],
) -> Result<(), SamplingFault> {
    let misplaced = match current.role {
        Role::User => calls,
        Role::Assistant => results,
    };
    if current.content.is_empty() {
        return Err(SamplingFault::EmptyMessage { message });
    }
    if !misplaced.is_empty() {
        return Err(SamplingFault::Role { message });
    }
    let input = current.content.iter().find_map(|block| match &block.kind {
        SamplingContentKind::ToolUse(call) if !call.input.get().starts_with('{') => Some(&call.id),
        _ => None,
    });
    if let Some(id) = input {
        return Err(SamplingFault::Input { message, id: id.clone() });
    }
    if !results.is_empty() && results.len() < current.content.len() {
        return Err(SamplingFault::MixedResults { message });
    }
    Ok(())
}

/// Checks that a message answers just what the one before has called.
fn check_results(message: usize, called: &[&str], results: &[&str]) -> Result<(), SamplingFault> {
    for &id in called {
        let count = |ids: &[&str]| ids.iter().filter(|other| **other == id).count();
        if count(results) != 1 || count(called) != 1 {
            return Err(SamplingFault::Unanswered { message: message.saturating_sub(1), id: id.into() });
        }
    }
    match results.iter().find(|id| !called.contains(*id)) {
        Some(&id) => Err(SamplingFault::NotCalled { message, id: id.into() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::ToolResult, *};
    use crate::{
        json::RawJson,
        protocol::{SamplingContent, ToolUse},
    };

    fn call(id: &str) -> SamplingContent {
        ToolUse::new(id, "look", RawJson::parse("{}").unwrap()).into()
    }

    fn result(id: &str) -> SamplingContent {
        ToolResult::new(id, ["sun"]).into()
    }

    fn user(block: impl Into<SamplingContent>) -> SamplingMessage {
        SamplingMessage::user(block)
    }

    fn assistant(block: impl Into<SamplingContent>) -> SamplingMessage {
        SamplingMessage::assistant(block)
    }

    fn checked(messages: impl IntoIterator<Item = SamplingMessage>) -> Result<(), SamplingFault> {
        SamplingRequest::new(10).messages(messages).check()
    }

    #[test]
    fn calls_that_the_next_message_answers_are_in_order() {
        assert_eq!(checked([]), Ok(()));
        assert_eq!(checked([user("a"), user("b"), assistant("c")]), Ok(()));
        let round = [assistant("x").and(call("1")).and(call("2")), user(result("2")).and(result("1"))];
        assert_eq!(checked(round.clone().into_iter().chain(round).chain([user("y")])), Ok(()));
    }

    #[test]
    fn calls_and_results_that_do_not_meet_are_refused() {
        let unanswered = |id: &str| Err(SamplingFault::Unanswered { message: 0, id: id.into() });
        assert_eq!(checked([assistant(call("1"))]), unanswered("1"));
        assert_eq!(checked([assistant(call("1")), user("no")]), unanswered("1"));
        assert_eq!(checked([assistant(call("1")).and(call("2")), user(result("1"))]), unanswered("2"));
        assert_eq!(checked([assistant(call("1")), user(result("1")).and(result("1"))]), unanswered("1"));
        assert_eq!(checked([assistant(call("1")).and(call("1")), user(result("1"))]), unanswered("1"));
        let not_called = Err(SamplingFault::NotCalled { message: 1, id: "2".into() });
        assert_eq!(checked([assistant(call("1")), user(result("1")).and(result("2"))]), not_called);
        assert_eq!(
            checked([user(result("1"))]),
            Err(SamplingFault::NotCalled { message: 0, id: "1".into() })
        );
        let mixed = Err(SamplingFault::MixedResults { message: 1 });
        assert_eq!(checked([assistant(call("1")), user(result("1")).and("more")]), mixed);
        assert_eq!(checked([user(call("1"))]), Err(SamplingFault::Role { message: 0 }));
        assert_eq!(checked([assistant(result("1"))]), Err(SamplingFault::Role { message: 0 }));
        let none: [&str; 0] = [];
        assert_eq!(
            checked([SamplingMessage::new(Role::User, none)]),
            Err(SamplingFault::EmptyMessage { message: 0 })
        );
        let list = ToolUse::new("1", "look", RawJson::parse("[]").unwrap());
        assert_eq!(
            checked([assistant(list), user(result("1"))]),
            Err(SamplingFault::Input { message: 0, id: "1".into() })
        );
        assert_eq!(
            SamplingRequest::new(1).temperature(f64::INFINITY).check(),
            Err(SamplingFault::Temperature)
        );
    }

    #[test]
    fn tools_are_in_use_once_they_are_offered_chosen_or_called() {
        let plain = SamplingRequest::new(1).message(SamplingMessage::user("a"));
        assert!(!plain.uses_tools());
        assert!(plain.clone().tool_choice(ToolChoice::None).uses_tools());
        assert!(plain.message(SamplingMessage::assistant(call("1"))).uses_tools());
    }
}
