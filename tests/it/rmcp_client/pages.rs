//! The official client walks through pages, picks a version, and hears of what a handler hides from it.

use super::visitor::{Begin, News, at, text, tool_call, within};
use mcp_server::{
    Context, Lists, McpRouter, ProtocolError, Resource, Selection, ToolError,
    http::{Endpoint, HttpOptions, ServeOptions, serve},
    prompt, resource, server, tool,
};
use rmcp::model::ProtocolVersion;
use serde_json::json;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

async fn unlock(context: Context) -> Result<&'static str, ToolError> {
    context.visibility().hide(Selection::tag("late")).await?;
    Ok("hidden")
}

fn router() -> McpRouter<()> {
    let many = (0..7).fold(McpRouter::new(), |router, number| {
        router
            .tool(format!("tool-{number}"), tool(async || "x").describe("T").tag("late"))
            .resource(format!("test://{number}"), resource(async || "x"))
            .resource(format!("test://{number}/{{id}}"), resource(async || "x"))
            .prompt(format!("prompt-{number}"), prompt(async || "x"))
    });
    many.list_resources(async || {
        (7..12).map(|n| Resource::new(format!("test://{n}"), "listed")).collect::<Vec<_>>()
    })
    .tool("unlock", tool(unlock).describe("Hides the others"))
    .tool("find", tool(async || "old").describe("F").tool_version("1"))
    .tool("find", tool(async || "new").describe("F").tool_version("2"))
    .tool("fail", tool(async || Err::<(), _>(ProtocolError::internal())).describe("Fails"))
}

/// Serves until the sender is dropped.
async fn serving() -> (String, oneshot::Sender<()>, JoinHandle<()>) {
    let lists = Lists::default().page_size(3).per_connection();
    let server = server(router()).name("paged").version("1").lists(lists).build().unwrap();
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
async fn every_page_of_every_list_arrives_and_versions_can_be_picked() {
    let (url, stop, served) = serving().await;
    for begin in [Begin::Auto, Begin::Discover, Begin::Handshake(ProtocolVersion::V_2025_11_25)] {
        let visitor = at(&url, begin).await;
        let client = &visitor.client;
        let tools = within("tools", client.list_all_tools()).await.unwrap();
        assert_eq!(tools.len(), 10, "{visitor}");
        let found = tools.iter().find(|tool| tool.name == "find").unwrap();
        let told = serde_json::to_value(found).unwrap()["_meta"].take();
        assert_eq!(told, json!({ "toolVersion": "2", "toolVersions": ["2", "1"] }), "{visitor}");
        let resources = within("resources", client.list_all_resources()).await.unwrap();
        let uris: Vec<_> = resources.iter().map(|resource| resource.uri.clone()).collect();
        assert_eq!(uris, (0..12).map(|number| format!("test://{number}")).collect::<Vec<_>>(), "{visitor}");
        let templates = within("templates", client.list_all_resource_templates()).await.unwrap();
        let prompts = within("prompts", client.list_all_prompts()).await.unwrap();
        assert_eq!((templates.len(), prompts.len()), (7, 7), "{visitor}");
        assert_eq!(text(&visitor.call("find", json!({})).await), "new");
        let mut older = tool_call("find", json!({}));
        older.meta = serde_json::from_value(json!({ "toolVersion": "1" })).unwrap();
        let result = within("find", client.call_tool(older)).await.unwrap();
        assert_eq!(text(&result), "old", "{visitor}");
        visitor.leave().await;
    }
    drop(stop);
    within("the end", served).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_with_a_connection_hears_that_its_tools_are_others_now() {
    let (url, stop, served) = serving().await;
    let begin = || Begin::Handshake(ProtocolVersion::V_2025_11_25);
    let (mut own, mut other) = (at(&url, begin()).await, at(&url, begin()).await);
    assert_eq!(text(&own.call("unlock", json!({})).await), "hidden");
    assert_eq!(within("the news", own.news.recv()).await, Some(News::Tools));
    let seen = within("tools", own.client.list_all_tools()).await.unwrap();
    let names: Vec<_> = seen.iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["unlock", "find", "fail"]);
    assert_eq!(text(&own.call("tool-3", json!({})).await), "x", "what is hidden can still be called");
    assert_eq!(within("tools", other.client.list_all_tools()).await.unwrap().len(), 10);
    assert!(other.news.try_recv().is_err(), "nobody else is told");
    let modern = at(&url, Begin::Discover).await;
    let refused = modern.call("unlock", json!({})).await;
    assert_eq!(refused.is_error, Some(true), "each request of 2026-07-28 stands alone");
    for visitor in [own, other, modern] {
        visitor.leave().await;
    }
    drop(stop);
    within("the end", served).await.unwrap();
}
