//! The machine of a call: progress grows, one reply, nothing after it, settled once.

use super::{
    Outgoing, Work,
    clock::{Clock, Expiry},
    close::close_dependencies,
    finish,
    report::{Asked, Outcome},
};
use crate::{
    ask::RoundEnd,
    context::Context as CallContext,
    jsonrpc::RequestId,
    lower::Reply,
    ports::BoxFuture,
    refusal::Refusal,
    registry::TimeLimit,
    task::{self, RunningTask, Wish},
};
use std::{
    collections::VecDeque,
    fmt,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

/// A call whose handler is polled in place.
pub(crate) struct Call {
    context: CallContext,
    phase: Phase,
    clock: Clock,
    /// How long the call may take before it becomes a task by itself, once it has waited.
    patience: Option<BoxFuture<()>>,
    /// Goes off when a report of progress that is held may go out.
    pacing: Option<(Instant, BoxFuture<()>)>,
}

enum Phase {
    Handler(Work),
    /// The call is becoming a task; its handler runs on when it is one, or cannot be.
    Beginning {
        work: Option<Work>,
        beginning: BoxFuture<Result<Arc<RunningTask>, Refusal>>,
        otherwise: Otherwise,
    },
    /// The call is a task: what was queued before goes out, then the reply that says so.
    Leaving(VecDeque<Outgoing>, Option<Reply>),
    /// The reply is made; dependencies are being closed before it goes out.
    Closing {
        reply: Option<Reply>,
        closing: BoxFuture<()>,
    },
    /// The reply is made; queued notifications go out before it.
    Draining(Option<Reply>),
    Over,
}

/// What becomes of a call that cannot be a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Otherwise {
    Refused,
    GoesOn,
}

impl Call {
    pub(crate) fn new(context: CallContext, work: Work) -> Self {
        let clock = Clock::new(&context, work.time());
        Self::running(context, work, clock)
    }

    /// A call that is a task before its handler runs.
    pub(crate) fn as_task(context: CallContext, work: Work, wish: Wish) -> Self {
        let mut call = Self::new(context, work);
        call.begin_task(wish, Otherwise::Refused);
        call
    }

    /// The rest of a call that is a task: its client does not wait, so that only the task's own time bounds it.
    fn of_task(context: CallContext, work: Work) -> Self {
        let clock = Clock::new(&context, TimeLimit::Never);
        Self::running(context, work, clock)
    }

    fn running(context: CallContext, work: Work, clock: Clock) -> Self {
        context.0.server.call_begins();
        Self { context, phase: Phase::Handler(work), clock, patience: None, pacing: None }
    }

    /// Ends the handler at this time at the latest, with an error.
    pub(crate) fn end_by(&mut self, deadline: Instant) {
        self.clock.end_by(deadline);
    }

    pub(crate) fn poll_message(&mut self, task: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        loop {
            match &mut self.phase {
                Phase::Handler(work) => match work.poll(&self.context, task) {
                    Poll::Ready((reply, outcome)) => self.settle(Some(reply), outcome),
                    // The handler waits: what it has asked for goes out, and the round is over.
                    Poll::Pending => match self.context.0.asks.end_round(&self.context) {
                        Some(ended) => self.end_round(ended),
                        None => {
                            if let Some(wish) = self.poll_wish(task) {
                                self.begin_task(wish, Otherwise::GoesOn);
                            } else if let Poll::Ready(expiry) = self.clock.poll(&self.context, task) {
                                self.expire(expiry);
                            } else {
                                return self.poll_outbox(task);
                            }
                        }
                    },
                },
                Phase::Beginning { beginning, .. } => match beginning.as_mut().poll(task) {
                    // A store that never answers keeps nobody for longer than a handler may.
                    Poll::Pending => match self.clock.poll(&self.context, task) {
                        Poll::Pending => return self.poll_outbox(task),
                        Poll::Ready(expiry) => self.expire(expiry),
                    },
                    Poll::Ready(begun) => self.task_begun(begun),
                },
                Phase::Leaving(queued, reply) => {
                    let next = queued.pop_front().or_else(|| reply.take().map(Outgoing::Reply));
                    if next.is_none() {
                        self.phase = Phase::Over;
                    }
                    return Poll::Ready(next);
                }
                Phase::Closing { closing, .. } => {
                    if closing.as_mut().poll(task).is_pending() {
                        return self.poll_outbox(task);
                    }
                    if let Phase::Closing { reply, .. } = std::mem::replace(&mut self.phase, Phase::Over) {
                        self.phase = Phase::Draining(reply);
                    }
                }
                Phase::Draining(_) => {
                    if let Some(message) = self.context.0.outbox.take(task.waker()) {
                        return Poll::Ready(Some(message));
                    }
                    return match std::mem::replace(&mut self.phase, Phase::Over) {
                        Phase::Draining(Some(reply)) => Poll::Ready(Some(Outgoing::Reply(reply))),
                        _ => Poll::Ready(None),
                    };
                }
                Phase::Over => return Poll::Ready(None),
            }
        }
    }

    fn poll_outbox(&mut self, task: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        loop {
            if let Some(message) = self.context.0.outbox.take(task.waker()) {
                return Poll::Ready(Some(message));
            }
            // The waker is registered: a report that is held from now on is seen by the next poll.
            let Some(due) = self.context.progress_is_due() else {
                self.pacing = None;
                return Poll::Pending;
            };
            if self.pacing.as_ref().is_none_or(|(at, _)| *at != due) {
                self.pacing = Some((due, self.context.runtime().sleep_until(due)));
            }
            if let Some((_, timer)) = &mut self.pacing
                && timer.as_mut().poll(task).is_pending()
            {
                return Poll::Pending;
            }
            self.pacing = None;
            self.context.release_progress();
        }
    }

    pub(crate) fn request_id(&self) -> &RequestId {
        &self.context.0.request.id
    }

    /// The handler took too long: it is dropped, and whatever it started elsewhere is told to stop.
    fn expire(&mut self, expiry: Expiry) {
        let work = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Handler(work) => work,
            Phase::Beginning { work: Some(work), beginning, .. } => {
                task::give_up(&self.context, beginning);
                work
            }
            _ => return,
        };
        let is_tool = work.is_tool();
        self.context.0.cancelled.set();
        work.give_up(&self.context);
        let reply = match expiry {
            Expiry::Timeout { after, setting } if is_tool => {
                finish::tool_timed_out(&self.context, after, setting)
            }
            Expiry::Timeout { after, setting } => {
                finish::refuse_by_table(&self.context, &Refusal::TimedOut { after, setting })
            }
            Expiry::Deadline => finish::refuse_by_table(&self.context, &Refusal::DeadlinePassed),
        };
        self.settle(Some(reply), Outcome::TimedOut);
    }

    /// Whether the call becomes a task now: its handler waits for it, or it has taken long enough.
    fn poll_wish(&mut self, task: &mut Context<'_>) -> Option<Wish> {
        let slot = &self.context.0.task;
        if let Some(wish) = slot.take_wanted() {
            return Some(wish);
        }
        let patience = slot.patience()?;
        let context = &self.context;
        let timer = self.patience.get_or_insert_with(|| {
            let runtime = context.runtime();
            match runtime.now().checked_add(patience) {
                Some(end) => runtime.sleep_until(end),
                None => Box::pin(std::future::pending()),
            }
        });
        if timer.as_mut().poll(task).is_pending() {
            return None;
        }
        slot.take_possible()
    }

    fn begin_task(&mut self, wish: Wish, otherwise: Otherwise) {
        self.patience = None;
        if let Phase::Handler(work) = std::mem::replace(&mut self.phase, Phase::Over) {
            let beginning = task::begin(&self.context, wish);
            self.phase = Phase::Beginning { work: Some(work), beginning, otherwise };
        }
    }

    fn task_begun(&mut self, begun: Result<Arc<RunningTask>, Refusal>) {
        let Phase::Beginning { work: Some(work), otherwise, .. } =
            std::mem::replace(&mut self.phase, Phase::Over)
        else {
            return;
        };
        let scope = &self.context.0;
        match begun {
            Ok(running) => {
                report(&self.context, Outcome::TaskBegun);
                let queued = scope.outbox.take_all();
                let reply = finish::task_created(&self.context, &running, work.task_response());
                scope.task.begun(Arc::clone(&running));
                let rest = Self::of_task(self.context.clone(), work);
                let run = task::run(scope.server.clone(), running, rest);
                scope.server.runtime().spawn(Box::pin(run));
                self.phase = Phase::Leaving(queued, Some(reply));
            }
            Err(refusal) if otherwise == Otherwise::Refused => {
                work.give_up(&self.context);
                let reply = finish::refuse_by_table(&self.context, &refusal);
                self.settle(Some(reply), Outcome::Refused);
            }
            Err(refusal) => {
                tracing::warn!(?refusal, "a call could not become a task and goes on without");
                scope.task.refused(refusal.setting());
                self.phase = Phase::Handler(work);
            }
        }
    }

    /// The client is to answer first; the handler runs again when it has.
    fn end_round(&mut self, ended: RoundEnd) {
        if let Phase::Handler(work) = std::mem::replace(&mut self.phase, Phase::Over) {
            work.give_up(&self.context);
        }
        let (reply, outcome) = match ended {
            RoundEnd::Reply(reply) => (Some(reply), Outcome::Asked),
            RoundEnd::Refused(reply) => (Some(reply), Outcome::Refused),
            RoundEnd::Local => (None, Outcome::Asked),
        };
        self.settle(reply, outcome);
    }

    /// The handler is done: nothing may follow but what is queued, and the reply.
    fn settle(&mut self, reply: Option<Reply>, outcome: Outcome) {
        let scope = &self.context.0;
        // The last report goes out before the reply, where there is room for it.
        self.context.release_progress();
        let dropped = scope.outbox.close();
        if dropped > 0 {
            tracing::debug!(dropped, "notifications were dropped because the client reads too slowly");
        }
        report(&self.context, outcome);
        self.phase = match close_dependencies(&self.context) {
            Some(closing) => Phase::Closing { reply, closing },
            None => Phase::Draining(reply),
        };
    }

    /// Nobody waits for the call any more: its handler stops, and nothing goes out.
    fn abandon(&self, work: Option<Work>) {
        let scope = &self.context.0;
        scope.cancelled.set();
        scope.outbox.close();
        // The handler's future goes first: it may still use what is closed next.
        work.into_iter().for_each(|work| work.give_up(&self.context));
        report(&self.context, Outcome::Cancelled);
    }

    /// Has the runtime close the call's dependencies.
    fn leave_closing(&self) {
        if let Some(closing) = close_dependencies(&self.context) {
            self.context.runtime().spawn(closing);
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Handler(work) => {
                self.abandon(Some(work));
                self.leave_closing();
            }
            Phase::Beginning { work, beginning, .. } => {
                self.abandon(work);
                task::give_up(&self.context, beginning);
                self.leave_closing();
            }
            Phase::Leaving(_, Some(_)) => {
                // The reply has the task's id, and nobody took it.
                if let Some(running) = self.context.0.task.running() {
                    task::give_up(&self.context, Box::pin(std::future::ready(Ok(running))));
                }
            }
            Phase::Closing { closing, .. } => self.context.runtime().spawn(closing),
            Phase::Leaving(_, None) | Phase::Draining(_) | Phase::Over => {}
        }
        self.context.0.server.call_ends();
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Call").field("context", &self.context).finish_non_exhaustive()
    }
}

/// One line per call.
fn report(context: &CallContext, outcome: Outcome) {
    let scope = &context.0;
    let elapsed = scope.server.runtime().now().saturating_duration_since(scope.started);
    let asked = Asked {
        request: &scope.request,
        version: Some(scope.caller.version),
        transport: scope.caller.transport,
    };
    asked.report(outcome, elapsed);
}
