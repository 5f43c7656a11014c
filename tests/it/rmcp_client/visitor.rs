//! Connections of the official client, and what it hears besides its answers.

use mcp_tests::{
    fixture::{Fixture, program},
    http_client::PATIENCE,
};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt as _, RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientConfig, JsonObject, ProgressNotificationParam,
        ProtocolVersion,
    },
    service::{NotificationContext, RunningService},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::Value;
use std::{fmt, future::Future, process::Stdio};
use tokio::{process::Command, sync::mpsc, time::timeout};

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Http,
    Stdio,
}

/// How the client begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// It finds out by itself what the server speaks.
    Auto,
    /// It asks the server to describe itself and speaks the newest revision.
    Discover,
    /// It shakes hands and proposes this revision.
    Handshake(ProtocolVersion),
}

impl Begin {
    /// Whether the calls that follow belong to the handshake era.
    pub(super) fn with_handshake(&self) -> bool {
        matches!(self, Self::Handshake(_))
    }
}

/// A connected client and the server it talks to.
pub(super) struct Visitor {
    pub(super) client: RunningService<RoleClient, Listener>,
    pub(super) over: Over,
    pub(super) begin: Begin,
    /// Over stdio the client itself owns the server's process.
    _server: Option<Fixture>,
}

impl fmt::Display for Visitor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}, {:?}", self.over, self.begin)
    }
}

/// Passes on each progress notification.
#[derive(Debug)]
pub(super) struct Listener {
    config: ClientConfig,
    progress: mpsc::UnboundedSender<ProgressNotificationParam>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn on_progress(&self, report: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        // Most tests drop the other end: they do not care.
        let _ = self.progress.send(report);
    }
}

/// What a visitor hears of progress, in any call.
pub(super) type Reports = mpsc::UnboundedReceiver<ProgressNotificationParam>;

/// Connects, and gives what is heard of progress with the connection.
pub(super) async fn connect(over: Over, begin: Begin) -> (Visitor, Reports) {
    let (progress, reports) = mpsc::unbounded_channel();
    let mut config = ClientConfig::default();
    let lifecycle = match &begin {
        Begin::Auto => {
            let newest = vec![ProtocolVersion::V_2026_07_28];
            ClientLifecycleMode::Auto { preferred_versions: newest, legacy_version: None }
        }
        Begin::Discover => {
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
        }
        Begin::Handshake(version) => {
            config.protocol_version = version.clone();
            ClientLifecycleMode::Initialize
        }
    };
    let listener = Listener { config, progress };
    let (client, server) = match over {
        Over::Http => {
            let server = Fixture::start();
            let url = format!("http://{}/mcp", server.address());
            let transport = StreamableHttpClientTransport::from_uri(url);
            let client = within("connecting", listener.serve_with_lifecycle(transport, lifecycle)).await;
            (client, Some(server))
        }
        Over::Stdio => {
            let mut command = Command::new(program());
            command.args(["--stdio", "--probe"]);
            let (transport, _) = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn().unwrap();
            (within("connecting", listener.serve_with_lifecycle(transport, lifecycle)).await, None)
        }
    };
    let client = client.unwrap_or_else(|error| panic!("{over:?}, {begin:?}: {error}"));
    (Visitor { client, over, begin, _server: server }, reports)
}

/// A visitor for each transport and each way to begin.
pub(super) async fn everywhere() -> Vec<(Visitor, Reports)> {
    let mut visitors = Vec::new();
    for over in [Over::Http, Over::Stdio] {
        for begin in [Begin::Auto, Begin::Discover, Begin::Handshake(ProtocolVersion::V_2025_11_25)] {
            visitors.push(connect(over, begin).await);
        }
    }
    visitors
}

impl Visitor {
    /// Calls a tool that answers with a result.
    pub(super) async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let result = within(tool, self.client.call_tool(tool_call(tool, arguments))).await;
        result.unwrap_or_else(|error| panic!("{self}: {tool}: {error}"))
    }

    /// Ends the connection, which must go well.
    pub(super) async fn leave(self) {
        within("leaving", self.client.cancel()).await.unwrap();
    }
}

/// The parameters of a call.
pub(super) fn tool_call(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(object(arguments))
}

/// A JSON object's members.
pub(super) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is no object"),
    }
}

/// The text of a result that is a single text.
#[track_caller]
pub(super) fn text(result: &CallToolResult) -> &str {
    match &result.content[..] {
        [block] => &block.as_text().expect("the content is text").text,
        other => panic!("{} blocks where one was expected", other.len()),
    }
}

/// Waits, but not for ever.
pub(super) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("{what} takes too long"))
}
