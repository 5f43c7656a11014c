//! What a call waits for: a handler's future, and the way its result becomes a reply.

use super::{Outcome, finish};
use crate::{
    ask::Turn,
    context::Context as CallContext,
    handler::{CompletionRequest, PromptGet, ReplyFuture, ResourceRead, ToolCall},
    lower::{ListKind, Reply},
    page::{NotListed, Page},
    ports::BoxFuture,
    protocol::CacheHints,
    refusal::Refusal,
    registry::{PromptEntry, TimeLimit, ToolEntry},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::{Context, Poll},
};

/// The handler's future, with what is needed to make its result a reply.
pub(crate) enum Work {
    Tool {
        future: ReplyFuture<ToolCall>,
        tool: Arc<ToolEntry>,
    },
    Read {
        future: ReplyFuture<ResourceRead>,
        uri: Box<str>,
        declared_type: Option<Box<str>>,
        time: TimeLimit,
        cache: CacheHints,
    },
    Prompt {
        future: ReplyFuture<PromptGet>,
        prompt: Arc<PromptEntry>,
    },
    Complete {
        future: ReplyFuture<CompletionRequest>,
    },
    List {
        future: BoxFuture<Result<Page, NotListed>>,
        kind: ListKind,
    },
}

impl Work {
    /// How long it may take.
    pub(super) fn time(&self) -> TimeLimit {
        match self {
            Self::Tool { tool, .. } => tool.definition.time,
            Self::Read { time, .. } => *time,
            Self::Prompt { prompt, .. } => prompt.definition.time,
            Self::Complete { .. } | Self::List { .. } => TimeLimit::Server,
        }
    }

    /// Whether a model reads how it ended.
    pub(super) fn is_tool(&self) -> bool {
        matches!(self, Self::Tool { .. })
    }

    /// What the author has models told while it goes on as a task.
    pub(super) fn task_response(&self) -> Option<Box<str>> {
        match self {
            Self::Tool { tool, .. } => tool.definition.task.response.clone(),
            _ => None,
        }
    }

    /// Polls the handler; a panic in it ends this call and nothing else.
    pub(super) fn poll(&mut self, context: &CallContext, task: &mut Context<'_>) -> Poll<(Reply, Outcome)> {
        let _turn = Turn::begin(context);
        macro_rules! poll {
            ($future:expr, $finish:expr) => {
                match catch_unwind(AssertUnwindSafe(|| $future.as_mut().poll(task))) {
                    Ok(Poll::Pending) => Poll::Pending,
                    Ok(Poll::Ready(result)) => Poll::Ready($finish(result)),
                    Err(_) => Poll::Ready(panicked(context)),
                }
            };
        }
        match self {
            Self::Tool { future, tool } => poll!(future, |result| finish::tool(context, tool, result)),
            Self::Read { future, uri, declared_type, cache, .. } => {
                poll!(future, |result| finish::read(context, uri, declared_type.as_deref(), *cache, result))
            }
            Self::Prompt { future, prompt } => {
                poll!(future, |result| finish::prompt(context, prompt, result))
            }
            Self::Complete { future } => poll!(future, |result| finish::completion(context, result)),
            Self::List { future, kind } => poll!(future, |result| finish::list(context, *kind, result)),
        }
    }

    /// Drops the handler's future. A panic in what it drops must reach neither the transport nor other calls.
    pub(super) fn give_up(self, context: &CallContext) {
        if catch_unwind(AssertUnwindSafe(|| drop(self))).is_err() {
            tracing::error!(method = context.method(), "a handler that was given up panicked in a drop");
        }
    }
}

fn panicked(context: &CallContext) -> (Reply, Outcome) {
    tracing::error!(method = context.method(), target = context.target(), "a handler panicked");
    (finish::refuse_by_table(context, &Refusal::Internal), Outcome::Panicked)
}
