//! Requests as a client of a given version would send them, and what comes back.

use super::asked::{Answering, Asked, response};
use crate::{
    ask::LocalRounds,
    context::{Asking, Transport},
    exchange::Outgoing,
    json::{Document, JsonLimits},
    jsonrpc::{Incoming, decode},
    ports::SessionId,
    protocol::{ClientCapabilities, meta_key},
    server::{InProcess, Peer, Server},
    session::LiveSession,
    version::{Era, ProtocolVersion},
};
use bytes::Bytes;
use serde_json::{Map, Value, json};
use std::{
    fmt,
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

/// A client of one protocol version that calls a server directly.
///
/// What it sends goes the way of every request: decoded, admitted, checked, lowered.
///
/// A handler that asks this client is run again from its beginning after each answer, **in every version**: the way
/// 2026-07-28 works, so that a handler which does not bear it shows early. [`TestClient::live`] asks clients of the
/// handshake era while the handler waits, as transports do.
#[derive(Clone)]
pub struct TestClient {
    server: Server,
    version: ProtocolVersion,
    peer: Peer,
    capabilities: Value,
    next_id: Arc<AtomicI64>,
    answering: Option<Answering>,
    live: Option<Arc<LiveSession>>,
    /// Owns the client's tasks, as a session would.
    scope: SessionId,
}

/// Everything that answered one request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The notifications before the reply, in order, of every round.
    pub notifications: Vec<Value>,
    /// What the client was asked: each request's `method` and `params`.
    pub asked: Vec<Value>,
    /// The `result`, or the `error`, of the reply.
    pub outcome: Result<Value, Value>,
}

impl Server {
    /// A client of the given version in the same process.
    #[must_use]
    pub fn client(&self, version: ProtocolVersion) -> TestClient {
        let mut random = [0; 32];
        self.runtime().fill_random(&mut random);
        TestClient {
            scope: SessionId::from_random(random),
            server: self.clone(),
            version,
            peer: Peer::anonymous(Transport::InProcess),
            capabilities: json!({}),
            next_id: Arc::new(AtomicI64::new(1)),
            answering: None,
            live: None,
        }
    }
}

impl TestClient {
    /// Calls as this peer.
    #[must_use]
    pub fn with_peer(mut self, peer: Peer) -> Self {
        self.peer = peer;
        self
    }

    /// Declares client capabilities, an object.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Answers what the server asks: the function gives the result object for each request.
    ///
    /// Declares every capability that asks need, unless some are declared already.
    #[must_use]
    pub fn answering(mut self, answer: impl Fn(&Asked<'_>) -> Value + Send + Sync + 'static) -> Self {
        if self.capabilities == json!({}) {
            self.capabilities = json!({
                "elicitation": { "form": {}, "url": {} },
                "sampling": { "tools": {}, "context": {} },
                "roots": {},
            });
        }
        self.answering = Some(Arc::new(answer));
        self
    }

    /// Has a connection of its own, where the version has that: it is asked while the handler waits, and what a
    /// handler hides from it stays hidden.
    #[must_use]
    pub fn live(mut self) -> Self {
        let live = LiveSession::default();
        live.mark_initialized();
        self.live = Some(Arc::new(live));
        self
    }

    /// Sends a request; `params` is an object or null.
    pub async fn request(&self, method: &str, params: Value) -> Answer {
        self.request_with_meta(method, params, Map::new()).await
    }

    /// Sends a request with entries for its `_meta`, such as a `progressToken`.
    pub async fn request_with_meta(&self, method: &str, params: Value, meta: Map<String, Value>) -> Answer {
        let mut params = match params {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        let mut all = Map::new();
        if self.version.era() == Era::Modern {
            all.insert(meta_key::PROTOCOL_VERSION.to_owned(), json!(self.version.as_str()));
            all.insert(meta_key::CLIENT_CAPABILITIES.to_owned(), self.capabilities.clone());
        }
        all.extend(meta);
        if !all.is_empty() {
            params.insert("_meta".to_owned(), Value::Object(all));
        }
        let mut told = Told::default();
        loop {
            let message = self.message(method, &params);
            let outcome = self.exchange(Bytes::from(message), &mut told).await;
            match (&self.answering, &outcome) {
                (Some(answering), Ok(result))
                    if result.get("resultType") == Some(&json!("input_required")) =>
                {
                    params.insert("inputResponses".to_owned(), told.answer_rounds(result, answering));
                    if let Some(state) = result.get("requestState") {
                        params.insert("requestState".to_owned(), state.clone());
                    }
                }
                _ => return told.answer(outcome),
            }
        }
    }

    fn message(&self, method: &str, params: &Map<String, Value>) -> String {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    }

    /// Sends any text as a message.
    pub async fn send(&self, message: impl Into<Bytes>) -> Answer {
        let mut told = Told::default();
        let outcome = self.exchange(message.into(), &mut told).await;
        told.answer(outcome)
    }

    /// Sends a message, and repeats it in this process as long as the server asks a handshake client.
    async fn exchange(&self, message: Bytes, told: &mut Told) -> Result<Value, Value> {
        let handshake = self.version.era() == Era::Handshake;
        if let Some(live) = self.live.as_ref().filter(|_| handshake) {
            return self.drive(message, Some(Asking::Live(Arc::clone(live))), told).await;
        }
        let Some(answering) = self.answering.as_ref().filter(|_| handshake) else {
            return self.drive(message, None, told).await;
        };
        let mut local = Arc::new(LocalRounds::default());
        loop {
            let asking = Asking::Rounds(Some(Arc::clone(&local)));
            let outcome = self.drive(message.clone(), Some(asking), told).await;
            let Some(ended) = local.take_ended() else { return outcome };
            let mut answers = Map::new();
            for (key, request) in &ended.asks {
                let asked = request.as_json(self.version);
                let answer = told.answer_one(Some(key), &asked, answering);
                answers.insert(String::from(&**key), answer);
            }
            let text = Bytes::from(Value::Object(answers).to_string());
            let Ok(document) = Document::parse(text, &JsonLimits::widest()) else { return outcome };
            local = Arc::new(LocalRounds::resuming(ended.state, document));
        }
    }

    async fn drive(&self, message: Bytes, asking: Option<Asking>, told: &mut Told) -> Result<Value, Value> {
        let text = self.capabilities.to_string();
        let capabilities = ClientCapabilities::from_json(text.as_bytes()).unwrap_or_default();
        let more = InProcess { capabilities, asking, scope: Some(self.scope.clone()) };
        let mut exchange = self.server.dispatch_in_process(self.version, message, self.peer.clone(), more);
        while let Some(running) = &mut exchange {
            match poll_fn(|context| running.poll_message(context)).await {
                Some(Outgoing::Notification(bytes)) => told.notifications.push(parse(&bytes)),
                Some(Outgoing::Request(bytes)) => self.respond(&parse(&bytes), told),
                Some(Outgoing::Stream(_)) => {}
                Some(Outgoing::Reply(reply)) => {
                    let mut reply = parse(&reply.body);
                    return match reply.get_mut("result") {
                        Some(result) => Ok(result.take()),
                        None => Err(reply.get_mut("error").map(Value::take).unwrap_or_default()),
                    };
                }
                None => break,
            }
        }
        Err(Value::Null)
    }

    /// Answers a request of the server.
    fn respond(&self, request: &Value, told: &mut Told) {
        let (Some(answering), Some(live)) = (&self.answering, &self.live) else { return };
        let answer = told.answer_one(None, request, answering);
        let text = Bytes::from(response(request, &answer));
        if let Ok(Incoming::Response(response)) = decode(text, &JsonLimits::widest()) {
            live.questions.answer(&response);
        }
    }

    /// Calls a tool.
    pub async fn call_tool(&self, name: &str, arguments: Value) -> Answer {
        self.request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Lists the tools.
    pub async fn list_tools(&self) -> Answer {
        self.request("tools/list", Value::Null).await
    }

    /// Reads a resource.
    pub async fn read_resource(&self, uri: &str) -> Answer {
        self.request("resources/read", json!({ "uri": uri })).await
    }

    /// Renders a prompt.
    pub async fn get_prompt(&self, name: &str, arguments: Value) -> Answer {
        self.request("prompts/get", json!({ "name": name, "arguments": arguments })).await
    }
}

impl fmt::Debug for TestClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TestClient").field("version", &self.version).finish_non_exhaustive()
    }
}

/// What was heard and asked on the way to an answer.
#[derive(Debug, Default)]
struct Told {
    notifications: Vec<Value>,
    asked: Vec<Value>,
}

impl Told {
    fn answer(self, outcome: Result<Value, Value>) -> Answer {
        Answer { notifications: self.notifications, asked: self.asked, outcome }
    }

    fn answer_one(&mut self, key: Option<&str>, request: &Value, answering: &Answering) -> Value {
        let asked = Asked::new(key, request);
        self.asked.push(match asked.params {
            Value::Null => json!({ "method": asked.method }),
            params => json!({ "method": asked.method, "params": params }),
        });
        answering(&asked)
    }

    /// The answers to what a modern result asks.
    fn answer_rounds(&mut self, result: &Value, answering: &Answering) -> Value {
        let requests = result.get("inputRequests").and_then(Value::as_object);
        let answers: Map<_, _> = requests
            .into_iter()
            .flatten()
            .map(|(key, request)| (key.clone(), self.answer_one(Some(key), request, answering)))
            .collect();
        Value::Object(answers)
    }
}

impl Answer {
    /// The text of the first content block of a tool result; empty when there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        let content =
            self.outcome.as_ref().ok().and_then(|result| result.get("content")?.get(0)?.get("text"));
        content.and_then(Value::as_str).unwrap_or_default()
    }

    /// Tells whether a tool reported its own failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|result| result.get("isError") == Some(&Value::Bool(true)))
    }

    /// The JSON-RPC error code; `None` for a result.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        self.outcome.as_ref().err()?.get("code")?.as_i64()
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        self.outcome.as_ref().ok()
    }
}

/// What the server writes is JSON; anything else shows up as null in a test's assertion.
fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_default()
}
