//! Every example runs and does what it shows.

use crate::{
    post::{begin, call, send},
    program::{Program, example},
};
use serde_json::{Value, json};

const ANYWHERE: &str = "127.0.0.1:0";

async fn started(name: &str) -> (Program, String) {
    let mut program = Program::start(&example(name), &[ANYWHERE]);
    let url = program.url().await;
    (program, url)
}

#[tokio::test]
async fn hello_tool_greets() {
    let (_program, url) = started("hello_tool").await;
    let answered =
        call(&url, "tools/call", json!({ "name": "hello", "arguments": { "name": "Ada" } }), &[]).await;
    assert_eq!(answered.result()["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test]
async fn state_and_progress_counts_and_reports() {
    let (_program, url) = started("state_and_progress").await;
    let order = |loaves: u32| json!({ "name": "bake", "arguments": { "loaves": loaves }, "_meta": { "progressToken": 7 } });
    let answered = call(&url, "tools/call", order(3), &[]).await;
    let messages = answered.messages();
    assert_eq!(messages.len(), 4, "{answered:?}");
    assert_eq!(messages[2]["params"], json!({ "progressToken": 7, "progress": 3.0, "total": 3.0 }));
    assert_eq!(answered.result()["structuredContent"], json!({ "total": 3 }));
    assert_eq!(call(&url, "tools/call", order(2), &[]).await.result()["structuredContent"]["total"], 5);
    let refused = call(&url, "tools/call", order(21), &[]).await.result();
    assert_eq!(refused["isError"], true);
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("several times"));
}

#[tokio::test]
async fn resource_template_serves_planets_and_files() {
    let (_program, url) = started("resource_template").await;
    let earth = call(&url, "resources/read", json!({ "uri": "planets://earth" }), &[]).await.result();
    assert_eq!(earth["contents"][0]["text"], "Mostly harmless");
    let listed = call(&url, "resources/list", json!({}), &[]).await.body;
    assert!(listed.contains("planets://neptune") && listed.contains("files://Cargo.toml"), "{listed}");
    let file = call(&url, "resources/read", json!({ "uri": "files://Cargo.toml" }), &[]).await.result();
    assert!(file["contents"][0]["text"].as_str().unwrap().contains("[package]"));
    let outside = call(&url, "resources/read", json!({ "uri": "files://../../Cargo.toml" }), &[]).await;
    assert_eq!(outside.messages()[0]["error"]["code"], -32602);
}

#[tokio::test]
async fn cards_shows_a_card_with_its_tool() {
    let (_program, url) = started("cards").await;
    let tools = call(&url, "tools/list", json!({}), &[]).await.result()["tools"].clone();
    let uri = tools[0]["_meta"]["ui"]["resourceUri"].as_str().unwrap();
    assert!(uri.starts_with("ui://bookings/card.html?v="), "{uri}");
    assert!(tools[0]["icons"][0]["src"].as_str().unwrap().starts_with("data:image/svg+xml;base64,"));
    assert_eq!(tools[1]["_meta"]["ui"], json!({ "visibility": ["app"] }));
    let card = call(&url, "resources/read", json!({ "uri": uri }), &[]).await.result()["contents"][0].clone();
    assert_eq!(card["mimeType"], "text/html;profile=mcp-app");
    assert_eq!(card["_meta"]["ui"], json!({ "prefersBorder": false }));
    let shown = json!({ "name": "show_booking", "arguments": { "id": "7" } });
    assert_eq!(call(&url, "tools/call", shown, &[]).await.result()["structuredContent"]["guest"], "Ada");
}

#[tokio::test]
async fn prompt_is_rendered() {
    let (_program, url) = started("prompt").await;
    let params = json!({ "name": "review", "arguments": { "code": "let x = 1;", "focus": "names" } });
    let rendered = call(&url, "prompts/get", params, &[]).await.result();
    let text = rendered["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("names first") && text.contains("let x = 1;"), "{text}");
}

#[tokio::test]
async fn mount_in_axum_serves_its_routes_to_people_and_agents_with_a_card() {
    let (_program, url) = started("mount_in_axum").await;
    let card = [("authorization", "Bearer card-7")];
    let show = json!({ "name": "books_show", "arguments": { "id": 2 } });
    let answered = call(&url, "tools/call", show.clone(), &card).await;
    let (book, site) = (&answered.result()["structuredContent"], url.trim_end_matches("/mcp"));
    assert_eq!(book["title"], "Moby-Dick");
    let page = send(&format!("{site}/books/2"), "GET", &card, String::new()).await;
    assert_eq!(serde_json::from_str::<Value>(&page.body).unwrap(), *book);
    assert_eq!(call(&url, "tools/call", show, &[]).await.status, 401);
    assert_eq!(send(&format!("{site}/books/2"), "GET", &[], String::new()).await.status, 401);
    let health = send(&format!("{site}/health"), "GET", &[], String::new()).await;
    assert_eq!((health.status, &*health.body), (200, "fine"));
}

#[tokio::test]
async fn stdio_adds() {
    let mut program = Program::start(&example("stdio"), &[]);
    program
        .tell(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }))
        .await;
    assert_eq!(program.hear().await["result"]["serverInfo"]["name"], "adder");
    program.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    program
        .tell(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "add_all", "arguments": { "numbers": [1, 2, 39] } } }))
        .await;
    assert_eq!(program.hear().await["result"]["content"][0]["text"], "42");
    program.stdin = None;
    let ended = program.end().await;
    assert!(ended.status.success(), "{ended:?}");
}

const HANDSHAKE: &str = "2025-11-25";

fn hello() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": HANDSHAKE,
        "capabilities": { "elicitation": {} }, "clientInfo": { "name": "t", "version": "1" } } })
}

fn soup() -> Value {
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "order", "arguments": { "dish": "soup" } } })
}

/// What the user says to `ask_the_user`, after a look at the question.
fn wishes(asked: &Value) -> Value {
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    assert_eq!(asked["params"]["message"], "How would you like your soup?");
    assert_eq!(asked["params"]["requestedSchema"]["properties"]["portions"]["maximum"], 12, "{asked}");
    json!({ "action": "accept", "content": { "heat": "hot", "portions": 2 } })
}

const ORDERED: &str = "2 × soup, Hot";

#[tokio::test]
async fn ask_the_user_asks_over_stdio() {
    let mut program = Program::start(&example("ask_the_user"), &["--stdio"]);
    program.tell(&hello()).await;
    assert_eq!(program.hear().await["result"]["protocolVersion"], HANDSHAKE);
    program.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    program.tell(&soup()).await;
    let asked = program.hear().await;
    program.tell(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": wishes(&asked) })).await;
    assert_eq!(program.hear().await["result"]["content"][0]["text"], ORDERED);
}

#[tokio::test]
async fn ask_the_user_asks_in_a_session() {
    let (_program, url) = started("ask_the_user").await;
    let common = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    let begun = begin(&url, "POST", &common, hello().to_string()).await;
    let session = begun.headers["mcp-session-id"].to_str().unwrap();
    let headers = [&common[..], &[("mcp-session-id", session), ("mcp-protocol-version", HANDSHAKE)]].concat();
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(send(&url, "POST", &headers, initialized.to_string()).await.status, 202);
    let mut order = begin(&url, "POST", &headers, soup().to_string()).await;
    assert_eq!(order.status, 200);
    let asked = order.message().await;
    let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": wishes(&asked) });
    assert_eq!(send(&url, "POST", &headers, answer.to_string()).await.status, 202);
    assert_eq!(order.message().await["result"]["content"][0]["text"], ORDERED);
}

#[tokio::test]
async fn ask_the_user_asks_in_rounds() {
    let (_program, url) = started("ask_the_user").await;
    let mut params = json!({ "name": "order", "arguments": { "dish": "soup" },
        "_meta": { "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } } });
    let first = call(&url, "tools/call", params.clone(), &[]).await.result();
    assert_eq!(first["resultType"], "input_required");
    params["inputResponses"] = json!({ "wishes": wishes(&first["inputRequests"]["wishes"]) });
    params["requestState"] = first["requestState"].clone();
    let second = call(&url, "tools/call", params, &[]).await.result();
    assert_eq!((&second["resultType"], &second["content"][0]["text"]), (&json!("complete"), &json!(ORDERED)));
}
