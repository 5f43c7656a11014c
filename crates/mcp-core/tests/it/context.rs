//! What a call knows, and what it can do beside its reply.

use crate::wire::{
    CAPABILITIES_KEY, HANDSHAKE, MODERN, agreeing, ask, connect, drive, modern, plain, server, serving,
    with_meta,
};
use mcp_core::{
    context::{Context, Transport},
    extract::{Args, Attached},
    handler::{ProtocolError, ToolError},
    principal::Principal,
    protocol::{Resource, ResourceContents},
    registry::{McpRouter, prompt, resource, tool},
    server::{Peer, Posted},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    city: String,
}

async fn tell(context: Context) -> String {
    let info: Option<Value> = context.client_info().map(|info| serde_json::from_slice(info).unwrap());
    json!({
        "method": context.method(),
        "target": context.target(),
        "id": context.request_id().to_string(),
        "arguments": context.arguments_text(),
        "transport": context.transport().as_str(),
        "version": context.version().as_str(),
        "session": context.session_id(),
        "client": info,
        "sampling": context.client_supports("sampling"),
        "form": context.client_supports("elicitation.form"),
        "subject": context.principal().map(|principal| principal.subject().to_owned()),
    })
    .to_string()
}

fn told(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[tokio::test]
async fn a_modern_call_knows_what_its_request_says() {
    let server = server(
        McpRouter::new().tool("tell", tool(tell).describe("Tells").input_schema(json!({ "type": "object" }))),
    );
    let call = with_meta(
        plain(
            "a\"b",
            "tools/call",
            json!({ "name": "tell", "arguments": { "x": 9_007_199_254_740_993_i64 } }),
        ),
        json!({ CAPABILITIES_KEY: { "elicitation": {} }, "io.modelcontextprotocol/clientInfo": { "name": "c" } }),
    );
    let peer =
        Peer { principal: Some(Arc::new(Principal::new("alice"))), ..Peer::anonymous(Transport::Http) };
    let Posted::Exchange(exchange) = server.post(call.to_string().into(), &agreeing(&call), peer).await
    else {
        panic!()
    };
    assert_eq!(
        told(drive(exchange).await.text()),
        json!({
            "method": "tools/call", "target": "tell", "id": "\"a\\\"b\"", "arguments": "{\"x\":9007199254740993}",
            "transport": "http", "version": "2026-07-28", "session": null, "client": { "name": "c" },
            "sampling": false, "form": true, "subject": "alice",
        })
    );
}

#[tokio::test]
async fn a_handshake_call_knows_what_the_handshake_said() {
    let server = server(McpRouter::new().tool("tell", tool(tell).describe("Tells")));
    let mut connection = connect(&server);
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": { "sampling": {} }, "clientInfo": { "name": "old" } });
    ask(&mut connection, &plain(1, "initialize", hello)).await;
    let answered =
        told(ask(&mut connection, &plain(2, "tools/call", json!({ "name": "tell" }))).await.text());
    assert_eq!((&answered["client"]["name"], &answered["sampling"]), (&json!("old"), &json!(true)));
    assert_eq!((&answered["version"], &answered["transport"]), (&json!("2025-06-18"), &json!("stdio")));
    assert_eq!(answered["arguments"], "{}");
    let modern = told(ask(&mut connection, &modern(3, "tools/call", json!({ "name": "tell" }))).await.text());
    assert_eq!((&modern["client"], &modern["sampling"]), (&Value::Null, &json!(false)));
}

#[tokio::test]
async fn what_the_transport_attached_is_found_by_its_type() {
    let router = McpRouter::new()
        .tool(
            "must",
            tool(|Attached(number): Attached<u32>| async move { number.to_string() }).describe("Needs it"),
        )
        .tool(
            "may",
            tool(|found: Option<Attached<u32>>| async move { found.is_some().to_string() })
                .describe("Likes it"),
        )
        .tool(
            "who",
            tool(|caller: Arc<Principal>| async move { caller.subject().to_owned() })
                .describe("Needs a caller"),
        );
    let server = server(router);
    let with = server.client(MODERN).with_peer(Peer {
        attachment: Some(Arc::new(7_u32)),
        principal: Some(Arc::new(Principal::new("bob"))),
        ..Peer::anonymous(Transport::InProcess)
    });
    let without = server.client(MODERN);
    assert_eq!(with.call_tool("must", json!({})).await.text(), "7");
    assert_eq!(without.call_tool("must", json!({})).await.code(), Some(-32603));
    assert_eq!(with.call_tool("may", json!({})).await.text(), "true");
    assert_eq!(without.call_tool("may", json!({})).await.text(), "false");
    assert_eq!(with.call_tool("who", json!({})).await.text(), "bob");
    let refused = without.call_tool("who", json!({})).await.outcome.unwrap_err();
    assert_eq!((&refused["code"], &refused["data"]["requiredScopes"]), (&json!(-32602), &json!([])));
}

#[tokio::test]
async fn a_call_reads_lists_and_renders_what_its_server_has() {
    let within = |context: Context| async move {
        let resource = context.read_resource("test://a").await?;
        let listed = context.list_resources().await?;
        let uris: Vec<_> = listed.iter().map(Resource::uri).map(str::to_owned).collect();
        let rendered = context.get_prompt("p", [("city", "Rome")]).await?;
        let missing = context.read_resource("test://none").await.unwrap_err().to_string();
        let empty = context.read_resource("test://empty").await.unwrap_err().to_string();
        let unknown = context.get_prompt("none", []).await.unwrap_err().to_string();
        let needed = context.get_prompt("p", []).await.unwrap_err().to_string();
        let failed = context.read_resource("test://fails").await.unwrap_err().to_string();
        let names = context.prompt_names().join(",");
        Ok::<_, ToolError>(format!(
            "{resource:?}|{uris:?}|{rendered:?}|{missing}|{empty}|{unknown}|{needed}|{failed}|{names}"
        ))
    };
    let router = McpRouter::new()
        .tool("within", tool(within).describe("Looks around"))
        .resource("test://a", resource(|| async { "text of a" }).mime_type("text/x-a"))
        .resource("test://empty", resource(|| async { Vec::<ResourceContents>::new() }))
        .resource(
            "test://fails",
            resource(|| async { Err::<String, _>(ProtocolError::new(7, "broken pipe")) }),
        )
        .list_resources(|| async { vec![Resource::new("test://called", "called")] })
        .prompt("p", prompt(|Args(City { city }): Args<City>| async move { format!("See {city}") }));
    let answer = server(router).client(MODERN).call_tool("within", json!({})).await;
    let text = answer.text();
    for part in [
        "text of a",
        "text/x-a",
        r#"["test://a", "test://empty", "test://fails", "test://called"]"#,
        "See Rome",
        "unknown prompt `none`",
        "missing required argument `city`",
        "broken pipe",
        "|p",
    ] {
        assert!(text.contains(part), "{part}: {answer:?}");
    }
    assert_eq!(
        text.matches("Resource not found").count(),
        2,
        "an empty resource is none, as for a client: {text}"
    );
}

#[tokio::test]
async fn a_notification_goes_out_before_the_reply_and_has_an_object_or_nothing() {
    let handler = |context: Context| async move {
        context.notify("vendor/a", &json!({ "x": "\u{2028}" })).unwrap();
        context.notify("vendor/b", &()).unwrap();
        context.notify("vendor/c", &mcp_core::json::RawJson::parse("{\n}").unwrap()).unwrap();
        assert!(context.notify("vendor/d", &f64::NAN).is_err());
        assert!(context.notify("vendor/d", &5).is_err());
        assert!(context.notify("vendor/d", &[1]).is_err());
        "done"
    };
    let server = server(McpRouter::new().tool("notify", tool(handler).describe("Notifies")));
    for version in ProtocolVersion::ALL {
        let answer = server.client(version).call_tool("notify", json!({})).await;
        assert_eq!(answer.text(), "done", "{answer:?}");
        assert_eq!(
            answer.notifications,
            [
                json!({ "jsonrpc": "2.0", "method": "vendor/a", "params": { "x": "\u{2028}" } }),
                json!({ "jsonrpc": "2.0", "method": "vendor/b" }),
                json!({ "jsonrpc": "2.0", "method": "vendor/c", "params": {} }),
            ]
        );
    }
}

#[tokio::test]
async fn a_call_keeps_the_catalogue_it_began_with() {
    let handler = |context: Context| async move {
        let server = context.server().clone();
        server.update(|edit| assert!(edit.remove_resource("test://a"))).unwrap();
        context.read_resource("test://a").await.map(|contents| contents.len().to_string())
    };
    let router = McpRouter::new()
        .tool("cut", tool(handler).describe("Saws at its branch"))
        .resource("test://a", resource(|| async { "a" }));
    let server = serving(router).dynamic().build().unwrap();
    assert_eq!(server.client(HANDSHAKE).call_tool("cut", json!({})).await.text(), "1");
    assert_eq!(server.client(HANDSHAKE).read_resource("test://a").await.code(), Some(-32002));
}
