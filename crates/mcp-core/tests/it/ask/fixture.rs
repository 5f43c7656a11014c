//! Handlers that ask, clients that answer, and what goes between them.

use crate::{
    runtime::TestRuntime,
    wire::{self, Answered, CAPABILITIES_KEY, MODERN, plain, read, ready, receive, with_meta},
};
use futures_util::FutureExt as _;
use mcp_core::{
    ask::AskError,
    connection::Connection,
    context::Transport,
    exchange::{Exchange, Outgoing},
    ports::{BoxFuture, Runtime},
    registry::McpRouter,
    server::{Peer, Server, ServerBuilder},
    testing::{Answer, Asked, TestClient},
    version::{Era, ProtocolVersion},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    fmt::Debug,
    future::poll_fn,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    task::Poll,
    time::{Duration, Instant, SystemTime},
};

/// What the user is asked in most of these tests.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub(crate) struct Name {
    pub(crate) name: String,
}

/// A decision.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub(crate) struct Sure {
    pub(crate) sure: bool,
}

/// The test runtime with random bytes that never repeat within a server.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    filled: AtomicU64,
    first: OnceLock<Instant>,
}

impl Runtime for Fresh {
    fn now(&self) -> Instant {
        TestRuntime.now()
    }

    fn wall_time(&self) -> SystemTime {
        // Counted from the first look of this very server, so that it goes exactly as the test advances it.
        let now = self.now();
        let day = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        day + now.saturating_duration_since(*self.first.get_or_init(|| now))
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        let seed = self.filled.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes();
        buffer.iter_mut().zip(bytes.into_iter().cycle()).for_each(|(byte, value)| *byte = value);
    }

    fn spawn(&self, future: BoxFuture<()>) {
        TestRuntime.spawn(future);
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        TestRuntime.spawn_blocking(work);
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<()> {
        TestRuntime.sleep_until(deadline)
    }
}

pub(crate) fn serving(router: McpRouter<()>) -> ServerBuilder {
    Server::builder(router, Arc::new(Fresh::default())).name("test").version("1")
}

pub(crate) fn server(router: McpRouter<()>) -> Server {
    serving(router).build().unwrap()
}

/// Every capability that an ask needs.
pub(crate) fn everything() -> Value {
    json!({
        "elicitation": { "form": {}, "url": {} },
        "sampling": { "tools": {}, "context": {} },
        "roots": {},
    })
}

/// The user accepts with this content.
pub(crate) fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// What a model says.
pub(crate) fn said(text: &str) -> Value {
    json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": text } })
}

/// A willing client: it has one folder, its user is called after the key, its model repeats what it read.
pub(crate) fn willing(asked: &Asked<'_>) -> Value {
    match asked.method {
        "roots/list" => json!({ "roots": [{ "uri": "file:///home" }] }),
        "sampling/createMessage" => said("model"),
        _ if asked.params["mode"] == "url" => json!({ "action": "accept" }),
        _ if asked.params["requestedSchema"]["properties"].get("sure").is_some() => {
            accept(json!({ "sure": true }))
        }
        _ => accept(json!({ "name": asked.params["message"] })),
    }
}

/// An outcome of an ask as text, which tests compare.
pub(crate) fn told<T: Debug>(outcome: Result<T, AskError>) -> String {
    format!("{outcome:?}")
}

/// How a client is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Rounds,
    Live,
}

/// Willing clients of every version, asked in every way the version has.
pub(crate) fn clients(
    server: &Server,
    answering: impl Fn(&Asked<'_>) -> Value + Clone + Send + Sync + 'static,
) -> impl Iterator<Item = (ProtocolVersion, Channel, TestClient)> {
    ProtocolVersion::ALL.into_iter().flat_map(move |version| {
        let client = server.client(version).answering(answering.clone());
        let live = (version.era() == Era::Handshake).then(|| (version, Channel::Live, client.clone().live()));
        std::iter::once((version, Channel::Rounds, client)).chain(live)
    })
}

/// Calls a tool without arguments as willing clients of every version.
pub(crate) async fn everywhere(server: &Server, tool: &str) -> Vec<(String, Answer)> {
    let mut answers = Vec::new();
    for (version, channel, client) in clients(server, willing) {
        answers.push((format!("{version} {channel:?}"), client.call_tool(tool, json!({})).await));
    }
    answers
}

/// Asserts that a tool says the same to clients of every version.
pub(crate) async fn says_everywhere(server: &Server, tool: &str, text: &str) {
    for (client, answer) in everywhere(server, tool).await {
        assert_eq!(answer.text(), text, "{client}: {answer:?}");
    }
}

/// A request of 2026-07-28 that is repeated with answers, message by message.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    pub(crate) server: Server,
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    pub(crate) capabilities: Value,
    pub(crate) peer: Peer,
}

static NEXT_ID: AtomicU32 = AtomicU32::new(1);

impl Rounds {
    pub(crate) fn of_tool(server: &Server, name: &str) -> Self {
        Self::of(server, "tools/call", json!({ "name": name, "arguments": {} }))
    }

    pub(crate) fn of(server: &Server, method: &'static str, params: Value) -> Self {
        let peer = Peer::anonymous(Transport::InProcess);
        Self { server: server.clone(), method, params, capabilities: everything(), peer }
    }

    pub(crate) fn message(&self, extra: Value) -> Value {
        let mut params = self.params.clone();
        for (name, value) in extra.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        with_meta(plain(id, self.method, params), json!({ CAPABILITIES_KEY: self.capabilities }))
    }

    /// Sends it with further parameters.
    pub(crate) async fn send(&self, extra: Value) -> Answered {
        let message = self.message(extra).to_string();
        wire::drive(self.server.dispatch(MODERN, message, self.peer.clone()).unwrap()).await
    }

    /// Sends it for the first time.
    pub(crate) async fn begin(&self) -> Answered {
        self.send(json!({})).await
    }

    /// Repeats it with the state of a round and with answers.
    pub(crate) async fn retry(&self, ended: &Answered, answers: Value) -> Answered {
        self.send(json!({ "inputResponses": answers, "requestState": state(ended) })).await
    }
}

/// The state that ends a round.
pub(crate) fn state(ended: &Answered) -> &str {
    assert_eq!(ended.result()["resultType"], "input_required", "{}", ended.reply);
    ended.result()["requestState"].as_str().unwrap_or_else(|| panic!("no state: {}", ended.reply))
}

/// The keys that a round asks, sorted.
pub(crate) fn keys(ended: &Answered) -> Vec<&str> {
    state(ended);
    let requests = ended.result()["inputRequests"].as_object().unwrap();
    let mut keys: Vec<_> = requests.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// A handshake client on a byte stream, message by message.
#[derive(Debug)]
pub(crate) struct Live(pub(crate) Connection);

impl Live {
    /// A client with every capability.
    pub(crate) async fn begin(server: &Server, version: ProtocolVersion) -> Self {
        Self::with(server, version, everything()).await
    }

    pub(crate) async fn with(server: &Server, version: ProtocolVersion, capabilities: Value) -> Self {
        let mut connection = wire::connect(server);
        let params = json!({ "protocolVersion": version.as_str(), "capabilities": capabilities });
        let welcome = wire::ask(&mut connection, &plain("hello", "initialize", params)).await;
        assert_eq!(welcome.result()["protocolVersion"], version.as_str());
        receive(&mut connection, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        Self(connection)
    }

    /// Begins a call of a tool.
    pub(crate) fn call(&mut self, id: impl Into<Value>, tool: &str) -> Exchange {
        self.request(id, "tools/call", json!({ "name": tool }))
    }

    pub(crate) fn request(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Exchange {
        receive(&mut self.0, &plain(id, method, params)).unwrap()
    }

    /// Answers a request of the server.
    pub(crate) fn answer(&mut self, request: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }));
    }

    /// Sends what nothing answers.
    pub(crate) fn send(&mut self, message: &Value) {
        assert!(receive(&mut self.0, message).is_none(), "{message} is answered");
    }

    /// The next change that the client hears of.
    pub(crate) fn change(&mut self) -> Option<Value> {
        futures_util::future::poll_fn(|context| self.0.poll_change(context))
            .now_or_never()
            .map(|bytes| read(&bytes))
    }
}

/// What an exchange sends without waiting.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    pub(crate) requests: Vec<Value>,
    pub(crate) notifications: Vec<Value>,
    pub(crate) reply: Option<Value>,
}

impl Sent {
    /// The text of the tool's reply.
    pub(crate) fn text(&self) -> &str {
        let reply = self.reply.as_ref().unwrap_or_else(|| panic!("no reply: {self:?}"));
        reply.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_else(|| panic!("{reply}"))
    }

    /// The one request.
    pub(crate) fn request(&self) -> &Value {
        let [request] = &self.requests[..] else { panic!("not one request: {self:?}") };
        request
    }
}

/// Polls an exchange as far as it goes without waiting.
pub(crate) fn sent(exchange: &mut Exchange) -> Sent {
    let mut sent = Sent::default();
    for outgoing in ready(exchange) {
        assert!(sent.reply.is_none(), "something follows the reply");
        match outgoing {
            Outgoing::Request(bytes) => sent.requests.push(read(&bytes)),
            Outgoing::Notification(bytes) => sent.notifications.push(read(&bytes)),
            Outgoing::Reply(reply) => sent.reply = Some(read(&reply.body)),
            Outgoing::Stream(_) => {}
        }
    }
    sent
}

/// Waits until the reply is there.
pub(crate) async fn finish(exchange: &mut Exchange) -> Sent {
    use futures_util::StreamExt as _;
    let mut sent = Sent::default();
    while let Some(outgoing) = exchange.next().await {
        match outgoing {
            Outgoing::Request(bytes) => sent.requests.push(read(&bytes)),
            Outgoing::Notification(bytes) => sent.notifications.push(read(&bytes)),
            Outgoing::Reply(reply) => sent.reply = Some(read(&reply.body)),
            Outgoing::Stream(_) => {}
        }
    }
    sent
}

/// Polls a future once, as the task that asks.
pub(crate) async fn is_waiting<F: Future + Unpin>(future: &mut F) -> bool {
    poll_fn(|context| Poll::Ready(future.poll_unpin(context).is_pending())).await
}
