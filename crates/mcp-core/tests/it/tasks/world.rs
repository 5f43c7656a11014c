//! Tools that run as tasks, and clients of both dialects.

pub(crate) use crate::sessions::world::VirtualRuntime;
pub(crate) use mcp_core::{
    context::{Context, Transport},
    extract::{App, Args, Cancelled, Client, Log, Progress},
    handler::{ProtocolError, ToolError},
    ports::TaskStore,
    principal::Principal,
    registry::{McpRouter, tool},
    server::{Peer, Server, ServerBuilder, TaskStart, TaskSupport, Tasks},
    testing::{Answer, TestClient},
    version::ProtocolVersion,
};
pub(crate) use mcp_store::MemoryTasks;
use schemars::JsonSchema;
use serde::Deserialize;
pub(crate) use serde_json::{Map, Value, json};
pub(crate) use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

pub(crate) const CORE: ProtocolVersion = ProtocolVersion::V2025_11_25;
pub(crate) const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

/// What became of handlers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    pub(crate) begun: Arc<AtomicUsize>,
    pub(crate) done: Arc<AtomicUsize>,
    pub(crate) dropped: Arc<AtomicUsize>,
}

struct Fate(Arc<AtomicUsize>);

impl Drop for Fate {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Work {
    /// How long it takes.
    seconds: u64,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Sure {
    sure: bool,
}

pub(crate) async fn work(App(fates): App<Fates>, Args(Work { seconds }): Args<Work>) -> String {
    fates.begun.fetch_add(1, Ordering::SeqCst);
    let _fate = Fate(Arc::clone(&fates.dropped));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    fates.done.fetch_add(1, Ordering::SeqCst);
    format!("worked for {seconds} s")
}

async fn fail() -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Err(ToolError::new("the disk is full"))
}

async fn break_down() -> Result<String, ProtocolError> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Err(ProtocolError::new(-31_000, "broken").data(json!({ "part": 7 })))
}

async fn panics() -> String {
    tokio::time::sleep(Duration::from_secs(1)).await;
    panic!("on purpose")
}

async fn confirm(client: Client) -> Result<String, ToolError> {
    let sure = client.elicit::<Sure>("sure", "Are you sure?").await?.require()?;
    Ok(format!("sure: {}", sure.sure))
}

async fn confirm_two(client: Client) -> Result<String, ToolError> {
    let (one, two) = futures_util::future::join(
        client.elicit::<Sure>("one", "Are you sure of one?"),
        client.elicit::<Sure>("two", "Are you sure of two?"),
    )
    .await;
    Ok(format!("{} and {}", one?.require()?.sure, two?.require()?.sure))
}

/// Asks, becomes a task, and asks again.
async fn ask_then_detach(client: Client, context: Context) -> Result<String, ToolError> {
    let Named { name } = client.elicit::<Named>("name", "Who are you?").await?.require()?;
    let task = client.detach().await?;
    assert_eq!(task, context.is_task());
    tokio::time::sleep(Duration::from_secs(1)).await;
    Ok(format!("hello {name}, as a task: {task}"))
}

/// Asks for two seconds, and works on then.
async fn ask_a_while(client: Client) -> Result<String, ToolError> {
    let asked =
        tokio::time::timeout(Duration::from_secs(2), client.elicit::<Sure>("sure", "Are you sure?")).await;
    tokio::time::sleep(Duration::from_secs(100)).await;
    Ok(format!("answered: {}", asked.is_ok()))
}

/// Asks twice with many words.
async fn ask_at_length(client: Client) -> Result<String, ToolError> {
    let words = "word ".repeat(400);
    let two = client.elicit::<Sure>("two", words.clone());
    let (one, two) = futures_util::future::join(client.elicit::<Sure>("one", words), two).await;
    Ok(format!("{:?}; {}", one.is_ok(), two.err().map(|error| error.to_string()).unwrap_or_default()))
}

/// Says something, becomes a task, and works on.
async fn say_then_detach(
    App(fates): App<Fates>,
    client: Client,
    progress: Progress,
) -> Result<String, ToolError> {
    fates.begun.fetch_add(1, Ordering::SeqCst);
    let _fate = Fate(Arc::clone(&fates.dropped));
    progress.report(1.0, 2.0);
    client.detach().await?;
    tokio::time::sleep(Duration::from_secs(100)).await;
    Ok("done".to_owned())
}

/// Tries to become a task in ways that are given up, and does then.
async fn detach_oddly(client: Client, context: Context) -> Result<String, ToolError> {
    {
        let wait = std::pin::pin!(client.detach());
        let _ = futures_util::future::select(wait, std::future::ready(())).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = context.is_task();
    let both = futures_util::future::join(client.detach(), client.detach()).await;
    let again = client.detach().await?;
    let sure = client.elicit::<Sure>("sure", "Are you sure?").await?.require()?.sure;
    Ok(format!("{before} {} {} {again} {sure}", both.0?, both.1?))
}

/// What a handler knows about itself.
async fn inspect(context: Context) -> String {
    context.task_message("looking");
    tokio::time::sleep(Duration::from_secs(5)).await;
    let origin = context.origin_request_id().map(ToString::to_string);
    format!("{} {} {}", context.is_task(), context.task_id().unwrap_or_default(), origin.unwrap_or_default())
}

async fn report(progress: Progress, log: Log) -> &'static str {
    for step in 1..=3 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        progress.report(f64::from(step), 3.0);
        log.info("a step");
    }
    "reported"
}

async fn wait_for_cancel(App(fates): App<Fates>, cancelled: Cancelled) -> &'static str {
    let done = Arc::clone(&fates.done);
    tokio::spawn(async move {
        cancelled.cancelled().await;
        done.fetch_add(1, Ordering::SeqCst);
    });
    std::future::pending::<()>().await;
    "never"
}

pub(crate) fn router(fates: &Fates) -> McpRouter<()> {
    McpRouter::<Fates>::new()
        .tool("plain", tool(work).describe("Never a task"))
        .tool("work", tool(work).describe("Works").task_support(TaskSupport::Optional))
        .tool("must", tool(work).describe("Works as a task only").task_support(TaskSupport::Required))
        .tool(
            "patient",
            tool(work)
                .describe("Becomes a task when it takes long")
                .task_support(TaskSupport::Optional)
                .task_start(TaskStart::After(Duration::from_secs(2))),
        )
        .tool("fail", tool(fail).describe("Fails").task_support(TaskSupport::Optional))
        .tool("break", tool(break_down).describe("Breaks").task_support(TaskSupport::Optional))
        .tool("panic", tool(panics).describe("Panics").task_support(TaskSupport::Optional))
        .tool("confirm", tool(confirm).describe("Asks").task_support(TaskSupport::Optional))
        .tool("confirm_two", tool(confirm_two).describe("Asks twice").task_support(TaskSupport::Optional))
        .tool(
            "ask_then_detach",
            tool(ask_then_detach)
                .describe("Asks before it is a task")
                .task_support(TaskSupport::Optional)
                .task_start(TaskStart::OnDetach),
        )
        .tool("inspect", tool(inspect).describe("Looks at itself").task_support(TaskSupport::Optional))
        .tool("ask_a_while", tool(ask_a_while).describe("Asks a while").task_support(TaskSupport::Optional))
        .tool(
            "ask_at_length",
            tool(ask_at_length).describe("Asks at length").task_support(TaskSupport::Optional),
        )
        .tool(
            "say_then_detach",
            tool(say_then_detach)
                .describe("Says something first")
                .task_support(TaskSupport::Optional)
                .task_start(TaskStart::OnDetach),
        )
        .tool(
            "detach_oddly",
            tool(detach_oddly)
                .describe("Detaches in odd ways")
                .task_support(TaskSupport::Optional)
                .task_start(TaskStart::OnDetach),
        )
        .tool("report", tool(report).describe("Reports").task_support(TaskSupport::Optional))
        .tool("wait", tool(wait_for_cancel).describe("Waits").task_support(TaskSupport::Optional))
        .with_state(fates.clone())
}

pub(crate) fn building(fates: &Fates, tasks: impl FnOnce(Tasks) -> Tasks) -> ServerBuilder {
    building_on(fates, Arc::new(MemoryTasks::new()), tasks)
}

pub(crate) fn building_on(
    fates: &Fates,
    store: Arc<dyn TaskStore>,
    tasks: impl FnOnce(Tasks) -> Tasks,
) -> ServerBuilder {
    Server::builder(router(fates), Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .tasks(tasks(Tasks::new(store)))
}

/// A server with this store.
pub(crate) fn serving_on(store: Arc<dyn TaskStore>) -> (Server, Fates) {
    let fates = Fates::default();
    (building_on(&fates, store, |tasks| tasks).build().unwrap(), fates)
}

pub(crate) fn serving() -> (Server, Fates) {
    serving_with(|tasks| tasks)
}

pub(crate) fn serving_with(tasks: impl FnOnce(Tasks) -> Tasks) -> (Server, Fates) {
    let fates = Fates::default();
    (building(&fates, tasks).build().unwrap(), fates)
}

/// A client of the extension.
pub(crate) fn modern(server: &Server) -> TestClient {
    server.client(MODERN).with_capabilities(json!({
        "elicitation": {},
        "extensions": { "io.modelcontextprotocol/tasks": {} },
    }))
}

/// The same client, authenticated.
pub(crate) fn with_principal(client: TestClient, subject: &str) -> TestClient {
    let mut peer = Peer::anonymous(Transport::InProcess);
    peer.principal = Some(Arc::new(Principal::new(subject)));
    client.with_peer(peer)
}

/// A client of 2025-11-25 that is asked while a handler waits.
pub(crate) fn core(server: &Server) -> TestClient {
    server.client(CORE)
}

pub(crate) async fn call(client: &TestClient, name: &str, arguments: Value) -> Answer {
    client.call_tool(name, arguments).await
}

/// Calls a tool as a task, the way of 2025-11-25.
pub(crate) async fn call_as_task(client: &TestClient, name: &str, arguments: Value, task: Value) -> Answer {
    let params = json!({ "name": name, "arguments": arguments, "task": task });
    client.request("tools/call", params).await
}

/// Calls a tool as a task, and asks for progress.
pub(crate) async fn call_for_progress(client: &TestClient, name: &str) -> Answer {
    let meta = Map::from_iter([("progressToken".to_owned(), json!("p"))]);
    let params = json!({ "name": name, "arguments": {}, "task": {} });
    client.request_with_meta("tools/call", params, meta).await
}

/// The id of the task that an answer began, in either dialect.
pub(crate) fn id_of(answer: &Answer) -> String {
    let result = answer.result().unwrap_or_else(|| panic!("no task: {answer:?}"));
    let id = result.get("taskId").or_else(|| result.get("task")?.get("taskId"));
    id.and_then(Value::as_str).unwrap_or_else(|| panic!("no task: {answer:?}")).to_owned()
}

pub(crate) async fn about(client: &TestClient, method: &str, id: &str) -> Answer {
    client.request(method, json!({ "taskId": id })).await
}

/// What `tasks/get` says.
pub(crate) async fn get(client: &TestClient, id: &str) -> Value {
    about(client, "tasks/get", id).await.result().cloned().unwrap_or_default()
}

pub(crate) async fn update(client: &TestClient, id: &str, answers: Value) -> Answer {
    client.request("tasks/update", json!({ "taskId": id, "inputResponses": answers })).await
}

pub(crate) fn accepted(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}
