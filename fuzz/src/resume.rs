//! `Last-Event-ID`: what a client says of where its stream broke.

use crate::{head::Lines, runtime::Still};
use bytes::Bytes;
use futures_util::FutureExt as _;
use mcp_core::{
    context::Transport,
    exchange::{Events, StreamEvent},
    extract::{Args, Progress},
    ports::{EventId, SessionId, StreamId},
    registry::{McpRouter, tool},
    server::{Opened, Peer, Posted, Server, Sessions},
};
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::{Map, Value, json};
use std::{
    sync::{Arc, LazyLock},
    task::{Context, Poll, Waker},
};

static WORLD: LazyLock<World> = LazyLock::new(World::new);

/// A session with a stream that has come to its end, and one whose call is still at work.
struct World {
    server: Server,
    runtime: Arc<Still>,
    session: String,
    closed: Told,
    open: Told,
    /// What waits in the background while nobody is connected.
    waiting: usize,
}

/// What was told on a stream before its connection broke.
struct Told {
    stream: StreamId,
    events: Vec<(u64, Bytes)>,
}

impl World {
    fn new() -> Self {
        let steps = async |progress: Progress, Args(arguments): Args<Map<String, Value>>| {
            for step in [1.0, 2.0, 3.0] {
                progress.report(step, 3.0);
            }
            if arguments.contains_key("stay") {
                std::future::pending::<()>().await;
            }
            "done"
        };
        let router = McpRouter::new().tool("steps", tool(steps).describe("Reports its progress"));
        let runtime = Arc::new(Still::new());
        let sessions = Sessions::new(Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new()));
        let server = Server::builder(router, runtime.clone()).name("fuzz").version("1").dynamic();
        let server = server.sessions(sessions).build().expect("it is sound");

        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let session = match post(&server, &Lines(Vec::new()), &hello) {
            Posted::Exchange(mut exchange) => loop {
                let Poll::Ready(Some(message)) =
                    exchange.poll_message(&mut Context::from_waker(Waker::noop()))
                else {
                    panic!("the handshake is answered")
                };
                if let mcp_core::exchange::Outgoing::Reply(reply) = message {
                    break reply.session.expect("a session begins").as_str().to_owned();
                }
            },
            other => panic!("{other:?}"),
        };
        let head = Lines(session_head(&session));
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert!(matches!(post(&server, &head, &initialized), Posted::Accepted));
        let call = |arguments: Value| {
            let params =
                json!({ "name": "steps", "arguments": arguments, "_meta": { "progressToken": "token" } });
            let request = json!({ "jsonrpc": "2.0", "id": arguments.to_string(), "method": "tools/call", "params": params });
            let Posted::Exchange(exchange) = post(&server, &head, &request) else {
                panic!("the call is served")
            };
            let (events, _) = read(&runtime, &mut exchange.into_events(None));
            let told = events.into_iter().filter_map(|event| Some((event.id?, event.data?)));
            let told: Vec<_> = told.collect();
            let stream = told.first().expect("it reports its progress").0.stream.clone();
            Told { stream, events: told.into_iter().map(|(id, data)| (id.number, data)).collect() }
        };
        let (closed, open) = (call(json!({})), call(json!({ "stay": true })));
        assert_eq!((closed.events.len(), open.events.len()), (4, 3));
        let waiting = runtime.settle();
        Self { server, runtime, session, closed, open, waiting }
    }

    /// The stream that an input calls `closed` or `open`.
    fn told(&self, name: &str) -> Option<&Told> {
        match name {
            "closed" => Some(&self.closed),
            "open" => Some(&self.open),
            _ => None,
        }
    }

    /// Writes the id of a stream for its name.
    fn line(&self, line: &[u8]) -> Vec<u8> {
        for name in ["closed", "open"] {
            if let (Some(rest), Some(told)) = (line.strip_prefix(name.as_bytes()), self.told(name)) {
                return [told.stream.as_str().as_bytes(), rest].concat();
            }
        }
        line.to_vec()
    }
}

/// Reads `input` as an id, and takes up a stream after it: each line is a `Last-Event-ID` header, and there is none
/// where there are no octets. `closed.1` and `open.1` are events of streams that exist.
///
/// # Panics
/// Where an id is read that would be written in another way or is longer than ids are, where a stream is not told
/// from the event on that was named, or is told to one who named no event of it, or where anything stays behind.
pub fn resume(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        ids(text);
    }
    let world = &*WORLD;
    let lines: Vec<_> = match input {
        [] => Vec::new(),
        input => input.split(|octet| *octet == b'\n').map(|line| world.line(line)).collect(),
    };
    let mut head = session_head(&world.session);
    head.extend(lines.iter().map(|line| (&b"last-event-id"[..], &**line)));
    let opened = world.server.open_stream(&Lines(head), peer()).now_or_never();
    let (known, last) = match &*lines {
        [line] => {
            let text = std::str::from_utf8(line.trim_ascii()).ok();
            let last = text.and_then(EventId::parse);
            let told = [&world.closed, &world.open];
            let known = |id: &EventId| told.into_iter().find(|told| told.stream == id.stream);
            (last.as_ref().and_then(known), last)
        }
        _ => (None, None),
    };
    match (opened.expect("the stores do not wait"), known, last) {
        (Opened::Stream(mut events), Some(told), Some(last)) => {
            let (events, over) = read(&world.runtime, &mut events);
            let events = events.into_iter().map(|event| {
                let id = event.id.expect("what is told again has its id");
                assert_eq!(id.stream, told.stream, "one stream is told");
                (id.number, event.data.expect("what is told again has its message"))
            });
            let rest = told.events.iter().filter(|(number, _)| *number > last.number).cloned();
            assert_eq!(events.collect::<Vec<_>>(), rest.collect::<Vec<_>>());
            assert_eq!(over, told.events.len() == 4, "a stream ends when its call has ended");
        }
        (Opened::Refused(reply), Some(told), Some(last)) => {
            assert!(told.events.iter().all(|(number, _)| *number < last.number), "{last} was told");
            refused(&reply.body);
        }
        (Opened::Stream(mut events), None, last) => {
            let ours = last.is_none_or(|last| last.stream == StreamId::standalone()) && lines.len() <= 1;
            assert!(ours, "a stream is told to one who named no event of it");
            let (events, over) = read(&world.runtime, &mut events);
            assert!(!over && events.iter().all(|event| event.data.is_none()), "nothing was announced");
        }
        (Opened::Refused(reply), None, _) => {
            assert!(!lines.is_empty(), "the session's own stream is there for everyone");
            refused(&reply.body);
        }
        (other, ..) => panic!("{other:?}"),
    }
    assert_eq!(world.runtime.settle(), world.waiting, "something stays behind");
    let counts = world.server.counts();
    assert_eq!(
        (counts.live_sessions, counts.session_work, counts.requests_in_flight),
        (1, 1, 1),
        "{counts:?}"
    );
}

fn ids(text: &str) {
    if let Some(id) = EventId::parse(text) {
        assert_eq!(id.to_string(), text, "an event has one id");
        assert!(id.stream.as_str().len() <= StreamId::MAX_BYTES);
        assert_eq!(StreamId::parse(id.stream.as_str()), Some(id.stream));
    }
    if let Some(id) = StreamId::parse(text) {
        assert_eq!(id.as_str(), text);
    }
    if let Some(id) = SessionId::parse(text) {
        assert_eq!(id.as_str(), text);
        assert!(text.len() <= SessionId::MAX_BYTES && text.bytes().all(|byte| byte.is_ascii_graphic()));
    }
}

/// Reads what is there now, and tells whether it was all.
fn read(runtime: &Still, events: &mut Events) -> (Vec<StreamEvent>, bool) {
    let mut all = Vec::new();
    loop {
        match events.poll_event(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(event)) => all.push(event),
            Poll::Ready(None) => return (all, true),
            Poll::Pending => {
                runtime.settle();
                match events.poll_event(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(Some(event)) => all.push(event),
                    Poll::Ready(None) => return (all, true),
                    Poll::Pending => return (all, false),
                }
            }
        }
    }
}

fn refused(body: &[u8]) {
    let body: Value = serde_json::from_slice(body).expect("the server writes JSON");
    assert!(body["error"]["code"].is_i64(), "{body}");
}

fn session_head(session: &str) -> Vec<(&[u8], &[u8])> {
    vec![(b"mcp-session-id", session.as_bytes()), (b"mcp-protocol-version", b"2025-11-25")]
}

fn post(server: &Server, head: &Lines<'_>, message: &Value) -> Posted {
    server.post(message.to_string().into(), head, peer()).now_or_never().expect("the stores do not wait")
}

fn peer() -> Peer {
    Peer::anonymous(Transport::Http)
}

#[cfg(test)]
mod tests {
    use super::resume;

    #[test]
    fn ids_and_their_fragments_pass_the_target() {
        for text in [
            "get.0",
            "get.7",
            "AbCdEfGhIjKlMnOp.18446744073709551615",
            "a.01",
            "a.+1",
            "a.b.1",
            "\u{e9}.1",
            "closed.0",
            " closed.2\t",
            "closed.4",
            "closed.5",
            "closed.18446744073709551615",
            "open.0",
            "open.3",
            "open.4",
            "open.1\nopen.1",
        ] {
            for (end, _) in text.char_indices() {
                resume(&text.as_bytes()[..end]);
            }
            resume(text.as_bytes());
        }
        resume("a".repeat(65).as_bytes());
        resume("a".repeat(129).as_bytes());
    }
}
