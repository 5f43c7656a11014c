//! Handshake clients are asked while the handler waits.

use super::fixture::{Live, Name, accept, everything, finish, said, sent, server, serving, told};
use crate::wire::{HANDSHAKE, ask, plain, receive};
use bytes::Bytes;
use mcp_core::{
    extract::Client,
    protocol::{SamplingMessage, SamplingRequest},
    registry::{McpRouter, tool},
    server::{Limits, Server},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::time::Duration;

async fn roots(client: Client) -> String {
    told(client.roots("r").await.map(|roots| roots.len()))
}

async fn two(client: Client) -> String {
    let (one, other) = tokio::join!(client.roots("one"), client.roots("other"));
    format!("{} {}", told(one.map(|roots| roots.len())), told(other.map(|roots| roots.len())))
}

async fn name(client: Client) -> String {
    told(client.elicit::<Name>("name", "Who?").await)
}

async fn sample(client: Client) -> String {
    let request = SamplingRequest::new(10).message(SamplingMessage::user("Hi"));
    told(client.sample("said", request).await.map(|said| said.text()))
}

async fn within(client: Client, time: Duration) -> String {
    told(client.roots("r").timeout(time).await)
}

async fn after_each_other(client: Client) -> String {
    let one = told(client.roots("one").await.map(|roots| roots.len()));
    format!("{one} {}", told(client.roots("other").await.map(|roots| roots.len())))
}

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("roots", tool(roots).describe("."))
        .tool("two", tool(two).describe("."))
        .tool("name", tool(name).describe("."))
        .tool("sample", tool(sample).describe("."))
        .tool("second", tool(|client: Client| within(client, Duration::from_secs(1))).describe("."))
        .tool("now", tool(|client: Client| within(client, Duration::ZERO)).describe("."))
        .tool("ever", tool(|client: Client| within(client, Duration::MAX)).describe("."))
        .tool("each", tool(after_each_other).describe("."))
        .tool("add", tool(|| async { "sum" }).describe("."))
}

fn offering() -> Server {
    server(router())
}

fn folders(count: usize) -> Value {
    json!({ "roots": vec![json!({ "uri": "file:///a" }); count] })
}

#[tokio::test]
async fn answers_belong_to_their_requests_whatever_the_order() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "two");
    let first = sent(&mut call);
    let [one, other] = &first.requests[..] else { panic!("{first:?}") };
    assert_eq!((&one["method"], &other["method"]), (&json!("roots/list"), &json!("roots/list")));
    assert_ne!(one["id"], other["id"]);
    live.answer(other, folders(2));
    assert!(sent(&mut call).reply.is_none());
    live.answer(one, folders(1));
    assert_eq!(sent(&mut call).text(), "Ok(1) Ok(2)");
}

#[tokio::test]
async fn answers_to_nothing_are_ignored() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut other = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "each");
    let request = sent(&mut call).request().clone();
    let id = request["id"].as_i64().unwrap();
    for wrong in [json!(id + 1), json!(id.to_string()), json!(-1), json!(0), json!("x")] {
        live.send(&json!({ "jsonrpc": "2.0", "id": wrong, "result": folders(9) }));
        live.send(&json!({ "jsonrpc": "2.0", "id": wrong, "error": { "code": 1, "message": "no" } }));
    }
    // The answer of another client, to the id that this one was asked with.
    other.answer(&request, folders(9));
    assert!(sent(&mut call).reply.is_none());
    live.answer(&request, folders(1));
    live.answer(&request, folders(5));
    let second = sent(&mut call).request().clone();
    live.answer(&request, folders(6));
    assert!(sent(&mut call).reply.is_none(), "a late answer is none to the next request");
    live.answer(&second, folders(2));
    assert_eq!(sent(&mut call).text(), "Ok(1) Ok(2)");
    live.answer(&second, folders(3));
}

#[tokio::test]
async fn an_id_that_comes_back_as_a_decimal_is_the_same_id() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "roots");
    let id = sent(&mut call).request()["id"].to_string();
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id}.0,"result":{{"roots":[]}}}}"#);
    assert!(live.0.receive(Bytes::from(text)).is_none());
    assert_eq!(sent(&mut call).text(), "Ok(0)");
}

#[tokio::test]
async fn error_answers_reach_the_handler_bounded() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    for (error, expected) in [
        (json!({ "code": -1, "message": "no" }), "Err(ClientError { code: -1, message: \"no\" })".to_owned()),
        (
            json!({ "code": -32601, "message": "x".repeat(5_000), "data": { "a": 1 } }),
            format!("Err(ClientError {{ code: -32601, message: \"{}\" }})", "x".repeat(200)),
        ),
    ] {
        let mut call = live.call(1, "sample");
        let id = sent(&mut call).request()["id"].clone();
        live.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
        assert_eq!(sent(&mut call).text(), expected);
    }
}

#[tokio::test]
async fn answers_that_do_not_fit_are_an_error_of_their_own() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    for (tool, answers) in [
        (
            "roots",
            vec![
                json!({}),
                json!({ "roots": {} }),
                json!({ "roots": [{}] }),
                json!({ "roots": [{ "uri": "/a" }] }),
            ],
        ),
        (
            "name",
            vec![
                json!({}),
                json!({ "action": "perhaps" }),
                json!({ "action": "accept" }),
                accept(json!({ "name": 1 })),
                accept(json!([])),
            ],
        ),
        (
            "sample",
            vec![
                json!({}),
                json!({ "role": "user", "model": "m", "content": { "type": "text", "text": "" } }),
            ],
        ),
    ] {
        for answer in answers {
            let mut call = live.call(1, tool);
            let request = sent(&mut call).request().clone();
            live.answer(&request, answer.clone());
            let rest = sent(&mut call);
            assert!(rest.text().starts_with("Err(InvalidAnswer("), "{answer}: {}", rest.text());
        }
    }
    let mut call = live.call(1, "sample");
    let request = sent(&mut call).request().clone();
    live.answer(&request, said("fits"));
    assert_eq!(sent(&mut call).text(), "Ok(\"fits\")");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_answer_in_time_hears_that_it_need_not() {
    let limits = Limits { open_asks: 1, ..Limits::default() };
    let server = serving(router()).limits(limits).build().unwrap();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    for (name, seconds) in [("second", 1), ("now", 0), ("roots", 300), ("second", 1)] {
        let began = tokio::time::Instant::now();
        let all = finish(&mut live.call(1, name)).await;
        assert_eq!(all.text(), "Err(TimedOut)", "{name}");
        let waited = began.elapsed().as_secs_f64();
        assert!((waited - f64::from(seconds)).abs() < 0.1, "{name} {waited}");
        if name != "now" {
            let [cancelled] = &all.notifications[..] else { panic!("{all:?}") };
            assert_eq!(cancelled["method"], "notifications/cancelled");
            assert_eq!(cancelled["params"]["requestId"], all.request()["id"]);
            live.answer(&all.request().clone(), folders(1));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_without_end_is_none() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "ever");
    let request = sent(&mut call).request().clone();
    tokio::time::advance(Duration::from_secs(1_000_000)).await;
    assert!(sent(&mut call).reply.is_none());
    live.answer(&request, folders(0));
    assert_eq!(sent(&mut call).text(), "Ok([])");
}

#[tokio::test]
async fn a_client_that_never_answers_blocks_no_other_call() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut waiting = live.call(1, "two");
    assert_eq!(sent(&mut waiting).requests.len(), 2);
    assert_eq!(ask(&mut live.0, &plain(2, "tools/call", json!({ "name": "add" }))).await.text(), "sum");
    let mut call = live.call(3, "roots");
    let request = sent(&mut call).request().clone();
    live.answer(&request, folders(1));
    assert_eq!(sent(&mut call).text(), "Ok(1)");
    assert!(sent(&mut waiting).reply.is_none());
}

#[tokio::test]
async fn open_asks_are_bounded_per_client_and_the_setting_is_named() {
    let limits = Limits { open_asks: 2, ..Limits::default() };
    let server = serving(router()).limits(limits).build().unwrap();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut other = Live::begin(&server, HANDSHAKE).await;
    let mut waiting = live.call(1, "two");
    let asked = sent(&mut waiting);
    assert_eq!(sent(&mut live.call(2, "roots")).text(), "Err(Limit(\"limits.open_asks\"))");
    assert_eq!(sent(&mut other.call(1, "roots")).requests.len(), 1, "another client has its own");
    live.answer(&asked.requests[0], folders(1));
    let mut call = live.call(2, "roots");
    assert_eq!(sent(&mut call).requests.len(), 1);
    drop(call);
    drop(waiting);
    assert_eq!(sent(&mut live.call(3, "two")).requests.len(), 2, "both places are free");
}

#[tokio::test]
async fn the_end_of_the_input_fails_what_is_asked_at_once() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "two");
    assert_eq!(sent(&mut call).requests.len(), 2);
    live.0.end_of_input();
    let rest = sent(&mut call);
    assert_eq!((rest.text(), rest.notifications.len()), ("Err(Closed) Err(Closed)", 0));
    assert_eq!(sent(&mut live.call(2, "roots")).text(), "Err(Closed)", "nobody can answer any more");
}

#[tokio::test]
async fn after_a_call_is_cancelled_nothing_goes_out_and_its_asks_are_free() {
    let limits = Limits { open_asks: 2, ..Limits::default() };
    let server = serving(router()).limits(limits).build().unwrap();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    for id in 0..5 {
        let mut call = live.call(id, "two");
        let asked = sent(&mut call);
        assert_eq!(asked.requests.len(), 2, "call {id}");
        let params = json!({ "requestId": id });
        live.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
        let rest = finish(&mut call).await;
        assert!(rest.notifications.is_empty() && rest.reply.is_none(), "{rest:?}");
        live.answer(&asked.requests[0], folders(1));
    }
    assert_eq!(live.0.in_flight(), 0);
}

#[tokio::test]
async fn a_call_in_a_batch_asks_and_is_answered_in_a_batch() {
    let server = offering();
    let mut live = Live::with(&server, ProtocolVersion::V2025_03_26, everything()).await;
    let calls = json!([
        plain(1, "tools/call", json!({ "name": "roots" })),
        plain(2, "tools/call", json!({ "name": "add" })),
        plain(3, "tools/call", json!({ "name": "roots" })),
    ]);
    let mut batch = receive(&mut live.0, &calls).unwrap();
    let first = sent(&mut batch);
    let [one, other] = &first.requests[..] else { panic!("{first:?}") };
    let answers = json!([
        { "jsonrpc": "2.0", "id": other["id"], "result": folders(2) },
        { "jsonrpc": "2.0", "id": one["id"], "result": folders(1) },
    ]);
    live.send(&answers);
    let reply = sent(&mut batch).reply.unwrap();
    let mut texts: Vec<_> =
        (0..3).map(|at| reply[at]["result"]["content"][0]["text"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    assert_eq!(texts, ["Ok(1)", "Ok(2)", "sum"]);
}
