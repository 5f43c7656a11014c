//! Numbers and texts come through a derived tool as they were sent.

use crate::wire::{MODERN, drive, server};
use mcp_core::{
    context::Transport,
    extract::Args,
    json::RawJson,
    registry::{McpRouter, derive, tool, tool_args},
    server::Peer,
};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Kept {
    number: RawJson,
    fill: RawJson,
}

/// The text of the answer to a call whose arguments are this text.
async fn called(router: McpRouter<()>, tool: &str, arguments: &str) -> String {
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let exchange = server(router).dispatch(MODERN, call, Peer::anonymous(Transport::InProcess)).unwrap();
    drive(exchange).await.text().to_owned()
}

#[tokio::test]
async fn every_digit_and_every_escape_is_kept() {
    let kept = || {
        let kept = tool(|Args(Kept { number, fill }): Args<Kept>| async move { format!("{number} {fill}") });
        McpRouter::new().tool("kept", kept.describe("Kept")).through(
            derive("kept")
                .name("copy")
                .argument("number", |number| number.rename("\"n\\u\u{2028}"))
                .argument("fill", |fill| fill.default(9_007_199_254_740_993_u64)),
        )
    };
    for text in [
        "9007199254740993",
        "-0.10000000000000001",
        "123456789012345678901234567890",
        "1e400",
        "[ 1.0 , {\"a\" : 1E2} ]",
        r#""\u00e9\ud83d\ude00""#,
    ] {
        let arguments = format!(r#"{{"\"n\\u\u2028":{text}}}"#);
        assert_eq!(called(kept(), "copy", &arguments).await, format!("{text} 9007199254740993"));
    }
    let both = r#"{"fill": 18446744073709551617, "\"n\\u\u2028": 1}"#;
    assert_eq!(called(kept(), "copy", both).await, "1 18446744073709551617");
}

#[tokio::test]
async fn an_integer_in_another_form_is_read_as_the_original_reads_it() {
    let add = || {
        McpRouter::new()
            .tool(
                "add",
                tool_args(["a", "b"], |a: i64, b: i64| async move { format!("{a} {b}") }).describe("Adds"),
            )
            .through(
                derive("add").name("plus").argument("a", |a| a.rename("b")).argument("b", |b| b.rename("a")),
            )
    };
    for (arguments, says) in [
        (r#"{"a": 9007199254740993, "b": 1}"#, "1 9007199254740993"),
        (r#"{"a": 2.0, "b": 1e2}"#, "100 2"),
        (r#"{"a": "3", "b": 4}"#, "4 3"),
    ] {
        assert_eq!(called(add(), "plus", arguments).await, says);
    }
}
