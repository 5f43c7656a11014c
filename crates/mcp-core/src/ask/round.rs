//! The rounds of a modern call: it begins with what earlier ones left, and ends when the handler waits for answers.

use super::{
    AskRequest,
    asks::{Asks, Offered},
    state::{Binding, RoundState, arguments_digest},
};
use crate::{
    context::{Asking, Context},
    handler::ProtocolError,
    json::{Document, Kind, Node},
    lower::{self, Reply},
    ports::Owner,
    protocol::{Meta, Method},
    refusal::Refusal,
    registry::picked_version,
};
use std::sync::{Mutex, PoisonError};

/// How a round ended before its handler did.
#[derive(Debug)]
pub(crate) enum RoundEnd {
    /// The client is asked, and comes back.
    Reply(Reply),
    /// The call has asked too often, or for too much.
    Refused(Reply),
    /// Whoever runs the rounds in this process has been told.
    Local,
}

/// Rounds that are run in this process, for callers of any revision.
///
/// The way tests run handlers: what does not bear to be run again shows in every era.
#[derive(Debug, Default)]
pub(crate) struct LocalRounds {
    resumed: Mutex<Option<(RoundState, Document)>>,
    ended: Mutex<Option<EndedRound>>,
}

/// What a round asked, and what the next one begins with.
#[derive(Debug)]
pub(crate) struct EndedRound {
    pub(crate) asks: Vec<(Box<str>, AskRequest)>,
    pub(crate) state: RoundState,
}

impl LocalRounds {
    /// A round that begins with the state of the last and with answers to what it asked.
    pub(crate) fn resuming(state: RoundState, answers: Document) -> Self {
        Self { resumed: Mutex::new(Some((state, answers))), ended: Mutex::default() }
    }

    /// What the round asked, if it asked.
    pub(crate) fn take_ended(&self) -> Option<EndedRound> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Reads what the client brings from the last round.
///
/// # Errors
/// [`Refusal::InvalidParams`] for answers that are no object, [`Refusal::InvalidRequestState`] for state that is not
/// exactly what this server gave this caller for this request, whatever is wrong with it.
pub(crate) fn resume(context: &Context) -> Result<(), Refusal> {
    let Asking::Rounds(local) = &context.0.caller.asking else { return Ok(()) };
    if let Some(local) = local {
        if let Some((state, answers)) = local.resumed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            context.0.asks.resume(Some(state), Offered::Apart(answers));
        }
        return Ok(());
    }
    let Some(params) = context.0.request.params() else { return Ok(()) };
    let offered = match params.get("inputResponses") {
        None => Offered::Nothing,
        Some(node) if node.kind() == Kind::Object => Offered::InRequest(node.id()),
        Some(_) => return Err(Refusal::InvalidParams("`inputResponses` must be an object".into())),
    };
    let state = match params.get("requestState").filter(|node| !node.is_null()) {
        None => None,
        Some(node) => Some(open(context, node)?),
    };
    if state.is_some() || !matches!(offered, Offered::Nothing) {
        context.0.asks.resume(state, offered);
    }
    Ok(())
}

fn open(context: &Context, sealed: Node<'_>) -> Result<RoundState, Refusal> {
    let Some(text) = sealed.as_str() else {
        return Err(Refusal::InvalidRequestState);
    };
    if text.len() > context.limits().ask_state_bytes {
        return Err(Refusal::InvalidRequestState);
    }
    let server = &context.0.server;
    bound(context, |binding| server.state_keys().open(&text, binding, server.runtime().wall_time())).map_err(
        |fault| {
            tracing::info!(%fault, target = context.target(), "sealed state is refused");
            Refusal::InvalidRequestState
        },
    )
}

/// Ties state to who asks for what.
fn bound<T>(context: &Context, act: impl FnOnce(&Binding<'_>) -> T) -> T {
    let scope = &context.0;
    let params = scope.request.params();
    let arguments = match scope.method {
        Method::ReadResource => None,
        _ => params.and_then(|params| params.get("arguments")),
    };
    let owner = Owner::of(scope.caller.principal.as_deref());
    let mut target = context.target().unwrap_or_default();
    if let Some(version) = picked_version(params).ok().flatten() {
        // Another version is another tool: what was asked or remembered for one does not count for the other.
        target.push('\n');
        target.push_str(&version);
    }
    act(&Binding {
        server: &scope.server.identity().name,
        version: scope.caller.version,
        method: scope.method,
        target: &target,
        arguments: arguments_digest(arguments),
        owner: &owner,
    })
}

impl Asks {
    /// Ends the round when the handler waits and something is asked; `None` when it waits for something else.
    pub(crate) fn end_round(&self, context: &Context) -> Option<RoundEnd> {
        let Asking::Rounds(local) = &context.0.caller.asking else { return None };
        // A task asks while it waits.
        if context.is_task() {
            return None;
        }
        let ended = self.ended(context)?;
        if ended.state.round > context.limits().ask_rounds {
            return Some(refused(
                context,
                "it asked the client in more round trips than `limits.ask_rounds` allows",
            ));
        }
        let server = &context.0.server;
        let mut nonce = [0; 24];
        server.runtime().fill_random(&mut nonce);
        let sealed = bound(context, |binding| server.state_keys().seal(&ended.state, binding, nonce));
        if sealed.len() > context.limits().ask_state_bytes {
            return Some(refused(context, "what it remembers is more than `limits.ask_state_bytes` allows"));
        }
        if let Some(local) = local {
            *local.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
            return Some(RoundEnd::Local);
        }
        let asks = ended.asks.iter().map(|(key, request)| (&**key, request));
        let frame = server.frame(&context.0.request.id, context.version());
        let reply = lower::input_required(frame, asks, &sealed, &Meta::new());
        if reply.body.len() > context.limits().output_bytes {
            return Some(refused(context, "what it asks is larger than `limits.output_bytes` allows"));
        }
        Some(RoundEnd::Reply(reply))
    }

    fn ended(&self, context: &Context) -> Option<EndedRound> {
        let mut asks = self.open();
        let known = asks.as_mut().filter(|known| !known.open.is_empty())?;
        let asks = known.open.clone();
        let mut issued = known.issued.take().unwrap_or_default();
        issued.extend(asks.iter().map(|(key, request)| (key.clone(), request.digest())));
        let state = RoundState {
            operation_id: (*known.operation_id(context)).into(),
            round: known.round.saturating_add(1),
            issued,
            clashes: std::mem::take(&mut known.clashes),
            answers: std::mem::take(&mut known.answers),
            values: std::mem::take(&mut known.values),
            expires_at: context.runtime().wall_time() + context.limits().ask_state_ttl,
        };
        Some(EndedRound { asks, state })
    }
}

fn refused(context: &Context, why: &str) -> RoundEnd {
    let error = ProtocolError::internal_because(format!("the call was given up: {why}"));
    tracing::warn!(method = context.method(), target = context.target(), why, "a call was given up");
    let wire = error.on_wire(Some(context.version()));
    RoundEnd::Refused(lower::error_reply(Some(&context.0.request.id), &wire))
}
