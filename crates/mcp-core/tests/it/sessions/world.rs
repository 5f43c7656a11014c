//! A server with sessions in memory, and clients that talk to it as an HTTP transport would.

use super::tools::{self, Fates};
use mcp_core::{
    admit::{HeaderField, RequestHead},
    context::Transport,
    exchange::{Events, Exchange, Outgoing, StreamControl, StreamEvent},
    ports::{BoxFuture, EventLog, Runtime, SessionStore},
    principal::Principal,
    server::{Ended, Opened, Peer, Posted, Server, ServerBuilder, Sessions},
};
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::{Value, json};
use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
    time::{Duration, Instant, SystemTime},
};

pub(crate) const NEWEST: &str = "2025-11-25";
/// The revisions of the handshake era that Streamable HTTP serves.
pub(crate) const REVISIONS: [&str; 3] = ["2025-03-26", "2025-06-18", NEWEST];

/// How long a test waits on its clock for what has to come.
const PATIENCE: Duration = Duration::from_secs(24 * 3_600);

/// The paused clock of tokio, and random bytes that never come twice.
#[derive(Debug)]
pub(crate) struct VirtualRuntime {
    began: Instant,
    random: AtomicU64,
}

impl VirtualRuntime {
    pub(crate) fn new() -> Self {
        Self { began: tokio::time::Instant::now().into_std(), random: AtomicU64::new(1) }
    }
}

impl Runtime for VirtualRuntime {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn wall_time(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000) + (self.now() - self.began)
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let next = self.random.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            chunk.copy_from_slice(&next.to_le_bytes()[..chunk.len()]);
        }
    }

    fn spawn(&self, future: BoxFuture<()>) {
        tokio::spawn(future);
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        tokio::task::spawn_blocking(work);
    }

    fn sleep_until(&self, deadline: Instant) -> BoxFuture<()> {
        Box::pin(tokio::time::sleep_until(deadline.into()))
    }
}

/// Lets everything that can happen at this moment happen.
pub(crate) async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

/// Lets time pass, with everything that is due meanwhile.
pub(crate) async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    settle().await;
}

/// A server on its way, with these stores.
pub(crate) fn serving(
    fates: &Fates,
    store: Arc<dyn SessionStore>,
    events: Arc<dyn EventLog>,
) -> ServerBuilder {
    Server::builder(tools::router(fates), Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .dynamic()
        .resource_updates()
        .sessions(Sessions::new(store, events))
}

/// A server and what became of its handlers.
pub(crate) struct World {
    pub(crate) server: Server,
    pub(crate) fates: Fates,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|sessions| sessions)
    }

    pub(crate) fn with(change: impl FnOnce(Sessions) -> Sessions) -> Self {
        Self::on(Arc::new(MemorySessions::new()), Arc::new(MemoryEvents::new()), change)
    }

    pub(crate) fn on(
        store: Arc<dyn SessionStore>,
        events: Arc<dyn EventLog>,
        change: impl FnOnce(Sessions) -> Sessions,
    ) -> Self {
        let fates = Fates::default();
        let server = serving(&fates, store, events).configure_sessions(change).build().unwrap();
        Self { server, fates }
    }

    /// A client without a session.
    pub(crate) fn visitor(&self, version: &str) -> Client {
        Client::visiting(&self.server, version)
    }

    /// A client whose session has begun.
    pub(crate) async fn begin(&self, version: &str) -> Client {
        self.visitor(version).begun().await
    }

    /// A client of a principal whose session has begun.
    pub(crate) async fn begin_as(&self, version: &str, subject: &str) -> Client {
        self.visitor(version).of(subject).begun().await
    }

    /// Checks that nothing is open, though sessions may be remembered.
    #[track_caller]
    pub(crate) fn assert_at_rest(&self) {
        let counts = self.server.counts();
        assert_eq!(
            (counts.session_work, counts.requests_in_flight, counts.open_asks),
            (0, 0, 0),
            "{counts:?}"
        );
    }
}

/// A client of one session, or of none.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) server: Server,
    pub(crate) id: Option<String>,
    pub(crate) version: String,
    pub(crate) principal: Option<Arc<Principal>>,
    pub(crate) path: String,
    pub(crate) extra: Vec<(String, Vec<u8>)>,
    pub(crate) events: bool,
}

/// What an HTTP request was answered with.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The reply; null where there was none.
    pub(crate) reply: Value,
    pub(crate) session: Option<String>,
}

impl Answer {
    fn empty(status: u16) -> Self {
        Self { status, reply: Value::Null, session: None }
    }

    fn of(reply: mcp_core::exchange::Reply) -> Self {
        Self {
            status: reply.status,
            reply: serde_json::from_slice(&reply.body).unwrap(),
            session: reply.session.map(|id| id.as_str().to_owned()),
        }
    }

    pub(crate) fn code(&self) -> Option<i64> {
        self.reply["error"]["code"].as_i64()
    }

    pub(crate) fn text(&self) -> &str {
        text_of(&self.reply)
    }
}

/// The text of a tool's result.
pub(crate) fn text_of(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

impl Client {
    /// A client of a server, without a session.
    pub(crate) fn visiting(server: &Server, version: &str) -> Self {
        Self {
            server: server.clone(),
            id: None,
            version: version.to_owned(),
            principal: None,
            path: "/mcp".to_owned(),
            extra: Vec::new(),
            events: true,
        }
    }

    pub(crate) fn of(mut self, subject: &str) -> Self {
        self.principal = Some(Arc::new(Principal::new(subject)));
        self
    }

    pub(crate) fn anonymous(mut self) -> Self {
        self.principal = None;
        self
    }

    pub(crate) fn at(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Names another session, or none.
    pub(crate) fn naming(mut self, id: Option<&str>) -> Self {
        self.id = id.map(str::to_owned);
        self
    }

    pub(crate) fn speaking(mut self, version: &str) -> Self {
        version.clone_into(&mut self.version);
        self
    }

    /// Sends one more header, also one that is there.
    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.extra.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Takes no event streams.
    pub(crate) fn plain(mut self) -> Self {
        self.events = false;
        self
    }

    pub(crate) async fn initialize(&self) -> Answer {
        self.initialize_with(json!({ "roots": {} })).await
    }

    pub(crate) async fn initialize_with(&self, capabilities: Value) -> Answer {
        let client = Self { version: String::new(), ..self.clone() };
        let params = json!({
            "protocolVersion": self.version,
            "capabilities": capabilities,
            "clientInfo": { "name": "probe", "version": "1" },
        });
        client.ask(0, "initialize", params).await
    }

    pub(crate) async fn begun(mut self) -> Self {
        let welcome = self.initialize().await;
        assert_eq!(welcome.status, 200, "{welcome:?}");
        self.id = welcome.session;
        assert!(self.id.is_some(), "a session begins");
        assert_eq!(self.notify("notifications/initialized", json!({})).await, 202);
        self
    }

    fn peer(&self) -> Peer {
        Peer { principal: self.principal.clone(), ..Peer::anonymous(Transport::Http) }
    }

    pub(crate) async fn post(&self, message: &Value) -> Posted {
        self.server.post(message.to_string().into(), self, self.peer()).await
    }

    /// The exchange of a request.
    pub(crate) async fn exchange(&self, message: &Value) -> Exchange {
        match self.post(message).await {
            Posted::Exchange(exchange) => exchange,
            other => panic!("{other:?}"),
        }
    }

    /// Posts a message and waits for its answer, whatever is said before it.
    pub(crate) async fn send(&self, message: &Value) -> Answer {
        match self.post(message).await {
            Posted::Accepted => Answer::empty(202),
            Posted::Refused(reply) => Answer::of(reply),
            Posted::Exchange(mut exchange) => loop {
                match poll_fn(|context| exchange.poll_message(context)).await {
                    Some(Outgoing::Reply(reply)) => return Answer::of(reply),
                    Some(_) => {}
                    None => return Answer::empty(200),
                }
            },
        }
    }

    pub(crate) async fn ask(&self, id: impl Into<Value>, method: &str, params: Value) -> Answer {
        self.send(&request(id, method, params)).await
    }

    pub(crate) async fn notify(&self, method: &str, params: Value) -> u16 {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await.status
    }

    pub(crate) async fn cancel(&self, id: impl Into<Value>) -> u16 {
        self.notify("notifications/cancelled", json!({ "requestId": id.into(), "reason": "test" })).await
    }

    /// Calls a tool and takes the answer as an event stream from its first message on.
    pub(crate) async fn stream(&self, id: impl Into<Value>, tool: &str, arguments: Value) -> Stream {
        let mut exchange = self.exchange(&call(id, tool, arguments)).await;
        loop {
            let first = poll_fn(|context| exchange.poll_message(context)).await;
            let first = match first {
                Some(Outgoing::Stream(StreamControl::Open)) => None,
                Some(Outgoing::Stream(_)) => continue,
                first => first,
            };
            return Stream(exchange.into_events(first));
        }
    }

    /// Opens the session's own stream.
    pub(crate) async fn get(&self) -> Stream {
        self.open().await.unwrap()
    }

    /// Takes a stream up after an event.
    pub(crate) async fn resume(&self, id: &str) -> Result<Stream, Answer> {
        self.clone().header("last-event-id", id).open().await
    }

    pub(crate) async fn open(&self) -> Result<Stream, Answer> {
        match self.server.open_stream(self, self.peer()).await {
            Opened::Stream(events) => Ok(Stream(events)),
            Opened::Refused(reply) => Err(Answer::of(reply)),
            Opened::NotOffered => Err(Answer::empty(405)),
        }
    }

    pub(crate) async fn end(&self) -> u16 {
        match self.server.end_session(self, self.peer()).await {
            Ended::Session => 204,
            Ended::Refused(reply) => reply.status,
            Ended::NotOffered => 405,
        }
    }
}

impl RequestHead for Client {
    fn field(&self, name: &str) -> HeaderField<'_> {
        let own = match name {
            "mcp-session-id" => self.id.as_deref(),
            "mcp-protocol-version" => Some(&*self.version).filter(|version| !version.is_empty()),
            _ => None,
        };
        let extra = self.extra.iter().filter(|(other, _)| other == name).map(|(_, value)| &**value);
        let mut all = own.map(str::as_bytes).into_iter().chain(extra);
        match (all.next(), all.next()) {
            (None, _) => HeaderField::Absent,
            (Some(value), None) => HeaderField::Once(value),
            (Some(_), Some(_)) => HeaderField::Repeated,
        }
    }

    fn path(&self) -> &str {
        &self.path
    }

    fn accepts_event_stream(&self) -> bool {
        self.events
    }
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A call that wants to hear of its progress.
pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "token" } });
    request(id, "tools/call", params)
}

/// One event as a client sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) id: Option<String>,
    /// The message; null for an event without one.
    pub(crate) data: Value,
    pub(crate) retry: Option<Duration>,
}

impl Seen {
    fn of(event: StreamEvent) -> Self {
        Self {
            id: event.id.map(|id| id.to_string()),
            data: event.data.map(|data| serde_json::from_slice(&data).unwrap()).unwrap_or_default(),
            retry: event.retry,
        }
    }

    /// What it says in a word: the progress, the text of the result, the method.
    pub(crate) fn word(&self) -> String {
        let progress = &self.data["params"]["progress"];
        match self.data["method"].as_str() {
            Some("notifications/progress") => progress.to_string(),
            Some(method) => method.to_owned(),
            None if self.data.is_null() => String::new(),
            None if self.data["error"].is_object() => format!("error {}", self.data["error"]["code"]),
            None => text_of(&self.data).to_owned(),
        }
    }
}

/// The words of events.
pub(crate) fn words(events: &[Seen]) -> Vec<String> {
    events.iter().map(Seen::word).collect()
}

/// An event stream; dropping it is the client going away.
#[derive(Debug)]
pub(crate) struct Stream(pub(crate) Events);

impl Stream {
    pub(crate) async fn next(&mut self) -> Option<Seen> {
        let next = poll_fn(|context| self.0.poll_event(context));
        tokio::time::timeout(PATIENCE, next).await.unwrap().map(Seen::of)
    }

    /// The next event that is a message.
    pub(crate) async fn message(&mut self) -> Option<Seen> {
        loop {
            match self.next().await {
                Some(event) if event.data.is_null() => {}
                other => return other,
            }
        }
    }

    /// Everything up to the end of the stream.
    pub(crate) async fn rest(&mut self) -> Vec<Seen> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }

    /// What is there at this moment; whether the stream has ended.
    pub(crate) fn ready(&mut self) -> (Vec<Seen>, bool) {
        let mut all = Vec::new();
        loop {
            match self.0.poll_event(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(Some(event)) => all.push(Seen::of(event)),
                Poll::Ready(None) => return (all, true),
                Poll::Pending => return (all, false),
            }
        }
    }
}
