//! The four lists.

use super::{scope_with, start};
use crate::{
    context::{Caller, Context},
    exchange::{Exchange, Work},
    handler::ProtocolError,
    jsonrpc::IncomingRequest,
    lower::{self, ListKind},
    page::{self, Cursor, Place},
    protocol::{Meta, Method, Resource},
    refusal::Refusal,
    registry::Catalogue,
    server::Server,
};

pub(super) fn list(server: &Server, request: IncomingRequest, method: Method, caller: Caller) -> Exchange {
    let catalogue = server.catalogue();
    let (kind, offered) = match method {
        Method::ListResources => (ListKind::Resources, server.offers_resources()),
        Method::ListResourceTemplates => (ListKind::Templates, server.offers_resources()),
        Method::ListPrompts => (ListKind::Prompts, server.offers_prompts()),
        _ => (ListKind::Tools, true),
    };
    if !offered {
        return super::refuse(&request, &Refusal::MethodNotFound, &caller);
    }
    let from = match begin(server, &request, kind, &caller, &catalogue) {
        Ok(from) => from,
        Err(refusal) => return super::refuse(&request, &refusal, &caller),
    };
    let callbacks = kind == ListKind::Resources && !catalogue.listings().0.is_empty();
    match from {
        Place::Entries(passed)
            if !callbacks
                && server.lists().filter_of(kind).is_none()
                && server.presentation().is_whole(kind)
                && caller.view.hides_nothing() =>
        {
            answer_at_once(server, &request, kind, &caller, &catalogue, passed)
        }
        from => {
            let context = scope_with(server, request, method, caller, catalogue);
            let future = Box::pin(page::collect(context.clone(), kind, from));
            start(context, Ok(Work::List { future, kind }))
        }
    }
}

/// A page of a list that reads the same for everyone.
fn answer_at_once(
    server: &Server,
    request: &IncomingRequest,
    kind: ListKind,
    caller: &Caller,
    catalogue: &Catalogue,
    passed: usize,
) -> Exchange {
    let encoded = catalogue.encoded(kind, caller.version);
    let end =
        server.lists().page().map_or(encoded.len(), |size| passed.saturating_add(size).min(encoded.len()));
    let next = (end < encoded.len()).then(|| Cursor::new(catalogue.digest_bytes(), Place::Entries(end)));
    let next = next.map(|cursor| server.seal_cursor(&cursor, kind, caller));
    let cache = server.list_cache(kind, caller);
    let frame = server.frame(&request.id, caller.version);
    let body = lower::list(frame, kind, encoded.slice(passed..end), next.as_deref(), cache, &Meta::new());
    super::answer(request, caller, frame.cached_reply(body, cache))
}

/// Where the page that is asked for begins.
fn begin(
    server: &Server,
    request: &IncomingRequest,
    kind: ListKind,
    caller: &Caller,
    catalogue: &Catalogue,
) -> Result<Place, Refusal> {
    let sent = request.params().and_then(|params| params.get("cursor")).filter(|cursor| !cursor.is_null());
    let Some(sent) = sent else { return Ok(Place::Entries(0)) };
    let sent = sent.as_str().filter(|_| server.lists().page().is_some()).ok_or(Refusal::InvalidCursor)?;
    let cursor = server.open_cursor(&sent, kind, caller).ok_or(Refusal::InvalidCursor)?;
    let passed = match &cursor.place {
        Place::Entries(passed) => *passed,
        // All that is registered has been passed; whether callbacks know the way on they are asked later.
        Place::Callback { .. } => 0,
    };
    let passed = catalogue.resume(kind, cursor.digest(), passed).ok_or(Refusal::InvalidCursor)?;
    Ok(match cursor.place {
        Place::Entries(_) => Place::Entries(passed),
        callback @ Place::Callback { .. } => callback,
    })
}

impl Context {
    /// The resources of this server, static ones and those of callbacks, as this caller sees them.
    ///
    /// # Errors
    /// [`ProtocolError`] when a callback or a policy failed.
    pub async fn list_resources(&self) -> Result<Vec<Resource>, ProtocolError> {
        page::resources_seen(self).await
    }
}
