//! The turns of a run: the model asks for tools, they are called, the model goes on.

use super::{
    super::{Ask, AskError, AskRequest, read_sampling, remember},
    kept::Kept,
    record::{Failed, SampledCall, SamplingRun},
};
use crate::{
    context::{Asking, Context},
    dispatch::call_within,
    json::to_text_within,
    ports::BoxFuture,
    protocol::{
        Role, SamplingContentKind, SamplingMessage, SamplingRequest, SamplingResult, SamplingTool,
        ToolResult, ToolUse,
    },
};
use std::{collections::BTreeSet, fmt, future::IntoFuture, time::Duration};

/// A run of the client's model with tools of this server, to be awaited in the handler.
///
/// Made by [`Client::sample_with_tools`](crate::extract::Client::sample_with_tools).
#[must_use = "a run does nothing unless it is awaited"]
pub struct ToolSampling {
    context: Context,
    key: Box<str>,
    request: SamplingRequest,
    tools: Vec<Box<str>>,
    rounds: u32,
    calls: usize,
    timeout: Duration,
}

impl ToolSampling {
    pub(crate) fn new(
        context: &Context,
        key: Box<str>,
        request: SamplingRequest,
        tools: Vec<Box<str>>,
    ) -> Self {
        let limits = context.limits();
        let (rounds, calls, timeout) = (limits.sampling_rounds, limits.sampling_calls, limits.ask_timeout);
        Self { context: context.clone(), key, request, tools, rounds, calls, timeout }
    }

    /// Sets in how many rounds tools are called at most; `limits.sampling_rounds` by default.
    ///
    /// The model that has not come to an answer by then is asked once more, without tools. 0 offers none at all.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds;
        self
    }

    /// Sets how many calls are made in one round at most; `limits.sampling_calls` by default.
    ///
    /// Calls beyond it are not made, and the model reads that they were not.
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.calls = calls;
        self
    }

    /// Sets how long the client may take for one turn of its model, where it is waited for; `limits.ask_timeout` by
    /// default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    async fn run(mut self) -> Result<SamplingRun, AskError> {
        let offered = self.offered()?;
        let mut room = Room::of(&self.context);
        let mut calls = Vec::new();
        let mut round = 0;
        loop {
            let last = round >= self.rounds || offered.is_empty();
            let answer = self.turn(round, if last { &[] } else { &offered }).await?;
            let asked: Vec<ToolUse> = answer.tool_uses().cloned().collect();
            if asked.is_empty() || last {
                return self.finish(answer, round, calls);
            }
            check_ids(&asked)?;
            self.request.messages.push(answer.into_message());
            let mut results = Vec::with_capacity(asked.len());
            for (number, call) in asked.iter().enumerate() {
                let result = self.call(round, number, call, &mut room).await?;
                let failed = if result.is_error { Failed::Yes } else { Failed::No };
                calls.push(SampledCall { name: call.name().into(), arguments: call.input().clone(), failed });
                results.push(result);
            }
            self.request.messages.push(SamplingMessage::new(Role::User, results));
            round += 1;
        }
    }

    /// The tools by name, as this server publishes them.
    fn offered(&self) -> Result<Vec<SamplingTool>, AskError> {
        let most = self.context.limits().sampling_depth;
        if self.context.depth() >= most {
            return Err(AskError::Limit("limits.sampling_depth"));
        }
        if !self.request.tools.is_empty() {
            let reason =
                "the tools of a run are named when it begins, and its request offers none of its own";
            return Err(AskError::InvalidRequest(reason.into()));
        }
        let mut seen = BTreeSet::new();
        let names = self.tools.iter().filter(|name| seen.insert(&***name));
        let find = |name: &str| match self.context.0.catalogue.tool(name, None) {
            Ok(tool) if !tool.definition.visibility.includes_model() => Err(AskError::CardsOnly(name.into())),
            Ok(tool) => Ok(SamplingTool {
                name: tool.name.clone(),
                title: tool.definition.title.clone(),
                description: Some(tool.definition.description.clone()),
                input: tool.input.published().clone(),
            }),
            Err(_) => Err(AskError::UnknownTool(name.into())),
        };
        names.map(|name| find(name)).collect()
    }

    /// One turn of the model.
    async fn turn(&self, round: u32, tools: &[SamplingTool]) -> Result<SamplingResult, AskError> {
        let mut request = self.request.clone();
        request.tools = tools.to_vec();
        // What the author wants of the first turn, such as that a tool is called, would never let a run end.
        if round > 0 || tools.is_empty() {
            request.tool_choice = None;
        }
        let request =
            AskRequest::sample(request).map_err(|fault| AskError::InvalidRequest(fault.to_string().into()));
        let key = format!("{}/{}", self.key, round + 1);
        Ask::new(&self.context, &key, request, read_sampling).timeout(self.timeout).await
    }

    /// Makes a call that the model asked for, or tells why not. What was made is remembered.
    async fn call(
        &self,
        round: u32,
        number: usize,
        call: &ToolUse,
        room: &mut Room,
    ) -> Result<ToolResult, AskError> {
        let place = format!("{}/{}/{}", self.key, round + 1, number + 1);
        let most = room.left;
        let made = async {
            let kept = self.made(&place, number, call).await;
            match to_text_within(&kept, most) {
                Ok(_) => kept,
                Err(_) => {
                    tracing::warn!(
                        tool = call.name(),
                        setting = room.setting,
                        "a tool's result is too large for its run"
                    );
                    Kept::error(format!(
                        "the result is larger than this conversation has room for (setting: {})",
                        room.setting
                    ))
                }
            }
        };
        let kept = match room.rounds {
            true => remember(&self.context, &place, async { Ok::<_, AskError>(made.await) }).await?,
            false => made.await,
        };
        room.take(&kept);
        Ok(kept.into_result(call))
    }

    async fn made(&self, place: &str, number: usize, call: &ToolUse) -> Kept {
        if number >= self.calls {
            return Kept::error(format!("not called: at most {} tools are called at once", self.calls));
        }
        if !self.tools.iter().any(|tool| **tool == *call.name()) {
            return Kept::error(format!("there is no such tool here; there are: {}", self.tools.join(", ")));
        }
        tracing::debug!(tool = call.name(), place, "the client's model has a tool called");
        Kept::new(call_within(&self.context, place, call).await)
    }

    /// The answer, and the conversation that ends with it.
    fn finish(
        self,
        mut answer: SamplingResult,
        rounds: u32,
        calls: Vec<SampledCall>,
    ) -> Result<SamplingRun, AskError> {
        // A model that wants tools where it was offered none gets none: nobody could answer such a call later.
        answer.content.retain(|block| !matches!(block.kind, SamplingContentKind::ToolUse(_)));
        if answer.content.is_empty() {
            let reason = "the model gave no answer: it asked for tools where none were offered";
            return Err(AskError::InvalidAnswer(reason.into()));
        }
        let mut messages = self.request.messages;
        messages.push(answer.clone().into_message());
        Ok(SamplingRun { answer, rounds, calls, messages })
    }
}

/// How many bytes the results of a run may still have together.
struct Room {
    left: usize,
    setting: &'static str,
    /// What is remembered travels with the client.
    rounds: bool,
}

impl Room {
    fn of(context: &Context) -> Self {
        let limits = context.limits();
        let rounds = matches!(context.0.caller.asking, Asking::Rounds(_));
        // Half of what the client carries is for results: the model's own words are in it, too.
        match limits.ask_state_bytes / 2 {
            carried if rounds => Self { left: carried, setting: "limits.ask_state_bytes", rounds },
            _ => Self { left: limits.output_bytes, setting: "limits.output_bytes", rounds },
        }
    }

    fn take(&mut self, kept: &Kept) {
        let taken = to_text_within(kept, self.left).map_or(0, |text| text.len());
        self.left = self.left.saturating_sub(taken);
    }
}

/// Two calls of one id could not be told apart.
fn check_ids(asked: &[ToolUse]) -> Result<(), AskError> {
    let mut ids = BTreeSet::new();
    match asked.iter().all(|call| ids.insert(call.id())) {
        true => Ok(()),
        false => Err(AskError::InvalidAnswer("the model asked for two calls of one id".into())),
    }
}

impl IntoFuture for ToolSampling {
    type Output = Result<SamplingRun, AskError>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl fmt::Debug for ToolSampling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolSampling")
            .field("key", &self.key)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}
