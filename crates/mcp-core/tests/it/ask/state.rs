//! The state that a client carries is nobody's but this server's, this caller's and this request's.

use super::fixture::{Rounds, Sure, accept, keys, server, serving, state};
use crate::wire::Answered;
use mcp_core::{
    extract::{Args, Client, Vars},
    handler::{ProtocolError, ToolError},
    principal::Principal,
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

#[derive(Deserialize, JsonSchema)]
struct Target {
    path: Option<String>,
    number: Option<f64>,
}

/// What was deleted by all tests together must never count what was refused.
static DELETED: AtomicU32 = AtomicU32::new(0);

async fn delete(client: Client, Args(target): Args<Target>) -> Result<String, ToolError> {
    let Sure { sure } = client.elicit("k", "Sure?").issued_only().await?.require()?;
    if sure {
        DELETED.fetch_add(1, Ordering::Relaxed);
    }
    Ok(format!("deleted {:?} {:?}", target.path, target.number))
}

async fn asks(client: Client) -> Result<String, ProtocolError> {
    Ok(client.elicit::<Sure>("k", "Sure?").await?.require()?.sure.to_string())
}

async fn asks_of(client: Client, Vars(_): Vars<String>) -> Result<String, ProtocolError> {
    asks(client).await
}

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("delete", tool(delete).describe("."))
        .tool("delete2", tool(delete).describe("."))
        .prompt("delete", prompt(asks))
        .resource("test://delete", resource(asks))
        .resource("test://t/{id}", resource(asks_of))
}

fn call(server: &Server, arguments: Value) -> Rounds {
    Rounds::of(server, "tools/call", json!({ "name": "delete", "arguments": arguments }))
}

fn yes() -> Value {
    json!({ "k": accept(json!({ "sure": true })) })
}

/// Refused, with words that are the same whatever is wrong.
fn assert_refused(answered: &Answered, what: &str) {
    assert_eq!((answered.code(), answered.status), (-32602, 200), "{what}: {}", answered.reply);
    assert_eq!(
        answered.message(),
        "`requestState` is not valid for this request; repeat it without",
        "{what}"
    );
    assert_eq!(answered.reply["error"].get("data"), None, "{what}");
}

#[tokio::test]
async fn state_that_is_no_state_is_refused() {
    let server = server(router());
    let call = call(&server, json!({ "path": "a" }));
    let million = "A".repeat(1 << 20);
    for wrong in [
        json!(""),
        json!(5),
        json!([]),
        json!({}),
        json!(true),
        json!("x"),
        json!("v1."),
        json!("v1.AAAAAA.AAAA"),
        json!(million),
    ] {
        let answered = call.send(json!({ "requestState": wrong, "inputResponses": yes() })).await;
        assert_refused(&answered, &wrong.to_string().chars().take(20).collect::<String>());
    }
}

#[tokio::test]
async fn state_that_was_changed_anywhere_is_refused() {
    let server = server(router());
    let call = call(&server, json!({ "path": "a" }));
    let ended = call.begin().await;
    let sealed = state(&ended);
    for at in 0..sealed.len() {
        let mut changed = sealed.as_bytes().to_vec();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).unwrap();
        let answered = call.send(json!({ "requestState": changed, "inputResponses": yes() })).await;
        assert_refused(&answered, &format!("position {at}"));
    }
    for cut in [1, sealed.len() / 2, sealed.len() - 1] {
        let answered = call.send(json!({ "requestState": &sealed[..cut], "inputResponses": yes() })).await;
        assert_refused(&answered, "cut");
    }
    let longer = format!("{sealed}A");
    assert_refused(&call.send(json!({ "requestState": longer })).await, "longer");
    assert_eq!(call.retry(&ended, yes()).await.text(), "deleted Some(\"a\") None");
}

#[tokio::test]
async fn state_serves_only_its_own_request() {
    let server = server(router());
    let own = call(&server, json!({ "path": "a" }));
    let ended = own.begin().await;
    let tool = |name: &str, arguments: Value| {
        Rounds::of(&server, "tools/call", json!({ "name": name, "arguments": arguments }))
    };
    for (what, other) in [
        ("other arguments", tool("delete", json!({ "path": "b" }))),
        ("no arguments", Rounds::of(&server, "tools/call", json!({ "name": "delete" }))),
        ("further arguments", tool("delete", json!({ "path": "a", "number": 1 }))),
        ("an argument of another type", tool("delete", json!({ "path": null }))),
        ("another tool", tool("delete2", json!({ "path": "a" }))),
        ("a prompt of the same name", Rounds::of(&server, "prompts/get", json!({ "name": "delete" }))),
        ("a resource", Rounds::of(&server, "resources/read", json!({ "uri": "test://delete" }))),
    ] {
        assert_refused(&other.retry(&ended, yes()).await, what);
    }
    let one = Rounds::of(&server, "resources/read", json!({ "uri": "test://t/1" }));
    let read = one.begin().await;
    let other = Rounds::of(&server, "resources/read", json!({ "uri": "test://t/2" }));
    assert_refused(&other.retry(&read, yes()).await, "another resource of the template");
    assert_eq!(one.retry(&read, yes()).await.result()["contents"][0]["text"], "true");
}

#[tokio::test]
async fn state_serves_only_its_own_caller() {
    let server = server(router());
    let as_caller = |principal: Option<Principal>| {
        let mut call = call(&server, json!({ "path": "a" }));
        call.peer.principal = principal.map(Arc::new);
        call
    };
    let callers = || {
        [
            None,
            Some(Principal::new("u1")),
            Some(Principal::new("u2")),
            Some(Principal::new("u1").with_issuer("https://i")),
            Some(Principal::new("u1").with_client_id("c")),
        ]
    };
    for (one, owner) in callers().into_iter().enumerate() {
        let ended = as_caller(owner).begin().await;
        for (other, caller) in callers().into_iter().enumerate() {
            let answered = as_caller(caller).retry(&ended, yes()).await;
            if one == other {
                assert!(answered.text().starts_with("deleted"), "{one}");
            } else {
                assert_refused(&answered, &format!("state of {one} with {other}"));
            }
        }
    }
    let scoped = as_caller(Some(Principal::new("u1").with_scopes(["a"]))).begin().await;
    let rescoped = as_caller(Some(Principal::new("u1").with_scopes(["b"]))).retry(&scoped, yes()).await;
    assert!(rescoped.text().starts_with("deleted"), "scopes are judged anew on each request");
}

#[tokio::test(start_paused = true)]
async fn state_lapses() {
    let server = server(router());
    let call = call(&server, json!({ "path": "a" }));
    let ended = call.begin().await;
    tokio::time::advance(Duration::from_secs(3_599)).await;
    assert!(call.retry(&ended, yes()).await.text().starts_with("deleted"));
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_refused(&call.retry(&ended, yes()).await, "after an hour");
}

#[tokio::test]
async fn state_of_another_server_or_revision_of_keys_is_refused() {
    let one = call(&server(router()), json!({ "path": "a" })).begin().await;
    let other = serving(router()).name("other").build().unwrap();
    assert_refused(&call(&other, json!({ "path": "a" })).retry(&one, yes()).await, "another server");
}

#[tokio::test]
async fn arguments_that_are_only_written_differently_are_the_same() {
    let server = server(router());
    let one = call(&server, json!({ "path": "a", "number": 1 }));
    let ended = one.begin().await;
    for spelled in [
        r#"{"number":1,"path":"a"}"#,
        r#"{ "path" : "\u0061", "number" : 1.0 }"#,
        r#"{"path":"a","number":10e-1}"#,
    ] {
        let message =
            one.message(json!({ "inputResponses": yes(), "requestState": state(&ended) })).to_string();
        let plain = serde_json::to_string(&one.params["arguments"]).unwrap();
        assert!(message.contains(&plain), "{message}");
        let exchange =
            server.dispatch(crate::wire::MODERN, message.replace(&plain, spelled), one.peer.clone());
        let answered = crate::wire::drive(exchange.unwrap()).await;
        assert_eq!(answered.text(), "deleted Some(\"a\") Some(1.0)", "{spelled}");
    }
}

#[tokio::test]
async fn state_can_be_used_again_until_it_lapses() {
    let server = server(router());
    let call = call(&server, json!({ "path": "a" }));
    let ended = call.begin().await;
    for _ in 0..3 {
        assert_eq!(call.retry(&ended, yes()).await.text(), "deleted Some(\"a\") None");
    }
    let absent = call.send(json!({ "requestState": null, "inputResponses": yes() })).await;
    assert_eq!(keys(&absent), ["k"], "null is absent, and the answer was not asked for then");
}
