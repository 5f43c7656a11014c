//! Search in place of the list: what is listed, what is found, and what is described.

use crate::wire::{HANDSHAKE, MODERN, agreeing, modern, post, serving};
use futures_util::{FutureExt as _, StreamExt as _};
use mcp_core::{
    context::{Context, Transport},
    exchange::Outgoing,
    handler::{Structured, ToolError},
    page::Lists,
    ports::Selection,
    presentation::{Presentation, ToolSearch},
    principal::Principal,
    protocol::Meta,
    registry::{McpRouter, ToolVisibility, tool, tool_args},
    server::{Peer, Server, ServerBuilder},
    testing::TestClient,
    version::ProtocolVersion,
    view::Listed,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

#[derive(Serialize, JsonSchema)]
struct Refund {
    done: bool,
}

fn shop() -> McpRouter<()> {
    McpRouter::new()
        .tool("help", tool(|| async { "ask" }).describe("Tells how to use the shop").root())
        .tool(
            "refund_order",
            tool_args(["number"], |number: u32| async move { Structured(Refund { done: number > 0 }) })
                .describe("\n  Refund an order in full.\nThe customer is told by mail.")
                .title("Refund")
                .destructive(),
        )
        .tool("listInvoices", tool(|| async { "invoices" }).describe("All bills of a customer").tag("money"))
        .tool("secret", tool(|| async { "called" }).describe("Refund without a trace").tag("beta"))
        .tool("card", tool(|| async { "called" }).describe("Refund by card").visibility(ToolVisibility::App))
        .tool(
            "inner_card",
            tool(|| async { "called" }).describe("Refund inner").visibility(ToolVisibility::App).not_root(),
        )
        .tool("chart", tool(|| async { "called" }).describe("Draws sales").meta(with_card()))
}

fn with_card() -> Meta {
    json!({ "ui": { "resourceUri": "ui://chart" } }).as_object().cloned().unwrap()
}

fn searching(router: McpRouter<()>) -> ServerBuilder {
    serving(router).presentation(Presentation::search(ToolSearch::default()))
}

async fn listed(client: &TestClient) -> Vec<String> {
    names(&client.list_tools().await.outcome.unwrap())
}

fn names(result: &Value) -> Vec<String> {
    let tools = result["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// What a tool of the search answers, read from the text that every version has.
async fn told(client: &TestClient, tool: &str, arguments: Value) -> Value {
    let answer = client.call_tool(tool, arguments).await;
    assert!(!answer.is_error(), "{answer:?}");
    serde_json::from_str(answer.text()).unwrap_or_else(|_| panic!("{answer:?}"))
}

async fn found(client: &TestClient, query: &str) -> Vec<String> {
    names(&told(client, "search_tools", json!({ "query": query })).await)
}

const LISTED: [&str; 6] = ["search_tools", "describe_tools", "run_tools", "help", "card", "chart"];

#[tokio::test]
async fn the_list_has_the_three_tools_and_what_is_root_in_every_version() {
    let server = searching(shop()).build().unwrap();
    for version in ProtocolVersion::ALL {
        assert_eq!(listed(&server.client(version)).await, LISTED, "{version}");
    }
    let names: Vec<_> = server.catalogue().tool_names().map(str::to_owned).collect();
    assert_eq!(names.len(), 3 + 7, "{names:?}");
}

#[tokio::test]
async fn what_is_left_to_search_is_called_by_name_with_the_same_checks() {
    let server = searching(shop()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(client.call_tool("secret", json!({})).await.text(), "called");
        let whole = serving(shop()).build().unwrap().client(version);
        for arguments in [json!({ "number": 1 }), json!({ "number": "many" }), json!({})] {
            let outcome = client.call_tool("refund_order", arguments.clone()).await.outcome;
            assert_eq!(outcome, whole.call_tool("refund_order", arguments).await.outcome, "{version}");
        }
    }
}

#[tokio::test]
async fn the_tools_of_the_search_say_what_they_do() {
    let server = searching(shop()).build().unwrap();
    let list = server.client(MODERN).list_tools().await.outcome.unwrap();
    for (place, read_only) in [(0, json!(true)), (1, json!(true)), (2, Value::Null)] {
        let tool = &list["tools"][place];
        assert!(tool["description"].as_str().unwrap().len() > 40);
        assert_eq!(tool["annotations"]["readOnlyHint"], read_only);
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
    }
    let limit = &list["tools"][0]["inputSchema"]["properties"]["limit"];
    assert_eq!(
        (&limit["default"], &limit["minimum"], &limit["maximum"]),
        (&json!(10), &json!(1), &json!(50))
    );
}

#[tokio::test]
async fn a_tool_is_found_by_name_title_description_and_tag_in_every_version() {
    let server = searching(shop()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(found(&client, "refunding of orders").await, ["refund_order", "secret"], "{version}");
        assert_eq!(found(&client, "REFUND-ORDER").await[0], "refund_order");
        assert_eq!(found(&client, "list invoices").await, ["listInvoices"]);
        assert_eq!(found(&client, "bills").await, ["listInvoices"]);
        assert_eq!(found(&client, "money").await, ["listInvoices"]);
        assert_eq!(found(&client, "weather in Bern").await, [""; 0]);
        assert_eq!(found(&client, "…").await, [""; 0]);
        let one = told(&client, "search_tools", json!({ "query": "refund", "limit": 1 })).await;
        let tool = &one["tools"][0];
        assert_eq!(one["tools"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&tool["name"], &tool["description"]),
            (&json!("refund_order"), &json!("Refund an order in full."))
        );
        assert!(tool["score"].as_f64().unwrap() > 0.0);
        assert!(one.get("note").is_none());
    }
}

#[tokio::test]
async fn arguments_of_a_search_are_bounded() {
    let client = searching(shop()).build().unwrap().client(MODERN);
    for arguments in [
        json!({}),
        json!({ "query": "" }),
        json!({ "query": "x".repeat(1_001) }),
        json!({ "query": "x", "limit": 0 }),
        json!({ "query": "x", "limit": 51 }),
    ] {
        assert!(client.call_tool("search_tools", arguments.clone()).await.is_error(), "{arguments}");
    }
    for query in ["refund ".repeat(142), "ab ".repeat(333), "注".repeat(1_000), "A".repeat(1_000)] {
        assert!(!client.call_tool("search_tools", json!({ "query": query })).await.is_error());
    }
    for names in [json!([]), json!(vec!["x"; 21]), json!(["x".repeat(129)])] {
        assert!(client.call_tool("describe_tools", json!({ "names": names })).await.is_error());
    }
}

#[tokio::test]
async fn what_comes_late_in_a_query_or_a_long_description_does_not_count() {
    let described = |text: String| {
        let router = McpRouter::new().tool("t", tool(|| async { "x" }).describe(text));
        searching(router).build().unwrap().client(MODERN)
    };
    for (bytes, expected) in [(4_096, &["t"][..]), (4_097, &[])] {
        // What is cut off of the word leaves another one.
        let client = described(format!("{:>bytes$}", "zebra"));
        assert_eq!(found(&client, "zebra").await, expected, "{bytes}");
    }
    let client = described("zebra".to_owned());
    for (words, expected) in [(32, &["t"][..]), (33, &[])] {
        let others: Vec<_> = (1..words).map(|number| number.to_string()).collect();
        assert_eq!(found(&client, &format!("{} zebra", others.join(" "))).await, expected, "{words}");
    }
    let repeated = format!("{}zebra", "other ".repeat(100));
    assert_eq!(found(&client, &repeated).await, ["t"], "the same word counts once");
    for (characters, shown) in [(200, "é".repeat(200)), (201, format!("{}…", "é".repeat(200)))] {
        let client = described(format!("{}\nzebra", "é".repeat(characters)));
        let answer = told(&client, "search_tools", json!({ "query": "zebra" })).await;
        assert_eq!(answer["tools"][0]["description"], shown);
    }
}

#[tokio::test]
async fn tools_are_described_as_the_callers_version_lists_them() {
    let server = searching(shop()).build().unwrap();
    let whole = serving(shop()).build().unwrap();
    let asked = ["refund_order", "nothing", "help", "inner_card", "refund_order"];
    for version in ProtocolVersion::ALL {
        let described = told(&server.client(version), "describe_tools", json!({ "names": asked })).await;
        let list = whole.client(version).list_tools().await.outcome.unwrap();
        let by_name = |name: &str| {
            list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).cloned().unwrap()
        };
        assert_eq!(described["tools"], json!([by_name("refund_order"), by_name("help")]), "{version}");
        assert_eq!(described["unknown"], json!(["nothing", "inner_card"]));
    }
}

#[tokio::test]
async fn cards_are_neither_found_nor_described_though_they_are_listed() {
    let server = searching(shop()).build().unwrap();
    let client = server.client(MODERN);
    assert!(!found(&client, "refund by card inner").await.iter().any(|name| name.contains("card")));
    let described = told(&client, "describe_tools", json!({ "names": ["card"] })).await;
    assert_eq!(described, json!({ "tools": [], "unknown": ["card"] }));
    assert_eq!(client.call_tool("card", json!({})).await.text(), "called");
}

async fn for_testers(context: Context, tool: Listed) -> bool {
    !tool.has_tag("beta") || context.principal().is_some_and(|who| who.has_scope("beta"))
}

#[tokio::test]
async fn a_search_finds_what_the_callers_list_would_have() {
    let server = searching(shop()).lists(Lists::default().tool_filter(for_testers)).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let tester = Principal::new("ada").with_scopes(["beta"]);
        let peer = Peer { principal: Some(Arc::new(tester)), ..Peer::anonymous(Transport::Http) };
        let tester = client.clone().with_peer(peer);
        assert_eq!(found(&client, "refund").await, ["refund_order"], "{version}");
        assert_eq!(found(&tester, "refund").await, ["refund_order", "secret"]);
        let names = json!({ "names": ["secret", "no such tool"] });
        let described = told(&client, "describe_tools", names.clone()).await;
        assert_eq!(described, json!({ "tools": [], "unknown": ["secret", "no such tool"] }));
        assert_eq!(told(&tester, "describe_tools", names).await["tools"][0]["name"], "secret");
    }
}

#[tokio::test]
async fn a_policy_does_not_hide_the_tools_of_the_search() {
    let lists = Lists::default().tool_filter(|_, tool: Listed| async move { tool.name() == "help" });
    let server = searching(shop()).lists(lists).build().unwrap();
    for version in ProtocolVersion::ALL {
        let expected = ["search_tools", "describe_tools", "run_tools", "help"];
        assert_eq!(listed(&server.client(version)).await, expected);
    }
}

#[tokio::test]
async fn a_policy_that_fails_fails_the_search_as_it_fails_the_list() {
    let lists = Lists::default().tool_filter(|_, tool: Listed| async move {
        if tool.name() == "secret" { Err(io::Error::other("the directory is down")) } else { Ok(true) }
    });
    let server = searching(shop()).lists(lists).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let searched = client.call_tool("search_tools", json!({ "query": "refund" })).await;
        assert_eq!(searched.outcome.as_ref().unwrap_err()["message"], "Internal error");
        let described = client.call_tool("describe_tools", json!({ "names": ["help", "secret"] })).await;
        assert_eq!((searched.code(), described.code()), (Some(-32603), Some(-32603)), "{version}");
    }
    for params in [
        json!({ "name": "search_tools", "arguments": { "query": "refund" } }),
        json!({ "name": "describe_tools", "arguments": { "names": ["secret"] } }),
    ] {
        let message = modern(1, "tools/call", params);
        assert_eq!(post(&server, &message, &agreeing(&message)).await.status, 500);
    }
}

#[tokio::test]
async fn what_a_connection_hides_is_not_found_on_it_and_changes_no_list_it_is_not_in() {
    async fn hide(context: Context) -> Result<&'static str, ToolError> {
        context.visibility().hide(Selection::tool("refund_order")).await?;
        Ok("hidden")
    }
    let router = shop().tool("hide", tool(hide).describe("Hides"));
    let server = searching(router).lists(Lists::default().per_connection()).build().unwrap();
    let client = server.client(HANDSHAKE).live();
    assert_eq!(found(&client, "refund").await, ["refund_order", "secret"]);
    assert_eq!(client.call_tool("hide", json!({})).await.text(), "hidden");
    assert_eq!(found(&client, "refund").await, ["secret"]);
    let described = told(&client, "describe_tools", json!({ "names": ["refund_order"] })).await;
    assert_eq!(described["unknown"], json!(["refund_order"]));
    assert_eq!(client.call_tool("refund_order", json!({ "number": 1 })).await.text(), r#"{"done":true}"#);
    assert_eq!(listed(&client).await, LISTED);
    assert_eq!(found(&server.client(HANDSHAKE), "refund").await, ["refund_order", "secret"]);
}

#[tokio::test]
async fn a_search_asks_a_policy_about_a_bounded_number_of_tools() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let lists = Lists::default().tool_filter(move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
        async { false }
    });
    let router = (0..10_000).fold(McpRouter::new(), |router, number| {
        let description = format!("Sends report {number} to a customer of the shop in town");
        router.tool(format!("report_{number}"), tool(|| async { "x" }).describe(description))
    });
    let server = searching(router).lists(lists).build().unwrap();
    let client = server.client(MODERN);
    let nothing = told(&client, "search_tools", json!({ "query": "report to a customer of the shop" })).await;
    assert_eq!((asked.load(Ordering::Relaxed), &nothing["tools"]), (200, &json!([])));
    assert!(nothing["note"].as_str().unwrap().contains("more precise"));
    asked.store(0, Ordering::Relaxed);
    let precise = told(&client, "search_tools", json!({ "query": "report 7345", "limit": 50 })).await;
    assert_eq!(asked.load(Ordering::Relaxed), 200, "{precise}");
    assert_eq!(listed(&client).await, ["search_tools", "describe_tools", "run_tools"]);
    assert_eq!(asked.load(Ordering::Relaxed), 200, "the list is short however many tools there are");
}

#[tokio::test]
async fn equals_are_found_in_their_order_on_every_node() {
    let router = || {
        (0..50).fold(McpRouter::new(), |router, number| {
            router.tool(format!("t{number}"), tool(|| async { "x" }).describe("Paints a wall"))
        })
    };
    let expected: Vec<_> = (0..10).map(|number| format!("t{number}")).collect();
    for _ in 0..3 {
        let client = searching(router()).build().unwrap().client(MODERN);
        assert_eq!(found(&client, "paint the wall").await, expected);
    }
}

#[tokio::test]
async fn the_highest_version_of_a_tool_is_found_and_described_with_the_others() {
    let router = McpRouter::new()
        .tool("find", tool(|| async { "1" }).describe("Finds by text").tool_version("1.0"))
        .tool("find", tool(|| async { "2" }).describe("Finds by question").tool_version("2.0"));
    let client = searching(router).build().unwrap().client(MODERN);
    assert_eq!(found(&client, "question").await, ["find"]);
    assert_eq!(found(&client, "text").await, [""; 0]);
    let described = told(&client, "describe_tools", json!({ "names": ["find"] })).await;
    assert_eq!(
        described["tools"][0]["_meta"],
        json!({ "toolVersion": "2.0", "toolVersions": ["2.0", "1.0"] })
    );
}

#[test]
fn a_tool_that_has_one_of_the_names_is_a_fault_that_names_it() {
    let paint = || tool(|| async { "x" }).describe("Paints");
    let billing = McpRouter::new().tool("tools", paint());
    let router = McpRouter::new().tool("search_tools", paint()).nest("run", billing).tool("fine", paint());
    let faults = searching(router).build().unwrap_err();
    let told: Vec<_> = faults.iter().map(|fault| (fault.subject(), fault.problem())).collect();
    let [(one, problem), (two, other)] = told[..] else { panic!("{faults}") };
    assert_eq!((one, two), ("tool `search_tools`", "tool `run_tools`"));
    assert!(problem.contains("give this one another name"), "{problem}");
    assert_eq!(problem, other);
    let router = McpRouter::new().tool("search_tools", paint());
    assert!(serving(router).build().is_ok(), "the name is free where nobody searches");
}

#[test]
fn settings_outside_their_range_are_refused() {
    let search = ToolSearch::default().examined(49).plan_steps(0).plan_bytes(1).plan_depth(11);
    let faults = serving(shop()).presentation(Presentation::search(search)).build().unwrap_err();
    let subjects: Vec<_> = faults.iter().map(|fault| fault.subject()).collect();
    let all =
        ["examined", "plan_steps", "plan_bytes", "plan_depth"].map(|name| format!("tool_search.{name}"));
    assert_eq!(subjects, all);
}

#[tokio::test]
async fn a_list_that_leaves_tools_to_search_is_the_same_for_everyone_and_says_so() {
    let server = searching(shop()).build().unwrap();
    let list = server.client(MODERN).list_tools().await.outcome.unwrap();
    assert_eq!((&list["ttlMs"], &list["cacheScope"]), (&json!(300_000), &json!("public")));
    let other = searching(shop().tool("more", tool(|| async { "x" }).describe("More"))).build().unwrap();
    assert_eq!(server.catalogue().digest(), other.catalogue().digest(), "both list the same");
    assert_ne!(server.catalogue().digest(), serving(shop()).build().unwrap().catalogue().digest());
    let filtered = searching(shop()).lists(Lists::default().tool_filter(for_testers)).build().unwrap();
    assert_eq!(filtered.client(MODERN).list_tools().await.outcome.unwrap()["cacheScope"], "private");
}

#[tokio::test]
async fn pages_are_cut_from_what_is_listed() {
    let server = searching(shop()).lists(Lists::default().page_size(4)).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let first = client.list_tools().await.outcome.unwrap();
        let cursor = &first["nextCursor"];
        let second = client.request("tools/list", json!({ "cursor": cursor })).await.outcome.unwrap();
        assert_eq!([names(&first), names(&second)].concat(), LISTED, "{version}");
        assert_eq!(names(&first).len(), 4);
        assert!(second.get("nextCursor").is_none());
    }
}

/// The changes of lists that were announced since the last look.
fn announced(stream: &mut mcp_core::exchange::Exchange) -> usize {
    let next = || stream.next().now_or_never().flatten();
    std::iter::from_fn(next).filter(|outgoing| matches!(outgoing, Outgoing::Notification(_))).count()
}

fn listening(server: &Server) -> mcp_core::exchange::Exchange {
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    let message = modern(1, "subscriptions/listen", filter);
    let mut stream =
        server.dispatch(MODERN, message.to_string(), Peer::anonymous(Transport::InProcess)).unwrap();
    assert_eq!(announced(&mut stream), 1, "acknowledged");
    stream
}

#[tokio::test]
async fn an_update_is_announced_when_the_list_changes_and_found_at_once() {
    let server = searching(shop()).dynamic().build().unwrap();
    let mut stream = listening(&server);
    let client = server.client(MODERN);
    let paint = || tool(|| async { "x" }).describe("Paints a wall");
    assert_eq!(found(&client, "paint").await, [""; 0]);
    server.update(|edit| _ = edit.tool("paint", paint())).unwrap();
    assert_eq!(found(&client, "paint").await, ["paint"]);
    assert_eq!(announced(&mut stream), 0, "the list is what it was");
    server.update(|edit| _ = edit.tool("varnish", paint().root())).unwrap();
    assert_eq!(announced(&mut stream), 1);
    assert_eq!(listed(&client).await.last().unwrap(), "varnish");
    let fault = server.update(|edit| _ = edit.tool("describe_tools", paint())).unwrap_err();
    assert!(fault.to_string().contains("tool `describe_tools`"), "{fault}");
    server
        .update(|edit| {
            assert!(!edit.remove_tool("search_tools"), "it is no tool of the author's");
            assert!(edit.remove_tool("varnish"));
        })
        .unwrap();
    assert_eq!(listed(&client).await, LISTED);
    assert_eq!(found(&client, "paint").await, ["paint"]);
}
