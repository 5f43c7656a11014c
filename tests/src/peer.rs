//! One client for every revision and transport: it sends a request and answers what it is asked meanwhile.

use crate::{
    fixture::Fixture,
    http_client::{Answering, EventStream, HttpClient},
    legacy_client::LegacyClient,
    message::{MODERN, modern, modern_message},
    session::Session,
    stdio_client::StdioClient,
};
use serde_json::{Map, Value, json};
use std::net::SocketAddr;

/// How a server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are these transports")]
pub enum Wire {
    /// Streamable HTTP: sessions in the handshake era, single requests since.
    Http,
    /// Lines over the pipes of a child process.
    Stdio,
    /// HTTP+SSE, which carries the handshake era only; the fixture must have been started with `--legacy-sse`.
    LegacySse,
}

/// What a client answers to a question, by its method and parameters.
pub type Willing = fn(&str, &Value) -> Value;

/// Everything that one request brought about.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The last reply.
    pub reply: Value,
    /// The results that asked for input before it.
    pub rounds: Vec<Value>,
    /// Notifications, in order.
    pub notifications: Vec<Value>,
    /// Questions to the client, each with `method` and, unless it has none, `params`.
    pub asked: Vec<Value>,
}

/// A client of one revision over one transport.
#[derive(Debug)]
pub struct Peer {
    /// The revision that is spoken.
    pub version: String,
    /// The reply that the server presented itself with.
    pub welcome: Value,
    channel: Channel,
    capabilities: Value,
    last_id: i64,
}

#[derive(Debug)]
enum Channel {
    Session(Box<Session>, SocketAddr),
    Modern(SocketAddr),
    Common(Box<Common>),
}

/// One stream for everything that the server says.
#[derive(Debug)]
enum Common {
    Stdio(StdioClient),
    LegacySse(LegacyClient),
}

impl Common {
    async fn write(&mut self, message: &Value) {
        match self {
            Self::Stdio(client) => client.write(message).await,
            Self::LegacySse(client) => client.write(message).await,
        }
    }

    async fn next(&mut self) -> Value {
        match self {
            Self::Stdio(client) => client.next().await,
            Self::LegacySse(client) => client.next().await,
        }
    }
}

impl Peer {
    /// Connects as a client that can be asked for everything that its revision knows.
    pub async fn connect(fixture: &Fixture, version: &str, wire: Wire) -> Self {
        let capabilities = capabilities();
        let address = fixture.address();
        let (channel, welcome) = match wire {
            Wire::Http if version == MODERN => (Channel::Modern(address), Value::Null),
            Wire::Http => {
                let session = Session::begin_with(fixture, version, capabilities.clone()).await;
                let welcome = json!({ "jsonrpc": "2.0", "id": 0, "result": session.welcome });
                (Channel::Session(Box::new(session), address), welcome)
            }
            Wire::Stdio | Wire::LegacySse => {
                let mut common = match wire {
                    Wire::LegacySse => Common::LegacySse(LegacyClient::open(fixture).await),
                    _ => Common::Stdio(StdioClient::start_with(&["--probe"])),
                };
                let welcome = match version {
                    MODERN => Value::Null,
                    _ => shake_hands(&mut common, version, &capabilities).await,
                };
                (Channel::Common(Box::new(common)), welcome)
            }
        };
        let mut peer = Self { version: version.to_owned(), welcome, channel, capabilities, last_id: 0 };
        if version == MODERN {
            peer.welcome = peer.ask("server/discover", json!({}), unwilling).await.reply;
        }
        peer
    }

    /// Sends a request, answers what is asked, and gives everything that came.
    ///
    /// # Panics
    /// When no reply comes, or the server asks for ever.
    pub async fn ask(&mut self, method: &str, params: Value, willing: Willing) -> Heard {
        let mut heard = Heard::default();
        let mut params = params.as_object().cloned().unwrap_or_default();
        for _round in 0..10 {
            let sent = self.begin(method, Value::Object(params.clone())).await;
            self.finish(sent, willing, &mut heard).await;
            let result = &heard.reply["result"];
            if result["resultType"] != "input_required" {
                return heard;
            }
            retry(&mut params, result, willing, &mut heard.asked);
            let round = heard.reply.take();
            heard.rounds.push(round);
        }
        panic!("{method} asks for ever");
    }

    /// Starts a request, waits for its first notification, cancels it, and gives what came after that but for progress.
    ///
    /// # Panics
    /// When nothing is said before the reply.
    pub async fn cancel(&mut self, method: &str, params: Value) -> Vec<Value> {
        let mut sent = self.begin(method, params).await;
        let first = self.next(&mut sent).await.expect("the call says something");
        assert!(first.get("method").is_some(), "a reply came at once: {first}");
        let cancelled = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": sent.id, "reason": "enough" },
        });
        let mut after = Vec::new();
        match &mut self.channel {
            // A client that leaves has cancelled.
            Channel::Modern(_) => drop(sent),
            Channel::Session(session, _) => {
                assert_eq!(session.send(&cancelled).await.status, 202);
                while let Some(message) = self.next(&mut sent).await {
                    after.push(message);
                }
            }
            Channel::Common(common) => {
                // The answer of a later request marks how far the server has read.
                common.write(&cancelled).await;
                let echo = json!({ "name": "echo", "arguments": { "text": "still there" } });
                let mut heard = Heard::default();
                let later = self.begin("tools/call", echo).await;
                self.finish(later, unwilling, &mut heard).await;
                after.extend(heard.notifications);
            }
        }
        // Reports that were on their way already may still come.
        after.retain(|message| message["method"] != "notifications/progress");
        after
    }

    /// Sends a request and leaves its answer for later.
    async fn begin(&mut self, method: &str, params: Value) -> Sent {
        self.last_id += 1;
        let id = self.last_id;
        let message = self.message(id, method, params.clone());
        let events = match &mut self.channel {
            Channel::Common(common) => {
                common.write(&message).await;
                None
            }
            Channel::Session(session, address) => {
                Some(HttpClient::connect(*address).await.begin(&session.post(&message)).await)
            }
            Channel::Modern(address) => {
                let request = modern(id, method, message["params"].clone());
                Some(HttpClient::connect(*address).await.begin(&request).await)
            }
        };
        match events {
            None => Sent { id, answer: Answer::Common },
            Some(Answering::Events(events)) => Sent { id, answer: Answer::Events(events) },
            Some(Answering::Whole(response)) => Sent { id, answer: Answer::Whole(response.messages()) },
        }
    }

    fn message(&self, id: i64, method: &str, params: Value) -> Value {
        if self.version != MODERN {
            return json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        }
        let mut message = modern_message(id, method, params);
        message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        message
    }

    async fn next(&mut self, sent: &mut Sent) -> Option<Value> {
        match (&mut sent.answer, &mut self.channel) {
            (Answer::Events(events), _) => events.next().await,
            (Answer::Whole(messages), _) => (!messages.is_empty()).then(|| messages.remove(0)),
            (Answer::Common, Channel::Common(common)) => Some(common.next().await),
            (Answer::Common, _) => None,
        }
    }

    async fn finish(&mut self, mut sent: Sent, willing: Willing, heard: &mut Heard) {
        while let Some(message) = self.next(&mut sent).await {
            match (message["method"].as_str(), message.get("id")) {
                (Some(method), Some(id)) => {
                    let result = willing(method, &message["params"]);
                    let response = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                    match &mut self.channel {
                        Channel::Common(common) => common.write(&response).await,
                        Channel::Session(session, _) => {
                            assert_eq!(session.send(&response).await.status, 202);
                        }
                        Channel::Modern(_) => panic!("a request on a stream of {MODERN}: {message}"),
                    }
                    heard.asked.push(message);
                }
                (Some(_), None) => heard.notifications.push(message),
                (None, id) => {
                    assert_eq!(id, Some(&json!(sent.id)), "a reply to something else: {message}");
                    heard.reply = message;
                    return;
                }
            }
        }
        panic!("no reply to request {} in {}; heard {heard:?}", sent.id, self.version);
    }
}

/// A request that was sent, and where its answer is read.
struct Sent {
    id: i64,
    answer: Answer,
}

enum Answer {
    Common,
    Events(EventStream),
    Whole(Vec<Value>),
}

/// What a client declares that can be asked for everything.
#[must_use]
pub fn capabilities() -> Value {
    json!({ "elicitation": {}, "sampling": { "tools": {} }, "roots": { "listChanged": true } })
}

/// A client that is not asked.
///
/// # Panics
/// Always.
#[must_use]
pub fn unwilling(method: &str, _: &Value) -> Value {
    panic!("nobody expected to be asked for {method}")
}

async fn shake_hands(common: &mut Common, version: &str, capabilities: &Value) -> Value {
    let params = json!({
        "protocolVersion": version, "capabilities": capabilities,
        "clientInfo": { "name": "probe", "version": "1" },
    });
    common.write(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
    let welcome = common.next().await;
    assert_eq!(welcome["result"]["protocolVersion"], version);
    common.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    welcome
}

/// Puts the answers to what a result asks, and its state, into the parameters of the same request.
fn retry(params: &mut Map<String, Value>, result: &Value, willing: Willing, asked: &mut Vec<Value>) {
    let requests = result["inputRequests"].as_object().cloned().unwrap_or_default();
    let answers = requests.into_iter().map(|(key, request)| {
        let answer = willing(request["method"].as_str().unwrap_or_default(), &request["params"]);
        asked.push(request);
        (key, answer)
    });
    params.insert("inputResponses".to_owned(), Value::Object(answers.collect()));
    match result.get("requestState") {
        Some(state) => params.insert("requestState".to_owned(), state.clone()),
        None => params.remove("requestState"),
    };
}
