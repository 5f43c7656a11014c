//! How long calls may take.

use crate::wire::{Answered, MODERN, agreeing, drive, modern, plain, ready, serving};
use futures_util::StreamExt as _;
use mcp_core::{
    context::Transport,
    exchange::{Exchange, Outgoing},
    extract::{Cancelled, Client, Progress},
    handler::ProtocolError,
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Peer, Posted, Server},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::{
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{Instant, sleep};

const TIMEOUT: Duration = Duration::from_secs(30);

fn limited(router: McpRouter<()>) -> Server {
    let limits = Limits { call_timeout: Some(TIMEOUT), ..Limits::default() };
    serving(router).limits(limits).build().unwrap()
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
}

/// Everything in it hangs.
fn hanging() -> McpRouter<()> {
    McpRouter::new()
        .tool("hangs", tool(|| async { pending::<&'static str>().await }).describe("Hangs"))
        .resource("test://hangs", resource(|| async { pending::<&'static str>().await }))
        .list_resources(|| async { pending::<Vec<Resource>>().await })
        .prompt(
            "hangs",
            prompt(|_: mcp_core::extract::Args<City>| async { pending::<&'static str>().await })
                .complete("city", || async { pending::<Vec<String>>().await }),
        )
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_answered_with_the_timeout_and_its_setting() {
    let server = limited(hanging());
    let reference = json!({ "ref": { "type": "ref/prompt", "name": "hangs" }, "argument": { "name": "city", "value": "" } });
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let before = Instant::now();
        let answer = client.call_tool("hangs", json!({})).await;
        assert_eq!(before.elapsed(), TIMEOUT, "{version}");
        assert!(answer.is_error(), "{version}: {answer:?}");
        assert!(answer.text().contains("30s") && answer.text().contains("limits.call_timeout"), "{answer:?}");
        for (method, params) in [
            ("resources/read", json!({ "uri": "test://hangs" })),
            ("resources/list", json!({})),
            ("prompts/get", json!({ "name": "hangs", "arguments": { "city": "x" } })),
            ("completion/complete", reference.clone()),
        ] {
            let before = Instant::now();
            let answer = client.request(method, params).await;
            assert_eq!(before.elapsed(), TIMEOUT, "{version} {method}");
            let message = answer.outcome.as_ref().unwrap_err()["message"].as_str().unwrap();
            assert_eq!(answer.code(), Some(-32603), "{version} {method}");
            assert!(
                message.contains("30s") && message.contains("limits.call_timeout"),
                "{method}: {message}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_is_504_for_those_who_can_read_it_and_in_band_for_the_others() {
    let server = limited(hanging());
    let read = json!({ "uri": "test://hangs" });
    let message = modern(1, "resources/read", read.clone());
    assert_eq!(crate::wire::post(&server, &message, &agreeing(&message)).await.status, 504);
    let old = crate::wire::Headers::default().with("mcp-protocol-version", "2025-11-25");
    assert_eq!(crate::wire::post(&server, &plain(1, "resources/read", read), &old).await.status, 200);
    let call = modern(1, "tools/call", json!({ "name": "hangs" }));
    let answered = crate::wire::post(&server, &call, &agreeing(&call)).await;
    assert_eq!((answered.status, answered.result()["isError"].clone()), (200, json!(true)));
}

/// Sets its flag when it is dropped.
struct Guard(Arc<Mutex<Vec<&'static str>>>, &'static str);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(self.1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_dropped_and_what_it_started_is_told() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let left: Arc<Mutex<Option<Cancelled>>> = Arc::default();
    let (log, keep) = (Arc::clone(&seen), Arc::clone(&left));
    let handler = move |cancelled: Cancelled| {
        *keep.lock().unwrap() = Some(cancelled);
        let guard = Guard(Arc::clone(&log), "dropped");
        async move {
            let _guard = guard;
            pending::<&'static str>().await
        }
    };
    let server = limited(McpRouter::new().tool("hangs", tool(handler).describe("Hangs")));
    assert!(server.client(MODERN).call_tool("hangs", json!({})).await.is_error());
    assert_eq!(*seen.lock().unwrap(), ["dropped"]);
    assert!(left.lock().unwrap().as_ref().unwrap().is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn progress_does_not_prolong_a_call_and_what_was_said_goes_out_before_the_reply() {
    let handler = |progress: Progress| async move {
        for step in 1.. {
            progress.report(f64::from(step), None);
            sleep(Duration::from_secs(10)).await;
        }
        "never"
    };
    let server = limited(McpRouter::new().tool("reports", tool(handler).describe("Reports")));
    let meta = json!({ "progressToken": 1 }).as_object().unwrap().clone();
    let before = Instant::now();
    let answer =
        server.client(MODERN).request_with_meta("tools/call", json!({ "name": "reports" }), meta).await;
    assert_eq!(before.elapsed(), TIMEOUT);
    assert!(answer.is_error());
    assert!(answer.notifications.len() >= 3, "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn a_registration_may_have_a_timeout_of_its_own_or_none() {
    let slow = || async {
        sleep(Duration::from_secs(60)).await;
        "late"
    };
    let router = McpRouter::new()
        .tool("server", tool(slow).describe("As the server says"))
        .tool("short", tool(slow).describe("A second").timeout(Duration::from_secs(1)))
        .tool("long", tool(slow).describe("Two minutes").timeout(Duration::from_secs(120)))
        .tool("ever", tool(slow).describe("As long as it likes").without_timeout())
        .resource("test://short", resource(slow).timeout(Duration::from_secs(1)))
        .resource("test://ever", resource(slow).without_timeout())
        .resource("tests://{name}", resource(slow).timeout(Duration::from_secs(2)))
        .prompt("short", prompt(slow).timeout(Duration::from_secs(1)))
        .prompt("ever", prompt(slow).without_timeout());
    let server = limited(router);
    let client = server.client(MODERN);
    for (name, expected) in [("server", 30), ("short", 1), ("long", 60), ("ever", 60)] {
        let before = Instant::now();
        let answer = client.call_tool(name, json!({})).await;
        assert_eq!(before.elapsed().as_secs(), expected, "{name}");
        assert_eq!(answer.is_error(), expected < 60, "{name}");
    }
    assert!(client.call_tool("short", json!({})).await.text().contains("where it is registered"));
    for (method, params, expected) in [
        ("resources/read", json!({ "uri": "test://short" }), 1),
        ("resources/read", json!({ "uri": "test://ever" }), 60),
        ("resources/read", json!({ "uri": "tests://x" }), 2),
        ("prompts/get", json!({ "name": "short" }), 1),
        ("prompts/get", json!({ "name": "ever" }), 60),
    ] {
        let before = Instant::now();
        let answer = client.request(method, params.clone()).await;
        assert_eq!(before.elapsed().as_secs(), expected, "{params}");
        assert_eq!(answer.result().is_none(), expected < 60, "{params}");
    }
}

#[test]
fn a_timeout_outside_its_range_is_named() {
    let quick = || async { "x" };
    let limits = Limits { call_timeout: Some(Duration::ZERO), ..Limits::default() };
    let router = McpRouter::new()
        .tool("t", tool(quick).describe("x").timeout(Duration::ZERO))
        .resource("test://r", resource(quick).timeout(Duration::from_secs(90_000)))
        .prompt("p", prompt(quick).timeout(Duration::ZERO));
    let faults = serving(router).limits(limits).build().unwrap_err().to_string();
    for subject in [
        "limits.call_timeout:",
        "tool `t`: timeout:",
        "resource `test://r`: timeout:",
        "prompt `p`: timeout:",
    ] {
        assert!(faults.contains(subject), "{subject} in {faults}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_in_which_the_client_is_to_answer_does_not_count() {
    let handler = |client: Client| async move {
        sleep(Duration::from_secs(20)).await;
        let _ = client.elicit::<City>("q", "Go on?").await?;
        sleep(Duration::from_secs(20)).await;
        Ok::<_, ProtocolError>("never")
    };
    let server = limited(McpRouter::new().tool("asks", tool(handler).describe("Asks")));
    let mut connection = crate::wire::connect(&server);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": { "name": "c", "version": "1" } });
    crate::wire::ask(&mut connection, &plain("hello", "initialize", params)).await;
    crate::wire::receive(
        &mut connection,
        &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    );
    let before = Instant::now();
    let mut call =
        crate::wire::receive(&mut connection, &plain(1, "tools/call", json!({ "name": "asks" }))).unwrap();
    let Some(Outgoing::Request(question)) = call.next().await else { panic!("no question") };
    assert!(ready(&mut call).is_empty());
    // Far longer than a call may take.
    sleep(Duration::from_secs(120)).await;
    assert!(ready(&mut call).is_empty(), "the call waits for its client");
    let id = crate::wire::read(&question)["id"].clone();
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } });
    assert!(crate::wire::receive(&mut connection, &answer).is_none());
    let answered = drive(call).await;
    assert_eq!(answered.result()["isError"], true);
    assert_eq!(before.elapsed(), Duration::from_secs(20 + 120 + 10), "20 of its 30 seconds were gone before");
}

async fn started(server: &Server, message: &Value) -> Exchange {
    let peer = Peer::anonymous(Transport::Http);
    match server.post(message.to_string().into(), &agreeing(message), peer).await {
        Posted::Exchange(exchange) => exchange,
        other => panic!("{other:?}"),
    }
}

async fn ended(server: &Server, name: &str, deadline: Duration) -> (Duration, Answered) {
    let before = Instant::now();
    let mut call = started(server, &modern(1, "tools/call", json!({ "name": name }))).await;
    call.end_by((before + deadline).into_std());
    let answered = drive(call).await;
    (before.elapsed(), answered)
}

#[tokio::test(start_paused = true)]
async fn of_a_timeout_and_the_deadline_of_the_request_the_shorter_wins() {
    let server = limited(hanging());
    let (elapsed, answered) = ended(&server, "hangs", Duration::from_secs(10)).await;
    assert_eq!((elapsed.as_secs(), answered.status, answered.code()), (10, 504, -32603));
    assert_eq!(answered.reply["id"], 1);
    assert!(answered.message().contains("request_deadline"), "{}", answered.message());
    let (elapsed, answered) = ended(&server, "hangs", Duration::from_secs(60)).await;
    assert_eq!((elapsed.as_secs(), answered.status), (30, 200));
    assert!(answered.text().contains("limits.call_timeout"));
}
