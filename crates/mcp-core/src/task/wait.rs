//! `tasks/result`: waits for the end of a task, and carries what it asks meanwhile.

use super::{RunningTask, TaskHost};
use crate::{
    ask::{AskRequest, NoQuestion, Question, QuestionOutcome},
    context::{Asking, Caller, Outbox},
    exchange::{Asked, Outcome, Outgoing},
    jsonrpc::{IncomingRequest, RequestId},
    lower::{self, Reply},
    ports::{BoxFuture, Runtime, TaskId, TaskOwner, TaskRecord},
    refusal::Refusal,
    server::Server,
    session::LiveSession,
    version::ProtocolVersion,
};
use bytes::Bytes;
use futures_util::future::{Either, select};
use std::{
    fmt,
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

/// How often a task that runs elsewhere is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// A `tasks/result` that is being served.
///
/// Spec: 2025-11-25, basic/utilities/tasks#result-retrieval and #input-required-status.
pub(crate) struct TaskWait {
    outbox: Arc<Outbox>,
    waiting: Option<BoxFuture<Reply>>,
    reply: Option<Reply>,
    /// The deadline of the request that waits.
    deadline: Option<BoxFuture<()>>,
    id: RequestId,
    version: ProtocolVersion,
    runtime: Arc<dyn Runtime>,
}

impl TaskWait {
    pub(crate) fn new(server: &Server, request: IncomingRequest, caller: Caller, id: TaskId) -> Self {
        let outbox =
            Arc::new(Outbox::new(server.limits().outbox_messages, server.limits().notification_bytes));
        let (asked, version) = (request.id.clone(), caller.version);
        let runtime = Arc::clone(server.runtime());
        let wait = Wait {
            server: server.clone(),
            owner: caller.task_owner(),
            id,
            outbox: Arc::clone(&outbox),
            caller,
        };
        let waiting = Box::pin(async move {
            let outcome = wait.wait().await;
            let transport = wait.caller.transport;
            let asked = Asked { request: &request, version: Some(version), transport };
            match outcome {
                Ok(record) => {
                    asked.report(Outcome::Completed, Duration::ZERO);
                    lower::task_result(wait.server.frame(&request.id, version), &record)
                }
                Err(refusal) => {
                    asked.report(Outcome::Refused, Duration::ZERO);
                    lower::refusal(Some(&request.id), &refusal, Some(version))
                }
            }
        });
        Self { outbox, waiting: Some(waiting), reply: None, deadline: None, id: asked, version, runtime }
    }

    /// Ends the wait at this time at the latest, with an error; the task goes on.
    pub(crate) fn end_by(&mut self, deadline: Instant) {
        self.deadline = Some(self.runtime.sleep_until(deadline));
    }

    pub(crate) fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        if let Some(waiting) = &mut self.waiting
            && let Poll::Ready(reply) = waiting.as_mut().poll(context)
        {
            self.settle(reply);
        }
        if self.waiting.is_some()
            && let Some(deadline) = &mut self.deadline
            && deadline.as_mut().poll(context).is_ready()
        {
            self.settle(self.refused(&Refusal::DeadlinePassed));
        }
        if let Some(message) = self.outbox.take(context.waker()) {
            return Poll::Ready(Some(message));
        }
        match (self.reply.take(), &self.waiting) {
            (Some(reply), _) => Poll::Ready(Some(Outgoing::Reply(reply))),
            (None, Some(_)) => Poll::Pending,
            (None, None) => Poll::Ready(None),
        }
    }

    /// The reply that the wait ends with before the task does.
    pub(crate) fn refused(&self, refusal: &Refusal) -> Reply {
        lower::refusal(Some(&self.id), refusal, Some(self.version))
    }

    fn settle(&mut self, reply: Reply) {
        self.waiting = None;
        self.reply = Some(reply);
        self.outbox.close();
    }
}

impl fmt::Debug for TaskWait {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TaskWait").finish_non_exhaustive()
    }
}

struct Wait {
    server: Server,
    caller: Caller,
    owner: TaskOwner,
    id: TaskId,
    outbox: Arc<Outbox>,
}

/// A question of the task that this stream has carried to the client.
struct Carried {
    wire: Box<str>,
    question: Question,
}

impl Wait {
    async fn wait(&self) -> Result<TaskRecord, Refusal> {
        let Some(host) = self.server.tasks() else { return Err(Refusal::MethodNotFound) };
        loop {
            // First, so that one which ends meanwhile is found settled.
            let running = host.running(&self.owner, &self.id);
            let record = host.get(&self.server, &self.owner, &self.id).await?;
            if record.is_settled() {
                return Ok(record);
            }
            if self.server.is_shutting_down() {
                return Err(Refusal::ShuttingDown);
            }
            match running {
                Some(task) => self.follow(host, &task).await?,
                None => {
                    let runtime = self.server.runtime();
                    runtime.sleep_until(runtime.now() + LOOK).await;
                }
            }
        }
    }

    /// Carries messages and questions of a task that runs here, until it ends.
    async fn follow(&self, host: &TaskHost, task: &Arc<RunningTask>) -> Result<(), Refusal> {
        let attached = task.attach(&self.caller);
        let mut carried: Vec<Carried> = Vec::new();
        loop {
            let changed = task.listen();
            while let Some(message) = attached.take_message() {
                self.outbox.put(message);
            }
            if task.record().is_settled()
                || self.server.is_shutting_down()
                || host.running(&self.owner, &self.id).is_none()
            {
                self.take_back(&mut carried, |_| false);
                return Ok(());
            }
            let open = attached.open_asks();
            self.take_back(&mut carried, |wire| open.iter().any(|ask| *ask.wire == *wire));
            for ask in open {
                if carried.iter().any(|carried| *carried.wire == *ask.wire) {
                    continue;
                }
                let Asking::Live(session) = &self.caller.asking else { continue };
                if let Some(question) = self.put(session, &ask.request)? {
                    carried.push(Carried { wire: ask.wire, question });
                }
            }
            let answered = pin!(poll_fn(|context| poll_answered(&mut carried, context)));
            if let Either::Left(((wire, outcome), _)) = select(answered, changed).await {
                match outcome {
                    QuestionOutcome::Result(text) => task.judge(&wire, &text_of(&text)),
                    QuestionOutcome::Error { code, message } => task.refuse(&wire, code, message),
                    QuestionOutcome::Closed => return Err(Refusal::UnknownSession),
                };
            }
        }
    }

    /// Sends a question on this stream; `None` when the client is gone.
    fn put(&self, session: &Arc<LiveSession>, request: &AskRequest) -> Result<Option<Question>, Refusal> {
        let mut random = [0; 8];
        self.server.runtime().fill_random(&mut random);
        let id = i64::from_be_bytes(random) & ((1 << 53) - 1);
        let question = match session.questions.open(id, self.server.limits().open_asks) {
            Ok(question) => question,
            Err(NoQuestion::TooMany) => return Err(Refusal::Limit { setting: "limits.open_asks" }),
            Err(NoQuestion::Closed) => return Ok(None),
        };
        let message = lower::task_ask(question.id, request, self.caller.version, &self.id);
        Ok(self.outbox.put_request(question.id, message).then_some(question))
    }

    /// Takes back the questions that are not to be carried any more.
    fn take_back(&self, carried: &mut Vec<Carried>, keep: impl Fn(&str) -> bool) {
        carried.retain(|carried| {
            let kept = keep(&carried.wire);
            if !kept && !self.outbox.take_back(carried.question.id) {
                let reason = "the task does not need the answer here any more";
                self.outbox.put_following(lower::ask_cancelled(carried.question.id, reason));
            }
            kept
        });
    }
}

/// The first answer to one of the questions.
fn poll_answered(carried: &mut Vec<Carried>, context: &Context<'_>) -> Poll<(Box<str>, QuestionOutcome)> {
    for place in 0..carried.len() {
        let Some(one) = carried.get(place) else { break };
        if let Poll::Ready(outcome) = one.question.poll(context.waker()) {
            return Poll::Ready((carried.remove(place).wire, outcome));
        }
    }
    Poll::Pending
}

fn text_of(text: &Bytes) -> String {
    String::from_utf8_lossy(text).into_owned()
}
