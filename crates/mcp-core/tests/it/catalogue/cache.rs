//! How long, and by whom, what is listed and read may be reused.

use super::walk::{LISTS, client_of, pages};
use crate::wire::{HANDSHAKE, MODERN, serving};
use mcp_core::{
    extract::Client,
    handler::ProtocolError,
    page::Lists,
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::{Server, ServerBuilder},
    testing::TestClient,
};
use serde_json::{Value, json};
use std::time::Duration;

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("t", tool(|| async { "x" }).describe("T"))
        .resource("test://a", resource(|| async { "x" }))
        .resource("test://a/{id}", resource(|| async { "x" }))
        .prompt("p", prompt(|| async { "x" }))
}

fn built(change: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Server {
    change(serving(router())).build().unwrap()
}

/// The hints on a result: time and scope.
async fn hints(client: &TestClient, method: &str, params: Value) -> (u64, String) {
    let answer = client.request(method, params).await;
    let result = answer.result().unwrap_or_else(|| panic!("{method}: {answer:?}"));
    (result["ttlMs"].as_u64().unwrap(), result["cacheScope"].as_str().unwrap().to_owned())
}

async fn of_lists(client: &TestClient) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    for (method, ..) in LISTS {
        all.push(hints(client, method, json!({})).await);
    }
    all.push(hints(client, "server/discover", json!({})).await);
    all
}

fn all_say(ttl: u64, scope: &str) -> Vec<(u64, String)> {
    vec![(ttl, scope.to_owned()); 5]
}

#[tokio::test]
async fn lists_that_cannot_change_stay_fresh_for_five_minutes_and_may_be_shared() {
    assert_eq!(of_lists(&built(|builder| builder).client(MODERN)).await, all_say(300_000, "public"));
}

#[tokio::test]
async fn lists_that_can_change_are_asked_for_each_time_unless_the_author_says_otherwise() {
    let dynamic = built(ServerBuilder::dynamic);
    assert_eq!(of_lists(&dynamic.client(MODERN)).await, all_say(0, "public"));
    let told = built(|builder| builder.dynamic().lists(Lists::default().ttl(Duration::from_millis(1_500))));
    assert_eq!(of_lists(&told.client(MODERN)).await, all_say(1_500, "public"));
    let told = built(|builder| builder.list_ttl(Duration::from_secs(7)));
    assert_eq!(of_lists(&told.client(MODERN)).await, all_say(7_000, "public"));
}

#[tokio::test]
async fn what_is_listed_for_an_authenticated_caller_is_for_nobody_else() {
    let server = built(|builder| builder);
    assert_eq!(of_lists(&client_of(&server, MODERN, "ada")).await, all_say(300_000, "private"));
}

#[tokio::test]
async fn a_list_that_a_policy_or_a_callback_makes_is_private_and_no_other_one() {
    let lists = Lists::default().tool_filter(|_, _| async { true });
    let server = serving(router().list_resources(|| async { Vec::<Resource>::new() })).lists(lists);
    let scopes: Vec<_> = of_lists(&server.build().unwrap().client(MODERN)).await;
    let expected =
        [(300_000, "private"), (0, "private"), (300_000, "public"), (300_000, "public"), (300_000, "public")];
    assert_eq!(scopes, expected.map(|(ttl, scope)| (ttl, scope.to_owned())));
}

#[tokio::test]
async fn every_page_of_a_list_has_the_same_scope() {
    let many = (0..9).fold(McpRouter::new(), |router, number| {
        router.resource(format!("test://{number}"), resource(|| async { "x" }))
    });
    let many = many.list_resources(|| async { vec![Resource::new("a:1", "a"), Resource::new("a:2", "a")] });
    let server = serving(many).lists(Lists::default().page_size(2)).build().unwrap();
    let walked = pages(&server.client(MODERN), "resources/list").await;
    assert!(walked.len() > 4);
    for page in walked {
        assert_eq!(page.result["cacheScope"], "private");
    }
}

#[tokio::test]
async fn handshake_clients_are_told_nothing_of_reuse() {
    let server = serving(
        router().resource("test://kept", resource(|| async { "x" }).fresh_for(Duration::from_secs(9))),
    )
    .build()
    .unwrap();
    let client = server.client(HANDSHAKE);
    for (method, params) in [("tools/list", json!({})), ("resources/read", json!({ "uri": "test://kept" }))] {
        let text = client.request(method, params).await.result().unwrap().to_string();
        assert!(!text.contains("ttlMs") && !text.contains("cacheScope"), "{text}");
    }
}

async fn asking(client: Client) -> Result<&'static str, ProtocolError> {
    client.roots("roots").await.map_err(|_| ProtocolError::internal())?;
    Ok("answered")
}

#[tokio::test]
async fn a_resource_says_itself_how_long_it_stays_fresh_and_whether_it_is_everyones() {
    let fresh = Duration::from_secs(60);
    let router = McpRouter::new()
        .resource("test://plain", resource(|| async { "x" }))
        .resource("test://fresh", resource(|| async { "x" }).fresh_for(fresh))
        .resource("test://shared/{id}", resource(|| async { "x" }).fresh_for(fresh).same_for_everyone())
        .resource("test://asks", resource(asking).fresh_for(fresh).same_for_everyone());
    let server = serving(router).build().unwrap();
    let client = client_of(&server, MODERN, "ada").answering(|_| json!({ "roots": [] }));
    for (uri, ttl, scope) in [
        ("test://plain", 0, "private"),
        ("test://fresh", 60_000, "private"),
        ("test://shared/1", 60_000, "public"),
        // What was answered is no part of what a cache would know the result by.
        ("test://asks", 0, "private"),
    ] {
        let told = hints(&client, "resources/read", json!({ "uri": uri })).await;
        assert_eq!(told, (ttl, scope.to_owned()), "{uri}");
    }
    let asked = client_of(&server, MODERN, "ada").with_capabilities(json!({ "roots": {} }));
    let asked = asked.read_resource("test://asks").await;
    let asked = asked.result().unwrap();
    assert_eq!((&asked["resultType"], &asked["ttlMs"]), (&json!("input_required"), &Value::Null));
}

#[test]
fn a_resource_that_would_stay_fresh_for_ever_is_refused() {
    let year = Duration::from_secs(365 * 24 * 3_600);
    let with =
        |ttl| serving(McpRouter::new().resource("a:b", resource(|| async { "x" }).fresh_for(ttl))).build();
    assert!(with(year).is_ok());
    let faults = with(year + Duration::from_millis(1)).unwrap_err().to_string();
    assert!(faults.contains("resource `a:b`") && faults.contains("fresh_for"), "{faults}");
}
