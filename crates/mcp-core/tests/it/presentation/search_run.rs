//! `run_tools`: several calls in one, of which later ones use the results of earlier ones.

use crate::{
    ask::fixture::{self, Sure, accept, said, willing},
    wire::{HANDSHAKE, MODERN, serving},
};
use mcp_core::{
    context::{Context, Transport},
    extract::{App, Args, Client, Log, Progress},
    handler::{ProtocolError, Structured, ToolError},
    json::RawJson,
    page::Lists,
    ports::Selection,
    presentation::{Presentation, ToolSearch},
    principal::Principal,
    protocol::{CallToolResult, Content, SamplingMessage, SamplingRequest},
    registry::{McpRouter, ToolVisibility, tool, tool_args},
    server::{Peer, Server, ServerBuilder, TaskSupport},
    testing::{Answer, Asked, TestClient},
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};

/// What happened, in order.
#[derive(Clone, Default)]
pub(super) struct Events(Arc<Mutex<Vec<String>>>);

impl Events {
    fn note(&self, event: impl Into<String>) {
        self.0.lock().unwrap().push(event.into());
    }

    pub(super) fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[derive(Serialize, JsonSchema)]
struct Customer {
    id: u32,
    #[serde(rename = "a/b~c")]
    odd: &'static str,
    orders: Vec<Order>,
}

#[derive(Serialize, JsonSchema)]
struct Order {
    number: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Anything {
    value: RawJson,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    name: String,
}

/// Notes when it is dropped.
struct Guard(Events);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.note("dropped");
    }
}

async fn find(
    App(events): App<Events>,
    Args(Named { name }): Args<Named>,
) -> Result<Structured<Customer>, ToolError> {
    events.note(format!("find {name}"));
    match &*name {
        "nobody" => Err(ToolError::new("there is no such customer")),
        _ => Ok(Structured(Customer {
            id: 7,
            odd: "yes",
            orders: vec![Order { number: 1 }, Order { number: 2 }],
        })),
    }
}

async fn confirm(
    client: Client,
    App(events): App<Events>,
    Args(Named { name }): Args<Named>,
) -> Result<String, ToolError> {
    events.note(format!("confirm {name}"));
    let sure = client.elicit::<Sure>("sure", format!("Sure, {name}?")).await?.require()?.sure;
    events.note(format!("confirmed {name}"));
    Ok(format!("{name}: {sure}"))
}

async fn speak(context: Context, progress: Progress, log: Log) -> String {
    progress.report(1.0, None);
    log.info("from a step");
    let who = context.principal().map_or("nobody", |principal| principal.subject());
    format!("{who} wants {}", context.arguments_text())
}

/// Lets the client's model run a plan.
async fn think(client: Client, App(events): App<Events>) -> Result<String, ToolError> {
    events.note("think");
    let request = SamplingRequest::new(100).message(SamplingMessage::user("Plan!"));
    let run = client.sample_with_tools("think", request, ["run_tools", "say"]).await?;
    let failed: Vec<_> = run.calls().iter().map(|call| call.failed()).collect();
    Ok(format!("{failed:?} {}", run.text()))
}

pub(super) fn router(events: &Events) -> McpRouter<()> {
    let say = |Args(Anything { value }): Args<Anything>, App(events): App<Events>| async move {
        events.note(format!("say {value}"));
        value.get().to_owned()
    };
    McpRouter::new()
        .tool("find", tool(find).describe("Finds a customer"))
        .tool("say", tool(say).describe("Says a value"))
        .tool("confirm", tool(confirm).describe("Asks"))
        .tool("speak", tool(speak).describe("Speaks"))
        .tool("think", tool(think).describe("Thinks"))
        .tool("count", tool_args(["n"], |n: u32| async move { n }).describe("Counts"))
        .tool(
            "large",
            tool_args(["bytes"], |bytes: usize| async move { "x".repeat(bytes) }).describe("Large"),
        )
        .tool("many", tool(|| async { Structured(vec![0u8; 60_000]) }).describe("Many values"))
        .tool(
            "picture",
            tool(|| async {
                CallToolResult::new([Content::text("a dot"), Content::image(&b"dot"[..], "image/png")])
            })
            .describe("Draws"),
        )
        .tool("panic", tool(|| async { if true { panic!("secret") } else { "x" } }).describe("Panics"))
        .tool(
            "forbid",
            tool(|| async { Err::<String, _>(ProtocolError::forbidden(["orders:write"])) }).describe("."),
        )
        .tool(
            "hang",
            tool(|App(events): App<Events>| async move {
                let _guard = Guard(events);
                pending::<&'static str>().await
            })
            .describe("Hangs")
            .timeout(Duration::from_secs(3)),
        )
        .tool("card", tool(|| async { "called" }).describe("C").visibility(ToolVisibility::App))
        .with_state(events.clone())
}

pub(super) fn searching(events: &Events, search: ToolSearch) -> ServerBuilder {
    serving(router(events)).presentation(Presentation::search(search))
}

pub(super) fn server(events: &Events) -> Server {
    searching(events, ToolSearch::default()).build().unwrap()
}

/// A client of every version.
pub(super) fn clients(server: &Server) -> impl Iterator<Item = TestClient> {
    ProtocolVersion::ALL.into_iter().map(|version| server.client(version))
}

pub(super) async fn run(client: &TestClient, steps: Value) -> (Value, Answer) {
    run_with(client, json!({ "steps": steps })).await
}

pub(super) async fn run_with(client: &TestClient, arguments: Value) -> (Value, Answer) {
    let answer = client.call_tool("run_tools", arguments).await;
    let told = serde_json::from_str(answer.text()).unwrap_or_else(|_| panic!("{answer:?}"));
    (told, answer)
}

/// The error of each step that has one.
pub(super) fn errors(told: &Value) -> Vec<(u64, String)> {
    let steps = told["steps"].as_array().unwrap().iter();
    let failed = steps.filter(|step| step.get("error").is_some());
    failed.map(|step| (step["step"].as_u64().unwrap(), step["error"].as_str().unwrap().to_owned())).collect()
}

#[tokio::test]
async fn a_step_uses_what_an_earlier_one_gave_in_every_version() {
    let events = Events::default();
    for client in clients(&server(&events)) {
        let steps = json!([
            { "id": "cust", "tool": "find", "arguments": { "name": "ada" }, "quiet": true },
            { "tool": "count", "arguments": { "n": { "$from": "cust", "path": "/orders/1/number" } } },
            { "tool": "say", "arguments": { "value": [{ "deep": { "$from": "cust", "path": "/a~1b~0c" } }, { "$from": "cust", "path": "/orders" }] } },
            { "id": "all", "tool": "say", "arguments": { "value": { "$from": "cust" } } },
            { "tool": "say", "arguments": { "value": { "$from": "all", "path": "" } } },
        ]);
        let (told, answer) = run(&client, steps).await;
        assert!(!answer.is_error());
        let all = r#"{"id":7,"a/b~c":"yes","orders":[{"number":1},{"number":2}]}"#;
        assert_eq!(
            told,
            json!({ "ran": 5, "steps": [
                { "step": 2, "tool": "count", "result": "2" },
                { "step": 3, "tool": "say", "result": r#"[{"deep":"yes"},[{"number":1},{"number":2}]]"# },
                { "step": 4, "id": "all", "tool": "say", "result": all },
                { "step": 5, "tool": "say", "result": serde_json::to_string(all).unwrap() },
            ] }),
            "{client:?}"
        );
        if let Some(structured) = answer.result().unwrap().get("structuredContent") {
            assert_eq!(*structured, told);
        }
        assert_eq!(events.taken().len(), 4);
    }
}

#[tokio::test]
async fn what_only_looks_like_a_reference_stays_as_it_is() {
    let events = Events::default();
    let client = server(&events).client(MODERN);
    for value in [
        json!({ "$from": "a", "path": "/x", "more": 1 }),
        json!({ "$from": 7 }),
        json!({ "$from": "a", "path": 7 }),
        json!({ "$from": "a", "other": "/x" }),
        json!({ "path": "/x" }),
        json!("$from"),
        json!({ "outer": { "$From": "a" } }),
    ] {
        let steps = json!([
            { "id": "a", "tool": "find", "arguments": { "name": "ada" }, "quiet": true },
            { "tool": "say", "arguments": { "value": value } },
        ]);
        assert_eq!(run(&client, steps).await.0["steps"][0]["result"], value.to_string());
    }
    let steps = json!([
        { "id": "a", "tool": "find", "arguments": { "name": "ada" }, "quiet": true },
        { "tool": "find", "arguments": { "$from": "a" } },
    ]);
    let (told, _) = run(&client, steps).await;
    assert!(errors(&told)[0].1.contains("$from"), "the arguments as a whole are no value in them: {told}");
}

#[tokio::test]
async fn a_failing_step_is_told_quiet_or_not_and_ends_the_run() {
    let events = Events::default();
    for client in clients(&server(&events)) {
        let steps = json!([
            { "tool": "count", "arguments": { "n": 1 } },
            { "tool": "count", "arguments": { "n": 2 }, "quiet": true },
            { "id": "who", "tool": "find", "arguments": { "name": "nobody" }, "quiet": true },
            { "tool": "say", "arguments": { "value": 1 } },
        ]);
        let (told, answer) = run(&client, steps.clone()).await;
        let first = json!({ "step": 1, "tool": "count", "result": "1" });
        let failed = json!({ "step": 3, "id": "who", "tool": "find", "error": "there is no such customer" });
        assert_eq!(told, json!({ "ran": 3, "steps": [first, failed], "stoppedAt": 3 }));
        assert!(answer.is_error());
        assert_eq!(events.taken(), ["find nobody"]);
        let (told, answer) = run_with(&client, json!({ "steps": steps, "stop_on_error": false })).await;
        let last = json!({ "step": 4, "tool": "say", "result": "1" });
        assert_eq!(told, json!({ "ran": 4, "steps": [first, failed, last] }));
        assert!(!answer.is_error());
        events.taken();
    }
}

#[tokio::test]
async fn a_plan_that_is_wrong_in_itself_is_not_begun() {
    let events = Events::default();
    let from = |step: &str, path: Option<&str>| match path {
        Some(path) => json!({ "value": { "$from": step, "path": path } }),
        None => json!({ "value": { "$from": step } }),
    };
    let deep = (0..100).fold(json!({ "$from": "none" }), |inner, _| json!([inner]));
    for (wrong, words) in [
        (json!({ "tool": "say", "arguments": from("b", None) }), "names `b`, and no step has this id"),
        (json!({ "tool": "say", "arguments": { "value": deep } }), "no step has this id"),
        (
            json!({ "id": "me", "tool": "say", "arguments": from("me", None) }),
            "does not come before this step",
        ),
        (json!({ "tool": "say", "arguments": from("late", None) }), "does not come before this step"),
        (json!({ "id": "a", "tool": "say", "arguments": { "value": 1 } }), "has the id `a`"),
        (json!({ "tool": "say", "arguments": from("a", Some("id")) }), "no JSON Pointer"),
        (json!({ "tool": "say", "arguments": from("a", Some("/~2")) }), "no JSON Pointer"),
        (
            json!({ "tool": "say", "arguments": from("a", Some(&format!("/{}", "x".repeat(1_024)))) }),
            "no JSON Pointer",
        ),
        (
            json!({ "tool": "say", "arguments": { "value": vec![json!({ "$from": "a" }); 257] } }),
            "more than 256 times",
        ),
        (json!({ "tool": "run_tools", "arguments": { "steps": [] } }), "`run_tools` cannot be a step"),
        (json!({ "tool": "search_tools", "arguments": { "query": "x" } }), "cannot be a step"),
        (json!({ "tool": "describe_tools", "arguments": {} }), "cannot be a step"),
    ] {
        for client in clients(&server(&events)) {
            let first = json!({ "id": "a", "tool": "find", "arguments": { "name": "ada" } });
            let last = json!({ "id": "late", "tool": "count", "arguments": { "n": 1 } });
            let steps = json!([first, wrong, last]);
            let (told, answer) = run(&client, steps.clone()).await;
            let [(2, error)] = &errors(&told)[..] else { panic!("{told}") };
            assert!(error.contains(words), "{error}");
            assert_eq!((&told["ran"], &told["stoppedAt"]), (&json!(0), &json!(2)));
            assert!(answer.is_error() && events.taken().is_empty());
            let (told, _) = run_with(&client, json!({ "steps": steps, "stop_on_error": false })).await;
            assert_eq!((&told["ran"], errors(&told).len()), (&json!(2), 1), "the others run: {told}");
            assert_eq!(events.taken(), ["find ada"]);
        }
    }
}

#[tokio::test]
async fn a_reference_that_finds_nothing_fails_its_step() {
    let events = Events::default();
    let client = server(&events).client(MODERN);
    let find = json!({ "id": "a", "tool": "find", "arguments": { "name": "ada" } });
    let text = json!({ "id": "t", "tool": "count", "arguments": { "n": 1 } });
    let failed = json!({ "id": "f", "tool": "find", "arguments": { "name": "nobody" } });
    for (step, path, words) in [
        ("a", "/none", "the result of `a` has nothing at `/none`"),
        ("a", "/orders/2", "has nothing at"),
        ("a", "/orders/-", "has nothing at"),
        ("a", "/id/0", "has nothing at"),
        ("a", &format!("/{}", "x".repeat(1_023)), "has nothing at"),
        ("t", "/id", "is a text and has no parts"),
        ("f", "/id", "it failed"),
    ] {
        let last = json!({ "tool": "say", "arguments": { "value": { "$from": step, "path": path } } });
        let plan = json!({ "steps": [find, text, failed, last], "stop_on_error": false });
        let (told, _) = run_with(&client, plan).await;
        let all = errors(&told);
        let (4, error) = all.last().unwrap() else { panic!("{told}") };
        assert!(error.contains(words), "{error}");
        assert_eq!(told["ran"], 3);
    }
    let most = json!({ "tool": "say", "arguments": { "value": vec![json!({ "$from": "t" }); 256] } });
    assert_eq!(run(&client, json!([text, most])).await.0["ran"], 2);
}

#[tokio::test]
async fn a_hidden_tool_can_be_a_step_as_it_can_be_called() {
    async fn hide(context: Context) -> Result<&'static str, ToolError> {
        context.visibility().hide(Selection::tool("count")).await?;
        Ok("hidden")
    }
    let events = Events::default();
    let lists = Lists::default().per_connection().tool_filter(|_, _| async { false });
    let router = router(&events).tool("hide", tool(hide).describe("Hides"));
    let presentation = Presentation::search(ToolSearch::default());
    let server = serving(router).presentation(presentation).lists(lists).build().unwrap();
    let client = server.client(HANDSHAKE).live();
    let steps = json!([{ "tool": "hide" }, { "tool": "count", "arguments": { "n": 4 } }]);
    assert_eq!(run(&client, steps).await.0["steps"][1]["result"], "4");
}

#[tokio::test]
async fn a_tool_that_is_always_a_task_is_no_step() {
    let events = Events::default();
    let tasks = mcp_core::server::Tasks::new(Arc::new(mcp_store::MemoryTasks::new()));
    let router = router(&events)
        .tool("slow", tool(|| async { "x" }).describe("Slow").task_support(TaskSupport::Required))
        .tool("either", tool(|| async { "x" }).describe("Either").task_support(TaskSupport::Optional));
    let presentation = Presentation::search(ToolSearch::default());
    let server = serving(router).presentation(presentation).tasks(tasks).build().unwrap();
    for client in clients(&server) {
        let (told, _) = run(&client, json!([{ "tool": "either" }, { "tool": "slow" }])).await;
        assert_eq!((&told["steps"][0]["result"], &told["stoppedAt"]), (&json!("x"), &json!(2)));
        assert!(errors(&told)[0].1.contains("task"), "{told}");
    }
}

#[tokio::test]
async fn a_step_has_the_callers_rights_and_speaks_on_its_stream() {
    let events = Events::default();
    let server = server(&events);
    for version in ProtocolVersion::ALL {
        let peer =
            Peer { principal: Some(Arc::new(Principal::new("ada"))), ..Peer::anonymous(Transport::Http) };
        let client = server.client(version).with_peer(peer);
        let meta = json!({ "progressToken": "p", "io.modelcontextprotocol/logLevel": "info" });
        let steps = json!([{ "tool": "speak" }, { "tool": "count", "arguments": { "n": 1 } }]);
        let params = json!({ "name": "run_tools", "arguments": { "steps": steps } });
        let answer = client.request_with_meta("tools/call", params, meta.as_object().cloned().unwrap()).await;
        let told: Value = serde_json::from_str(answer.text()).unwrap();
        assert_eq!(told["steps"][0]["result"], "ada wants {}", "{version}");
        let progress: Vec<_> = answer
            .notifications
            .iter()
            .filter(|message| message["method"] == "notifications/progress")
            .map(|message| (&message["params"]["progress"], &message["params"]["total"]))
            .collect();
        // The step's own progress has no token; the plan tells how far it is.
        assert_eq!(
            format!("{progress:?}"),
            "[(Number(1.0), Number(2.0)), (Number(2.0), Number(2.0))]",
            "{version}"
        );
        if version == MODERN {
            let logged =
                answer.notifications.iter().filter(|message| message["method"] == "notifications/message");
            assert_eq!(logged.count(), 1);
        }
    }
}

#[tokio::test]
async fn steps_ask_the_client_and_nothing_is_done_twice() {
    let events = Events::default();
    let presentation = Presentation::search(ToolSearch::default());
    let server = fixture::serving(router(&events)).presentation(presentation).build().unwrap();
    for (version, channel, client) in fixture::clients(&server, willing) {
        // Versions before know no forms.
        if version < HANDSHAKE {
            continue;
        }
        let steps = json!([
            { "id": "a", "tool": "find", "arguments": { "name": "ada" }, "quiet": true },
            { "id": "b", "tool": "confirm", "arguments": { "name": "one" } },
            { "tool": "say", "arguments": { "value": { "$from": "b" } } },
            { "tool": "confirm", "arguments": { "name": "two" } },
            { "tool": "count", "arguments": { "n": { "$from": "a", "path": "/id" } } },
        ]);
        let (told, answer) = run(&client, steps).await;
        let results: Vec<_> =
            told["steps"].as_array().unwrap().iter().map(|step| step["result"].clone()).collect();
        assert_eq!(results, ["one: true", "\"one: true\"", "two: true", "7"], "{version} {channel:?}");
        assert_eq!(answer.asked.len(), 2);
        let happened = events.taken();
        for once in ["find ada", "confirmed one", "say \"one: true\"", "confirmed two"] {
            let times = happened.iter().filter(|event| *event == once).count();
            assert_eq!(times, 1, "{version} {channel:?} {once}: {happened:?}");
        }
    }
}

#[tokio::test]
async fn a_step_that_fails_before_a_question_is_not_run_again_after_it() {
    let events = Events::default();
    let presentation = Presentation::search(ToolSearch::default());
    let server = fixture::serving(router(&events)).presentation(presentation).build().unwrap();
    let client = server.client(MODERN).answering(willing);
    let steps = json!([
        { "tool": "find", "arguments": { "name": "nobody" } },
        { "tool": "confirm", "arguments": { "name": "one" } },
    ]);
    let (told, _) = run_with(&client, json!({ "steps": steps, "stop_on_error": false })).await;
    assert_eq!((told["ran"].as_u64(), errors(&told).len()), (Some(2), 1));
    assert_eq!(events.taken(), ["find nobody", "confirm one", "confirm one", "confirmed one"]);
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_fails_the_step_alone() {
    let events = Events::default();
    for client in clients(&server(&events)) {
        let steps = json!([{ "tool": "confirm", "arguments": { "name": "one" } }]);
        let (told, _) = run(&client, steps).await;
        assert!(errors(&told)[0].1.contains("capability"), "{told}");
    }
}

#[tokio::test]
async fn what_is_no_text_comes_after_the_report() {
    let events = Events::default();
    for client in clients(&server(&events)) {
        let steps = json!([{ "tool": "picture" }, { "tool": "picture", "quiet": true }]);
        let (told, answer) = run(&client, steps).await;
        assert_eq!(
            told["steps"],
            json!([{ "step": 1, "tool": "picture", "result": "a dot", "attachments": 1 }])
        );
        let content = answer.result().unwrap()["content"].as_array().unwrap();
        assert_eq!(
            (content.len(), &content[1]["type"], &content[1]["data"]),
            (2, &json!("image"), &json!("ZG90"))
        );
    }
}

/// A model that asks for a plan first, and then answers.
fn planning(steps: Value) -> impl Fn(&Asked<'_>) -> Value + Clone + Send + Sync + 'static {
    move |asked: &Asked<'_>| match asked.method {
        "elicitation/create" => accept(json!({ "sure": true })),
        _ if asked.params["messages"].as_array().unwrap().len() == 1 => json!({
            "role": "assistant", "model": "m", "stopReason": "toolUse",
            "content": [{ "type": "tool_use", "id": "1", "name": "run_tools", "input": { "steps": steps } }],
        }),
        _ => said("done"),
    }
}

#[tokio::test]
async fn a_clients_model_runs_a_plan_and_none_runs_within_a_plan() {
    let events = Events::default();
    let presentation = |search| Presentation::search(search);
    let serve =
        |search| fixture::serving(router(&events)).presentation(presentation(search)).build().unwrap();
    let server = serve(ToolSearch::default());
    let plan = json!([
        { "id": "a", "tool": "find", "arguments": { "name": "ada" } },
        { "tool": "confirm", "arguments": { "name": "one" } },
        { "tool": "say", "arguments": { "value": { "$from": "a", "path": "/id" } } },
    ]);
    let direct = json!([{ "tool": "think" }]);
    for live in [false, true] {
        let client = |version: ProtocolVersion, server: &Server| {
            let client = server.client(version).answering(planning(plan.clone()));
            if live { client.live() } else { client }
        };
        for version in [HANDSHAKE, MODERN] {
            let thought = client(version, &server).call_tool("think", json!({})).await;
            assert_eq!(thought.text(), "[false] done", "{version}");
            let happened = events.taken();
            for once in ["find ada", "confirmed one", "say 7"] {
                assert_eq!(
                    happened.iter().filter(|event| *event == once).count(),
                    1,
                    "{version}: {happened:?}"
                );
            }
            // The same plan, asked for by a tool that is itself a step.
            let (told, _) = run(&client(version, &server), direct.clone()).await;
            assert_eq!(told["steps"][0]["result"], "[true] done", "{version}");
            assert!(!events.taken().contains(&"find ada".to_owned()));
            let shallow = serve(ToolSearch::default().plan_depth(0));
            assert_eq!(client(version, &shallow).call_tool("think", json!({})).await.text(), "[true] done");
            events.taken();
        }
    }
}
