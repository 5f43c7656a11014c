//! What a handler can do within a task: call tools for the client's model, send its user to a page, answer at length.

use super::world::*;
use crate::sessions::world::{pass, settle};
use mcp_core::{
    overflow::Overflow,
    protocol::{SamplingMessage, SamplingRequest},
    server::Limits,
    testing::Asked,
};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sure {
    sure: bool,
}

async fn confirm(client: Client) -> Result<String, ToolError> {
    let sure = client.elicit::<Sure>("sure", "Are you sure?").await?.require()?;
    Ok(format!("sure: {}", sure.sure))
}

async fn sample(client: Client) -> Result<String, ToolError> {
    let request = SamplingRequest::new(100).message(SamplingMessage::user("Is he sure?"));
    let run = client.sample_with_tools("run", request, ["confirm"]).await?;
    Ok(format!("{} calls: {}", run.calls().len(), run.text()))
}

async fn visit(client: Client) -> Result<String, ToolError> {
    let done = client.elicit_url("page", "Please sign in", "https://example.com/sign-in").await?;
    Ok(format!("visited: {}", done.require().is_ok()))
}

async fn panics_when_dropped() -> String {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("on purpose");
            }
        }
    }
    let _bomb = Bomb;
    std::future::pending().await
}

fn server() -> Server {
    let router = McpRouter::<()>::new()
        .tool("confirm", tool(confirm).describe("Asks"))
        .tool("sample", tool(sample).describe("Samples").task_support(TaskSupport::Optional))
        .tool("visit", tool(visit).describe("Visits").task_support(TaskSupport::Optional))
        .tool("bomb", tool(panics_when_dropped).describe("Panics").task_support(TaskSupport::Optional))
        .tool(
            "long",
            tool(async || "word ".repeat(4_000))
                .describe("Long")
                .overflow_to_resource()
                .task_support(TaskSupport::Optional),
        )
        .tool(
            "too_long",
            tool(async || "word ".repeat(4_000)).describe("x").task_support(TaskSupport::Optional),
        );
    Server::builder(router, Arc::new(VirtualRuntime::new()))
        .name("test")
        .version("1")
        .limits(Limits::default().with_output_bytes(8_192))
        .overflow(Overflow::new())
        .tasks(Tasks::new(Arc::new(MemoryTasks::new())))
        .build()
        .unwrap()
}

/// A client whose model calls the tool once, and whose user says yes.
fn answer(method: &str, params: &Value) -> Value {
    if method != "sampling/createMessage" {
        return accepted(json!({ "sure": true }));
    }
    let told = params["messages"].as_array().is_some_and(|messages| messages.len() > 1);
    let content = match told {
        true => json!({ "type": "text", "text": "He is." }),
        false => json!([{ "type": "tool_use", "id": "a", "name": "confirm", "input": {} }]),
    };
    let reason = if told { "endTurn" } else { "toolUse" };
    json!({ "role": "assistant", "model": "m", "stopReason": reason, "content": content })
}

fn asked(question: &Asked<'_>) -> Value {
    if question.params.get("mode") == Some(&json!("url")) {
        return json!({ "action": "accept" });
    }
    answer(question.method, question.params)
}

/// Answers what a task asks until it asks no more.
async fn answer_all(client: &TestClient, id: &str) -> Value {
    for _ in 0..20 {
        settle().await;
        let seen = get(client, id).await;
        let Some(open) = seen["inputRequests"].as_object() else { return seen };
        let answers: Map<_, _> = open
            .iter()
            .map(|(key, request)| {
                let page = request["params"]["mode"] == "url";
                let answer = if page {
                    json!({ "action": "accept" })
                } else {
                    answer(request["method"].as_str().unwrap(), &request["params"])
                };
                (key.clone(), answer)
            })
            .collect();
        update(client, id, Value::Object(answers)).await.result().unwrap();
    }
    panic!("it asks for ever");
}

fn able(server: &Server) -> TestClient {
    server.client(MODERN).with_capabilities(json!({
        "elicitation": { "form": {}, "url": {} },
        "sampling": { "tools": {} },
        "extensions": { "io.modelcontextprotocol/tasks": {} },
    }))
}

#[tokio::test(start_paused = true)]
async fn a_task_calls_tools_for_the_clients_model_and_those_ask_too() {
    let server = server();
    let client = able(&server);
    let id = id_of(&call(&client, "sample", json!({})).await);
    let done = answer_all(&client, &id).await;
    assert_eq!(done["result"]["content"][0]["text"], "1 calls: He is.", "{done}");
    let core = server.client(CORE).answering(asked).live();
    let id = id_of(&call_as_task(&core, "sample", json!({}), json!({})).await);
    let waited = about(&core, "tasks/result", &id).await;
    assert_eq!((waited.text(), waited.asked.len()), ("1 calls: He is.", 3));
}

#[tokio::test(start_paused = true)]
async fn a_task_sends_its_user_to_a_page() {
    let server = server();
    let client = able(&server);
    let id = id_of(&call(&client, "visit", json!({})).await);
    assert_eq!(answer_all(&client, &id).await["result"]["content"][0]["text"], "visited: true");
    let core = server.client(CORE).answering(asked).live();
    let id = id_of(&call_as_task(&core, "visit", json!({}), json!({})).await);
    let waited = about(&core, "tasks/result", &id).await;
    assert_eq!(waited.text(), "visited: true");
    assert!(waited.asked[0]["params"]["elicitationId"].is_string(), "{:?}", waited.asked);
    // A client that takes forms only is asked for nothing else.
    let forms = server
        .client(CORE)
        .answering(|_| panic!("asked"))
        .with_capabilities(json!({ "elicitation": {} }))
        .live();
    let id = id_of(&call_as_task(&forms, "visit", json!({}), json!({})).await);
    let waited = about(&forms, "tasks/result", &id).await;
    assert!(waited.is_error() || waited.code().is_some(), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn the_result_of_a_task_is_bounded_as_that_of_any_call() {
    let server = server();
    let client = able(&server);
    let (long, too_long) =
        (id_of(&call(&client, "long", json!({})).await), id_of(&call(&client, "too_long", json!({})).await));
    pass(1).await;
    let kept = get(&client, &long).await;
    let link =
        kept["result"]["content"].as_array().unwrap().iter().find(|block| block["type"] == "resource_link");
    let uri = link.unwrap_or_else(|| panic!("{kept}"))["uri"].as_str().unwrap().to_owned();
    assert!(client.read_resource(&uri).await.result().is_some());
    let failed = get(&client, &too_long).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!(-32_603)));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_panics_when_it_is_dropped_costs_its_task_only() {
    let server = server();
    let client = able(&server);
    let id = id_of(&call(&client, "bomb", json!({})).await);
    settle().await;
    about(&client, "tasks/cancel", &id).await.result().unwrap();
    settle().await;
    assert_eq!(get(&client, &id).await["status"], "cancelled");
    assert_eq!(server.counts().tasks, 0);
}
