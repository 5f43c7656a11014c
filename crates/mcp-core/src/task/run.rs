//! The future that runs a task to its end.

use super::{
    RunningTask,
    running::MESSAGE_CHARS,
    steps::{Queued, Then},
};
use crate::{
    exchange::{Call, Outgoing},
    json::{Document, JsonLimits, Node},
    lower::Reply,
    ports::{StoreError, TaskOutcome, TaskStep, TaskUpdate},
    server::Server,
};
use bytes::Bytes;
use futures_util::future::{Either, select};
use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

/// How long the store is left alone after it failed, at first and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(30));

/// Polls the handler of a task until it ends, is cancelled or outlives the task, and tells the store.
pub(crate) async fn run(server: Server, task: Arc<RunningTask>, call: Call) {
    let Some(host) = server.tasks() else { return };
    let runtime = Arc::clone(server.runtime());
    let left = task.expires_at.map(|end| end.duration_since(runtime.wall_time()).unwrap_or_default());
    let expiry = async {
        match left.and_then(|left| runtime.now().checked_add(left)) {
            Some(end) => runtime.sleep_until(end).await,
            None => std::future::pending().await,
        }
    };
    let ended = {
        let (telling, expiry) = (pin!(tell_steps(&server, &task)), pin!(expiry));
        let handled = pin!(handled(&task, call));
        match select(handled, select(telling, expiry)).await {
            Either::Left((reply, _)) => reply,
            Either::Right(_) => None,
        }
    };
    let last = match ended {
        Some(reply) => {
            let (outcome, message) = outcome(&reply);
            TaskStep::Settle { outcome, message }
        }
        // Whoever stopped it has told the store, or could not: nothing may be shown as working that does not run.
        None => TaskStep::Cancel { message: Some("The task was stopped.".into()) },
    };
    tell(&server, &task, last, || ()).await;
    host.leave(&task);
}

/// Polls the handler; its reply, or `None` when it was stopped before.
async fn handled(task: &RunningTask, mut call: Call) -> Option<Reply> {
    poll_fn(|context: &mut Context<'_>| {
        loop {
            if task.poll_stopped(context) {
                return Poll::Ready(None);
            }
            match call.poll_message(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Outgoing::Notification(message))) => task.relay(message),
                // A task asks by its store, and no stream carries it.
                Poll::Ready(Some(Outgoing::Request(_) | Outgoing::Stream(_))) => {}
                Poll::Ready(Some(Outgoing::Reply(reply))) => return Poll::Ready(Some(reply)),
                Poll::Ready(None) => return Poll::Ready(None),
            }
        }
    })
    .await
}

/// Tells the store what the handler asks and says, as long as it runs; ends when the store has no such task any more.
async fn tell_steps(server: &Server, task: &RunningTask) {
    loop {
        let Queued { step, then, .. } = task.steps.next().await;
        let mut then = Some(then);
        let told = tell(server, task, step, || {
            // A question nobody can know of is not open yet; an answer is the handler's, wherever the store is.
            if let Some(then) = then.take_if(|then| matches!(then, Then::Deliver(..))) {
                task.told(then);
            }
            task.steps.tried();
        });
        match told.await {
            Some(TaskUpdate::Changed(_)) => {
                then.into_iter().for_each(|then| task.told(then));
                task.steps.tried();
            }
            // It was cancelled elsewhere, or removed with its owner.
            Some(TaskUpdate::Settled(_) | TaskUpdate::Unknown) | None => return,
        }
    }
}

/// Goes a step, again and again while the store is not available, of which `failed` hears; `None` when the task is over
/// before it is.
pub(super) async fn tell(
    server: &Server,
    task: &RunningTask,
    step: TaskStep,
    mut failed: impl FnMut() + Send,
) -> Option<TaskUpdate> {
    let host = server.tasks()?;
    let runtime = server.runtime();
    let mut delay = RETRY.0;
    loop {
        match host.step(server, (&task.owner, &task.id), step.clone()).await {
            Ok(update) => return Some(update),
            Err(error @ StoreError::Unavailable { .. }) => {
                tracing::warn!(%error, task = ?task.id, "the task store is told again later");
                failed();
            }
            Err(error) => {
                tracing::error!(%error, task = ?task.id, "the task store cannot be told");
                return None;
            }
        }
        if task.expires_at.is_some_and(|end| runtime.wall_time() >= end) {
            return None;
        }
        runtime.sleep_until(runtime.now() + delay).await;
        delay = (delay * 2).min(RETRY.1);
    }
}

/// What a reply says of its call, and a sentence about a failure.
fn outcome(reply: &Reply) -> (TaskOutcome, Option<Box<str>>) {
    // It was written by this server, within the limits of what goes out.
    let Ok(document) = Document::parse(reply.body.clone(), &JsonLimits::widest()) else {
        tracing::error!("the reply of a task cannot be read");
        let error = Bytes::from_static(br#"{"code":-32603,"message":"Internal error"}"#);
        return (TaskOutcome::Failed(error), None);
    };
    let root = document.root();
    let sentence = |text: Option<Node<'_>>| {
        text.and_then(Node::as_str).map(|text| text.chars().take(MESSAGE_CHARS).collect::<String>().into())
    };
    match root.get("result") {
        Some(result) => {
            let is_error = result.get("isError").and_then(Node::as_bool).unwrap_or_default();
            let first = result.get("content").and_then(|content| content.elements().next()?.get("text"));
            let message = if is_error { sentence(first) } else { None };
            let result = Bytes::copy_from_slice(result.raw().as_bytes());
            (TaskOutcome::Completed { result, is_error }, message)
        }
        None => {
            let error = root.get("error");
            let message = sentence(error.and_then(|error| error.get("message")));
            let text = error.map_or("{}", Node::raw);
            (TaskOutcome::Failed(Bytes::copy_from_slice(text.as_bytes())), message)
        }
    }
}
