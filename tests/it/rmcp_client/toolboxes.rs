//! The official client opens a toolbox, hears of it where it can, and asks its user through a proxy.

use super::visitor::{Begin, News, at, text, within};
use mcp_server::{
    Client, McpRouter, Presentation, ToolError, Toolbox, Toolboxes,
    http::{Endpoint, HttpOptions, ServeOptions, serve},
    server, tool, tool_args,
};
use rmcp::model::ProtocolVersion;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

async fn greet(client: Client) -> Result<String, ToolError> {
    let Name { name } = client.elicit("name", "What is your name?").await?.require()?;
    Ok(format!("Hello {name}"))
}

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("add", tool_args(["a", "b"], async |a: i64, b: i64| a + b).describe("Adds").read_only())
        .tool("greet", tool(greet).describe("Greets"))
        .toolbox(Toolbox::new("sums", "Sums and greetings"))
        .tool("outside", tool(async || "x").describe("In no toolbox"))
}

/// Serves until the sender is dropped.
async fn serving() -> (String, oneshot::Sender<()>, JoinHandle<()>) {
    let presentation = Presentation::toolboxes(Toolboxes::default());
    let server = server(router()).name("boxed").version("1").presentation(presentation).build().unwrap();
    let endpoint = Endpoint::new(server, HttpOptions::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(async move {
        let routes = endpoint.routes();
        let until = async { drop(stopped.await) };
        serve(listener, routes, &endpoint, ServeOptions::default(), until).await.unwrap();
    });
    (url, stop, served)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_toolbox_is_opened_and_its_tools_called_in_both_eras() {
    let (url, stop, served) = serving().await;
    for begin in [Begin::Handshake(ProtocolVersion::V_2025_11_25), Begin::Discover] {
        let hears = begin.with_handshake();
        let mut visitor = at(&url, begin).await;
        assert_eq!(within("tools", visitor.client.list_all_tools()).await.unwrap().len(), 6, "{visitor}");
        let opened = visitor.call("open_toolbox", json!({ "name": "sums" })).await;
        let told: Value = serde_json::from_str(text(&opened)).unwrap();
        let proxies: Vec<_> = told["tools"].as_array().unwrap().iter().map(|tool| &tool["proxy"]).collect();
        assert_eq!(proxies, ["call_read_only", "call_tool"], "{visitor}");
        if hears {
            assert_eq!(within("the news", visitor.news.recv()).await, Some(News::Tools));
        }
        let listed = within("tools", visitor.client.list_all_tools()).await.unwrap().len();
        assert_eq!(listed, if hears { 8 } else { 6 }, "{visitor}");
        let sum = json!({ "name": "add", "arguments": { "a": 2, "b": 40 } });
        assert_eq!(text(&visitor.call("call_read_only", sum).await), "42", "{visitor}");
        let direct = text(&visitor.call("greet", json!({})).await).to_owned();
        assert!(direct.starts_with("Hello "), "{visitor} {direct}");
        let proxied = visitor.call("call_tool", json!({ "name": "greet" })).await;
        assert_eq!(text(&proxied), direct, "{visitor}");
        visitor.leave().await;
    }
    drop(stop);
    within("the end", served).await.unwrap();
}
