//! What a plan may cost, and what becomes of it where that is too much or something goes wrong.

use super::search_run::{Events, clients, errors, router, run, run_with, searching, server};
use crate::{
    ask::fixture::{self, willing},
    wire::{HANDSHAKE, MODERN, serving},
};
use futures_util::FutureExt as _;
use mcp_core::{
    handler::Structured,
    presentation::{Presentation, ToolSearch},
    registry::{McpRouter, tool_args},
    server::Limits,
};
use serde_json::json;

#[tokio::test]
async fn a_plan_has_a_bounded_number_of_steps() {
    let events = Events::default();
    let server = searching(&events, ToolSearch::default().plan_steps(2)).build().unwrap();
    for client in clients(&server) {
        let step = json!({ "tool": "count", "arguments": { "n": 1 } });
        assert_eq!(run(&client, json!([step, step])).await.0["ran"], 2);
        let answer = client.call_tool("run_tools", json!({ "steps": [step, step, step] })).await;
        assert!(answer.is_error() && answer.text().contains("tool_search.plan_steps"), "{answer:?}");
        let huge = client.call_tool("run_tools", json!({ "steps": vec![step; 5_000] })).await;
        assert!(huge.is_error() && huge.text().contains("5000 steps"), "{}", huge.text());
    }
    let list = server.client(MODERN).list_tools().await.outcome.unwrap();
    assert!(list["tools"][2]["description"].as_str().unwrap().contains("up to 2 tools"));
}

#[tokio::test]
async fn the_results_of_a_plan_have_room_together() {
    let events = Events::default();
    let search = ToolSearch::default().plan_bytes(4_096);
    let server = searching(&events, search).build().unwrap();
    let large = |bytes: usize| json!({ "tool": "large", "arguments": { "bytes": bytes }, "quiet": true });
    for client in clients(&server) {
        assert_eq!(run(&client, json!([large(1_500), large(1_500)])).await.0["ran"], 2);
        let (told, _) = run(&client, json!([large(1_500), large(1_500), large(1_500)])).await;
        assert_eq!(told["stoppedAt"], 3);
        assert!(
            errors(&told)[0].1.contains("it was run")
                && errors(&told)[0].1.contains("tool_search.plan_bytes")
        );
        let plan = json!({ "steps": vec![large(3_900); 20], "stop_on_error": false });
        let (told, _) = run_with(&client, plan).await;
        assert_eq!((&told["ran"], errors(&told).len()), (&json!(20), 19));
    }
}

#[tokio::test]
async fn results_that_the_answer_could_not_hold_fail_their_step_and_not_the_answer() {
    let events = Events::default();
    let client = server(&events).client(MODERN);
    let (told, answer) = run(&client, json!([{ "tool": "many", "quiet": true }, { "tool": "many" }])).await;
    assert!(answer.is_error() && told["stoppedAt"] == 2);
    assert!(errors(&told)[0].1.contains("limits.output_json"), "{told}");
    let small = Limits::default().with_output_bytes(8_192);
    let server = searching(&events, ToolSearch::default()).limits(small).build().unwrap();
    let steps = json!([{ "tool": "large", "arguments": { "bytes": 1_900 } }, { "tool": "large", "arguments": { "bytes": 1_900 } }]);
    let (told, _) = run(&server.client(MODERN), steps).await;
    assert!(errors(&told)[0].1.contains("limits.output_bytes"), "{told}");
}

#[tokio::test]
async fn a_result_that_is_too_deep_for_the_answer_fails_its_step_alone() {
    let deep = tool_args(["levels"], |levels: usize| async move {
        Structured((0..levels).fold(json!(1), |inner, _| json!([inner])))
    });
    let router = McpRouter::new().tool("deep", deep.describe("Deep"));
    let search = Presentation::search(ToolSearch::default());
    let most = 40;
    let mut limits = Limits::default();
    limits.output_json.depth = most;
    let server = serving(router).presentation(search).limits(limits).build().unwrap();
    let (mut fitted, mut too_deep) = (0, 0);
    for levels in most - 10..=most {
        let steps = json!([{ "tool": "deep", "arguments": { "levels": levels } }]);
        let (told, _) = run(&server.client(MODERN), steps).await;
        match &errors(&told)[..] {
            [] => fitted += 1,
            all => too_deep += usize::from(all[0].1.contains("limits.output_json")),
        }
    }
    assert!(fitted > 0 && too_deep > 0, "{fitted} {too_deep}");
}

#[tokio::test]
async fn arguments_that_grow_by_references_stay_within_a_message() {
    let events = Events::default();
    let client = server(&events).client(MODERN);
    let large = json!({ "id": "a", "tool": "large", "arguments": { "bytes": 100_000 }, "quiet": true });
    let last = json!({ "tool": "say", "arguments": { "value": vec![json!({ "$from": "a" }); 200] } });
    let (told, _) = run(&client, json!([large, last])).await;
    assert!(errors(&told)[0].1.contains("limits.message"), "{told}");
    let many = json!({ "id": "a", "tool": "many", "quiet": true });
    let last = json!({ "tool": "say", "arguments": { "value": vec![json!({ "$from": "a" }); 2] } });
    let (told, _) = run(&client, json!([many, last])).await;
    assert!(errors(&told)[0].1.contains("limits.message"), "{told}");
}

#[tokio::test]
async fn results_that_no_client_could_carry_are_fine_until_a_step_asks() {
    let events = Events::default();
    let presentation = Presentation::search(ToolSearch::default());
    let server = fixture::serving(router(&events)).presentation(presentation).build().unwrap();
    let large = json!({ "tool": "large", "arguments": { "bytes": 50_000 }, "quiet": true });
    let ask = json!({ "tool": "confirm", "arguments": { "name": "one" } });
    let modern = server.client(MODERN).answering(willing);
    assert_eq!(run(&modern, json!([large, large])).await.0, json!({ "ran": 2, "steps": [] }));
    let (told, answer) = run(&modern, json!([large, ask, large])).await;
    assert!(errors(&told)[0].1.contains("limits.ask_state_bytes"), "{told}");
    assert_eq!((&told["stoppedAt"], answer.asked.len()), (&json!(2), 0));
    let live = server.client(HANDSHAKE).answering(willing).live();
    assert_eq!(run(&live, json!([large, ask, large])).await.0["ran"], 3, "nobody carries anything");
}

#[tokio::test]
async fn a_plan_needs_a_step_and_takes_no_unknown_member() {
    let events = Events::default();
    let client = server(&events).client(MODERN);
    for arguments in [
        json!({}),
        json!({ "steps": [] }),
        json!({ "steps": [{}] }),
        json!({ "steps": [{ "tool": "count", "argument": {} }] }),
        json!({ "steps": [{ "tool": "count", "arguments": [] }] }),
        json!({ "steps": [{ "tool": "count", "id": "" }] }),
        json!({ "steps": [{ "tool": "count", "id": "x".repeat(65) }] }),
    ] {
        assert!(client.call_tool("run_tools", arguments.clone()).await.is_error(), "{arguments}");
    }
    let deep = (0..980).fold(json!({ "$from": "a" }), |inner, _| json!([inner]));
    let (told, _) = run(&client, json!([{ "tool": "say", "arguments": { "value": deep } }])).await;
    assert!(errors(&told)[0].1.contains("no step has this id"), "{told}");
    let (told, _) = run(&client, json!([{ "tool": "speak", "arguments": null }])).await;
    assert_eq!(told["steps"][0]["result"], "nobody wants {}");
}

#[tokio::test(start_paused = true)]
async fn whatever_goes_wrong_with_a_step_is_told_as_its_error() {
    let events = Events::default();
    for (tool, arguments, words) in [
        ("find", json!({ "name": 7 }), "name"),
        ("find", json!({}), "name"),
        ("forbid", json!({}), "orders:write"),
        ("panic", json!({}), "The tool failed"),
        ("hang", json!({}), "longer than 3s"),
        ("no such tool", json!({}), "unknown tool `no such tool`"),
        ("card", json!({}), "for cards only"),
    ] {
        for client in clients(&server(&events)) {
            let steps = json!([{ "tool": tool, "arguments": arguments }, { "tool": "say", "arguments": { "value": 1 } }]);
            let (told, answer) = run(&client, steps).await;
            let [(1, error)] = &errors(&told)[..] else { panic!("{told}") };
            assert!(error.contains(words) && !error.contains("secret"), "{tool}: {error}");
            assert!(answer.is_error() && told["stoppedAt"] == 1);
        }
        events.taken();
    }
}

#[tokio::test]
async fn a_dropped_call_drops_the_step_that_runs() {
    let events = Events::default();
    for client in clients(&server(&events)) {
        let steps = json!([{ "tool": "hang" }]);
        assert!(run(&client, steps).now_or_never().is_none());
        assert_eq!(events.taken(), ["dropped"]);
    }
}
