//! One ask, as the future a handler awaits: what is asked, what is known already, and how an answer is read.

use super::{
    AskError, AskRequest, Turn,
    answer::{AnswerFault, check_answer},
    questions::Question,
    state::Remembered,
};
use crate::{
    context::{Asking, Context},
    json::{Document, JsonLimits, Node, RawJson},
    lower,
    ports::BoxFuture,
    protocol::{Elicitation, Method, RequiredUrl},
    session::LiveSession,
    task::RunningTask,
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
    pub(super) context: Context,
    pub(super) key: Box<str>,
    pub(super) request: Result<AskRequest, Option<AskError>>,
    read: fn(Node<'_>) -> Result<T, AnswerFault>,
    issued_only: bool,
    pub(super) timeout: Option<Duration>,
    pub(super) state: State,
}

pub(super) enum State {
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

    pub(super) fn after(&self, timeout: Duration) -> BoxFuture<()> {
        let runtime = self.context.0.server.runtime();
        // A time beyond what the clock can tell never comes.
        match runtime.now().checked_add(timeout) {
            Some(deadline) => runtime.sleep_until(deadline),
            None => Box::pin(std::future::pending()),
        }
    }

    /// Notes which client is to hear that its user is done with a page.
    pub(super) fn expect_completion(&self, id: &str, session: &LiveSession) {
        let server = &self.context.0.server;
        if let Ok(registration) = session.registration(server, []) {
            server.elicitations().add(id, &registration);
        }
    }

    /// Checks an answer that came as a response, and remembers it for this call.
    pub(super) fn answered(&self, text: &Bytes) -> Result<T, AskError> {
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
    pub(super) fn withdraw(&mut self, reason: &str) {
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
