//! The four lists: their order, their bytes, their digest.

use crate::wire::{Headers, MODERN, plain, post, server, serving};
use mcp_core::{
    context::Transport,
    exchange::Outgoing,
    handler::ProtocolError,
    protocol::{Icon, Resource, ToolAnnotations},
    registry::{McpRouter, prompt, resource, tool, tool_args},
    schema::SchemaDialect,
    server::{Peer, Server},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::time::Duration;

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool(
            "zebra",
            tool_args(["b", "a"], |b: i64, a: String| async move { format!("{a}{b}") }).describe("Z"),
        )
        .tool("ant", tool(|| async { "x" }).describe("A").title("Ant"))
        .tool("Mole", tool(|| async { "x" }).describe("M"))
        .resource("test://z", resource(|| async { "x" }))
        .resource("test://a/b?c#d", resource(|| async { "x" }))
        .resource("urn:isbn:1", resource(|| async { "x" }))
        .resource("test://t/{z}", resource(|| async { "x" }))
        .resource("test://t/{a}/{b}", resource(|| async { "x" }))
        .prompt("z", prompt(|| async { "x" }))
        .prompt("a", prompt(|| async { "x" }))
}

async fn members(server: &Server, method: &str, list: &str, member: &str) -> Vec<String> {
    let answer = server.client(MODERN).request(method, Value::Null).await;
    let entries = answer.result().unwrap()[list].as_array().unwrap().clone();
    entries.iter().map(|entry| entry[member].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn lists_are_in_registration_order() {
    let server = server(router());
    assert_eq!(members(&server, "tools/list", "tools", "name").await, ["zebra", "ant", "Mole"]);
    assert_eq!(
        members(&server, "resources/list", "resources", "uri").await,
        ["test://z", "test://a/b?c#d", "urn:isbn:1"]
    );
    assert_eq!(members(&server, "resources/list", "resources", "name").await, ["z", "b", "1"]);
    let templates = members(&server, "resources/templates/list", "resourceTemplates", "uriTemplate").await;
    assert_eq!(templates, ["test://t/{z}", "test://t/{a}/{b}"]);
    assert_eq!(members(&server, "prompts/list", "prompts", "name").await, ["z", "a"]);
}

#[tokio::test]
async fn what_is_not_declared_is_not_listed() {
    let router = McpRouter::new()
        .tool("bare", tool(|| async { "x" }).describe("Says nothing about itself"))
        .tool("hinted", tool(|| async { "x" }).describe("Says one thing").read_only())
        .resource("test://bare", resource(|| async { "x" }))
        .resource("test://bare/{id}", resource(|| async { "x" }));
    let client = server(router).client(MODERN);
    let tools = client.list_tools().await;
    let tools = &tools.result().unwrap()["tools"];
    let names: Vec<&str> = tools[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["name", "description", "inputSchema"]);
    assert_eq!(tools[1]["annotations"], json!({ "readOnlyHint": true }));
    let resources = client.request("resources/list", Value::Null).await;
    assert_eq!(resources.result().unwrap()["resources"], json!([{ "uri": "test://bare", "name": "bare" }]));
    let templates = client.request("resources/templates/list", Value::Null).await;
    let template = json!([{ "uriTemplate": "test://bare/{id}", "name": "test://bare/{id}" }]);
    assert_eq!(templates.result().unwrap()["resourceTemplates"], template);
    let read = client.read_resource("test://bare").await;
    assert_eq!(read.result().unwrap()["contents"], json!([{ "uri": "test://bare", "text": "x" }]));
}

fn bytes(server: &Server, version: ProtocolVersion, method: &str) -> Vec<u8> {
    let message = plain(1, method, json!({})).to_string();
    let mut exchange = server.dispatch(version, message, Peer::anonymous(Transport::InProcess)).unwrap();
    match &crate::wire::ready(&mut exchange)[..] {
        [Outgoing::Reply(reply)] => reply.body.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_servers_of_the_same_router_list_the_same_bytes() {
    let (one, other) = (server(router()), server(router()));
    for version in ProtocolVersion::ALL {
        for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
            let first = bytes(&one, version, method);
            assert_eq!(first, bytes(&one, version, method));
            assert_eq!(first, bytes(&other, version, method));
        }
    }
    assert_eq!(one.catalogue().digest(), other.catalogue().digest());
}

#[test]
fn the_digest_changes_with_whatever_is_listed() {
    let digest = |router| server(router).catalogue().digest();
    let base = digest(router());
    assert!(base.len() == 64 && base.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let simple = || tool(|| async { "x" }).describe("D");
    let variants = [
        router().tool("new", simple()),
        router().tool("new", simple().title("T")),
        router().tool("new", simple().read_only()),
        router().tool("new", simple().icon(Icon::embedded("image/png", b"1"))),
        router().tool("new", simple().meta(json!({ "a": 1 }).as_object().unwrap().clone())),
        router().tool("new", simple().output_schema(json!({ "type": "object" }))),
        router().resource("test://new", resource(|| async { "x" })),
        router().resource("test://new/{x}", resource(|| async { "x" })),
        router().prompt("new", prompt(|| async { "x" })),
    ];
    let mut all: Vec<_> = variants.into_iter().map(digest).collect();
    all.push(base);
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
    assert_eq!(
        digest(router().tool("new", simple())),
        digest(router().tool("new", simple().tag("secret"))),
        "tags stay here"
    );
}

#[tokio::test]
async fn an_authored_schema_is_listed_as_it_was_written() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": { "$anchor": "addressDef", "type": "object", "properties": { "street": { "type": "string" } } } },
        "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    });
    let output = json!({ "additionalProperties": true, "type": "object", "required": [] });
    let server = server(McpRouter::new().tool(
        "t",
        tool(|| async { "x" }).describe("x").input_schema(schema.clone()).output_schema(output.clone()),
    ));
    for version in ProtocolVersion::ALL {
        let text = String::from_utf8(bytes(&server, version, "tools/list")).unwrap();
        assert!(text.contains(&schema.to_string()), "{version}");
        assert_eq!(text.contains(&output.to_string()), version >= ProtocolVersion::V2025_06_18, "{version}");
    }
}

#[tokio::test]
async fn generated_schemas_declare_their_dialect_and_are_closed() {
    let server = server(router());
    let answer = server.client(MODERN).list_tools().await;
    let zebra = &answer.result().unwrap()["tools"][0]["inputSchema"];
    assert_eq!(
        zebra.to_string(),
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b","a"],"additionalProperties":false}"#
    );
    let ant = &answer.result().unwrap()["tools"][1]["inputSchema"];
    assert_eq!((&ant["type"], &ant["additionalProperties"]), (&json!("object"), &json!(false)));
}

#[tokio::test]
async fn the_plain_dialect_says_nothing_of_null_and_leaves_what_may_be_absent_optional() {
    for (dialect, kind) in
        [(SchemaDialect::Standard, json!(["string", "null"])), (SchemaDialect::Plain, json!("string"))]
    {
        let greet = tool_args(["name"], |name: Option<String>| async move { format!("{name:?}") });
        let router = McpRouter::new().tool("greet", greet.describe("Greets"));
        let server = serving(router).schema_dialect(dialect).build().unwrap();
        let client = server.client(MODERN);
        let schema = client.list_tools().await.result().unwrap()["tools"][0]["inputSchema"].clone();
        assert_eq!(schema["properties"]["name"]["type"], kind, "{dialect:?}");
        assert!(schema.get("required").is_none(), "{dialect:?}: {schema}");
        assert_eq!(client.call_tool("greet", json!({ "name": null })).await.text(), "None", "{dialect:?}");
    }
}

#[tokio::test]
async fn callbacks_list_after_the_static_ones_and_bad_uris_are_left_out() {
    let router = router()
        .list_resources(|| async {
            vec![Resource::new("test://one", "one"), Resource::new("not a uri", "bad")]
        })
        .list_resources(|| async { vec![Resource::new("test://two", "two")] });
    let server = server(router);
    let uris = members(&server, "resources/list", "resources", "uri").await;
    assert_eq!(uris, ["test://z", "test://a/b?c#d", "urn:isbn:1", "test://one", "test://two"]);
    let only = crate::wire::server(
        McpRouter::new().list_resources(|| async { vec![Resource::new("test://one", "one")] }),
    );
    assert_eq!(members(&only, "resources/list", "resources", "uri").await, ["test://one"]);
    let failing = crate::wire::server(
        McpRouter::new()
            .list_resources(|| async { Err::<Vec<Resource>, _>(ProtocolError::new(-31999, "disk")) }),
    );
    assert_eq!(failing.client(MODERN).request("resources/list", Value::Null).await.code(), Some(-31999));
}

#[tokio::test]
async fn every_list_is_one_page_and_knows_no_cursor() {
    let server = server(router());
    for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
        for version in ProtocolVersion::ALL {
            let client = server.client(version);
            for cursor in [json!("x"), json!(""), json!(5), json!({})] {
                assert_eq!(
                    client.request(method, json!({ "cursor": cursor })).await.code(),
                    Some(-32602),
                    "{method} {cursor}"
                );
            }
            let whole = client.request(method, json!({ "cursor": null })).await;
            assert!(whole.result().unwrap().get("nextCursor").is_none());
        }
    }
}

#[tokio::test]
async fn lists_a_server_does_not_offer_do_not_exist() {
    let server = server(McpRouter::new());
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(client.list_tools().await.result().unwrap()["tools"], json!([]));
        for method in [
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "prompts/list",
            "prompts/get",
            "completion/complete",
        ] {
            assert_eq!(client.request(method, json!({})).await.code(), Some(-32601), "{version} {method}");
        }
    }
}

#[tokio::test]
async fn the_list_that_is_served_is_the_one_that_is_advertised() {
    let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    for (router, offered) in [
        (McpRouter::new(), &["tools"][..]),
        (McpRouter::new().prompt("p", prompt(|| async { "x" })), &["tools", "prompts"]),
        (McpRouter::new().resource("a:{x}", resource(|| async { "x" })), &["tools", "resources"]),
        (McpRouter::new().list_resources(|| async { Vec::<Resource>::new() }), &["tools", "resources"]),
        (
            McpRouter::new()
                .resource("a:{x}", resource(|| async { "x" }).complete("x", || async { vec!["1"] })),
            &["tools", "resources", "completions"],
        ),
    ] {
        let server = server(router);
        let mut told = server.client(MODERN).request("server/discover", Value::Null).await.result().unwrap()
            ["capabilities"]
            .clone();
        told.as_object_mut().unwrap().remove("logging").unwrap();
        assert_eq!(told.as_object().unwrap().keys().collect::<Vec<_>>(), offered);
        let answered = post(&server, &hello, &Headers::default()).await;
        assert_eq!(
            answered.result()["capabilities"].as_object().unwrap().keys().collect::<Vec<_>>(),
            offered
        );
    }
}

#[tokio::test]
async fn hints_and_cache_hints_go_out_as_they_were_set() {
    let hints = ToolAnnotations {
        read_only: Some(false),
        destructive: Some(true),
        idempotent: Some(true),
        open_world: Some(false),
    };
    let router = McpRouter::new().tool("t", tool(|| async { "x" }).describe("x").annotations(hints));
    let server = serving(router).list_ttl(Duration::from_millis(1_500)).build().unwrap();
    let answer = server.client(MODERN).list_tools().await;
    let result = answer.result().unwrap();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(1500), &json!("public")));
    let expected = json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false });
    assert_eq!(result["tools"][0]["annotations"], expected);
}
