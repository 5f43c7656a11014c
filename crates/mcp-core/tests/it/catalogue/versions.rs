//! Several versions of one tool.

use super::walk::names;
use crate::wire::{MODERN, agreeing, modern, post, server, serving, with_meta};
use mcp_core::{
    extract::Client,
    handler::ToolCall,
    registry::{McpRouter, TOOL_VERSION, TOOL_VERSIONS, ToolBuilder, tool, tool_args},
    server::Server,
    testing::TestClient,
    version::ProtocolVersion,
};
use serde_json::{Map, Value, json};

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("before", tool(|| async { "x" }).describe("B"))
        .tool(
            "find",
            tool_args(["text"], |text: String| async move { format!("one: {text}") })
                .describe("The first")
                .tool_version("1.0"),
        )
        .tool("after", tool(|| async { "x" }).describe("A"))
        .tool(
            "find",
            tool_args(["query"], |query: String| async move { format!("ten: {query}") })
                .describe("The tenth")
                .read_only()
                .tool_version("10.0"),
        )
        .tool(
            "find",
            tool_args(["words"], |words: Vec<String>| async move { format!("two: {}", words.len()) })
                .describe("The second")
                .tool_version("2.0"),
        )
        .tool(
            "find",
            tool_args(["query"], |query: String| async move { format!("latest: {query}") })
                .describe("A moving one")
                .tool_version("latest"),
        )
}

fn version(label: impl Into<Value>) -> Map<String, Value> {
    Map::from_iter([(TOOL_VERSION.to_owned(), label.into())])
}

async fn call(client: &TestClient, arguments: Value, label: impl Into<Value>) -> mcp_core::testing::Answer {
    let params = json!({ "name": "find", "arguments": arguments });
    client.request_with_meta("tools/call", params, version(label)).await
}

#[tokio::test]
async fn the_highest_version_is_listed_once_and_tells_which_there_are() {
    let server = server(router());
    for revision in ProtocolVersion::ALL {
        let listed = server.client(revision).list_tools().await;
        let tools = listed.result().unwrap()["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["before", "find", "after"], "{revision}");
        assert_eq!(tools[1]["description"], "The tenth");
        assert_eq!(tools[1]["inputSchema"]["required"], json!(["query"]));
        let told = json!({ TOOL_VERSION: "10.0", TOOL_VERSIONS: ["10.0", "2.0", "1.0", "latest"] });
        let meta = if revision >= ProtocolVersion::V2025_06_18 { told } else { Value::Null };
        assert_eq!(tools[1]["_meta"], meta, "{revision}");
        assert_eq!(tools[0]["_meta"], Value::Null);
    }
}

#[tokio::test]
async fn a_call_reaches_the_highest_version_or_the_one_it_names_in_every_revision() {
    let server = server(router());
    for revision in ProtocolVersion::ALL {
        let client = server.client(revision);
        assert_eq!(client.call_tool("find", json!({ "query": "q" })).await.text(), "ten: q");
        assert_eq!(call(&client, json!({ "text": "t" }), "1.0").await.text(), "one: t");
        assert_eq!(call(&client, json!({ "words": ["a", "b"] }), "2.0").await.text(), "two: 2");
        assert_eq!(call(&client, json!({ "query": "q" }), "10.0").await.text(), "ten: q");
        assert_eq!(call(&client, json!({ "query": "q" }), "latest").await.text(), "latest: q");
        assert_eq!(call(&client, json!({ "query": "q" }), Value::Null).await.text(), "ten: q");
        let unfit = call(&client, json!({ "query": "q" }), "1.0").await;
        assert!(unfit.is_error() || unfit.code() == Some(-32602), "each version has its own schema");
    }
}

#[tokio::test]
async fn a_version_that_is_not_there_is_refused_with_those_that_are() {
    let server = server(router());
    for revision in ProtocolVersion::ALL {
        let client = server.client(revision);
        for label in ["3.0", "1", "", "1.0 ", "LATEST"] {
            let error = call(&client, json!({}), label).await.outcome.unwrap_err();
            assert_eq!(error["code"], -32602, "{revision} {label}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("find") && message.contains("10.0, 2.0, 1.0, latest"), "{message}");
            assert_eq!(error["data"][TOOL_VERSIONS], json!(["10.0", "2.0", "1.0", "latest"]));
        }
        for label in [json!(1), json!({}), json!(true)] {
            assert_eq!(call(&client, json!({}), label).await.code(), Some(-32602));
        }
        let params = json!({ "name": "before", "arguments": {} });
        let error = client.request_with_meta("tools/call", params, version("1.0")).await.outcome.unwrap_err();
        assert!(error["message"].as_str().unwrap().contains("no versions"), "{error}");
        let params = json!({ "name": "none", "arguments": {} });
        let error = client.request_with_meta("tools/call", params, version("1.0")).await.outcome.unwrap_err();
        assert_eq!(error["message"], "unknown tool `none`");
    }
}

#[tokio::test]
async fn a_handler_knows_which_version_it_serves() {
    struct Served(Option<String>);
    impl<S: Sync> mcp_core::extract::Extract<ToolCall, S> for Served {
        type Rejection = std::convert::Infallible;
        async fn extract(call: &ToolCall, _: &S) -> Result<Self, Self::Rejection> {
            Ok(Self(call.version().map(str::to_owned)))
        }
    }
    let served = || tool(|Served(version): Served| async move { format!("{version:?}") }).describe("T");
    let router = McpRouter::new()
        .tool("a", served())
        .tool("find", served().tool_version("1"))
        .tool("find", served().tool_version("2-rc"));
    let client = server(router).client(MODERN);
    assert_eq!(client.call_tool("a", json!({})).await.text(), "None");
    assert_eq!(client.call_tool("find", json!({})).await.text(), r#"Some("2-rc")"#);
    assert_eq!(call(&client, json!({}), "1").await.text(), r#"Some("1")"#);
}

/// A tool of one argument that is sent in a header as well.
fn routed(header: &str) -> ToolBuilder<()> {
    let schema = json!({
        "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": header } },
    });
    tool(|| async { "routed" }).describe("R").input_schema(schema)
}

#[tokio::test]
async fn headers_are_checked_by_the_version_that_is_called() {
    let router = McpRouter::new()
        .tool("find", routed("Old").tool_version("1"))
        .tool("find", routed("New").tool_version("2"));
    let server = server(router);
    let message = |label: &str| {
        let params = json!({ "name": "find", "arguments": { "region": "eu" } });
        with_meta(crate::wire::plain(1, "tools/call", params), json!({ TOOL_VERSION: label }))
    };
    let head = |message: &Value, header: &str| agreeing(message).with(&format!("mcp-param-{header}"), "eu");
    for (label, right, wrong) in [("1", "old", "new"), ("2", "new", "old")] {
        let message = message(label);
        let answered = post(&server, &message, &head(&message, right)).await;
        assert_eq!(answered.text(), "routed", "{label}");
        let answered = post(&server, &message, &head(&message, wrong)).await;
        assert_eq!((answered.status, answered.code()), (400, -32020), "{label}");
    }
    let newest = modern(1, "tools/call", json!({ "name": "find", "arguments": { "region": "eu" } }));
    assert_eq!(post(&server, &newest, &head(&newest, "new")).await.text(), "routed");
    let unknown = message("3");
    let answered = post(&server, &unknown, &agreeing(&unknown)).await;
    assert!(answered.message().contains("available: 2, 1"), "{}", answered.message());
}

#[tokio::test]
async fn what_one_version_asked_is_no_answer_for_another() {
    async fn asks(client: Client) -> Result<&'static str, mcp_core::handler::ToolError> {
        client.roots("roots").await?;
        Ok("asked")
    }
    let asking = || tool(asks).describe("Asks");
    let router =
        McpRouter::new().tool("find", asking().tool_version("1")).tool("find", asking().tool_version("2"));
    let server = server(router);
    let client = server.client(MODERN).with_capabilities(json!({ "roots": {} }));
    let first = call(&client, json!({}), "1").await;
    let result = first.result().unwrap();
    assert_eq!(result["resultType"], "input_required");
    let again = |label: &str| {
        let answers = json!({ "roots": { "roots": [] } });
        let params = json!({
            "name": "find", "arguments": {}, "inputResponses": answers, "requestState": result["requestState"],
        });
        let (client, meta) = (client.clone(), version(label));
        async move { client.request_with_meta("tools/call", params, meta).await }
    };
    assert_eq!(again("1").await.text(), "asked");
    assert_eq!(again("2").await.code(), Some(-32602));
}

fn labelled(label: &str) -> ToolBuilder<()> {
    tool(|| async { "x" }).describe("T").tool_version(label)
}

#[test]
fn tools_between_which_no_version_decides_are_refused_and_both_are_named() {
    let plain = || tool(|| async { "x" }).describe("T");
    let faults = |router: McpRouter<()>| {
        let faults = serving(router).build().unwrap_err();
        let all: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    };
    for (one, other) in [("1", "1"), ("1", "1.0.0"), ("2.0+a", "2.0+b"), ("v1", "1"), ("next", "next")] {
        let fault = faults(McpRouter::new().tool("t", labelled(one)).tool("t", labelled(other)));
        assert!(fault.starts_with("tool `t`: registered twice"), "{fault}");
        assert!(fault.contains(&format!("`{one}`")) && fault.contains(&format!("`{other}`")), "{fault}");
    }
    for router in [
        McpRouter::new().tool("t", plain()).tool("t", labelled("1")),
        McpRouter::new().tool("t", labelled("1")).tool("t", labelled("2")).tool("t", plain()),
    ] {
        let fault = faults(router);
        assert!(fault.contains("with version `1`") && fault.contains("without a version"), "{fault}");
    }
    let twice = faults(McpRouter::new().tool("t", plain()).tool("t", plain()));
    assert!(twice.contains("registered twice"), "{twice}");
    for label in ["", "1 0", "1\n0", &"1".repeat(65)] {
        let fault = faults(McpRouter::new().tool("t", labelled(label)));
        assert!(fault.contains("a version has"), "{fault}");
    }
    let meta = json!({ TOOL_VERSION: "mine" }).as_object().unwrap().clone();
    let fault = faults(McpRouter::new().tool("t", labelled("1").meta(meta)));
    assert!(fault.contains("_meta"), "{fault}");
}

fn dynamic() -> Server {
    serving(McpRouter::new().tool("a", labelled("1")).tool("t", labelled("1"))).dynamic().build().unwrap()
}

#[tokio::test]
async fn versions_come_and_go_at_run_time() {
    let server = dynamic();
    let client = server.client(MODERN);
    let listed = || async {
        let answer = client.list_tools().await;
        let tools = answer.result().unwrap()["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["_meta"][TOOL_VERSIONS].to_string()).collect::<Vec<_>>()
    };
    let digest = server.catalogue().digest();
    server
        .update(|edit| {
            edit.tool("a", labelled("0.9"));
        })
        .unwrap();
    assert_eq!(listed().await, [r#"["1","0.9"]"#, r#"["1"]"#]);
    assert_ne!(server.catalogue().digest(), digest, "that a lower version can be called is listed, too");
    server
        .update(|edit| {
            edit.tool("a", labelled("2"));
        })
        .unwrap();
    assert_eq!(listed().await, [r#"["2","1","0.9"]"#, r#"["1"]"#], "it stays in its place");
    server.update(|edit| assert!(edit.remove_tool_version("a", "2"))).unwrap();
    server.update(|edit| assert!(!edit.remove_tool_version("a", "2"))).unwrap();
    server.update(|edit| assert!(edit.remove_tool_version("a", "0.9"))).unwrap();
    assert_eq!(server.catalogue().digest(), digest);
    server.update(|edit| assert!(edit.remove_tool("a"))).unwrap();
    assert_eq!(names(&client, "tools/list").await.concat(), ["t"]);
    assert!(
        server
            .update(|edit| {
                edit.tool("t", labelled("1.0"));
            })
            .is_err()
    );
}
