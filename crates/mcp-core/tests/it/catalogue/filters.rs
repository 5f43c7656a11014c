//! Policies that decide who sees what in the lists.

use super::walk::{LISTS, client_as, client_of, names, pages, try_page};
use crate::wire::{MODERN, agreeing, modern, post, serving};
use futures_util::FutureExt as _;
use mcp_core::{
    context::Context,
    page::Lists,
    principal::Principal,
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
    version::ProtocolVersion,
    view::{Listed, ListedKind, Verdict},
};
use serde_json::json;
use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

fn tools(count: usize) -> McpRouter<()> {
    (0..count).fold(McpRouter::new(), |router, number| {
        router.tool(format!("t{number}"), tool(|| async { "called" }).describe("T"))
    })
}

fn one_of_each() -> McpRouter<()> {
    McpRouter::new()
        .tool("open", tool(|| async { "called" }).describe("T"))
        .tool("secret", tool(|| async { "called" }).describe("T").tag("beta").title("Secret").read_only())
        .resource("test://open", resource(|| async { "read" }))
        .resource("test://secret", resource(|| async { "read" }).tag("beta").mime_type("text/plain"))
        .resource("test://open/{id}", resource(|| async { "read" }))
        .resource("test://secret/{id}", resource(|| async { "read" }).tag("beta"))
        .list_resources(|| async { vec![Resource::new("call:open", "c"), Resource::new("call:secret", "c")] })
        .prompt("open", prompt(|| async { "rendered" }))
        .prompt("secret", prompt(|| async { "rendered" }).tag("beta"))
}

/// Shows what is marked to those who have the scope.
async fn for_testers(context: Context, listed: Listed) -> bool {
    let tester = context.principal().is_some_and(|principal| principal.has_scope("beta"));
    tester || !(listed.has_tag("beta") || listed.name() == "call:secret")
}

fn filtered() -> Server {
    let lists =
        Lists::default().tool_filter(for_testers).resource_filter(for_testers).prompt_filter(for_testers);
    serving(one_of_each()).lists(lists).build().unwrap()
}

#[tokio::test]
async fn a_policy_decides_entry_by_entry_for_each_caller_in_every_revision() {
    let server = filtered();
    for version in ProtocolVersion::ALL {
        let ada = client_of(&server, version, "ada");
        let tester = client_as(&server, version, Principal::new("ada").with_scopes(["beta"]));
        for (method, ..) in LISTS {
            let (few, all) = (names(&ada, method).await.concat(), names(&tester, method).await.concat());
            let expected: Vec<_> = all.iter().filter(|name| !name.contains("secret")).cloned().collect();
            assert_eq!(few, expected, "{version} {method}");
            assert!(all.len() >= 2 && few.len() * 2 == all.len(), "{version} {method}");
            assert_eq!(names(&server.client(version), method).await.concat(), few);
        }
    }
}

#[tokio::test]
async fn what_is_not_listed_can_still_be_used() {
    let client = filtered().client(MODERN);
    assert_eq!(client.call_tool("secret", json!({})).await.text(), "called");
    for uri in ["test://secret", "test://secret/1"] {
        assert_eq!(client.read_resource(uri).await.result().unwrap()["contents"][0]["text"], "read");
    }
    assert!(client.get_prompt("secret", json!({})).await.result().is_some());
}

#[tokio::test]
async fn a_policy_sees_what_is_published_and_the_tags() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let lists = [&seen, &seen, &seen].map(|seen| {
        let seen = Arc::clone(seen);
        move |_: Context, listed: Listed| {
            seen.lock().unwrap().push(listed);
            async { Verdict::Show }
        }
    });
    let [tools, resources, prompts] = lists;
    let lists = Lists::default().tool_filter(tools).resource_filter(resources).prompt_filter(prompts);
    let server = serving(one_of_each()).lists(lists).build().unwrap();
    for (method, ..) in LISTS {
        pages(&server.client(MODERN), method).await;
    }
    let seen = seen.lock().unwrap();
    let told: Vec<_> = seen
        .iter()
        .filter(|listed| listed.name().contains("secret"))
        .map(|listed| (listed.kind(), listed.name(), listed.tags().collect::<Vec<_>>(), listed.mime_type()))
        .collect();
    assert_eq!(
        told,
        [
            (ListedKind::Tool, "secret", vec!["beta"], None),
            (ListedKind::Resource, "test://secret", vec!["beta"], Some("text/plain")),
            (ListedKind::Resource, "call:secret", vec![], None),
            (ListedKind::ResourceTemplate, "test://secret/{id}", vec!["beta"], None),
            (ListedKind::Prompt, "secret", vec!["beta"], None),
        ]
    );
    let tool = seen.iter().find(|listed| listed.name() == "secret").unwrap();
    assert_eq!((tool.title(), tool.description()), (Some("Secret"), Some("T")));
    assert_eq!(tool.annotations().unwrap().read_only, Some(true));
}

#[tokio::test]
async fn a_policy_is_asked_again_for_each_list() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let lists = Lists::default().tool_filter(move |_, _| {
        let number = counter.fetch_add(1, Ordering::Relaxed);
        async move { number != 1 }
    });
    let server = serving(tools(3)).lists(lists).build().unwrap();
    let client = server.client(MODERN);
    assert_eq!(names(&client, "tools/list").await.concat(), ["t0", "t2"]);
    assert_eq!(names(&client, "tools/list").await.concat(), ["t0", "t1", "t2"]);
    assert_eq!(asked.load(Ordering::Relaxed), 6);
}

#[tokio::test]
async fn a_policy_that_waits_holds_up_its_own_list_only() {
    let lists = Lists::default().tool_filter(|_, _| async {
        std::future::pending::<()>().await;
        true
    });
    let server = serving(one_of_each()).lists(lists).build().unwrap();
    let client = server.client(MODERN);
    assert!(client.list_tools().now_or_never().is_none());
    assert_eq!(names(&client, "prompts/list").await.concat(), ["open", "secret"]);
    assert_eq!(server.counts().requests_in_flight, 0);
}

/// Fails at one tool, and says no to all others.
async fn fails_at_the_third(_: Context, listed: Listed) -> Result<bool, io::Error> {
    match listed.name() {
        "t2" => Err(io::Error::other("the directory is down: secret")),
        _ => Ok(listed.name() != "t0"),
    }
}

#[tokio::test]
async fn a_policy_that_fails_fails_the_whole_list_and_tells_nothing() {
    let lists = || Lists::default().tool_filter(fails_at_the_third);
    let server = serving(tools(5)).lists(lists()).build().unwrap();
    let message = modern(1, "tools/list", json!({}));
    let answered = post(&server, &message, &agreeing(&message)).await;
    assert_eq!(answered.status, 500);
    let expected =
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32603, "message": "Internal error" } });
    assert_eq!(answered.reply, expected);
    for version in ProtocolVersion::ALL {
        assert_eq!(server.client(version).list_tools().await.code(), Some(-32603), "{version}");
    }
    let paged = serving(tools(5)).lists(lists().page_size(1)).build().unwrap();
    let client = paged.client(MODERN);
    let first = super::walk::page(&client, "tools/list", None).await;
    assert_eq!(first.names, ["t1"]);
    let error = try_page(&client, "tools/list", first.next.as_deref()).await.unwrap_err();
    assert_eq!(error["code"], -32603);
}

#[tokio::test]
async fn a_policy_that_panics_costs_its_own_list_only() {
    let lists = Lists::default().tool_filter(|_, listed: Listed| async move {
        assert!(listed.name() != "t1", "a bug");
        true
    });
    let server = serving(tools(2)).lists(lists).build().unwrap();
    assert_eq!(server.client(MODERN).list_tools().await.code(), Some(-32603));
    assert_eq!(server.client(MODERN).call_tool("t1", json!({})).await.text(), "called");
}

#[tokio::test]
async fn a_page_looks_at_four_times_what_it_may_hold_and_may_be_empty() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let lists = Lists::default().page_size(2).tool_filter(move |_, listed: Listed| {
        log.lock().unwrap().push(listed.name().to_owned());
        // Of twenty the last two are shown.
        async move { matches!(listed.name(), "t18" | "t19") }
    });
    let server = serving(tools(20)).lists(lists).build().unwrap();
    let client = server.client(MODERN);
    let walked = pages(&client, "tools/list").await;
    let listed: Vec<_> = walked.iter().map(|page| page.names.clone()).collect();
    assert_eq!(listed, [vec![], vec![], vec!["t18".to_owned(), "t19".to_owned()]]);
    let asked = asked.lock().unwrap();
    assert_eq!(*asked, (0..20).map(|number| format!("t{number}")).collect::<Vec<_>>(), "each one once");
    for page in walked {
        assert_eq!(page.result["cacheScope"], "private");
    }
}

#[tokio::test]
async fn a_page_looks_at_no_more_of_what_a_callback_lists() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let lists = Lists::default().page_size(2).resource_filter(move |_, listed: Listed| {
        counter.fetch_add(1, Ordering::Relaxed);
        async move { listed.name() >= "call:18" }
    });
    let router = McpRouter::new().list_resources(|| async {
        (0..20).map(|number| Resource::new(format!("call:{number:02}"), "c")).collect::<Vec<_>>()
    });
    let server = serving(router).lists(lists).build().unwrap();
    let client = server.client(MODERN);
    let (mut cursor, mut each, mut seen) = (None, Vec::new(), Vec::new());
    loop {
        let before = asked.load(Ordering::Relaxed);
        let page = super::walk::page(&client, "resources/list", cursor.as_deref()).await;
        each.push(asked.load(Ordering::Relaxed) - before);
        seen.push(page.names);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(each, [8, 8, 4]);
    assert_eq!(seen, [vec![], vec![], vec!["call:18".to_owned(), "call:19".to_owned()]]);
}

#[tokio::test]
async fn a_page_is_as_full_as_it_can_be_and_the_last_one_may_be_empty() {
    let lists = Lists::default()
        .page_size(2)
        .tool_filter(|_, listed: Listed| async move { listed.name() != "t1" && listed.name() != "t4" });
    let server = serving(tools(5)).lists(lists).build().unwrap();
    let walked = names(&server.client(MODERN), "tools/list").await;
    assert_eq!(walked, [vec!["t0", "t2"], vec!["t3"]]);
    let lists =
        Lists::default().page_size(2).tool_filter(|_, listed: Listed| async move { listed.name() < "t2" });
    let server = serving(tools(3)).lists(lists).build().unwrap();
    let walked = names(&server.client(MODERN), "tools/list").await;
    assert_eq!(walked, [vec!["t0", "t1"], vec![]], "that what follows is hidden is not told");
}

#[tokio::test]
async fn a_handler_that_lists_the_resources_sees_what_its_caller_sees() {
    let lists = Lists::default().resource_filter(for_testers);
    let router = one_of_each().tool(
        "look",
        tool(|context: Context| async move {
            let listed = context.list_resources().await?;
            let uris: Vec<_> = listed.iter().map(|resource| resource.uri().to_owned()).collect();
            Ok::<_, mcp_core::handler::ToolError>(uris.join(" "))
        })
        .describe("Lists"),
    );
    let server = serving(router).lists(lists).build().unwrap();
    let seen = client_of(&server, MODERN, "ada").call_tool("look", json!({})).await;
    assert_eq!(seen.text(), "test://open call:open");
}
