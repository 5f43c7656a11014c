//! Asking a client that waits beside the call: a request goes out, and its response is waited for.

use super::{
    Ask, AskError, AskRequest,
    future::State,
    questions::{NoQuestion, Outcome},
};
use crate::{context::Asking, lower, ports::BoxFuture, session::LiveSession};
use std::{
    future::Future as _,
    sync::Arc,
    task::{Context, Poll, Waker},
};

impl<T> Ask<T> {
    /// Waits until the client may be asked, asks it, and waits for the answer.
    pub(super) fn poll_held(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        let State::Held { initialized, deadline } = &mut self.state else { return self.poll_sent(waker) };
        let mut context = Context::from_waker(waker);
        if initialized.as_mut().poll(&mut context).is_pending() {
            if deadline.as_mut().poll(&mut context).is_pending() {
                return Poll::Pending;
            }
            self.withdraw("the client did not initialize in time");
            return Poll::Ready(Err(AskError::TimedOut));
        }
        let State::Held { deadline, .. } = std::mem::replace(&mut self.state, State::Registered) else {
            return Poll::Pending;
        };
        let sent = match (&self.request, &self.context.0.caller.asking) {
            (Ok(request), Asking::Live(session)) => self.send(request, session, deadline),
            _ => Err(AskError::Closed),
        };
        match sent {
            Ok(sent) => {
                self.state = sent;
                self.poll_sent(waker)
            }
            Err(error) => {
                self.withdraw("the client cannot be asked");
                Poll::Ready(Err(error))
            }
        }
    }

    /// Sends the request on the call's own stream.
    pub(super) fn send(
        &self,
        request: &AskRequest,
        session: &Arc<LiveSession>,
        deadline: BoxFuture<()>,
    ) -> Result<State, AskError> {
        let scope = &self.context.0;
        let mut random = [0; 8];
        scope.server.runtime().fill_random(&mut random);
        // Every client reads integers of 53 bits exactly; at random, so that no two nodes choose the same.
        let id = i64::from_be_bytes(random) & ((1 << 53) - 1);
        let question =
            session.questions.open(id, scope.server.limits().open_asks).map_err(|no| match no {
                NoQuestion::TooMany => AskError::Limit("limits.open_asks"),
                NoQuestion::Closed => AskError::Closed,
            })?;
        if let AskRequest::Url { id, .. } = request {
            self.expect_completion(id, session);
        }
        let message = lower::ask_request(question.id, request, scope.caller.version);
        if message.len() > scope.server.limits().output_bytes {
            return Err(AskError::Limit("limits.output_bytes"));
        }
        if !scope.outbox.put_request(question.id, message) {
            return Err(AskError::Closed);
        }
        Ok(State::Sent { question, deadline })
    }

    pub(super) fn poll_sent(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        let State::Sent { question, deadline } = &mut self.state else { return Poll::Pending };
        let outcome = match question.poll(waker) {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => {
                let mut context = Context::from_waker(waker);
                if deadline.as_mut().poll(&mut context).is_pending() {
                    return Poll::Pending;
                }
                self.withdraw("the client did not answer in time");
                return Poll::Ready(Err(AskError::TimedOut));
            }
        };
        self.state = State::Over;
        self.context.0.asks.with(|known| known.withdraw(&self.key));
        Poll::Ready(match outcome {
            Outcome::Result(text) => self.answered(&text),
            Outcome::Error { code, message } => Err(AskError::ClientError { code, message }),
            Outcome::Closed => Err(AskError::Closed),
        })
    }
}
