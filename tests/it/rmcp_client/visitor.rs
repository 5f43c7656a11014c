//! Connections of the official client, what it hears besides its answers, and what it is asked.

use mcp_tests::{
    fixture::{Fixture, program},
    http_client::PATIENCE,
};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt as _, RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
        DetailedTask, ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, JsonObject,
        ListRootsResult, LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam,
        ProtocolVersion, ResourceUpdatedNotificationParam, Root, SamplingMessage,
        SubscriptionsAcknowledgedNotificationParams, TaskStatusNotificationParams,
    },
    service::{NotificationContext, RequestContext, RunningService},
    transport::{
        StreamableHttpClientTransport, TokioChildProcess,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Value, json};
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
    /// What the server tells besides progress.
    pub(super) news: mpsc::UnboundedReceiver<News>,
    /// Over stdio the client itself owns the server's process.
    pub(super) server: Option<Fixture>,
}

impl fmt::Display for Visitor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}, {:?}", self.over, self.begin)
    }
}

/// What a server tells on its own.
#[derive(Debug, PartialEq)]
pub(super) enum News {
    Message(LoggingLevel),
    Tools,
    Prompts,
    Updated(String),
    /// A subscription holds.
    Listening,
    Task(Box<DetailedTask>),
}

/// Passes on each notification, and answers what it is asked.
#[derive(Debug)]
pub(super) struct Listener {
    config: ClientConfig,
    progress: mpsc::UnboundedSender<ProgressNotificationParam>,
    news: mpsc::UnboundedSender<News>,
}

impl Listener {
    fn tell(&self, news: News) {
        // Most tests drop the other end with the visitor: they do not care.
        let _ = self.news.send(news);
    }
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let text = if request.max_tokens == 100 { "Lisbon" } else { "Hello" };
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text(text), "a model".to_owned()))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///test/root").with_name("Test Root")]))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        match request {
            ElicitRequestParams::FormElicitationParams { message, .. } => Ok(user(&message)),
            other => panic!("no form: {other:?}"),
        }
    }

    async fn on_progress(&self, report: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        // Most tests drop the other end: they do not care.
        let _ = self.progress.send(report);
    }

    async fn on_logging_message(
        &self,
        message: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.tell(News::Message(message.level));
    }

    async fn on_resource_updated(
        &self,
        update: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.tell(News::Updated(update.uri));
    }

    async fn on_subscriptions_acknowledged(
        &self,
        _: SubscriptionsAcknowledgedNotificationParams,
        _: NotificationContext<RoleClient>,
    ) {
        self.tell(News::Listening);
    }

    async fn on_task_status(&self, status: TaskStatusNotificationParams, _: NotificationContext<RoleClient>) {
        self.tell(News::Task(Box::new(status.task)));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tell(News::Tools);
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tell(News::Prompts);
    }
}

/// What the user does with a form that comes with this message.
fn user(message: &str) -> ElicitResult {
    let content = match message {
        "decline" => return ElicitResult::new(ElicitationAction::Decline),
        "cancel" => return ElicitResult::new(ElicitationAction::Cancel),
        "incomplete" => json!({ "username": "ada" }),
        "accept" => json!({ "username": "ada", "email": "ada@example.org" }),
        "Is this right?" => json!({ "age": 31, "status": "pending" }),
        "What do you choose?" => json!({
            "legacyEnum": "opt1", "titledMulti": ["value2"], "titledSingle": "value3",
            "untitledMulti": ["option1", "option3"], "untitledSingle": "option2",
        }),
        "What is your name?" => json!({ "name": "Ada" }),
        "Which colour do you like best, Ada?" => json!({ "color": "green" }),
        "Is that all right?" => json!({ "ok": true }),
        "What should the prompt know?" => json!({ "context": "a storm" }),
        other => panic!("nobody expected {other}"),
    };
    ElicitResult::new(ElicitationAction::Accept).with_content(content)
}

/// What a visitor hears of progress, in any call.
pub(super) type Reports = mpsc::UnboundedReceiver<ProgressNotificationParam>;

/// What a client declares that can be asked for anything.
fn askable() -> Value {
    json!({ "elicitation": { "form": {} }, "sampling": {}, "roots": {} })
}

/// Connects, and gives what is heard of progress with the connection.
pub(super) async fn connect(over: Over, begin: Begin) -> (Visitor, Reports) {
    connect_declaring(over, begin, askable()).await
}

/// Connects a client that takes tasks for answers.
pub(super) async fn connect_for_tasks(over: Over) -> Visitor {
    let mut capabilities = askable();
    capabilities["extensions"] = json!({ "io.modelcontextprotocol/tasks": {} });
    connect_declaring(over, Begin::Discover, capabilities).await.0
}

async fn connect_declaring(over: Over, begin: Begin, capabilities: Value) -> (Visitor, Reports) {
    let (listener, lifecycle, news, reports) = beginning(&begin, capabilities);
    let (client, server) = match over {
        Over::Http => {
            let server = Fixture::start_with(&["--probe", "--control", "0"]);
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
    (Visitor { client, over, begin, news, server }, reports)
}

/// Connects to a server that is there already.
pub(super) async fn at(url: &str, begin: Begin) -> Visitor {
    let (listener, lifecycle, news, _) = beginning(&begin, askable());
    let transport = StreamableHttpClientTransport::from_uri(url.to_owned());
    let client = within("connecting", listener.serve_with_lifecycle(transport, lifecycle)).await;
    let client = client.unwrap_or_else(|error| panic!("{begin:?}: {error}"));
    Visitor { client, over: Over::Http, begin, news, server: None }
}

/// Tries to connect to a server that is there already, with a bearer token if there is one.
pub(super) async fn try_at(
    url: &str,
    token: Option<&str>,
    begin: Begin,
) -> Result<(Visitor, Reports), String> {
    let (listener, lifecycle, news, reports) = beginning(&begin, askable());
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.to_owned());
    config.auth_header = token.map(str::to_owned);
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = within("connecting", listener.serve_with_lifecycle(transport, lifecycle)).await;
    let client = client.map_err(|error| format!("{error:?}"))?;
    Ok((Visitor { client, over: Over::Http, begin, news, server: None }, reports))
}

/// A client that is about to connect: what it is, how it begins, and what it will hear.
fn beginning(
    begin: &Begin,
    capabilities: Value,
) -> (Listener, ClientLifecycleMode, mpsc::UnboundedReceiver<News>, Reports) {
    let (progress, reports) = mpsc::unbounded_channel();
    let (told, news) = mpsc::unbounded_channel();
    let mut config = ClientConfig::default();
    config.capabilities = serde_json::from_value(capabilities).unwrap();
    let lifecycle = match begin {
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
    (Listener { config, progress, news: told }, lifecycle, news, reports)
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
