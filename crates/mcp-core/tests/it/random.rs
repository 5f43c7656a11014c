//! Random messages and random polls: no panic, one reply per request, none for a cancelled one.

use crate::wire::{CAPABILITIES_KEY, Headers, MODERN, VERSION_KEY, connect, read, receive, serving, shaken};
use bytes::Bytes;
use futures_util::{FutureExt as _, task::noop_waker};
use mcp_core::{
    connection::Connection,
    context::Transport,
    exchange::{Exchange, Outgoing},
    extract::{Log, Progress},
    registry::{McpRouter, prompt, resource, tool, tool_args},
    server::{Limits, Peer, Posted, Server},
    version::ProtocolVersion,
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json};
use std::task::{Context, Poll};

fn offering() -> Server {
    let steps = |n: u8, progress: Progress, log: Log| async move {
        for step in 1..=n % 8 {
            progress.report(f64::from(step), None);
            log.info("a step");
            yield_once().await;
        }
        "done"
    };
    let router = McpRouter::new()
        .tool("steps", tool_args(["n"], steps).describe("Takes steps"))
        .tool("wait", tool(|| async { std::future::pending::<String>().await }).describe("Waits"))
        .resource("test://{id}", resource(|| async { "x" }).complete("id", || async { vec!["1"] }))
        .prompt("p", prompt(|| async { "x" }));
    // Polled by hand, without a runtime whose clock could run out.
    let limits = Limits { call_timeout: None, ..Limits::default() };
    serving(router).limits(limits).dynamic().resource_updates().build().unwrap()
}

/// Is pending once, and wakes at once.
async fn yield_once() {
    let mut yielded = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// What a peer or the server does next.
#[derive(Clone, Debug)]
enum Step {
    Send(Value),
    SendText(String),
    /// Polls one of the open exchanges.
    Poll(usize),
    /// Drops one of the open exchanges.
    Drop(usize),
    Change,
    ShutDown,
}

fn id() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0..6_i64).prop_map(Value::from),
        2 => (0..3_u8).prop_map(|id| json!(id.to_string())),
        1 => select(vec![json!(1.0), json!(1.5), Value::Null, json!([]), json!("")]),
    ]
}

fn method() -> impl Strategy<Value = &'static str> {
    select(vec![
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "tools/call",
        "tools/call",
        "resources/read",
        "resources/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/get",
        "prompts/list",
        "completion/complete",
        "server/discover",
        "subscriptions/listen",
        "logging/setLevel",
        "vendor/x",
        "",
    ])
}

fn params() -> impl Strategy<Value = Value> {
    select(vec![
        json!({}),
        Value::Null,
        json!([]),
        json!({ "name": "steps", "arguments": { "n": 3 } }),
        json!({ "name": "steps", "arguments": { "n": "5" } }),
        json!({ "name": "steps", "arguments": { "n": [] } }),
        json!({ "name": "wait" }),
        json!({ "name": "p" }),
        json!({ "uri": "test://1" }),
        json!({ "uri": 5 }),
        json!({ "level": "error" }),
        json!({ "protocolVersion": "2025-06-18" }),
        json!({ "protocolVersion": "2025-03-26" }),
        json!({ "notifications": { "toolsListChanged": true, "resourceSubscriptions": ["test://1"] } }),
        json!({ "ref": { "type": "ref/resource", "uri": "test://{id}" }, "argument": { "name": "id", "value": "" } }),
        json!({ "cursor": "x" }),
    ])
}

fn meta() -> impl Strategy<Value = Value> {
    select(vec![
        json!({ VERSION_KEY: MODERN.as_str(), CAPABILITIES_KEY: {}, "progressToken": 1 }),
        json!({ VERSION_KEY: MODERN.as_str() }),
        json!({ VERSION_KEY: "v9", CAPABILITIES_KEY: {} }),
        json!({ VERSION_KEY: 5 }),
        json!({ "progressToken": "t" }),
        Value::Null,
    ])
}

fn request() -> impl Strategy<Value = Value> {
    (id(), method(), params(), option::of(meta())).prop_map(|(id, method, mut params, meta)| {
        if let (Some(meta), Some(members)) = (meta, params.as_object_mut()) {
            members.insert("_meta".into(), meta);
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    })
}

fn notification() -> impl Strategy<Value = Value> {
    prop_oneof![
        id().prop_map(|id| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })),
        Just(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })),
        Just(json!({ "jsonrpc": "2.0", "id": 3, "result": {} })),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => request().prop_map(Step::Send),
        2 => notification().prop_map(Step::Send),
        1 => (request(), any::<proptest::sample::Index>()).prop_map(|(message, cut)| {
            let text = message.to_string();
            Step::SendText(text.chars().take(cut.index(text.len())).collect())
        }),
        8 => (0..8_usize).prop_map(Step::Poll),
        1 => (0..8_usize).prop_map(Step::Drop),
        1 => Just(Step::Change),
        1 => Just(Step::ShutDown),
    ]
}

/// An element of a batch: most are messages.
fn element() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => request(),
        3 => notification(),
        1 => select(vec![json!(1), json!([]), json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }]), json!({})]),
    ]
}

/// What is never answered: a notification, or a response.
fn is_silent(element: &Value) -> bool {
    element["jsonrpc"] == "2.0" && (element.get("id").is_none() || element.get("method").is_none())
}

fn cancellation(id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

/// One exchange as its transport sees it.
struct Open {
    exchange: Exchange,
    message: String,
    /// What a reply must carry; `None` where no id could be read.
    id: Option<Value>,
    /// The envelope is sound, so that the id is in use until the reply.
    placed: bool,
    cancelled: bool,
    over: bool,
}

impl Open {
    /// Polls once and checks what comes.
    fn poll(&mut self) -> bool {
        match self.exchange.poll_message(&mut Context::from_waker(&noop_waker())) {
            Poll::Pending => {
                assert!(!self.over, "pending after the end: {}", self.message);
                return false;
            }
            Poll::Ready(None) => {
                assert!(self.over || self.cancelled, "an end without a reply: {}", self.message)
            }
            Poll::Ready(Some(other @ (Outgoing::Request(_) | Outgoing::Stream(_)))) => panic!("{other:?}"),
            Poll::Ready(Some(Outgoing::Notification(bytes))) => {
                assert!(!self.over && !self.cancelled, "after the end: {}", self.message);
                assert!(read(&bytes).get("id").is_none());
                return true;
            }
            Poll::Ready(Some(Outgoing::Reply(reply))) => {
                assert!(
                    !self.over && !self.cancelled,
                    "a second reply, or one that was cancelled: {}",
                    self.message
                );
                let reply = read(&reply.body);
                assert_ne!(reply.get("result").is_some(), reply.get("error").is_some(), "{reply}");
                let id = reply.get("id").filter(|id| !id.is_null());
                assert_eq!(id, self.id.as_ref(), "{}", self.message);
            }
        }
        self.over = true;
        false
    }
}

/// The id a reply must carry: any string or integer, as it was written.
fn readable_id(message: &Value) -> Option<Value> {
    message
        .get("id")
        .filter(|id| id.is_string() || id.as_f64().is_some_and(|number| number.fract() == 0.0))
        .cloned()
}

/// Whether two ids are the same for a connection.
fn same(one: &Value, other: &Value) -> bool {
    one == other || (one.as_f64().is_some() && one.as_f64() == other.as_f64())
}

/// The server side of a connection and all its open exchanges.
struct World {
    server: Server,
    connection: Connection,
    open: Vec<Open>,
}

impl World {
    fn take(&mut self, step: Step) {
        match step {
            Step::Send(message) => {
                if message["method"] == "notifications/cancelled" {
                    let id = &message["params"]["requestId"];
                    let hit = |open: &&mut Open| {
                        let handshake = open.message.contains("\"initialize\"");
                        !open.over
                            && open.placed
                            && !handshake
                            && open.id.as_ref().is_some_and(|own| same(own, id))
                    };
                    // A refused second use of an id has no place of its own: only the first is cancelled.
                    if let Some(open) = self.open.iter_mut().find(hit) {
                        open.cancelled = true;
                    }
                }
                let placed = message["params"].is_object() || message["params"].is_null();
                self.send(message.to_string(), readable_id(&message), placed);
            }
            Step::SendText(text) => {
                self.send(text, None, false);
            }
            Step::Poll(index) => {
                if let Some(open) = self.open.get_mut(index) {
                    open.poll();
                }
            }
            Step::Drop(index) => {
                if index < self.open.len() {
                    self.open.remove(index);
                }
            }
            Step::Change => {
                self.server.notify_tools_changed();
                self.server.notify_resource_updated("test://1");
                let _ = self.connection.poll_change(&mut Context::from_waker(&noop_waker()));
            }
            Step::ShutDown => self.server.shut_down(),
        }
        let alive = self.open.iter().filter(|open| open.placed).count();
        assert!(self.connection.in_flight() <= alive, "a place is kept for nobody");
    }

    fn send(&mut self, message: String, id: Option<Value>, placed: bool) {
        // An id is in use until its exchange is dropped, which transports do once the reply is written.
        self.open.retain(|open| !open.over);
        if let Some(exchange) = self.connection.receive(Bytes::from(message.clone())) {
            // Ids in use are refused at once; letting that reply out keeps the model of places simple.
            let in_use = id.as_ref().filter(|_| placed).is_some_and(|id| {
                self.open.iter().any(|open| {
                    !open.over && open.placed && open.id.as_ref().is_some_and(|own| same(own, id))
                })
            });
            let mut open = Open { exchange, message, id, placed, cancelled: false, over: false };
            if in_use {
                while open.poll() {}
                assert!(open.over, "an id in use was served: {}", open.message);
                return;
            }
            self.open.push(open);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_request_has_one_reply_unless_it_is_cancelled(steps in vec(step(), 0..60)) {
        let server = offering();
        let mut world = World { connection: connect(&server), server, open: Vec::new() };
        for step in steps {
            world.take(step);
        }
        // The end: listeners end with the server, and what is not waiting for ever comes to its reply.
        world.server.shut_down();
        for open in &mut world.open {
            for _ in 0..64 {
                open.poll();
            }
            let waits = open.message.contains("\"wait\"") && open.message.contains("tools/call");
            prop_assert!(open.over || waits, "no end: {}", open.message);
        }
    }

    #[test]
    fn every_request_of_a_batch_has_one_entry_unless_it_is_cancelled(
        batch in vec(element(), 1..16),
        later in vec((0..4_usize, id()), 0..6),
    ) {
        let server = offering();
        let session = shaken(&server, ProtocolVersion::V2025_03_26);
        let mut connection = session.now_or_never().unwrap();
        let mut cancelled: Vec<Value> =
            batch.iter().filter_map(|element| element.pointer("/params/requestId").cloned()).collect();
        let exchange = receive(&mut connection, &json!(batch));
        let answered: Vec<&Value> = batch.iter().filter(|element| !is_silent(element)).collect();
        prop_assert_eq!(exchange.is_some(), !answered.is_empty());
        let Some(mut exchange) = exchange else { return Ok(()) };
        let mut poll = || exchange.poll_message(&mut Context::from_waker(&noop_waker()));
        let mut replies = Vec::new();
        let mut over = false;
        let mut take = |polled: Poll<Option<Outgoing>>| match polled {
            Poll::Ready(Some(Outgoing::Reply(reply))) => replies.push(read(&reply.body)),
            Poll::Ready(Some(Outgoing::Notification(bytes))) => {
                assert!(replies.is_empty() && read(&bytes).get("id").is_none());
            }
            Poll::Ready(Some(other)) => panic!("{other:?}"),
            Poll::Ready(None) => over = true,
            Poll::Pending => {}
        };
        for (polls, id) in later {
            (0..polls).for_each(|_| take(poll()));
            receive(&mut connection, &cancellation(&id));
            cancelled.push(id);
        }
        // What waits for ever has to be cancelled for the batch to come to its end.
        for waiting in answered.iter().filter(|element| element["params"]["name"] == "wait") {
            receive(&mut connection, &cancellation(&waiting["id"]));
            cancelled.push(waiting["id"].clone());
        }
        (0..1_000).for_each(|_| take(poll()));
        prop_assert!(over && replies.len() <= 1, "{:?}", replies);
        let entries = replies.first().and_then(Value::as_array).cloned().unwrap_or_default();
        prop_assert!(replies.is_empty() || !entries.is_empty());
        prop_assert!(entries.iter().all(|entry| entry.get("result").is_some() != entry.get("error").is_some()));
        // A cancellation may come too late, and what reuses an id is refused rather than cancelled.
        let sure = |id: &Value| !cancelled.iter().any(|other| same(other, id));
        let told: Vec<Value> = entries.iter().map(|entry| entry["id"].clone()).filter(sure).collect();
        let owed: Vec<Value> = answered
            .iter()
            .map(|element| readable_id(element).unwrap_or_default())
            .filter(sure)
            .collect();
        prop_assert_eq!(told, owed);
        prop_assert!(entries.len() <= answered.len());
        prop_assert_eq!(connection.in_flight(), 0);
    }

    #[test]
    fn any_text_under_any_headers_is_answered_with_json(
        text in prop_oneof![request().prop_map(|message| message.to_string()), "\\PC{0,40}"],
        headers in vec((select(vec!["mcp-protocol-version", "mcp-method", "mcp-name"]), prop_oneof![
            select(vec![&b"2026-07-28"[..], b"2025-11-25", b"tools/call", b"tools/list", b"steps", b"v9"]).prop_map(<[u8]>::to_vec),
            vec(any::<u8>(), 0..12),
        ]), 0..5),
    ) {
        let server = offering();
        let headers = headers.into_iter().fold(Headers::default(), |all, (name, value)| all.with(name, value));
        let posted = server.post(Bytes::from(text.clone()), &headers, Peer::anonymous(Transport::Http)).now_or_never();
        match posted.expect("nothing waits for a store") {
            Posted::Accepted => prop_assert!(!text.contains("\"id\"")),
            Posted::Refused(reply) => prop_assert!((400..600).contains(&reply.status) && read(&reply.body).is_object()),
            Posted::Exchange(mut exchange) => {
                let mut replies = 0;
                for _ in 0..64 {
                    match exchange.poll_message(&mut Context::from_waker(&noop_waker())) {
                        Poll::Ready(Some(Outgoing::Reply(reply))) => {
                            replies += 1;
                            prop_assert!(read(&reply.body).get("id").is_some());
                        }
                        Poll::Ready(Some(Outgoing::Notification(bytes))) => drop(read(&bytes)),
                        Poll::Ready(Some(other)) => panic!("{other:?}"),
                        Poll::Ready(None) => break,
                        Poll::Pending => {}
                    }
                }
                let waits = text.contains("\"wait\"") || exchange.is_listen();
                prop_assert!(replies == 1 || waits, "{} replies to {}", replies, text);
            }
        }
    }
}
