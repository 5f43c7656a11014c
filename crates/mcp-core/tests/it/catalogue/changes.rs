//! A walk through the pages of a list that changes meanwhile.

use super::walk::{page, try_page};
use crate::wire::{MODERN, serving};
use mcp_core::{
    ask::state::{StateKey, StateKeys},
    page::{EARLIER_CATALOGUES, Lists},
    protocol::Resource,
    registry::{CatalogueEdit, McpRouter, ToolBuilder, tool},
    server::Server,
    testing::TestClient,
};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

fn a_tool() -> ToolBuilder<()> {
    tool(|| async { "x" }).describe("T")
}

fn serving_tools(names: &[&str], size: usize) -> Server {
    let router = names.iter().fold(McpRouter::new(), |router, name| router.tool(*name, a_tool()));
    let keys = StateKeys::new(StateKey::from_bytes([1; 32]));
    serving(router).dynamic().lists(Lists::default().page_size(size)).state_keys(keys).build().unwrap()
}

fn add(edit: &mut CatalogueEdit, name: &str) {
    edit.tool(name, a_tool());
}

fn update(server: &Server, change: impl FnOnce(&mut CatalogueEdit)) {
    server.update(change).unwrap();
}

/// The names of the rest of a list.
async fn rest(client: &TestClient, mut cursor: Option<String>) -> Vec<String> {
    let mut names = Vec::new();
    while let Some(next) = cursor {
        let page = page(client, "tools/list", Some(&next)).await;
        names.extend(page.names);
        cursor = page.next;
    }
    names
}

#[tokio::test]
async fn what_comes_and_goes_between_two_pages_makes_nothing_else_skipped_or_doubled() {
    type Change = fn(&mut CatalogueEdit);
    let changes: [(Change, &[&str]); 6] = [
        (|edit| add(edit, "new"), &["c", "d", "e", "new"]),
        (|edit| assert!(edit.remove_tool("a")), &["c", "d", "e"]),
        (|edit| assert!(edit.remove_tool("b")), &["c", "d", "e"]),
        (|edit| assert!(edit.remove_tool("c")), &["d", "e"]),
        // What was replaced is another tool, and comes last.
        (
            |edit| {
                assert!(edit.remove_tool("b"));
                add(edit, "b");
            },
            &["c", "d", "e", "b"],
        ),
        (|edit| ["a", "b", "c", "d", "e"].into_iter().for_each(|name| assert!(edit.remove_tool(name))), &[]),
    ];
    for (number, (change, expected)) in changes.into_iter().enumerate() {
        let server = serving_tools(&["a", "b", "c", "d", "e"], 2);
        let client = server.client(MODERN);
        let first = page(&client, "tools/list", None).await;
        assert_eq!(first.names, ["a", "b"]);
        update(&server, change);
        assert_eq!(rest(&client, first.next).await, expected, "{number}");
    }
}

#[tokio::test]
async fn a_cursor_outlives_so_many_changes_and_no_more() {
    let server = serving_tools(&["a", "b", "c"], 2);
    let client = server.client(MODERN);
    let cursor = page(&client, "tools/list", None).await.next.unwrap();
    for number in 0..EARLIER_CATALOGUES {
        update(&server, |edit| add(edit, &format!("n{number}")));
        assert_eq!(page(&client, "tools/list", Some(&cursor)).await.names[0], "c");
    }
    update(&server, |edit| add(edit, "last"));
    assert_eq!(try_page(&client, "tools/list", Some(&cursor)).await.unwrap_err()["code"], -32602);
}

#[tokio::test]
async fn a_cursor_leads_on_with_a_node_that_listed_the_same_once_and_with_no_other() {
    let [issuer, same, other] =
        [&["a", "b", "c"][..], &["a", "b", "c"], &["a", "b", "d"]].map(|names| serving_tools(names, 2));
    let cursor = page(&issuer.client(MODERN), "tools/list", None).await.next.unwrap();
    update(&same, |edit| assert!(edit.tool("d", a_tool()).remove_tool("a")));
    assert_eq!(page(&same.client(MODERN), "tools/list", Some(&cursor)).await.names, ["c", "d"]);
    let error = try_page(&other.client(MODERN), "tools/list", Some(&cursor)).await.unwrap_err();
    assert_eq!(error["code"], -32602, "it never listed what the cursor is about");
}

#[tokio::test]
async fn a_walk_through_a_callbacks_resources_goes_on_behind_what_is_still_there() {
    let uris = Arc::new(Mutex::new(vec!["a:1", "a:2", "a:3", "a:4"]));
    let listed = Arc::clone(&uris);
    let router = McpRouter::new().list_resources(move || {
        let uris = listed.lock().unwrap().clone();
        async move { uris.into_iter().map(|uri| Resource::new(uri, "a")).collect::<Vec<_>>() }
    });
    let server = serving(router).lists(Lists::default().page_size(2)).build().unwrap();
    let client = server.client(MODERN);
    let cursor = page(&client, "resources/list", None).await.next.unwrap();
    for (now, then) in [
        (vec!["a:0", "a:1", "a:2", "a:3", "a:4"], Some(vec!["a:3", "a:4"])),
        (vec!["a:1", "a:3"], Some(vec!["a:3"])),
        (vec!["a:2", "a:5"], Some(vec!["a:5"])),
        (vec!["a:3", "a:4"], None),
    ] {
        *uris.lock().unwrap() = now;
        match then {
            Some(names) => assert_eq!(page(&client, "resources/list", Some(&cursor)).await.names, names),
            None => {
                let error = try_page(&client, "resources/list", Some(&cursor)).await.unwrap_err();
                assert_eq!(error["code"], -32602, "nothing tells where to go on");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_changes_on_the_way_what_stays_is_listed_once(
        size in 1_usize..4,
        steps in prop::collection::vec((0_u8..3, 0_u8..12), 0..12),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let names: Vec<String> = (0..8).map(|number| format!("s{number}")).collect();
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            let server = serving_tools(&names, size);
            let client = server.client(MODERN);
            let mut gone = Vec::new();
            let mut seen = Vec::new();
            let mut cursor = None;
            let mut steps = steps.into_iter();
            loop {
                let page = page(&client, "tools/list", cursor.as_deref()).await;
                seen.extend(page.names);
                let Some(next) = page.next else { break };
                cursor = Some(next);
                if let Some((step, number)) = steps.next() {
                    update(&server, |edit| match step {
                        0 => {
                            let name = format!("s{number}");
                            if edit.remove_tool(&name) {
                                gone.push(name);
                            }
                        }
                        1 => {
                            let name = format!("n{number}");
                            edit.remove_tool(&name);
                            edit.tool(name, a_tool());
                        }
                        _ => { edit.remove_tool(&format!("n{number}")); }
                    });
                }
            }
            for name in names.iter().filter(|name| !gone.iter().any(|gone| gone == *name)) {
                assert_eq!(seen.iter().filter(|seen| seen == name).count(), 1, "{name} in {seen:?}");
            }
            for name in &gone {
                assert!(seen.iter().filter(|seen| *seen == name).count() <= 1, "{name} in {seen:?}");
            }
        });
    }
}
