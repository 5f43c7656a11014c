//! The client's model with tools of the server: which are called, how, and how often.

use crate::{
    official::official_schema,
    wire::{HANDSHAKE, MODERN, serving},
};
use futures_util::FutureExt as _;
use mcp_core::{
    ask::{AskError, SamplingRun},
    context::{Context, Transport},
    extract::{App, Args, Cancelled, Client, Dep, Dependency, Log, Progress},
    handler::{ProtocolError, Structured, ToolError},
    principal::Principal,
    protocol::{SamplingMessage, SamplingRequest, ToolChoice},
    registry::{McpRouter, tool, tool_args},
    server::{Limits, Peer, Server},
    testing::{Answer, Asked, TestClient},
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    convert::Infallible,
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};

/// What happened, in order.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<String>>>);

impl Events {
    fn note(&self, event: impl Into<String>) {
        self.0.lock().unwrap().push(event.into());
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[derive(Serialize, JsonSchema)]
struct Order {
    number: u32,
    state: &'static str,
}

#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    sure: bool,
}

/// Opened and closed by each call that takes it.
#[derive(Clone)]
struct Lease(Events);

impl Dependency<Events> for Lease {
    type Error = Infallible;

    async fn open(_: &Context, events: &Events) -> Result<Self, Infallible> {
        events.note("open");
        Ok(Self(events.clone()))
    }

    async fn close(self) {
        self.0.note("close");
    }
}

/// What the run came to, as text: rounds, calls, answer.
fn told(run: &SamplingRun) -> String {
    let calls: Vec<_> = run
        .calls()
        .iter()
        .map(|call| format!("{}{}{}", call.name(), call.arguments(), if call.failed() { "!" } else { "" }))
        .collect();
    format!("{} [{}] {} ({:?})", run.rounds(), calls.join(" "), run.text(), run.model())
}

/// Runs with the named tools, comma-separated.
async fn run(client: Client, App(events): App<Events>, Args(wish): Args<Wish>) -> Result<String, ToolError> {
    events.note("handler");
    let request = SamplingRequest::new(100)
        .system_prompt("Be brief.")
        .tool_choice(ToolChoice::Required)
        .message(SamplingMessage::user("Where is order 17?"));
    let tools: Vec<String> =
        wish.tools.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let mut sampling = client.sample_with_tools(wish.key.as_deref().unwrap_or("run"), request, tools);
    if let Some(rounds) = wish.rounds {
        sampling = sampling.max_rounds(rounds);
    }
    Ok(told(&sampling.await?))
}

#[derive(Deserialize, JsonSchema)]
struct Wish {
    tools: String,
    rounds: Option<u32>,
    key: Option<String>,
}

fn router(events: &Events) -> McpRouter<()> {
    McpRouter::new()
        .tool("run", tool(run).describe("Runs"))
        .tool(
            "order",
            tool_args(["number"], |number: u32, App(events): App<Events>| async move {
                events.note(format!("order {number}"));
                Structured(Order { number, state: "sent" })
            })
            .describe("Looks up an order")
            .title("Order"),
        )
        .tool("fail", tool(|| async { Err::<String, _>(ToolError::new("the shelf is empty")) }).describe("."))
        .tool(
            "forbid",
            tool(|| async { Err::<String, _>(ProtocolError::forbidden(["orders:write"])) }).describe("."),
        )
        .tool("panic", tool(|| async { if true { panic!("secret") } else { "x" } }).describe("."))
        .tool(
            "hang",
            tool(|| async { pending::<&'static str>().await }).describe(".").timeout(Duration::from_secs(3)),
        )
        .tool("large", tool(|| async { "x".repeat(20_000) }).describe("."))
        .tool("speak", tool(speak).describe("."))
        .tool(
            "lease",
            tool(|_: Dep<Lease>, App(events): App<Events>| async move { events.note("lease") }).describe("."),
        )
        .tool("confirm", tool(confirm).describe("."))
        .with_state(events.clone())
}

async fn speak(context: Context, progress: Progress, log: Log) -> String {
    progress.report(1.0, None);
    log.info("from within");
    let who = context.principal().map_or("nobody", |principal| principal.subject());
    format!("{who} wants {}", context.arguments_text())
}

/// Asks under the key that the run has, too.
async fn confirm(client: Client, App(events): App<Events>) -> Result<String, ToolError> {
    events.note("confirm");
    let asked = client.remember("count", async { events.note("remembered") }).await;
    asked.map_err(ToolError::from)?;
    let sure = client.elicit::<Confirmation>("run/1", "Sure?").await?.require()?.sure;
    Ok(format!("{} {sure}", client.operation_id().len()))
}

fn server(events: &Events) -> Server {
    serving(router(events)).build().unwrap()
}

/// A model's turn in which it asks for tools.
fn uses(calls: &[(&str, Value)]) -> Value {
    let blocks: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(number, (name, input))| json!({ "type": "tool_use", "id": format!("id-{number}"), "name": name, "input": input }))
        .collect();
    json!({ "role": "assistant", "model": "m", "stopReason": "toolUse", "content": blocks })
}

fn says(text: &str) -> Value {
    json!({ "role": "assistant", "model": "m", "stopReason": "endTurn", "content": { "type": "text", "text": text } })
}

/// Plays a model that asks for these calls first, and then answers; forms are confirmed.
fn playing(calls: Vec<(&'static str, Value)>) -> impl Fn(&Asked<'_>) -> Value + Send + Sync + 'static {
    move |asked: &Asked<'_>| match asked.method {
        "elicitation/create" => json!({ "action": "accept", "content": { "sure": true } }),
        _ if asked.params["messages"].as_array().unwrap().len() == 1 => uses(&calls),
        _ => says("It is on its way."),
    }
}

/// The clients that can: each way to ask, in each version that has it.
fn clients(
    server: &Server,
    answer: impl Fn(&Asked<'_>) -> Value + Send + Sync + Clone + 'static,
) -> Vec<(String, TestClient)> {
    let client = |version: ProtocolVersion| server.client(version).answering(answer.clone());
    vec![
        (format!("{MODERN}"), client(MODERN)),
        (format!("{HANDSHAKE} again"), client(HANDSHAKE)),
        (format!("{HANDSHAKE} live"), client(HANDSHAKE).live()),
    ]
}

/// Runs once with a model that asks for these calls, everywhere; what it came to, and the results the model read.
async fn everywhere(
    events: &Events,
    server: &Server,
    tools: &str,
    calls: Vec<(&'static str, Value)>,
) -> (Answer, Vec<Value>) {
    let calls = Arc::new(calls);
    let answering = {
        let calls = Arc::clone(&calls);
        move |asked: &Asked<'_>| playing(calls.to_vec())(asked)
    };
    let mut all = Vec::new();
    for (name, client) in clients(server, answering) {
        events.taken();
        let answer = client.call_tool("run", json!({ "tools": tools })).await;
        let results = results(&answer);
        all.push((name, answer.outcome.clone(), results, answer));
    }
    let (_, _, results, first) = all.first().cloned().unwrap();
    for (name, outcome, other, _) in &all {
        let text = |outcome: &Result<Value, Value>| {
            outcome.as_ref().map(|result| result["content"].clone()).map_err(Clone::clone)
        };
        assert_eq!(text(outcome), text(&first.outcome), "{name}");
        assert_eq!(*other, results, "{name}");
    }
    (first, results)
}

/// What the model last read of tools.
fn results(answer: &Answer) -> Vec<Value> {
    let mut turns = answer.asked.iter().filter(|asked| asked["method"] == "sampling/createMessage");
    let Some(last) = turns.next_back() else { return Vec::new() };
    let messages = last["params"]["messages"].as_array().unwrap();
    let blocks = messages.iter().flat_map(|message| match &message["content"] {
        Value::Array(blocks) => blocks.clone(),
        one => vec![one.clone()],
    });
    blocks.filter(|block| block["type"] == "tool_result").collect()
}

#[tokio::test]
async fn a_tool_that_the_model_asks_for_is_called_once_and_its_result_told() {
    let events = Events::default();
    let server = server(&events);
    let answering = playing(vec![("order", json!({ "number": 17 }))]);
    let answering = Arc::new(answering);
    for (name, client) in clients(&server, {
        let answering = Arc::clone(&answering);
        move |asked: &Asked<'_>| answering(asked)
    }) {
        let answer = client.call_tool("run", json!({ "tools": "order" })).await;
        assert_eq!(answer.text(), "1 [order{\"number\":17}] It is on its way. (\"m\")", "{name}");
        let ran = events.taken();
        assert_eq!(ran.iter().filter(|event| *event == "order 17").count(), 1, "{name}: {ran:?}");
        let [first, second] = &answer.asked[..] else { panic!("{name}: {:?}", answer.asked) };
        let offered = &first["params"]["tools"];
        assert_eq!((&offered[0]["name"], &offered[0]["title"]), (&json!("order"), &json!("Order")));
        assert_eq!(offered[0]["inputSchema"]["required"], json!(["number"]));
        assert_eq!(first["params"]["toolChoice"], json!({ "mode": "required" }));
        // Only the first turn is held to it: otherwise there would never be an answer.
        assert_eq!(second["params"].get("toolChoice"), None);
        assert_eq!(second["params"]["tools"], *offered);
        assert_eq!(
            second["params"]["messages"],
            json!([
                { "role": "user", "content": { "type": "text", "text": "Where is order 17?" } },
                { "role": "assistant", "content": { "type": "tool_use", "id": "id-0", "name": "order", "input": { "number": 17 } } },
                { "role": "user", "content": {
                    "type": "tool_result", "toolUseId": "id-0",
                    "content": [{ "type": "text", "text": "{\"number\":17,\"state\":\"sent\"}" }],
                    "structuredContent": { "number": 17, "state": "sent" },
                } },
            ]),
            "{name}"
        );
    }
}

#[tokio::test]
async fn every_turn_fits_the_official_schema_of_its_revision() {
    let events = Events::default();
    let server = server(&events);
    let calls = vec![("order", json!({ "number": 1 })), ("fail", json!({})), ("nothing", json!({}))];
    for (name, client) in clients(&server, move |asked: &Asked<'_>| playing(calls.clone())(asked)) {
        let version = if name.starts_with("2026") { MODERN } else { HANDSHAKE };
        let Some(mut schema) = official_schema(version) else { return };
        schema["$ref"] = json!("#/$defs/CreateMessageRequestParams");
        let params = jsonschema::options().offline().build(&schema).unwrap();
        let answer = client.call_tool("run", json!({ "tools": "order,fail" })).await;
        assert_eq!(answer.asked.len(), 2);
        for asked in &answer.asked {
            let faults: Vec<_> =
                params.iter_errors(&asked["params"]).map(|error| error.to_string()).collect();
            assert!(faults.is_empty(), "{name}: {faults:?}\n{asked}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_goes_wrong_with_a_call_the_model_reads_it_and_goes_on() {
    let events = Events::default();
    let server = server(&events);
    let tools = "order,fail,forbid,panic,hang,large";
    for (call, input, words, failed) in [
        ("order", json!({ "number": "many" }), "number", true),
        ("order", json!({}), "number", true),
        ("order", json!({ "number": "7" }), "sent", false),
        ("fail", json!({}), "the shelf is empty", true),
        ("forbid", json!({}), "orders:write", true),
        ("panic", json!({}), "The tool failed", true),
        ("hang", json!({}), "longer than 3s", true),
        ("speak", json!({}), "there is no such tool here; there are: order, fail", true),
        ("no such tool", json!({}), "there is no such tool here", true),
    ] {
        let (answer, results) = everywhere(&events, &server, tools, vec![(call, input.clone())]).await;
        let [result] = &results[..] else { panic!("{call}: {results:?}") };
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{call} {input}: {text}");
        assert!(!text.contains("secret"));
        assert_eq!(result.get("isError").is_some(), failed, "{call} {input}");
        assert!(
            answer.text().contains(&format!("[{call}{input}{}]", if failed { "!" } else { "" })),
            "{}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn a_name_that_the_server_does_not_have_is_refused_before_anyone_is_asked() {
    let events = Events::default();
    let server = server(&events);
    for (name, client) in clients(&server, |_: &Asked<'_>| panic!("nobody is asked")) {
        let answer = client.call_tool("run", json!({ "tools": "order,lookup" })).await;
        assert!(answer.is_error() && answer.asked.is_empty(), "{name}");
        assert!(answer.text().contains("no tool `lookup`"), "{name}: {}", answer.text());
    }
}

#[tokio::test]
async fn after_its_rounds_the_model_is_asked_once_more_without_tools() {
    let events = Events::default();
    let server = server(&events);
    for (rounds, turns) in [(None, 6), (Some(1), 2), (Some(0), 1)] {
        // It would go on for ever, and stops where it is offered nothing.
        let model = |asked: &Asked<'_>| match asked.params.get("tools") {
            Some(_) => uses(&[("order", json!({ "number": 1 }))]),
            None => says("I give up."),
        };
        for (name, client) in clients(&server, model) {
            let answer = client.call_tool("run", json!({ "tools": "order", "rounds": rounds })).await;
            assert!(answer.text().contains("I give up."), "{name}: {answer:?}");
            assert_eq!(answer.asked.len(), turns, "{name}");
            assert_eq!(answer.asked[turns - 1]["params"].get("tools"), None, "{name}");
            assert!(answer.text().starts_with(&format!("{} ", turns - 1)), "{name}: {}", answer.text());
        }
    }
    // One that asks for tools all the same has no answer.
    for (name, client) in clients(&server, |_: &Asked<'_>| uses(&[("order", json!({ "number": 1 }))])) {
        let answer = client.call_tool("run", json!({ "tools": "order", "rounds": 1 })).await;
        assert!(
            answer.is_error() && answer.text().contains("the model gave no answer"),
            "{name}: {answer:?}"
        );
    }
}

#[tokio::test]
async fn calls_beyond_those_of_a_round_are_not_made() {
    let events = Events::default();
    let limits = Limits { sampling_calls: 2, ..Limits::default() };
    let server = serving(router(&events)).limits(limits).build().unwrap();
    let calls = (1..=4).map(|number| ("order", json!({ "number": number }))).collect();
    let (_, results) = everywhere(&events, &server, "order", calls).await;
    let failed: Vec<_> = results.iter().map(|result| result.get("isError").is_some()).collect();
    assert_eq!(failed, [false, false, true, true]);
    assert!(results[3]["content"][0]["text"].as_str().unwrap().contains("at most 2"));
    assert_eq!(events.taken().iter().filter(|event| event.starts_with("order")).count(), 2);
}

#[tokio::test]
async fn results_that_the_client_could_not_carry_are_told_as_errors() {
    let events = Events::default();
    let server = server(&events);
    let run = |client: TestClient| async move {
        let answer = client.call_tool("run", json!({ "tools": "large,order" })).await;
        (results(&answer), answer)
    };
    let model = || playing(vec![("large", json!({})), ("order", json!({ "number": 1 }))]);
    let (carried, answer) = run(server.client(MODERN).answering(model())).await;
    assert_eq!(carried[0]["isError"], true);
    assert!(carried[0]["content"][0]["text"].as_str().unwrap().contains("limits.ask_state_bytes"));
    assert_eq!(carried[1].get("isError"), None);
    assert!(answer.text().contains("[large{}! order"), "{}", answer.text());
    // Where nothing is carried there is room.
    let (kept, _) = run(server.client(HANDSHAKE).answering(model()).live()).await;
    assert_eq!(kept[0]["content"][0]["text"].as_str().unwrap().len(), 20_000);
    let small = Limits::default().with_output_bytes(10_000);
    let small = serving(router(&events)).limits(small).build().unwrap();
    let (bounded, _) = run(small.client(HANDSHAKE).answering(model()).live()).await;
    assert!(bounded[0]["content"][0]["text"].as_str().unwrap().contains("limits.output_bytes"));
}

#[tokio::test]
async fn a_model_that_answers_at_once_or_gets_no_tools_is_asked_once() {
    let events = Events::default();
    let server = server(&events);
    for tools in ["order", ""] {
        for (name, client) in clients(&server, |_: &Asked<'_>| says("I know.")) {
            let answer = client.call_tool("run", json!({ "tools": tools })).await;
            assert_eq!(answer.text(), "0 [] I know. (\"m\")", "{name}");
            assert_eq!(answer.asked.len(), 1);
            assert_eq!(answer.asked[0]["params"].get("tools").is_some(), tools == "order");
        }
    }
}

#[tokio::test]
async fn two_calls_of_one_id_are_no_answer() {
    let events = Events::default();
    let server = server(&events);
    let twins = |_: &Asked<'_>| {
        let mut turn = uses(&[("order", json!({ "number": 1 })), ("order", json!({ "number": 2 }))]);
        turn["content"][1]["id"] = json!("id-0");
        turn
    };
    for (name, client) in clients(&server, twins) {
        let answer = client.call_tool("run", json!({ "tools": "order" })).await;
        assert!(answer.is_error() && answer.text().contains("two calls of one id"), "{name}: {answer:?}");
        assert!(!events.taken().iter().any(|event| event.starts_with("order")), "{name}");
    }
}

#[tokio::test]
async fn a_client_without_tools_in_sampling_is_not_asked() {
    let events = Events::default();
    let server = server(&events);
    let asked = |version| server.client(version).answering(|_: &Asked<'_>| says("x"));
    for capabilities in [json!({ "sampling": {} }), json!({ "roots": {} })] {
        let missing = if capabilities.get("sampling").is_some() { "sampling.tools" } else { "sampling" };
        let client = asked(MODERN).with_capabilities(capabilities.clone());
        let answer = client.call_tool("run", json!({ "tools": "order" })).await;
        assert_eq!(answer.code(), Some(-32021), "{answer:?}");
        let required = &answer.outcome.as_ref().unwrap_err()["data"]["requiredCapabilities"];
        assert_eq!(required["sampling"].get("tools").is_some(), missing == "sampling.tools");
        let client = asked(HANDSHAKE).with_capabilities(capabilities);
        let answer = client.call_tool("run", json!({ "tools": "order" })).await;
        assert!(answer.is_error() && answer.text().contains(missing), "{answer:?}");
    }
    // Before 2025-11-25 there are no tools in sampling, whatever a client declares.
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_03_26, ProtocolVersion::V2025_06_18]
    {
        let answer = asked(version).call_tool("run", json!({ "tools": "order" })).await;
        assert!(answer.is_error() && answer.text().contains("sampling.tools"), "{version}: {answer:?}");
        assert!(answer.asked.is_empty());
    }
}

#[tokio::test]
async fn a_tool_within_has_the_callers_rights_and_speaks_on_its_stream() {
    let events = Events::default();
    let server = server(&events);
    let peer =
        Peer { principal: Some(Arc::new(Principal::new("ada"))), ..Peer::anonymous(Transport::InProcess) };
    for (name, client) in clients(&server, playing_shared(vec![("speak", json!({}))])) {
        let client = client.with_peer(peer.clone());
        let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
        let params = json!({ "name": "run", "arguments": { "tools": "speak" } });
        let answer = client.request_with_meta("tools/call", params, meta.as_object().unwrap().clone()).await;
        let read = results(&answer);
        assert_eq!(read[0]["content"][0]["text"], "ada wants {}", "{name}: {answer:?}");
        // The progress of one call in it is not that of the whole.
        let methods: Vec<_> =
            answer.notifications.iter().map(|told| told["method"].as_str().unwrap()).collect();
        assert_eq!(methods, ["notifications/message"], "{name}");
    }
}

fn playing_shared(
    calls: Vec<(&'static str, Value)>,
) -> impl Fn(&Asked<'_>) -> Value + Send + Sync + Clone + 'static {
    let playing = Arc::new(playing(calls));
    move |asked: &Asked<'_>| playing(asked)
}

#[tokio::test]
async fn a_tool_within_may_ask_and_its_keys_are_its_own() {
    let events = Events::default();
    let server = server(&events);
    let calls = vec![("order", json!({ "number": 1 })), ("confirm", json!({})), ("confirm", json!({}))];
    for (name, client) in clients(&server, playing_shared(calls)) {
        let answer = client.call_tool("run", json!({ "tools": "order,confirm" })).await;
        let read: Vec<_> =
            results(&answer).iter().map(|result| result["content"][0]["text"].clone()).collect();
        assert_eq!(read[1..], [json!("22 true"), json!("22 true")], "{name}: {answer:?}");
        let methods: Vec<_> = answer.asked.iter().map(|asked| asked["method"].as_str().unwrap()).collect();
        let [sample, elicit] = ["sampling/createMessage", "elicitation/create"];
        assert_eq!(methods, [sample, elicit, elicit, sample], "{name}");
        let ran = events.taken();
        let count = |event: &str| ran.iter().filter(|ran| *ran == event).count();
        assert_eq!((count("order 1"), count("remembered")), (1, 2), "{name}: {ran:?}");
    }
}

#[tokio::test]
async fn two_calls_within_have_different_operation_ids_that_stay() {
    let seen = Events::default();
    let named = |client: Client, App(events): App<Events>| async move {
        client.roots("folders").await?;
        events.note(client.operation_id().to_string());
        Ok::<_, ToolError>("named")
    };
    let router = McpRouter::new()
        .tool("run", tool(run).describe("."))
        .tool("named", tool(named).describe("."))
        .with_state(seen.clone());
    let server = serving(router).build().unwrap();
    let model = |asked: &Asked<'_>| match asked.method {
        "roots/list" => json!({ "roots": [] }),
        _ => playing(vec![("named", json!({})), ("named", json!({}))])(asked),
    };
    for (name, client) in clients(&server, model) {
        client.call_tool("run", json!({ "tools": "named" })).await;
        let mut ids: Vec<_> = seen.taken().into_iter().filter(|event| event != "handler").collect();
        assert!(ids.iter().all(|id| id.len() == 22), "{name}: {ids:?}");
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 2, "{name}");
    }
}

#[tokio::test]
async fn an_ask_of_the_author_with_the_key_of_a_turn_fails_and_mixes_nothing_up() {
    let clashing = |client: Client| async move {
        client.roots("run/1").await?;
        let request = SamplingRequest::new(9).message(SamplingMessage::user("x"));
        let run = client.sample_with_tools("run", request, ["clash"]).await;
        Ok::<_, ToolError>(match run {
            Err(AskError::DuplicateKey(key)) => format!("{key} is taken"),
            other => format!("{other:?}"),
        })
    };
    let server = serving(McpRouter::new().tool("clash", tool(clashing).describe("."))).build().unwrap();
    for (name, client) in clients(&server, |_: &Asked<'_>| json!({ "roots": [] })) {
        assert_eq!(client.call_tool("clash", json!({})).await.text(), "run/1 is taken", "{name}");
    }
}

#[tokio::test]
async fn runs_within_runs_end_at_their_depth() {
    let events = Events::default();
    let server = server(&events);
    // Asks for the tool that runs the model again, as long as it is offered tools.
    let model = |asked: &Asked<'_>| {
        let messages = asked.params["messages"].as_array().unwrap();
        match messages.len() {
            1 => uses(&[("run", json!({ "tools": "run" }))]),
            _ => says(
                &messages[2]["content"]["content"][0]["text"].as_str().unwrap_or_default().replace('"', "'"),
            ),
        }
    };
    for (name, client) in clients(&server, model) {
        let answer = client.call_tool("run", json!({ "tools": "run" })).await;
        assert!(answer.text().contains("limits.sampling_depth"), "{name}: {answer:?}");
        assert_eq!(answer.asked.len(), 6, "{name}: three runs of two turns");
    }
}

#[tokio::test]
async fn what_a_tool_within_opens_is_closed_before_the_model_reads_its_result() {
    let events = Events::default();
    let server = server(&events);
    for (name, client) in
        clients(&server, playing_shared(vec![("lease", json!({})), ("order", json!({ "number": 1 }))]))
    {
        client.call_tool("run", json!({ "tools": "lease,order" })).await;
        let ran: Vec<_> = events.taken().into_iter().filter(|event| event != "handler").collect();
        assert_eq!(ran, ["open", "lease", "close", "order 1"], "{name}");
    }
}

#[tokio::test]
async fn a_dropped_call_cancels_the_tool_within_and_closes_what_it_opened() {
    let events = Events::default();
    let hold = |_: Dep<Lease>, cancelled: Cancelled, App(events): App<Events>| async move {
        let watching = events.clone();
        tokio::spawn(async move {
            cancelled.cancelled().await;
            watching.note("cancelled");
        });
        events.note("holding");
        pending::<&'static str>().await
    };
    let router = McpRouter::new()
        .tool("run", tool(run).describe("."))
        .tool("hold", tool(hold).describe("."))
        .with_state(events.clone());
    let server = serving(router).build().unwrap();
    for (name, client) in clients(&server, playing_shared(vec![("hold", json!({}))])) {
        let mut call = Box::pin(client.call_tool("run", json!({ "tools": "hold" })));
        assert!(call.as_mut().now_or_never().is_none(), "{name}");
        let mut ran = events.taken();
        assert_eq!(ran.last().map(String::as_str), Some("holding"), "{name}: {ran:?}");
        tokio::task::yield_now().await;
        drop(call);
        while !(ran.contains(&"cancelled".to_owned()) && ran.contains(&"close".to_owned())) {
            tokio::task::yield_now().await;
            ran.extend(events.taken());
        }
        assert_eq!(ran.iter().filter(|event| *event == "close").count(), 1, "{name}");
    }
}

#[tokio::test]
async fn the_conversation_goes_on_where_a_run_ended() {
    let talk = |client: Client| async move {
        let first = SamplingRequest::new(9).message(SamplingMessage::user("Where is order 17?"));
        let run = client.sample_with_tools("first", first, ["order"]).await?;
        let count = run.messages().len();
        let next =
            SamplingRequest::new(9).messages(run.into_messages()).message(SamplingMessage::user("And 18?"));
        let run = client.sample_with_tools("next", next, ["order"]).await?;
        Ok::<_, ToolError>(format!("{count} {} {}", run.messages().len(), run.text()))
    };
    let events = Events::default();
    let router = McpRouter::new().tool("talk", tool(talk).describe(".")).merge(router(&events));
    let server = serving(router).build().unwrap();
    let model = |asked: &Asked<'_>| {
        let messages = asked.params["messages"].as_array().unwrap();
        match messages.len() {
            1 => uses(&[("order", json!({ "number": 17 }))]),
            5 => uses(&[("order", json!({ "number": 18 }))]),
            _ => says("sent"),
        }
    };
    for (name, client) in clients(&server, model) {
        let answer = client.call_tool("talk", json!({})).await;
        assert_eq!(answer.text(), "4 8 sent", "{name}: {answer:?}");
        let ran = events.taken();
        assert_eq!(ran, ["order 17", "order 18"], "{name}");
    }
}

#[tokio::test]
async fn a_request_with_tools_of_its_own_is_refused() {
    let odd = |client: Client| async move {
        let own = mcp_core::protocol::SamplingTool::with_schema("x", json!({ "type": "object" })).unwrap();
        let request = SamplingRequest::new(9).message(SamplingMessage::user("x")).tool(own);
        let run = client.sample_with_tools("run", request, ["odd"]).await;
        Ok::<_, ToolError>(matches!(run, Err(AskError::InvalidRequest(_))))
    };
    let server = serving(McpRouter::new().tool("odd", tool(odd).describe("."))).build().unwrap();
    for (name, client) in clients(&server, |_: &Asked<'_>| says("x")) {
        assert_eq!(client.call_tool("odd", json!({})).await.text(), "true", "{name}");
    }
}
