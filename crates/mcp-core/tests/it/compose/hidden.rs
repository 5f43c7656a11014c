//! Arguments that callers know nothing of.

use super::{arguments, listed, refused};
use crate::wire::{HANDSHAKE, MODERN, drive, modern, server};
use futures_util::FutureExt as _;
use mcp_core::{
    context::Transport,
    extract::Args,
    handler::ToolError,
    json::RawJson,
    principal::Principal,
    registry::{McpRouter, derive, tool, tool_args},
    server::Peer,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

fn rows() -> McpRouter<()> {
    McpRouter::new().tool(
        "rows",
        tool_args(
            ["table", "tenant"],
            |table: String, tenant: String| async move { format!("{tenant}.{table}") },
        )
        .describe("Reads rows"),
    )
}

#[tokio::test]
async fn a_value_may_be_made_for_each_call() {
    let made = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&made);
    let router = rows().through(derive("rows").name("own_rows").argument("tenant", |tenant| {
        tenant.fixed_by(move |context| {
            counting.fetch_add(1, Ordering::Relaxed);
            let principal = context.principal().ok_or_else(|| ToolError::new("nobody is signed in"))?;
            Ok(principal.subject().to_owned())
        })
    }));
    let server = server(router);
    for (subject, says) in [(Some("ada"), "ada.t"), (None, "nobody is signed in")] {
        let mut peer = Peer::anonymous(Transport::InProcess);
        peer.principal = subject.map(|subject| Arc::new(Principal::new(subject)));
        let call = modern(1, "tools/call", json!({ "name": "own_rows", "arguments": { "table": "t" } }));
        let exchange = server.dispatch(MODERN, call.to_string(), peer).unwrap();
        assert_eq!(drive(exchange).now_or_never().unwrap().text(), says);
    }
    assert_eq!(made.load(Ordering::Relaxed), 2);
    let client = server.client(MODERN);
    client.call_tool("own_rows", json!({})).await;
    assert_eq!(made.load(Ordering::Relaxed), 2, "what does not fit makes no value");
    assert_eq!(arguments(&listed(&client, "own_rows").await), ["table"]);
}

#[tokio::test]
async fn a_made_value_that_does_not_fit_is_not_told_and_never_reaches_the_handler() {
    let router = rows().through(
        derive("rows").name("wrong").argument("tenant", |tenant| tenant.fixed_by(|_| Ok(json!(["s3cret"])))),
    );
    let server = server(router);
    for version in [MODERN, HANDSHAKE] {
        let answer = server.client(version).call_tool("wrong", json!({ "table": "t" })).await;
        assert_eq!(
            answer.text(),
            "the tool cannot be called: a value that the server adds to the arguments does not fit"
        );
    }
}

#[tokio::test]
async fn a_panic_while_a_value_is_made_costs_its_call_only() {
    fn fails() -> Result<String, ToolError> {
        panic!("s3cret")
    }
    let router = rows()
        .through(derive("rows").name("panics").argument("tenant", |tenant| tenant.fixed_by(|_| fails())));
    let client = server(router).client(MODERN);
    let answer = client.call_tool("panics", json!({ "table": "t" })).await;
    assert_eq!(answer.code(), Some(-32603));
    assert!(!format!("{answer:?}").contains("s3cret"), "{answer:?}");
    let fine = client.call_tool("rows", json!({ "table": "t", "tenant": "a" })).await;
    assert_eq!(fine.text(), "a.t");
}

#[derive(Deserialize, JsonSchema)]
struct Anything {
    any: RawJson,
    #[serde(default)]
    optional: Option<u8>,
    #[serde(default = "seven")]
    defaulted: u8,
}

fn seven() -> u8 {
    7
}

fn anything() -> McpRouter<()> {
    let any = tool(|Args(Anything { any, optional, defaulted }): Args<Anything>| async move {
        format!("{any} {optional:?} {defaulted}")
    });
    McpRouter::new().tool("any", any.describe("Any"))
}

#[tokio::test]
async fn a_hidden_value_may_be_any_json_and_keeps_its_digits() {
    for text in [
        "null",
        "true",
        "9007199254740993",
        "0.10000000000000001",
        "1e400",
        "-0.0",
        "\"\\u0000 \\\" \\u2028\"",
        "[]",
        "{\"any\":{\"x-mcp-header\":1,\"$ref\":\"#\"}}",
    ] {
        let raw = RawJson::parse(text).unwrap();
        let router = anything().through(derive("any").name("fixed").argument("any", |any| any.fixed(raw)));
        let client = server(router).client(MODERN);
        assert_eq!(client.call_tool("fixed", json!({})).await.text(), format!("{text} None 7"));
        let set = client.call_tool("fixed", json!({ "any": 1 })).await;
        assert_eq!(set.text(), "unknown argument `any`; accepted arguments: `optional`, `defaulted`");
    }
}

#[tokio::test]
async fn an_argument_that_the_tool_can_do_without_is_hidden_without_a_value() {
    let router = anything().through(
        derive("any")
            .name("short")
            .argument("optional", |optional| optional.hide())
            .argument("defaulted", |defaulted| defaulted.hide()),
    );
    let client = server(router).client(MODERN);
    assert_eq!(arguments(&listed(&client, "short").await), ["any"]);
    assert_eq!(client.call_tool("short", json!({ "any": 1 })).await.text(), "1 None 7");
}

#[tokio::test]
async fn a_schema_that_takes_further_members_takes_none_that_stand_for_what_is_hidden() {
    #[derive(Deserialize, JsonSchema)]
    struct Open {
        key: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let open = tool(|Args(Open { key, rest }): Args<Open>| async move { format!("{key} {rest:?}") });
    let router = McpRouter::new()
        .tool("open", open.describe("Open"))
        .through(derive("open").name("fixed").argument("key", |key| key.fixed("s3cret")))
        .through(derive("open").name("renamed").argument("key", |key| key.rename("k")));
    let server = server(router);
    for version in [MODERN, HANDSHAKE] {
        let client = server.client(version);
        let fixed = client.call_tool("fixed", json!({ "more": 1 })).await;
        assert_eq!(fixed.text(), "s3cret {\"more\": Number(1)}");
        for (tool, arguments) in
            [("fixed", json!({ "key": "mine" })), ("renamed", json!({ "k": "a", "key": "mine" }))]
        {
            let escaped = client.call_tool(tool, arguments).await;
            assert!(escaped.text().contains("unknown argument `key`"), "{}", escaped.text());
        }
        // The same name, spelled with an escape.
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fixed","arguments":{"\u006bey":"mine"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
        let exchange = server.dispatch(MODERN, text, Peer::anonymous(Transport::InProcess)).unwrap();
        let answer = drive(exchange).await;
        assert!(answer.text().contains("unknown argument `key`"), "{}", answer.text());
    }
}

#[test]
fn a_hidden_value_is_not_told_when_it_does_not_fit() {
    let router = rows().through(
        derive("rows").name("fixed").argument("tenant", |tenant| tenant.fixed(json!({ "s3cret": 1 }))),
    );
    assert_eq!(
        refused(router),
        [
            "tool `fixed`: argument `tenant` of `rows`: the value that it is fixed to does not fit the tool's schema"
        ]
    );
    let debugged = format!("{:?}", derive("rows").argument("tenant", |tenant| tenant.fixed("s3cret")));
    assert!(!debugged.contains("s3cret"), "{debugged}");
}
