//! What a handler hides from the connection that calls it.

use super::walk::{LISTS, names};
use crate::wire::{HANDSHAKE, MODERN, ask, modern, plain, read, serving, shaken};
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{
    connection::Connection,
    context::Context,
    extract::Args,
    handler::ToolError,
    page::Lists,
    ports::Selection,
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Server, ServerBuilder},
    version::ProtocolVersion,
    view::Listed,
};
use serde_json::{Value, json};

/// What a call asks the server to hide or show.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Wish {
    act: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    name: String,
}

async fn change(context: Context, Args(wish): Args<Wish>) -> Result<&'static str, ToolError> {
    let selection = match &*wish.kind {
        "prompt" => Selection::prompt(wish.name),
        "resource" => Selection::resource(wish.name),
        "tag" => Selection::tag(wish.name),
        _ => Selection::tool(wish.name),
    };
    let visibility = context.visibility();
    let outcome = match &*wish.act {
        "hide" => visibility.hide(selection).await,
        "unhide" => visibility.unhide(selection).await,
        _ => visibility.reset().await,
    };
    outcome.map(|()| "done").map_err(|error| ToolError::new(error.to_string()))
}

pub(crate) fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("change", tool(change).describe("Changes what is seen"))
        .tool("a", tool(|| async { "called" }).describe("A").tag("x"))
        .tool("b", tool(|| async { "called" }).describe("B"))
        .resource("test://a", resource(|| async { "read" }).tag("x"))
        .resource("test://t/{id}", resource(|| async { "read" }))
        .prompt("a", prompt(|| async { "p" }).tag("x"))
}

fn builder() -> ServerBuilder {
    serving(router()).lists(Lists::default().per_connection())
}

/// Asks the server to change something; gives what it says of it.
async fn wish(connection: &mut Connection, act: &str, kind: &str, name: &str) -> String {
    let arguments = json!({ "act": act, "kind": kind, "name": name });
    let call = plain(1, "tools/call", json!({ "name": "change", "arguments": arguments }));
    ask(connection, &call).await.text().to_owned()
}

async fn seen(connection: &mut Connection) -> Vec<String> {
    let mut all = Vec::new();
    for (method, list, name) in LISTS {
        let answered = ask(connection, &plain(2, method, json!({}))).await;
        let entries = answered.result()[list].as_array().unwrap().clone();
        all.extend(entries.iter().map(|entry| entry[name].as_str().unwrap().to_owned()));
    }
    all
}

fn told(connection: &mut Connection) -> Vec<String> {
    let next = || poll_fn(|context| connection.poll_change(context)).now_or_never();
    std::iter::from_fn(next)
        .map(|bytes| read(&bytes)["method"].as_str().unwrap().to_owned())
        .map(|method| {
            method.trim_start_matches("notifications/").trim_end_matches("/list_changed").to_owned()
        })
        .collect()
}

const ALL: [&str; 6] = ["change", "a", "b", "test://a", "test://t/{id}", "a"];

#[tokio::test]
async fn what_is_hidden_is_not_listed_to_this_connection_and_can_still_be_used() {
    let server = builder().build().unwrap();
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != MODERN) {
        let (mut own, mut other) = (shaken(&server, version).await, shaken(&server, version).await);
        for (kind, name, expected) in [
            ("tool", "b", &["change", "a", "test://a", "test://t/{id}", "a"][..]),
            ("prompt", "a", &["change", "a", "b", "test://a", "test://t/{id}"]),
            ("resource", "TEST://a", &["change", "a", "b", "test://t/{id}", "a"]),
            ("resource", "test://t/{id}", &["change", "a", "b", "test://a", "a"]),
            ("tag", "x", &["change", "b", "test://t/{id}"]),
        ] {
            assert_eq!(wish(&mut own, "hide", kind, name).await, "done");
            assert_eq!(seen(&mut own).await, expected, "{version} {kind} {name}");
            assert_eq!(seen(&mut other).await, ALL, "nobody else's");
            assert_eq!(wish(&mut own, "unhide", kind, name).await, "done");
            assert_eq!(seen(&mut own).await, ALL);
        }
        wish(&mut own, "hide", "tag", "x").await;
        wish(&mut own, "hide", "tool", "b").await;
        let call = plain(3, "tools/call", json!({ "name": "a", "arguments": {} }));
        assert_eq!(ask(&mut own, &call).await.text(), "called");
        assert!(
            ask(&mut own, &plain(4, "resources/read", json!({ "uri": "test://a" })))
                .await
                .result()
                .is_object()
        );
        assert_eq!(wish(&mut own, "reset", "", "").await, "done");
        assert_eq!(seen(&mut own).await, ALL);
    }
}

#[tokio::test]
async fn the_client_is_told_of_lists_that_really_changed_and_no_other_client_is() {
    let server = builder().build().unwrap();
    let (mut own, mut other) = (shaken(&server, HANDSHAKE).await, shaken(&server, HANDSHAKE).await);
    for (act, kind, name, expected) in [
        ("unhide", "tool", "a", &[][..]),
        ("hide", "tool", "none", &[]),
        ("hide", "tag", "none", &[]),
        ("hide", "tool", "a", &["tools"]),
        ("hide", "tool", "a", &[]),
        // The tool is hidden by its name already.
        ("hide", "tag", "x", &["prompts", "resources"]),
        ("unhide", "tool", "a", &[]),
        ("unhide", "tag", "x", &["tools", "prompts", "resources"]),
        ("hide", "resource", "test://t/{id}", &["resources"]),
        ("reset", "", "", &["resources"]),
        ("reset", "", "", &[]),
    ] {
        assert_eq!(wish(&mut own, act, kind, name).await, "done");
        assert_eq!(told(&mut own), expected, "{act} {kind} {name}");
        assert!(told(&mut other).is_empty());
    }
}

#[tokio::test]
async fn what_a_policy_keeps_from_the_client_anyway_it_does_not_miss() {
    let lists = Lists::default()
        .per_connection()
        .tool_filter(|_, listed: Listed| async move { !matches!(listed.name(), "a") })
        .prompt_filter(|_, _| async { Err::<bool, _>(std::io::Error::other("down")) });
    let server = serving(router()).lists(lists).build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    wish(&mut own, "hide", "tool", "a").await;
    assert!(told(&mut own).is_empty());
    wish(&mut own, "hide", "tool", "b").await;
    assert_eq!(told(&mut own), ["tools"]);
    wish(&mut own, "hide", "prompt", "a").await;
    assert_eq!(told(&mut own), ["prompts"], "where the policy cannot tell, the client looks");
}

#[tokio::test]
async fn resources_of_callbacks_can_be_hidden_by_their_uri() {
    let router =
        router().list_resources(|| async { vec![Resource::new("a:1", "a"), Resource::new("a:2", "a")] });
    let server = serving(router).lists(Lists::default().per_connection()).build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    wish(&mut own, "hide", "resource", "A:1").await;
    assert_eq!(told(&mut own), ["resources"]);
    let listed = seen(&mut own).await;
    assert!(!listed.contains(&"a:1".to_owned()) && listed.contains(&"a:2".to_owned()), "{listed:?}");
}

#[tokio::test]
async fn callers_without_a_connection_are_told_that_they_have_none() {
    let server = builder().build().unwrap();
    let call = json!({ "name": "change", "arguments": { "act": "hide", "name": "a" } });
    for version in ProtocolVersion::ALL {
        let answer = server.client(version).request("tools/call", call.clone()).await;
        assert!(answer.is_error() && answer.text().contains("no connection"), "{version} {}", answer.text());
        assert_eq!(names(&server.client(version), "tools/list").await.concat(), ["change", "a", "b"]);
    }
    // A modern request on a connection whose handshake is done stands alone, too.
    let mut connection = shaken(&server, HANDSHAKE).await;
    wish(&mut connection, "hide", "tool", "a").await;
    let answered = ask(&mut connection, &modern(1, "tools/list", json!({}))).await;
    assert_eq!(answered.result()["tools"].as_array().unwrap().len(), 3);
    let answered = ask(&mut connection, &modern(2, "tools/call", call)).await;
    assert!(answered.text().contains("no connection"), "{}", answered.text());
}

#[tokio::test]
async fn a_server_that_was_not_told_hides_nothing() {
    let server = serving(router()).build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    let said = wish(&mut own, "hide", "tool", "a").await;
    assert!(said.contains("per_connection"), "{said}");
    assert_eq!(seen(&mut own).await, ALL);
}

#[tokio::test]
async fn how_much_a_connection_hides_is_bounded() {
    let limits = Limits { hidden_selections: 2, ..Limits::default() };
    let server = builder().limits(limits).build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    for name in ["one", "two", "two"] {
        assert_eq!(wish(&mut own, "hide", "tool", name).await, "done");
    }
    let said = wish(&mut own, "hide", "tool", "a").await;
    assert!(said.contains("limits.hidden_selections"), "{said}");
    assert_eq!(seen(&mut own).await, ALL);
    assert_eq!(wish(&mut own, "unhide", "tool", "one").await, "done");
    assert_eq!(wish(&mut own, "hide", "tool", "a").await, "done");
    assert_ne!(seen(&mut own).await, ALL);
}

fn list_changed(capabilities: &Value) -> Vec<&Value> {
    ["tools", "resources", "prompts"].iter().map(|list| &capabilities[*list]["listChanged"]).collect()
}

#[tokio::test]
async fn that_lists_change_is_told_to_those_whose_lists_can() {
    let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    let discover = modern(1, "server/discover", json!({}));
    let capabilities = |server: Server, message: Value| async move {
        let mut connection = crate::wire::connect(&server);
        ask(&mut connection, &message).await.result()["capabilities"].clone()
    };
    for (builder, handshake, alone) in [
        (serving(router()), false, false),
        (builder(), true, false),
        (serving(router()).dynamic(), true, true),
        (builder().dynamic(), true, true),
    ] {
        let server = builder.build().unwrap();
        let connected = capabilities(server.clone(), hello.clone()).await;
        assert_eq!(list_changed(&connected), [&json!(handshake); 3]);
        let told = capabilities(server.clone(), discover.clone()).await;
        assert_eq!(list_changed(&told), [&json!(alone); 3]);
        // Over HTTP without sessions there is no connection either.
        let headers = crate::wire::Headers::default();
        let answered = crate::wire::post(&server, &hello, &headers).await;
        assert_eq!(list_changed(&answered.result()["capabilities"]), [&json!(false); 3]);
    }
}

#[tokio::test]
async fn changes_at_run_time_reach_a_connection_that_hides() {
    let server = builder().dynamic().build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    wish(&mut own, "hide", "tool", "late").await;
    assert!(told(&mut own).is_empty());
    server
        .update(|edit| {
            edit.tool("late", tool(|| async { "x" }).describe("L"));
        })
        .unwrap();
    assert_eq!(told(&mut own), ["tools"]);
    assert_eq!(seen(&mut own).await, ALL, "it was hidden before it was there");
    wish(&mut own, "unhide", "tool", "late").await;
    assert_eq!(told(&mut own), ["tools"]);
    assert!(seen(&mut own).await.contains(&"late".to_owned()));
}
