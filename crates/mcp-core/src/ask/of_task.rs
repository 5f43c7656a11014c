//! Asking within a task: whoever looks at the task sees the question, and brings the answer.

use super::{Ask, AskError, AskRequest, future::State};
use crate::{
    context::Asking,
    task::{RunningTask, TaskAnswer},
};
use bytes::Bytes;
use std::{
    sync::Arc,
    task::{Context, Poll, Waker},
};

impl<T> Ask<T> {
    /// Puts the question where those see it who look at the task.
    pub(super) fn ask_in_task(
        &mut self,
        task: Arc<RunningTask>,
        request: AskRequest,
    ) -> Result<(), AskError> {
        let caller = &self.context.0.caller;
        if let Some(path) = request.missing_capability(caller.version, &caller.capabilities) {
            return Err(AskError::MissingCapability(path));
        }
        if task.open_questions() >= self.context.limits().open_asks {
            return Err(AskError::Limit("limits.open_asks"));
        }
        let most_bytes = self.context.limits().output_bytes;
        if !task.ask(&self.key, request.clone(), most_bytes) {
            return Err(AskError::Limit("limits.output_bytes"));
        }
        if let (AskRequest::Url { id, .. }, Asking::Live(session) | Asking::Nobody(Some(session))) =
            (&request, &caller.asking)
        {
            self.expect_completion(id, session);
        }
        self.context.0.asks.with(|known| known.open.push((self.key.clone(), request)));
        let deadline = self.timeout.map(|timeout| self.after(timeout));
        self.state = State::OfTask { task, deadline };
        Ok(())
    }

    pub(super) fn poll_of_task(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        let State::OfTask { task, deadline } = &mut self.state else { return Poll::Pending };
        let Poll::Ready(answer) = task.poll_answer(&self.key, waker) else {
            let mut context = Context::from_waker(waker);
            let late = deadline.as_mut().is_some_and(|end| end.as_mut().poll(&mut context).is_ready());
            if !late {
                return Poll::Pending;
            }
            self.withdraw("the client did not answer in time");
            return Poll::Ready(Err(AskError::TimedOut));
        };
        self.state = State::Over;
        self.context.0.asks.with(|known| known.withdraw(&self.key));
        Poll::Ready(match answer {
            Some(TaskAnswer::Fits(answer)) => self.answered(&Bytes::from(answer.get().to_owned())),
            Some(TaskAnswer::Error { code, message }) => Err(AskError::ClientError { code, message }),
            Some(TaskAnswer::Unfit(reason)) => Err(AskError::InvalidAnswer(reason)),
            None => Err(AskError::Closed),
        })
    }
}
