//! GET: the stream of a session, or one of its streams taken up where it broke.

use super::{
    Journal, Replayed, SessionHost, Standalone, Working, find, refuse::store_refusal,
    standalone::MOST_STREAMS,
};
use crate::{
    admit::{self, HeaderField, RequestHead},
    exchange::{EventSource, Events},
    ports::{Event, EventId, Missed, StreamId},
    refusal::Refusal,
    server::{Peer, Server},
    version::Feature,
};
use std::sync::Arc;

/// The header that names the event a client saw last.
const LAST_EVENT_ID: &str = "last-event-id";

/// Opens or resumes a stream; `None` when there is no such stream for GET.
///
/// # Errors
/// As [`find`](super::find()) does, and [`Refusal::UnknownEvent`].
pub(crate) async fn open_stream(
    server: &Server,
    host: &SessionHost,
    head: &dyn RequestHead,
    peer: Peer,
) -> Result<Option<Events>, Refusal> {
    let settings = &host.settings;
    if !settings.get_stream && !settings.resumption {
        return Ok(None);
    }
    if server.is_shutting_down() {
        return Err(Refusal::ShuttingDown);
    }
    admit::handshake_version(head, server.versions())?;
    let found = find(server, host, head, peer.principal.as_deref()).await?;
    let version = found.record.version;
    let recorded = settings.resumption && version.has(Feature::EventIds);
    let last = if recorded { last_event_id(head)? } else { None };
    let session = found.session;
    let journal = |stream| Journal::new(host, &session, stream, server.runtime());
    let mut missed = Vec::new();
    if let Some(EventId { stream, number }) = last {
        let standalone = stream == StreamId::standalone();
        let journal = journal(stream.clone());
        match journal.replay(number).await.map_err(store_refusal)? {
            Some(replay) if standalone => missed = told(replay.events, replay.missed),
            Some(replay) => {
                let working = Working::begin(server, Arc::clone(&session));
                let hold = session.holders.take_over(stream);
                let replayed = Replayed::new(working, hold, journal, number, replay);
                return Ok(Some(Events::of(EventSource::Replayed(Box::new(replayed)))));
            }
            // What it carried is forgotten, and the stream itself goes on.
            None if standalone => {}
            None => return Err(Refusal::UnknownEvent),
        }
    }
    if !settings.get_stream {
        return Ok(None);
    }
    let subscribed = found.record.subscriptions.iter().map(|uri| &**uri);
    let registration = session.live.registration(server, subscribed);
    let registration = registration.map_err(|full| Refusal::Limit { setting: full.setting() })?;
    let prime = (recorded && version.has(Feature::PrimingEvents)).then_some(settings.retry);
    let journal = recorded.then(|| journal(StreamId::standalone()));
    let hold = session.holders.hold(StreamId::standalone(), MOST_STREAMS);
    let working = Working::begin(server, session);
    let standalone = Standalone::new(working, registration, hold, journal, prime, missed);
    Ok(Some(Events::of(EventSource::Standalone(Box::new(standalone)))))
}

fn last_event_id(head: &dyn RequestHead) -> Result<Option<EventId>, Refusal> {
    match head.field(LAST_EVENT_ID) {
        HeaderField::Absent => Ok(None),
        HeaderField::Once(raw) => {
            let id = std::str::from_utf8(raw.trim_ascii()).ok().and_then(EventId::parse);
            id.map(Some).ok_or(Refusal::UnknownEvent)
        }
        HeaderField::Repeated => Err(Refusal::UnknownEvent),
    }
}

fn told(events: Vec<Event>, missed: Missed) -> Vec<Event> {
    if missed == Missed::Some {
        tracing::debug!("a resumed stream lacks events that are not kept any more");
    }
    events
}
