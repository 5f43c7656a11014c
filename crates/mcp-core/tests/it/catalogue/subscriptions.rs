//! Who hears of changes, in both eras, and how many of them there may be.

use crate::wire::{HANDSHAKE, MODERN, heard, modern, read, ready, serving, shaken};
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{
    connection::Connection,
    context::Transport,
    exchange::{Exchange, Outgoing},
    principal::Principal,
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Peer, Server},
};
use serde_json::{Value, json};
use std::sync::Arc;

fn offering(limits: Limits) -> Server {
    let router = McpRouter::new()
        .tool("t", tool(|| async { "x" }).describe("T"))
        .resource("test://a", resource(|| async { "x" }))
        .prompt("p", prompt(|| async { "x" }));
    serving(router).dynamic().resource_updates().limits(limits).build().unwrap()
}

fn listen(server: &Server, subject: Option<&str>) -> Exchange {
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://a"],
    });
    let message = modern(1, "subscriptions/listen", json!({ "notifications": filter }));
    let principal = subject.map(|subject| Arc::new(Principal::new(subject)));
    let peer = Peer { principal, ..Peer::anonymous(Transport::InProcess) };
    server.dispatch(MODERN, message.to_string(), peer).unwrap()
}

fn refusal(exchange: &mut Exchange) -> Value {
    match &ready(exchange)[..] {
        [Outgoing::Reply(reply)] => {
            assert_eq!(reply.status, 503);
            read(&reply.body)["error"].clone()
        }
        other => panic!("{other:?}"),
    }
}

fn changes(connection: &mut Connection) -> Vec<String> {
    let next = || poll_fn(|context| connection.poll_change(context)).now_or_never();
    std::iter::from_fn(next).map(|bytes| read(&bytes)["method"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "an application has threads of its own")]
async fn what_the_application_announces_from_anywhere_is_heard_in_both_eras() {
    let server = offering(Limits::default());
    let mut stream = listen(&server, None);
    heard(&mut stream);
    let mut connection = shaken(&server, HANDSHAKE).await;
    let subscribe = crate::wire::plain(1, "resources/subscribe", json!({ "uri": "test://a" }));
    crate::wire::ask(&mut connection, &subscribe).await.result();
    // A thread that serves no request, with nothing but the server in hand.
    let application = server.clone();
    std::thread::spawn(move || {
        application.notify_tools_changed();
        application.notify_prompts_changed();
        application.notify_resources_changed();
        application.notify_resource_updated("TEST://a");
        application.notify_resource_updated("test://other");
    })
    .join()
    .unwrap();
    let expected = [
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    ];
    let modern: Vec<_> =
        heard(&mut stream).iter().map(|message| message["method"].as_str().unwrap().to_owned()).collect();
    assert_eq!(modern, expected);
    assert_eq!(changes(&mut connection), expected);
}

#[test]
fn a_principal_has_its_own_share_of_subscriptions() {
    let limits = Limits { subscriptions: 4, subscriptions_per_principal: 2, ..Limits::default() };
    let server = offering(limits);
    let mut held: Vec<_> = (0..2).map(|_| listen(&server, Some("ada"))).collect();
    let error = refusal(&mut listen(&server, Some("ada")));
    assert_eq!(error["code"], -32603);
    assert!(error["message"].as_str().unwrap().contains("limits.subscriptions_per_principal"), "{error}");
    held.push(listen(&server, Some("bob")));
    held.push(listen(&server, None));
    let error = refusal(&mut listen(&server, Some("bob")));
    assert!(error["message"].as_str().unwrap().contains("`limits.subscriptions`"), "{error}");
    let error = refusal(&mut listen(&server, None));
    assert!(error["message"].as_str().unwrap().contains("`limits.subscriptions`"), "{error}");
    assert_eq!(server.counts().subscriptions, 4);
    drop(held);
    assert_eq!(server.counts().subscriptions, 0);
    assert_eq!(heard(&mut listen(&server, Some("ada"))).len(), 1, "what was given back can be taken again");
}

#[test]
fn anonymous_callers_share_the_bound_for_all() {
    let limits = Limits { subscriptions: 3, subscriptions_per_principal: 1, ..Limits::default() };
    let server = offering(limits);
    let held: Vec<_> = (0..3).map(|_| listen(&server, None)).collect();
    refusal(&mut listen(&server, None));
    drop(held);
}
