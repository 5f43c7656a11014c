//! Routers within routers.

use super::walk::{LISTS, names};
use crate::wire::{MODERN, server, serving};
use mcp_core::{
    registry::{McpRouter, prompt, resource, tool, tool_args},
    view::Listed,
};
use serde_json::json;

fn part(scheme: &str, says: &'static str) -> McpRouter<()> {
    McpRouter::new()
        .tool("find", tool(move || async move { says }).describe("Finds"))
        .resource(format!("{scheme}://all"), resource(move || async move { says }))
        .resource(
            format!("{scheme}://one/{{id}}"),
            resource(move || async move { says }).complete("id", || async { vec!["1", "2"] }),
        )
        .prompt(
            "ask",
            prompt(
                |mcp_core::extract::Args(topic): mcp_core::extract::Args<Topic>| async move { topic.topic },
            )
            .complete("topic", move || async move { vec![says] }),
        )
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Topic {
    topic: String,
}

#[tokio::test]
async fn names_get_the_namespace_and_uris_stay_as_they_are() {
    let inner = McpRouter::new().nest("deep", part("deep", "deep")).nest("", part("flat", "flat"));
    let router = part("own", "own").nest("notes", part("notes", "notes")).nest("outer", inner);
    let server = server(router);
    let client = server.client(MODERN);
    let mut listed = Vec::new();
    for (method, ..) in LISTS {
        listed.push(names(&client, method).await.concat());
    }
    assert_eq!(listed[0], ["find", "notes_find", "outer_deep_find", "outer_find"]);
    assert_eq!(listed[1], ["own://all", "notes://all", "deep://all", "flat://all"]);
    assert_eq!(listed[2], ["own://one/{id}", "notes://one/{id}", "deep://one/{id}", "flat://one/{id}"]);
    assert_eq!(listed[3], ["ask", "notes_ask", "outer_deep_ask", "outer_ask"]);
    for (name, says) in
        [("find", "own"), ("notes_find", "notes"), ("outer_deep_find", "deep"), ("outer_find", "flat")]
    {
        assert_eq!(client.call_tool(name, json!({})).await.text(), says);
    }
    assert_eq!(client.read_resource("deep://one/7").await.result().unwrap()["contents"][0]["text"], "deep");
    let completed = |reference| {
        let params = json!({ "ref": reference, "argument": { "name": "topic", "value": "" } });
        client.request("completion/complete", params)
    };
    let values = completed(json!({ "type": "ref/prompt", "name": "notes_ask" })).await;
    assert_eq!(values.result().unwrap()["completion"]["values"], json!(["notes"]));
    assert_eq!(completed(json!({ "type": "ref/prompt", "name": "none_ask" })).await.code(), Some(-32602));
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "deep://one/{id}" }, "argument": { "name": "id", "value": "" },
    });
    let values = client.request("completion/complete", params).await;
    assert_eq!(values.result().unwrap()["completion"]["values"], json!(["1", "2"]));
}

#[test]
fn names_that_meet_are_refused_and_both_places_are_named() {
    let clashing = McpRouter::new()
        .tool("a_find", tool(|| async { "x" }).describe("X"))
        .nest("a", part("a", "one"))
        .nest("b", part("a", "two"))
        .nest("a", McpRouter::new().prompt("ask", prompt(|| async { "x" })));
    let faults = serving(clashing).build().unwrap_err();
    let told: Vec<_> = faults.iter().map(ToString::to_string).collect();
    let expected = [
        ("tool `a_find`", "outside of any namespace", "in the namespace `a`"),
        ("resource `a://all`", "in the namespace `a`", "in the namespace `b`"),
        ("resource template `a://one/{id}`", "in the namespace `a`", "in the namespace `b`"),
        ("prompt `a_ask`", "in the namespace `a`", "in the namespace `a`"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (told, (subject, one, other)) in told.iter().zip(expected) {
        assert!(told.starts_with(subject), "{told}");
        let (first, second) = told.split_once(" and ").unwrap();
        assert!(first.contains(one) && second.contains(other), "{told}");
    }
}

#[tokio::test]
async fn versions_of_a_tool_stay_together_within_a_namespace() {
    let version = |label: &'static str| {
        tool_args(["x"], move |x: String| async move { format!("{label} {x}") })
            .describe("T")
            .tool_version(label)
    };
    let router = McpRouter::new()
        .nest("n", McpRouter::new().tool("t", version("1")).tool("t", version("2")))
        .nest("n", McpRouter::new().tool("t", version("3")));
    let client = server(router).client(MODERN);
    assert_eq!(names(&client, "tools/list").await.concat(), ["n_t"]);
    assert_eq!(client.call_tool("n_t", json!({ "x": "x" })).await.text(), "3 x");
}

#[tokio::test]
async fn a_tag_marks_everything_of_a_router_and_is_told_to_nobody() {
    let router = part("a", "a").nest("b", part("b", "b").tag("hidden"));
    let hide = |_, listed: Listed| async move { !listed.has_tag("hidden") };
    let lists = mcp_core::page::Lists::default().tool_filter(hide).resource_filter(hide).prompt_filter(hide);
    let filtered = serving(router).lists(lists).build().unwrap();
    let open = server(part("a", "a").nest("b", part("b", "b").tag("hidden")));
    for (method, list, _) in LISTS {
        assert_eq!(names(&filtered.client(MODERN), method).await.concat().len(), 1, "{method}");
        let listed = open.client(MODERN).request(method, json!({})).await;
        let listed = &listed.result().unwrap()[list];
        assert_eq!(listed.as_array().unwrap().len(), 2);
        assert!(!listed.to_string().contains("hidden"), "{listed}");
    }
}
