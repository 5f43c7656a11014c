//! Changing what a server offers while it runs.

use crate::wire::{MODERN, modern, serving};
use futures_util::{FutureExt as _, StreamExt as _};
use mcp_core::{
    context::Transport,
    exchange::{Exchange, Outgoing},
    protocol::Resource,
    registry::{McpRouter, PromptBuilder, ResourceBuilder, ToolBuilder, prompt, resource, tool},
    server::{Peer, Server},
};
use serde_json::{Value, json};

fn a_tool(description: &str) -> ToolBuilder<()> {
    tool(|| async { "x" }).describe(description)
}

fn a_resource() -> ResourceBuilder<()> {
    resource(|| async { "x" })
}

fn a_prompt() -> PromptBuilder<()> {
    prompt(|| async { "x" })
}

fn dynamic() -> Server {
    let router = McpRouter::new()
        .tool("one", a_tool("One"))
        .tool("two", a_tool("Two"))
        .resource("test://one", a_resource())
        .resource("test://{id}", a_resource())
        .prompt("one", a_prompt());
    serving(router).dynamic().build().unwrap()
}

fn listening(server: &Server) -> Exchange {
    let filter =
        json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true });
    let message = modern(1, "subscriptions/listen", json!({ "notifications": filter }));
    let mut stream =
        server.dispatch(MODERN, message.to_string(), Peer::anonymous(Transport::InProcess)).unwrap();
    assert_eq!(changed(&mut stream), ["acknowledged"]);
    stream
}

/// The lists announced since the last look, by the middle of the method.
fn changed(stream: &mut Exchange) -> Vec<String> {
    let next = || stream.next().now_or_never().flatten();
    std::iter::from_fn(next)
        .map(|outgoing| match outgoing {
            Outgoing::Notification(bytes) => {
                let message: Value = serde_json::from_slice(&bytes).unwrap();
                message["method"]
                    .as_str()
                    .unwrap()
                    .rsplit('/')
                    .find(|part| *part != "list_changed")
                    .unwrap()
                    .to_owned()
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

fn names(server: &Server) -> Vec<String> {
    server.catalogue().tool_names().map(str::to_owned).collect()
}

#[tokio::test]
async fn exactly_the_lists_that_changed_are_announced() {
    let server = dynamic();
    let mut stream = listening(&server);
    server
        .update(|edit| {
            edit.tool("three", a_tool("Three"));
        })
        .unwrap();
    assert_eq!(changed(&mut stream), ["tools"]);
    assert_eq!(names(&server), ["one", "two", "three"]);
    server
        .update(|edit| {
            edit.resource("test://two", a_resource());
        })
        .unwrap();
    assert_eq!(changed(&mut stream), ["resources"]);
    server.update(|edit| assert!(edit.remove_resource("test://{id}"))).unwrap();
    assert_eq!(changed(&mut stream), ["resources"]);
    server
        .update(|edit| {
            edit.prompt("two", a_prompt());
            assert!(edit.remove_tool("one"));
        })
        .unwrap();
    assert_eq!(changed(&mut stream), ["tools", "prompts"]);
    server
        .update(|edit| {
            edit.router(McpRouter::new().list_resources(|| async { vec![Resource::new("a:b", "b")] }));
        })
        .unwrap();
    assert_eq!(changed(&mut stream), ["resources"]);
    server.update(|_| {}).unwrap();
    server.update(|edit| assert!(!edit.remove_tool("nobody"))).unwrap();
    assert!(changed(&mut stream).is_empty());
}

#[tokio::test]
async fn a_new_handler_under_the_same_listing_changes_no_list() {
    let server = dynamic();
    let mut stream = listening(&server);
    let digest = server.catalogue().digest();
    server
        .update(|edit| {
            assert!(edit.remove_tool("two"));
            edit.tool("two", tool(|| async { "new" }).describe("Two"));
        })
        .unwrap();
    assert!(changed(&mut stream).is_empty());
    assert_eq!(server.catalogue().digest(), digest);
    assert_eq!(server.client(MODERN).call_tool("two", json!({})).await.text(), "new");
    server
        .update(|edit| {
            edit.remove_tool("two");
            edit.tool("two", a_tool("Zwei"));
        })
        .unwrap();
    assert_eq!(changed(&mut stream), ["tools"]);
    assert_ne!(server.catalogue().digest(), digest);
    server
        .update(|edit| {
            edit.remove_tool("one");
            edit.tool("one", a_tool("One"));
        })
        .unwrap();
    assert_eq!(changed(&mut stream), ["tools"], "the order changed");
}

#[tokio::test]
async fn a_failed_update_changes_and_announces_nothing() {
    let server = dynamic();
    let mut stream = listening(&server);
    let digest = server.catalogue().digest();
    let faults = server
        .update(|edit| {
            edit.tool("one", a_tool("Again"))
                .tool("bad", a_tool(" "))
                .resource("no uri", a_resource())
                .prompt("", a_prompt());
            edit.remove_tool("two");
        })
        .unwrap_err();
    let subjects: Vec<_> = faults.iter().map(|fault| fault.subject().to_owned()).collect();
    assert_eq!(subjects, ["tool `bad`", "resource `no uri`", "prompt ``", "tool `one`"]);
    assert_eq!(server.catalogue().digest(), digest);
    assert!(changed(&mut stream).is_empty());
}

#[test]
fn a_server_that_is_not_dynamic_says_so() {
    let server = serving(McpRouter::new().tool("one", a_tool("One"))).build().unwrap();
    let faults = server
        .update(|edit| {
            edit.remove_tool("one");
        })
        .unwrap_err()
        .to_string();
    assert!(faults.contains(".dynamic()"), "{faults}");
    assert_eq!(names(&server), ["one"]);
}

#[tokio::test]
async fn a_dynamic_server_serves_empty_lists_and_knows_what_it_lacks() {
    let server = serving(McpRouter::new()).dynamic().build().unwrap();
    let client = server.client(MODERN);
    for (method, member) in [
        ("tools/list", "tools"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ] {
        assert_eq!(
            client.request(method, Value::Null).await.result().unwrap()[member],
            json!([]),
            "{method}"
        );
    }
    assert_eq!(client.get_prompt("none", json!({})).await.code(), Some(-32602));
    let missing = client.read_resource("test://none").await.outcome.unwrap_err();
    assert_eq!((&missing["code"], &missing["data"]["uri"]), (&json!(-32602), &json!("test://none")));
}

#[tokio::test]
async fn a_panic_in_an_update_changes_nothing_and_the_next_one_works() {
    let server = dynamic();
    let other = server.clone();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        other.update(|edit| {
            edit.remove_tool("one");
            panic!("in the middle")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(names(&server), ["one", "two"]);
    server.update(|edit| assert!(edit.remove_tool("one"))).unwrap();
    assert_eq!(names(&server), ["two"]);
}
