//! Lists in pages, and the cursors between them.

use super::walk::{LISTS, client_of, names, page, pages, try_page};
use crate::wire::{HANDSHAKE, MODERN, serving};
use mcp_core::{
    ask::state::{StateKey, StateKeys},
    page::Lists,
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
    version::ProtocolVersion,
};
use serde_json::{Value, json};

/// Five of everything.
fn router() -> McpRouter<()> {
    let mut router = McpRouter::new();
    for number in 1..=5 {
        router = router
            .tool(format!("t{number}"), tool(|| async { "x" }).describe("T"))
            .resource(format!("test://{number}"), resource(|| async { "x" }))
            .resource(format!("test://{number}/{{id}}"), resource(|| async { "x" }))
            .prompt(format!("p{number}"), prompt(|| async { "x" }));
    }
    router
}

fn paged(size: usize) -> Server {
    serving(router()).lists(Lists::default().page_size(size)).state_keys(keys(1)).build().unwrap()
}

fn keys(byte: u8) -> StateKeys {
    StateKeys::new(StateKey::from_bytes([byte; 32]))
}

#[tokio::test]
async fn every_list_comes_in_pages_in_every_revision_with_each_entry_once_and_in_order() {
    for version in ProtocolVersion::ALL {
        for (method, list, _) in LISTS {
            let whole = serving(router()).build().unwrap().client(version).request(method, Value::Null).await;
            let whole = whole.result().unwrap()[list].as_array().unwrap().clone();
            for size in 1..=6 {
                let walked = pages(&paged(size).client(version), method).await;
                let sizes: Vec<_> = walked.iter().map(|page| page.names.len()).collect();
                let (full, rest) = (5 / size, 5 % size);
                let expected: Vec<_> =
                    std::iter::repeat_n(size, full).chain((rest > 0).then_some(rest)).collect();
                assert_eq!(sizes, expected, "{version} {method}");
                let entries: Vec<_> =
                    walked.iter().flat_map(|page| page.result[list].as_array().unwrap().clone()).collect();
                assert_eq!(entries, whole, "{version} {method} {size}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_reads_the_same_each_time_and_on_every_node() {
    let (one, other) = (paged(2), paged(2));
    for (method, ..) in LISTS {
        let first = pages(&one.client(MODERN), method).await;
        assert_eq!(first, pages(&one.client(MODERN), method).await);
        assert_eq!(first, pages(&other.client(MODERN), method).await);
        for (here, there) in first.iter().zip(&first[1..]) {
            let elsewhere = page(&other.client(MODERN), method, here.next.as_deref()).await;
            assert_eq!(&elsewhere, there, "a cursor of one node leads on with another");
        }
    }
}

#[tokio::test]
async fn a_cursor_that_this_list_did_not_give_this_caller_is_refused() {
    let server = paged(2);
    let other_keys =
        serving(router()).lists(Lists::default().page_size(2)).state_keys(keys(2)).build().unwrap();
    let other_name = serving(router())
        .name("other")
        .lists(Lists::default().page_size(2))
        .state_keys(keys(1))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for (method, ..) in LISTS {
            let good = page(&client, method, None).await.next.unwrap();
            let mut bad = vec![
                String::new(),
                "garbage".to_owned(),
                "9999999999".to_owned(),
                "-1".to_owned(),
                "MTA=".to_owned(),
                format!("{good}A"),
                good[1..].to_owned(),
                "x".repeat(2_048),
                "x".repeat(2_049),
                good.repeat(20),
            ];
            for (elsewhere, ..) in LISTS.iter().filter(|(elsewhere, ..)| *elsewhere != method) {
                bad.push(page(&client, elsewhere, None).await.next.unwrap());
            }
            for foreign in [
                client_of(&server, version, "ada"),
                other_keys.client(version),
                other_name.client(version),
                server.client(if version == MODERN { HANDSHAKE } else { MODERN }),
            ] {
                bad.push(page(&foreign, method, None).await.next.unwrap());
            }
            for cursor in bad {
                let error = try_page(&client, method, Some(&cursor)).await.unwrap_err();
                assert_eq!(error["code"], -32602, "{version} {method} {cursor}");
                assert!(!error.to_string().contains(&*cursor) || cursor.len() < 3, "nothing is echoed");
            }
            for cursor in [json!(2), json!({}), json!([]), json!(true)] {
                let answer = client.request(method, json!({ "cursor": cursor })).await;
                assert_eq!(answer.code(), Some(-32602), "{version} {method} {cursor}");
            }
            assert_eq!(
                page(&client, method, Some(&good)).await.names.len(),
                2,
                "the good one goes on working"
            );
            assert!(client.request(method, json!({ "cursor": null })).await.result().is_some());
        }
    }
}

#[tokio::test]
async fn a_cursor_is_of_one_caller_only() {
    let server = paged(2);
    let [ada, bob] = ["ada", "bob"].map(|subject| client_of(&server, MODERN, subject));
    let cursor = page(&ada, "tools/list", None).await.next;
    assert_eq!(page(&ada, "tools/list", cursor.as_deref()).await.names, ["t3", "t4"]);
    for stranger in [bob, server.client(MODERN)] {
        let error = try_page(&stranger, "tools/list", cursor.as_deref()).await.unwrap_err();
        assert_eq!(error["code"], -32602);
    }
}

#[tokio::test]
async fn a_cursor_changed_anywhere_is_refused() {
    let server = paged(2);
    let client = server.client(MODERN);
    let good = page(&client, "tools/list", None).await.next.unwrap();
    for position in 0..good.len() {
        for with in ["A", "z", "_", "."] {
            let mut changed = good.clone();
            changed.replace_range(position..=position, with);
            if changed != good {
                let error = try_page(&client, "tools/list", Some(&changed)).await.unwrap_err();
                assert_eq!(error["code"], -32602, "{position} {with}");
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_says_nothing_and_stays_short() {
    let server = paged(2);
    for (method, ..) in LISTS {
        let mut cursors = Vec::new();
        for page in pages(&server.client(MODERN), method).await {
            cursors.extend(page.next);
        }
        for cursor in &cursors {
            assert!(cursor.len() <= 256, "{cursor}");
            let plain = cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
            assert!(plain, "{cursor}");
        }
    }
}

#[tokio::test]
async fn what_callbacks_list_comes_in_pages_after_the_rest() {
    let all = ["test://static", "a:1", "a:2", "a:3", "a:4", "a:5", "b:1"];
    for size in 1..=8 {
        let server = serving(with_callbacks()).lists(Lists::default().page_size(size)).build().unwrap();
        for version in [MODERN, HANDSHAKE] {
            let walked = names(&server.client(version), "resources/list").await;
            assert!(walked.iter().all(|page| page.len() <= size), "{walked:?}");
            assert_eq!(walked.concat(), all, "{size}");
        }
    }
}

fn with_callbacks() -> McpRouter<()> {
    McpRouter::new()
        .resource("test://static", resource(|| async { "x" }))
        .list_resources(|| async {
            (1..=5).map(|number| Resource::new(format!("a:{number}"), "a")).collect::<Vec<_>>()
        })
        .list_resources(|| async { Vec::<Resource>::new() })
        .list_resources(|| async { vec![Resource::new("b:1", "b"), Resource::new("no uri", "bad")] })
}

#[tokio::test]
async fn a_uri_that_a_callback_lists_twice_does_not_make_the_walk_endless() {
    let router = McpRouter::new().list_resources(|| async {
        ["a:1", "a:1", "a:2", "a:1", "a:3"].map(|uri| Resource::new(uri, "a")).to_vec()
    });
    let server = serving(router).lists(Lists::default().page_size(1)).build().unwrap();
    let walked = names(&server.client(MODERN), "resources/list").await.concat();
    assert_eq!(walked, ["a:1", "a:1", "a:2", "a:1", "a:3"]);
}

#[test]
fn page_sizes_and_times_outside_their_ranges_are_refused() {
    let year = std::time::Duration::from_secs(365 * 24 * 3_600);
    for size in [1, 10_000] {
        assert!(serving(router()).lists(Lists::default().page_size(size).ttl(year)).build().is_ok());
    }
    for (lists, told) in [
        (Lists::default().page_size(0), "lists.page_size: 0 is outside 1 to 10000"),
        (Lists::default().page_size(10_001), "lists.page_size: 10001 is outside 1 to 10000"),
        (Lists::default().ttl(year + std::time::Duration::from_secs(1)), "lists.ttl: "),
    ] {
        let faults = serving(router()).lists(lists).build().unwrap_err().to_string();
        assert!(faults.contains(told), "{faults}");
    }
}
