//! One ask, as the future a handler awaits.

use super::{
    AskError, AskRequest, Turn,
    answer::{AnswerFault, check_answer},
    questions::{NoQuestion, Outcome, Question},
    state::Remembered,
};
use crate::{
    context::{Asking, Context},
    json::{Document, JsonLimits, Node, RawJson},
    lower,
    ports::BoxFuture,
    protocol::{Elicitation, Method, RequiredUrl},
    session::LiveSession,
    task::{RunningTask, TaskAnswer},
    version::Feature,
};
use bytes::Bytes;
use event_listener::EventListener;
use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Poll, Waker},
    time::Duration,
};

/// The longest key, in bytes.
const MOST_KEY_BYTES: usize = 128;

/// A question to the client, to be awaited in the handler.
///
/// Nothing happens before it is polled. In the handshake era a request goes out and the answer is waited for; on
/// 2026-07-28 the call ends with what it asks, and the handler runs again when the client has answered. Dropping
/// it withdraws the question.
#[must_use = "an ask does nothing unless it is awaited"]
pub struct Ask<T> {
    context: Context,
    key: Box<str>,
    request: Result<AskRequest, Option<AskError>>,
    read: fn(Node<'_>) -> Result<T, AnswerFault>,
    issued_only: bool,
    timeout: Option<Duration>,
    state: State,
}

enum State {
    New,
    /// It is among what the call asks; the round ends with it.
    Registered,
    /// The client has not said that it is initialized; the request goes out when it has.
    Held {
        initialized: Pin<Box<EventListener>>,
        deadline: BoxFuture<()>,
    },
    /// It is among what a task asks; whoever looks at the task sees it.
    OfTask {
        task: Arc<RunningTask>,
        /// The author's own bound; the task's time bounds it anyway.
        deadline: Option<BoxFuture<()>>,
    },
    /// The client was sent a request.
    Sent {
        question: Question,
        deadline: BoxFuture<()>,
    },
    Over,
}

impl<T> Ask<T> {
    pub(crate) fn new(
        context: &Context,
        key: &str,
        request: Result<AskRequest, AskError>,
        read: fn(Node<'_>) -> Result<T, AnswerFault>,
    ) -> Self {
        let request = match (1..=MOST_KEY_BYTES).contains(&key.len()) {
            true => request.map_err(Some),
            false => Err(Some(AskError::InvalidKey)),
        };
        // Within another call it is the outermost one that asks, and keys say where.
        let (context, key) = context.rooted(key);
        let context = context.clone();
        Self { context, key, request, read, issued_only: false, timeout: None, state: State::New }
    }

    /// Takes no answer that the client sent before it was asked.
    ///
    /// On 2026-07-28 a client may answer with its first request what it expects to be asked. Where an answer is a
    /// decision about what this call does, such as a confirmation, it should be one to this very question. What the
    /// client brings back later is one in any case.
    pub fn issued_only(mut self) -> Self {
        self.issued_only = true;
        self
    }

    /// Sets how long the client may take; `limits.ask_timeout` by default.
    ///
    /// Only where a request goes out and is waited for: on 2026-07-28 nobody waits. A task waits for as long as it
    /// lasts, unless this is set.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    fn poll_ask(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        if !Turn::is_of(&self.context) {
            return Poll::Ready(Err(AskError::OutsideHandler));
        }
        match &self.state {
            State::New => match self.begin() {
                Ok(Some(answer)) => Poll::Ready(Ok(answer)),
                Ok(None) if matches!(self.state, State::OfTask { .. }) => self.poll_of_task(waker),
                Ok(None) => self.poll_held(waker),
                Err(error) => Poll::Ready(Err(error)),
            },
            State::Registered => Poll::Pending,
            State::Held { .. } => self.poll_held(waker),
            State::OfTask { .. } => self.poll_of_task(waker),
            State::Sent { .. } => self.poll_sent(waker),
            State::Over => Poll::Ready(Err(AskError::Closed)),
        }
    }

    /// Finds the answer, or asks.
    fn begin(&mut self) -> Result<Option<T>, AskError> {
        if !matches!(self.context.0.method, Method::CallTool | Method::GetPrompt | Method::ReadResource) {
            return Err(AskError::Unsupported);
        }
        let request = match &mut self.request {
            Ok(request) => request.clone(),
            Err(error) => return Err(error.take().unwrap_or(AskError::Closed)),
        };
        if let Some(answer) = self.known_answer(&request)? {
            return Ok(Some(answer));
        }
        if let Some(task) = self.context.0.task.running() {
            return self.ask_in_task(task, request).map(|()| None);
        }
        self.check_capability(&request)?;
        let question = match &self.context.0.caller.asking {
            Asking::Live(session) => Some(match session.initialized() {
                Some(listener) => State::Held { initialized: Box::pin(listener), deadline: self.deadline() },
                None => self.send(&request, session, self.deadline())?,
            }),
            _ => None,
        };
        self.context.0.asks.with(|known| known.open.push((self.key.clone(), request)));
        self.state = question.unwrap_or(State::Registered);
        Ok(None)
    }

    /// The answer to this very request, from an earlier round or from what the client offers.
    fn known_answer(&self, request: &AskRequest) -> Result<Option<T>, AskError> {
        let context = &self.context;
        let digest = request.digest();
        let answer = context.0.asks.with(|known| {
            if known.is_taken(&self.key, &digest) {
                return Err(AskError::DuplicateKey(self.key.clone()));
            }
            if let Some(remembered) = known.answers.get(&self.key) {
                if remembered.digest == digest {
                    return Ok(Some(remembered.answer.clone()));
                }
                known.answers.remove(&self.key);
            }
            // An answer is one to the question that was put, not to another which took over its key.
            let asked_before = match &known.issued {
                Some(issued) => issued.get(&self.key) == Some(&digest),
                None => !self.issued_only,
            };
            let Some(offered) = known.offered.get(context, &self.key).filter(|_| asked_before) else {
                return Ok(None);
            };
            match check_answer(request, offered) {
                Ok(()) => Ok(Some(RawJson::from_checked(offered.raw().to_owned()))),
                Err(fault) => {
                    tracing::debug!(key = &*self.key, %fault, "an answer does not fit and is asked for again");
                    Ok(None)
                }
            }
        })?;
        let Some(answer) = answer else { return Ok(None) };
        // The author's type is read without the lock: its code may do anything.
        let value = self.read_text(answer.get())?;
        context.0.asks.with(|known| known.give(&self.key, Remembered { digest, answer }));
        Ok(Some(value))
    }

    fn check_capability(&self, request: &AskRequest) -> Result<(), AskError> {
        let caller = &self.context.0.caller;
        if let Some(path) = request.missing_capability(caller.version, &caller.capabilities) {
            return Err(AskError::MissingCapability(path));
        }
        match (&caller.asking, request) {
            (Asking::Nobody(session), AskRequest::Url { message, url, id })
                if caller.version.has(Feature::ElicitationIds) =>
            {
                if let Some(session) = session {
                    self.expect_completion(id, session);
                }
                let required = RequiredUrl { id: id.clone(), message: message.clone(), url: url.clone() };
                Err(AskError::UrlElicitationRequired(Box::new(required)))
            }
            (Asking::Nobody(_), _) => Err(AskError::MissingCapability(request.capability())),
            _ => Ok(()),
        }
    }

    /// When the client is not waited for any more.
    fn deadline(&self) -> BoxFuture<()> {
        self.after(self.timeout.unwrap_or(self.context.limits().ask_timeout))
    }

    fn after(&self, timeout: Duration) -> BoxFuture<()> {
        let runtime = self.context.0.server.runtime();
        // A time beyond what the clock can tell never comes.
        match runtime.now().checked_add(timeout) {
            Some(deadline) => runtime.sleep_until(deadline),
            None => Box::pin(std::future::pending()),
        }
    }

    /// Puts the question where those see it who look at the task.
    fn ask_in_task(&mut self, task: Arc<RunningTask>, request: AskRequest) -> Result<(), AskError> {
        let caller = &self.context.0.caller;
        if let Some(path) = request.missing_capability(caller.version, &caller.capabilities) {
            return Err(AskError::MissingCapability(path));
        }
        if task.open_questions() >= self.context.limits().open_asks {
            return Err(AskError::Limit("limits.open_asks"));
        }
        if let (AskRequest::Url { id, .. }, Asking::Live(session)) = (&request, &caller.asking) {
            self.expect_completion(id, session);
        }
        task.ask(&self.key, request.clone());
        self.context.0.asks.with(|known| known.open.push((self.key.clone(), request)));
        let deadline = self.timeout.map(|timeout| self.after(timeout));
        self.state = State::OfTask { task, deadline };
        Ok(())
    }

    fn poll_of_task(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        let State::OfTask { task, deadline } = &mut self.state else { return Poll::Pending };
        let Poll::Ready(answer) = task.poll_answer(&self.key, waker) else {
            let mut context = std::task::Context::from_waker(waker);
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

    /// Waits until the client may be asked, asks it, and waits for the answer.
    fn poll_held(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        let State::Held { initialized, deadline } = &mut self.state else { return self.poll_sent(waker) };
        let mut context = std::task::Context::from_waker(waker);
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
    fn send(
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

    /// Notes which client is to hear that its user is done with a page.
    fn expect_completion(&self, id: &str, session: &LiveSession) {
        let server = &self.context.0.server;
        if let Ok(registration) = session.registration(server, []) {
            server.elicitations().add(id, &registration);
        }
    }

    fn poll_sent(&mut self, waker: &Waker) -> Poll<Result<T, AskError>> {
        let State::Sent { question, deadline } = &mut self.state else { return Poll::Pending };
        let outcome = match question.poll(waker) {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => {
                let mut context = std::task::Context::from_waker(waker);
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

    /// Checks an answer that came as a response, and remembers it for this call.
    fn answered(&self, text: &Bytes) -> Result<T, AskError> {
        let invalid = |reason: String| AskError::InvalidAnswer(reason.into());
        let Ok(request) = &self.request else { return Err(AskError::Closed) };
        // What comes in has been within the limits of a message already.
        let document = Document::parse(text.clone(), &JsonLimits::widest())
            .map_err(|fault| invalid(fault.to_string()))?;
        check_answer(request, document.root()).map_err(|fault| invalid(fault.to_string()))?;
        let value = (self.read)(document.root()).map_err(|fault| invalid(fault.to_string()))?;
        let answer = RawJson::from_checked(document.root().raw().to_owned());
        let remembered = Remembered { digest: request.digest(), answer };
        self.context.0.asks.with(|known| known.give(&self.key, remembered));
        Ok(value)
    }

    fn read_text(&self, text: &str) -> Result<T, AskError> {
        let invalid = |reason: String| AskError::InvalidAnswer(reason.into());
        let document = Document::parse(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::widest())
            .map_err(|fault| invalid(fault.to_string()))?;
        (self.read)(document.root()).map_err(|fault| invalid(fault.to_string()))
    }

    /// Takes the question back; a client that was sent it hears so.
    fn withdraw(&mut self, reason: &str) {
        match std::mem::replace(&mut self.state, State::Over) {
            State::New | State::Over => return,
            State::Registered | State::Held { .. } => {}
            State::OfTask { task, .. } => task.withdraw(&self.key),
            State::Sent { question, .. } => {
                let outbox = &self.context.0.outbox;
                // A request that is still queued need not go out at all.
                if !outbox.take_back(question.id) {
                    outbox.put_following(lower::ask_cancelled(question.id, reason));
                }
            }
        }
        self.context.0.asks.with(|known| known.withdraw(&self.key));
    }
}

impl Ask<Elicitation<()>> {
    /// Names the elicitation by an id that the page knows already.
    ///
    /// Only 2025-11-25 carries it; it is what
    /// [`Server::complete_elicitation`](crate::server::Server::complete_elicitation) is called with.
    pub fn elicitation_id(mut self, elicitation: impl Into<Box<str>>) -> Self {
        if let Ok(AskRequest::Url { id, .. }) = &mut self.request {
            *id = elicitation.into();
        }
        self
    }
}

impl<T> Future for Ask<T> {
    type Output = Result<T, AskError>;

    fn poll(self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        self.get_mut().poll_ask(context.waker())
    }
}

impl<T> Drop for Ask<T> {
    fn drop(&mut self) {
        self.withdraw("the server needs no answer any more");
    }
}

impl<T> fmt::Debug for Ask<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Ask").field("key", &self.key).finish_non_exhaustive()
    }
}
