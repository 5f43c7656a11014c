//! Rounds on 2026-07-28: what goes out, and which answers count.

use super::fixture::{
    Fresh, Name, Rounds, Sure, accept, everything, keys, said, server, serving, state, told,
};
use crate::wire::{self, CAPABILITIES_KEY, MODERN, plain, with_meta};
use mcp_core::{
    ask::state::{StateKey, StateKeys},
    context::Context,
    extract::{App, Client, Dep, Dependency, Progress},
    handler::ToolError,
    protocol::{SamplingMessage, SamplingRequest},
    registry::{McpRouter, tool},
    server::{Limits, Server},
};
use serde_json::{Value, json};
use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

async fn greet(client: Client) -> Result<String, ToolError> {
    let Name { name } = client.elicit("name", "Who?").await?.require()?;
    Ok(format!("hello {name}"))
}

async fn careful(client: Client) -> Result<String, ToolError> {
    let Sure { sure } = client.elicit("sure", "Sure?").issued_only().await?.require()?;
    Ok(format!("sure: {sure}"))
}

/// Asks as many times as it is told to.
async fn count_to(client: Client, count: u32) -> Result<String, ToolError> {
    for number in 0..count {
        client.roots(format!("r{number}")).await?;
    }
    Ok("counted".to_owned())
}

async fn three_kinds(client: Client) -> Result<String, ToolError> {
    let request = SamplingRequest::new(10).message(SamplingMessage::user("Say it"));
    let (name, said, roots) = tokio::join!(
        client.elicit::<Name>("name", "Who?"),
        client.sample("said", request),
        client.roots("roots")
    );
    let last = client.roots("last").await?;
    Ok(format!("{} {} {} {}", name?.require()?.name, said?.text(), roots?.len(), last.len()))
}

/// Two asks of which one begins later.
async fn one_late(client: Client) -> Result<String, ToolError> {
    let late = async {
        tokio::task::yield_now().await;
        client.roots("late").await
    };
    let (early, late) = tokio::join!(client.roots("early"), late);
    Ok(format!("{} {}", early?.len(), late?.len()))
}

fn offering() -> Server {
    server(router())
}

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("greet", tool(greet).describe("."))
        .tool("careful", tool(careful).describe("."))
        .tool("ten", tool(|client: Client| count_to(client, 10)).describe("."))
        .tool("eleven", tool(|client: Client| count_to(client, 11)).describe("."))
        .tool("kinds", tool(three_kinds).describe("."))
        .tool("late", tool(one_late).describe("."))
}

#[tokio::test]
async fn a_round_ends_with_what_is_asked_by_key_and_with_state() {
    let call = Rounds::of_tool(&offering(), "kinds");
    let ended = call.begin().await;
    let result = ended.result();
    assert_eq!(result["resultType"], "input_required");
    let members: Vec<_> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(
        members.iter().all(|name| ["resultType", "inputRequests", "requestState", "_meta"].contains(name)),
        "{members:?}"
    );
    assert_eq!(keys(&ended), ["name", "roots", "said"]);
    let requests = &result["inputRequests"];
    assert_eq!(requests["name"]["method"], "elicitation/create");
    assert_eq!(requests["said"]["method"], "sampling/createMessage");
    assert_eq!(requests["roots"], json!({ "method": "roots/list" }));
    for request in requests.as_object().unwrap().values() {
        assert!(request.get("id").is_none() && request.get("jsonrpc").is_none());
    }
    let answers =
        json!({ "name": accept(json!({ "name": "N" })), "said": said("S"), "roots": { "roots": [] } });
    let next = call.retry(&ended, answers).await;
    assert_eq!(keys(&next), ["last"]);
    let done = call.retry(&next, json!({ "last": { "roots": [] } })).await;
    assert_eq!((done.text(), &done.result()["resultType"]), ("N S 0 0", &json!("complete")));
}

#[tokio::test]
async fn joined_asks_go_out_together_and_late_ones_in_the_next_round() {
    let call = Rounds::of_tool(&offering(), "late");
    let first = call.begin().await;
    assert_eq!(keys(&first), ["early"]);
    let second = call.retry(&first, json!({ "early": { "roots": [] } })).await;
    assert_eq!(keys(&second), ["late"]);
    assert_eq!(call.retry(&second, json!({ "late": { "roots": [] } })).await.text(), "0 0");
}

#[tokio::test]
async fn what_is_not_answered_is_asked_again_and_answers_so_far_are_kept() {
    let call = Rounds::of_tool(&offering(), "kinds");
    let first = call.begin().await;
    let second = call.retry(&first, json!({ "said": said("S") })).await;
    assert_eq!(keys(&second), ["name", "roots"]);
    let third = call.retry(&second, json!({ "roots": { "roots": [] }, "said": said("changed") })).await;
    assert_eq!(keys(&third), ["name"]);
    let fourth = call.retry(&third, json!({ "name": accept(json!({ "name": "N" })) })).await;
    let done = call.retry(&fourth, json!({ "last": { "roots": [] } })).await;
    assert_eq!(done.text(), "N S 0 0", "the first answer that fits stays");
}

#[tokio::test]
async fn answers_without_state_are_honoured_on_the_first_request() {
    let server = offering();
    let answers = json!({ "name": accept(json!({ "name": "N" })), "stray": 5 });
    let done = Rounds::of_tool(&server, "greet").send(json!({ "inputResponses": answers })).await;
    assert_eq!(done.text(), "hello N");

    let call = Rounds::of_tool(&server, "careful");
    let answers = json!({ "sure": accept(json!({ "sure": true })) });
    let ended = call.send(json!({ "inputResponses": answers })).await;
    assert_eq!(keys(&ended), ["sure"], "it has not been asked yet");
    assert_eq!(call.retry(&ended, answers).await.text(), "sure: true");
}

#[tokio::test]
async fn keys_that_were_not_issued_are_ignored_when_there_is_state() {
    let call = Rounds::of_tool(&offering(), "kinds");
    let first = call.begin().await;
    let early = json!({
        "name": accept(json!({ "name": "N" })), "said": said("S"), "roots": { "roots": [] },
        "last": { "roots": [] }, "other": null,
    });
    let second = call.retry(&first, early).await;
    assert_eq!(keys(&second), ["last"]);
}

#[tokio::test]
async fn answers_that_do_not_fit_are_asked_for_again() {
    let call = Rounds::of_tool(&offering(), "greet");
    let first = call.begin().await;
    for wrong in [
        json!(null),
        json!(5),
        json!("accept"),
        json!([]),
        json!({}),
        json!({ "action": "maybe" }),
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": null }),
        json!({ "action": "accept", "content": [] }),
        accept(json!({})),
        accept(json!({ "name": 5 })),
        accept(json!({ "name": null })),
        said("N"),
        json!({ "roots": [] }),
    ] {
        let again = call.retry(&first, json!({ "name": wrong.clone() })).await;
        assert_eq!(keys(&again), ["name"], "{wrong}");
        let done = call.retry(&again, json!({ "name": accept(json!({ "name": "N" })) })).await;
        assert_eq!(done.text(), "hello N", "after {wrong}");
    }
    for (action, word) in [("decline", "declined"), ("cancel", "no answer")] {
        let done = call.retry(&first, json!({ "name": { "action": action } })).await;
        assert!(done.text().contains(word) && done.result()["isError"] == true, "{}", done.reply);
    }
}

#[tokio::test]
async fn answers_are_an_object_or_the_request_is_refused() {
    let call = Rounds::of_tool(&offering(), "greet");
    let ended = call.begin().await;
    for wrong in [json!(null), json!([]), json!(5), json!("x"), json!(true)] {
        for extra in [
            json!({ "inputResponses": wrong }),
            json!({ "inputResponses": wrong, "requestState": state(&ended) }),
        ] {
            let refused = call.send(extra).await;
            assert_eq!((refused.code(), refused.status), (-32602, 200), "{wrong}");
        }
    }
    assert_eq!(keys(&call.send(json!({ "inputResponses": {} })).await), ["name"]);
    assert_eq!(keys(&call.send(json!({ "requestState": state(&ended) })).await), ["name"]);
}

#[tokio::test]
async fn an_answer_counts_only_for_the_question_that_was_put() {
    async fn moving(client: Client, App(count): App<Arc<AtomicU32>>) -> Result<String, ToolError> {
        let files = count.load(Ordering::Relaxed);
        let sure: Sure =
            client.elicit("sure", format!("Delete {files} files?")).issued_only().await?.require()?;
        client.roots("r").await?;
        Ok(format!("{} {files}", sure.sure))
    }
    let files = Arc::new(AtomicU32::new(3));
    let router = McpRouter::new().tool("moving", tool(moving).describe(".")).with_state(Arc::clone(&files));
    let call = Rounds::of_tool(&server(router), "moving");
    let answer = json!({ "sure": accept(json!({ "sure": true })) });
    let first = call.begin().await;
    files.store(5, Ordering::Relaxed);
    let second = call.retry(&first, answer.clone()).await;
    assert_eq!(second.result()["inputRequests"]["sure"]["params"]["message"], "Delete 5 files?");
    let third = call.retry(&second, answer.clone()).await;
    assert_eq!(keys(&third), ["r"]);
    // What was confirmed before does not stand for what is asked now.
    files.store(7, Ordering::Relaxed);
    let fourth = call.retry(&third, json!({ "r": { "roots": [] } })).await;
    assert_eq!(fourth.result()["inputRequests"]["sure"]["params"]["message"], "Delete 7 files?");
    let fifth = call.retry(&fourth, answer).await;
    assert_eq!(keys(&fifth), ["r"], "an answer that was looked at too late was not kept");
    assert_eq!(call.retry(&fifth, json!({ "r": { "roots": [] } })).await.text(), "true 7");
}

#[tokio::test]
async fn a_call_asks_in_at_most_ten_rounds() {
    let server = offering();
    for (name, asked) in [("ten", 10), ("eleven", 10)] {
        let call = Rounds::of_tool(&server, name);
        let mut ended = call.begin().await;
        for number in 0..asked {
            assert_eq!(keys(&ended), [format!("r{number}")]);
            ended = call.retry(&ended, json!({ format!("r{number}"): { "roots": [] } })).await;
        }
        if name == "ten" {
            assert_eq!(ended.text(), "counted");
        } else {
            assert_eq!((ended.code(), ended.status), (-32603, 200));
            assert!(ended.message().contains("limits.ask_rounds"), "{}", ended.reply);
        }
    }
    // Asking again for the same counts, too: nobody is asked for ever.
    let call = Rounds::of_tool(&server, "greet");
    let mut ended = call.begin().await;
    for _ in 0..9 {
        ended = call.retry(&ended, json!({})).await;
    }
    assert!(call.retry(&ended, json!({})).await.message().contains("limits.ask_rounds"));
}

#[tokio::test]
async fn what_is_carried_is_bounded() {
    let call = Rounds::of_tool(&offering(), "kinds");
    let ended = call.begin().await;
    let large = json!({ "said": said(&"x".repeat(40_000)) });
    let refused = call.retry(&ended, large).await;
    assert_eq!(refused.code(), -32603);
    assert!(refused.message().contains("limits.ask_state_bytes"), "{}", refused.reply);
    // An answer that nothing has to be carried for may be as large as a message.
    let call = Rounds::of_tool(&offering(), "greet");
    let ended = call.begin().await;
    let done = call.retry(&ended, json!({ "name": accept(json!({ "name": "x".repeat(40_000) })) })).await;
    assert_eq!(done.text().len(), 40_006);
}

#[tokio::test]
async fn limits_of_rounds_can_be_set() {
    let limits = Limits { ask_rounds: 1, ..Limits::default() };
    let call = Rounds::of_tool(&serving(router()).limits(limits).build().unwrap(), "ten");
    let ended = call.begin().await;
    let refused = call.retry(&ended, json!({ "r0": { "roots": [] } })).await;
    assert!(refused.message().contains("limits.ask_rounds"));
}

/// Says how often it was opened and closed.
#[derive(Clone)]
struct Opened(Arc<[AtomicU32; 2]>);

impl Dependency<Arc<[AtomicU32; 2]>> for Opened {
    type Error = Infallible;

    async fn open(_: &Context, counts: &Arc<[AtomicU32; 2]>) -> Result<Self, Infallible> {
        counts[0].fetch_add(1, Ordering::Relaxed);
        Ok(Self(Arc::clone(counts)))
    }

    async fn close(self) {
        tokio::task::yield_now().await;
        self.0[1].fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn dependencies_are_opened_and_closed_in_every_round() {
    let counts: Arc<[AtomicU32; 2]> = Arc::default();
    let handler = |_: Dep<Opened>, client: Client| async move { count_to(client, 2).await };
    let router = McpRouter::new().tool("dep", tool(handler).describe(".")).with_state(Arc::clone(&counts));
    let call = Rounds::of_tool(&server(router), "dep");
    let seen = || [counts[0].load(Ordering::Relaxed), counts[1].load(Ordering::Relaxed)];
    let first = call.begin().await;
    assert_eq!(seen(), [1, 1]);
    let second = call.retry(&first, json!({ "r0": { "roots": [] } })).await;
    assert_eq!(seen(), [2, 2]);
    assert_eq!(call.retry(&second, json!({ "r1": { "roots": [] } })).await.text(), "counted");
    assert_eq!(seen(), [3, 3]);
}

#[tokio::test]
async fn progress_before_the_end_of_a_round_goes_out_before_it() {
    async fn handler(progress: Progress, client: Client) -> Result<&'static str, ToolError> {
        progress.report(1.0, 2.0);
        client.roots("r").await?;
        progress.report(2.0, 2.0);
        Ok("done")
    }
    let server = server(McpRouter::new().tool("progress", tool(handler).describe(".")));
    let message = |extra: Value| {
        let mut params = json!({ "name": "progress" });
        params.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let meta = json!({ CAPABILITIES_KEY: everything(), "progressToken": "p" });
        with_meta(plain(1, "tools/call", params), meta).to_string()
    };
    let peer = mcp_core::server::Peer::anonymous(mcp_core::context::Transport::InProcess);
    let first = wire::drive(server.dispatch(MODERN, message(json!({})), peer.clone()).unwrap()).await;
    assert_eq!((first.notifications.len(), keys(&first)), (1, vec!["r"]));
    let retry = json!({ "inputResponses": { "r": { "roots": [] } }, "requestState": state(&first) });
    let second = wire::drive(server.dispatch(MODERN, message(retry), peer).unwrap()).await;
    let values: Vec<_> =
        second.notifications.iter().map(|told| told["params"]["progress"].as_f64()).collect();
    assert_eq!((values, second.text()), (vec![Some(1.0), Some(2.0)], "done"));
}

#[tokio::test]
async fn a_panic_after_an_answer_and_one_in_what_the_cut_drops_stay_in_their_call() {
    struct Loud;
    impl Drop for Loud {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "dropped at the cut");
        }
    }
    let router = McpRouter::new()
        .tool(
            "after",
            tool(|client: Client| async move {
                client.roots("r").await.map_err(ToolError::from)?;
                panic!("after the answer") as Result<String, ToolError>
            })
            .describe("."),
        )
        .tool(
            "cut",
            tool(|client: Client| async move {
                let loud = Loud;
                let answer = told(client.roots("r").await);
                std::mem::forget(loud);
                answer
            })
            .describe("."),
        );
    let server = server(router);
    let answer = json!({ "r": { "roots": [] } });
    let after = Rounds::of_tool(&server, "after");
    let ended = after.begin().await;
    assert_eq!(after.retry(&ended, answer.clone()).await.code(), -32603);
    let cut = Rounds::of_tool(&server, "cut");
    let ended = cut.begin().await;
    assert_eq!(keys(&ended), ["r"], "the round ends all the same");
    assert_eq!(cut.retry(&ended, answer).await.text(), "Ok([])");
}

#[tokio::test]
async fn any_node_with_the_keys_takes_the_next_round() {
    let keys_of = |byte| StateKeys::new(StateKey::from_bytes([byte; 32]));
    let node = |keys| {
        Server::builder(router(), Arc::new(Fresh::default()))
            .name("test")
            .version("1")
            .state_keys(keys)
            .build()
            .unwrap()
    };
    let first = Rounds::of_tool(&node(keys_of(1)), "greet");
    let ended = first.begin().await;
    let answer = json!({ "name": accept(json!({ "name": "N" })) });
    for (keys, taken) in [
        (keys_of(1), true),
        (keys_of(2).with_older(StateKey::from_bytes([1; 32])), true),
        (keys_of(2), false),
    ] {
        let other = Rounds::of_tool(&node(keys), "greet");
        let answered = other.retry(&ended, answer.clone()).await;
        assert_eq!((answered.code() == 0, answered.code() == -32602), (taken, !taken));
    }
}
