//! One call: what it says before its reply, its reply, and what it costs when it goes wrong.

use crate::wire::{
    Answered, HANDSHAKE, LOG_KEY, MODERN, ask, drive, modern, plain, ready, receive, server, serving, shaken,
    with_meta,
};
use mcp_core::{
    context::Context,
    exchange::Exchange,
    extract::{CallState, Cancelled, Log, Progress},
    handler::{ProtocolError, ToolError},
    protocol::{LogLevel, Resource},
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Server},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A place where a handler leaves something that outlives its call.
#[derive(Clone, Debug)]
struct Left<T>(Arc<Mutex<Option<T>>>);

impl<T> Default for Left<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Left<T> {
    fn put(&self, value: T) {
        *self.0.lock().unwrap() = Some(value);
    }

    fn take(&self) -> T {
        self.0.lock().unwrap().take().unwrap()
    }
}

fn tokened(name: &str, token: Value) -> Value {
    with_meta(plain(1, "tools/call", json!({ "name": name })), json!({ "progressToken": token }))
}

async fn called(server: &Server, message: &Value) -> Answered {
    drive(started(server, message)).await
}

fn started(server: &Server, message: &Value) -> Exchange {
    let peer = mcp_core::server::Peer::anonymous(mcp_core::context::Transport::InProcess);
    server.dispatch(MODERN, message.to_string(), peer).unwrap()
}

fn wild(leaked: Left<Progress>) -> McpRouter<()> {
    let handler = move |progress: Progress| {
        let leaked = leaked.clone();
        async move {
            for (done, total) in [(1.0, 3.0), (3.0, 3.0), (2.0, 5.0), (3.0, 5.0), (3.5, 5.0), (f64::NAN, 5.0)]
            {
                progress.report(done, total);
            }
            progress.report(4.0, f64::INFINITY);
            leaked.put(progress);
            "done"
        }
    };
    McpRouter::new().tool("wild", tool(handler).describe("Reports wildly"))
}

#[tokio::test]
async fn progress_only_grows_and_ends_with_the_reply() {
    let leaked = Left::default();
    let server = server(wild(leaked.clone()));
    let mut exchange = started(&server, &tokened("wild", json!("t")));
    let sent = ready(&mut exchange);
    assert_eq!(sent.len(), 5, "{sent:?}");
    leaked.take().report(9.0, 9.0);
    assert_eq!(drive(exchange).await.reply, Value::Null, "nothing follows the reply");
    let answered = called(&server, &tokened("wild", json!("t"))).await;
    let reports: Vec<_> = answered.notifications.iter().map(|message| &message["params"]).collect();
    assert_eq!(
        reports,
        [
            &json!({ "progressToken": "t", "progress": 1.0, "total": 3.0 }),
            &json!({ "progressToken": "t", "progress": 3.0, "total": 3.0 }),
            &json!({ "progressToken": "t", "progress": 3.5, "total": 5.0 }),
            &json!({ "progressToken": "t", "progress": 4.0 }),
        ]
    );
}

#[tokio::test]
async fn progress_needs_a_token_and_keeps_its_type() {
    let server = server(wild(Left::default()));
    assert!(
        called(&server, &modern(1, "tools/call", json!({ "name": "wild" }))).await.notifications.is_empty()
    );
    for token in [json!("1"), json!(1), json!(-5), json!("")] {
        let answered = called(&server, &tokened("wild", token.clone())).await;
        assert_eq!(answered.notifications[0]["params"]["progressToken"], token);
    }
    for token in [json!(1.5), json!({}), json!([1]), json!(true), Value::Null] {
        assert!(called(&server, &tokened("wild", token.clone())).await.notifications.is_empty(), "{token}");
    }
}

#[tokio::test]
async fn the_sentence_of_a_report_stays_away_from_the_first_revision() {
    let handler = |progress: Progress| async move {
        progress.report_with(1.0, None, "half way");
        "done"
    };
    let server = server(McpRouter::new().tool("one", tool(handler).describe("Reports once")));
    for version in ProtocolVersion::ALL {
        let meta = json!({ "progressToken": 1 }).as_object().unwrap().clone();
        let answer =
            server.client(version).request_with_meta("tools/call", json!({ "name": "one" }), meta).await;
        let message = answer.notifications[0]["params"].get("message");
        assert_eq!(message.is_some(), version > ProtocolVersion::V2024_11_05, "{version}");
    }
}

#[tokio::test]
async fn a_slow_reader_costs_messages_and_not_memory() {
    let handler = |progress: Progress, log: Log| async move {
        log.info("first");
        for step in 1..=10_000 {
            progress.report(f64::from(step), 10_000.0);
        }
        log.info("last");
        "done"
    };
    let limits = Limits { outbox_messages: 4, ..Limits::default() };
    let router = McpRouter::new().tool("flood", tool(handler).describe("Floods"));
    let server = serving(router).limits(limits).build().unwrap();
    let message = with_meta(
        plain(1, "tools/call", json!({ "name": "flood" })),
        json!({ "progressToken": 1, LOG_KEY: "debug" }),
    );
    let answered = called(&server, &message).await;
    assert_eq!(answered.notifications.len(), 4);
    assert_eq!(answered.notifications[3]["params"]["progress"], 10_000.0);
    assert_eq!(answered.text(), "done");
}

#[tokio::test]
async fn log_messages_are_heard_from_the_level_a_request_names() {
    let handler = |log: Log| async move {
        LogLevel::ALL
            .into_iter()
            .for_each(|level| log.send_from(Some("unit"), level, &json!({ "at": level.as_str() })));
        log.send(LogLevel::Emergency, &f64::NAN);
        "done"
    };
    let server = server(McpRouter::new().tool("log", tool(handler).describe("Logs")));
    for (position, level) in LogLevel::ALL.into_iter().enumerate() {
        let message =
            with_meta(plain(1, "tools/call", json!({ "name": "log" })), json!({ LOG_KEY: level.as_str() }));
        let heard = called(&server, &message).await.notifications;
        assert_eq!(heard.len(), 8 - position, "{}", level.as_str());
        let first = json!({ "level": level.as_str(), "logger": "unit", "data": { "at": level.as_str() } });
        assert_eq!(heard[0]["params"], first);
    }
    assert!(
        called(&server, &modern(1, "tools/call", json!({ "name": "log" }))).await.notifications.is_empty()
    );
}

#[tokio::test]
async fn a_log_message_with_line_breaks_is_one_line() {
    let handler = |log: Log| async move {
        let raw = mcp_core::json::RawJson::parse("{\n  \"a\": \"b\\nc\"\r\n}").unwrap();
        log.send(LogLevel::Info, &raw);
        "done"
    };
    let server = server(McpRouter::new().tool("log", tool(handler).describe("Logs")));
    let answer = server.client(HANDSHAKE).call_tool("log", json!({})).await;
    assert_eq!(answer.notifications[0]["params"]["data"], json!({ "a": "b\nc" }));
}

#[tokio::test]
async fn a_dropped_call_is_cancelled() {
    let flag = Left::default();
    let keep = flag.clone();
    let handler = move |cancelled: Cancelled, log: Log| {
        let keep = keep.clone();
        async move {
            keep.put((cancelled, log));
            std::future::pending::<&'static str>().await
        }
    };
    let server = server(McpRouter::new().tool("wait", tool(handler).describe("Waits")));
    let mut exchange = started(&server, &modern(1, "tools/call", json!({ "name": "wait" })));
    assert!(ready(&mut exchange).is_empty());
    let (cancelled, log) = flag.take();
    let watcher = tokio::spawn({
        let cancelled = cancelled.clone();
        async move { cancelled.cancelled().await }
    });
    tokio::task::yield_now().await;
    assert!(!cancelled.is_cancelled() && !watcher.is_finished());
    drop(exchange);
    assert!(cancelled.is_cancelled());
    watcher.await.unwrap();
    log.info("into the void");
}

#[tokio::test]
async fn a_call_that_ended_well_is_not_cancelled() {
    let flag = Left::default();
    let keep = flag.clone();
    let handler = move |cancelled: Cancelled| {
        keep.put(cancelled);
        async { "done" }
    };
    let server = server(McpRouter::new().tool("end", tool(handler).describe("Ends")));
    called(&server, &modern(1, "tools/call", json!({ "name": "end" }))).await;
    assert!(!flag.take().is_cancelled());
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// A handler parameter that panics.
struct Trap;

impl<R: mcp_core::handler::Request, S: Sync> mcp_core::extract::Extract<R, S> for Trap {
    type Rejection = std::convert::Infallible;

    async fn extract(_: &R, _: &S) -> Result<Self, std::convert::Infallible> {
        panic!("secret")
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
}

fn panicking() -> McpRouter<()> {
    let boom = || async { panic!("secret") as String };
    McpRouter::new()
        .tool("add", tool(|| async { "sum" }).describe("Adds"))
        .tool("panics", tool(boom).describe("Panics"))
        .tool(
            "late",
            tool(|| async {
                tokio::task::yield_now().await;
                panic!("secret") as String
            })
            .describe("Panics later"),
        )
        .tool("trapped", tool(|_: Trap| async { "x" }).describe("Panics in a parameter"))
        .tool(
            "drops",
            tool(|| async {
                let _bomb = Bomb;
                "x"
            })
            .describe("Panics in a drop"),
        )
        .tool(
            "hangs",
            tool(|| async {
                let _bomb = Bomb;
                std::future::pending::<String>().await
            })
            .describe("Hangs"),
        )
        .resource("test://panics", resource(boom))
        .list_resources(|| async { panic!("secret") as Vec<Resource> })
        .prompt(
            "panics",
            prompt(|_: mcp_core::extract::Args<City>| async { panic!("secret") as String })
                .complete("city", || async { panic!("secret") as Vec<String> }),
        )
}

#[tokio::test]
async fn a_panic_costs_its_own_call_only() {
    let server = server(panicking());
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let reference = json!({ "ref": { "type": "ref/prompt", "name": "panics" }, "argument": { "name": "city", "value": "" } });
        for (method, params) in [
            ("tools/call", json!({ "name": "panics" })),
            ("tools/call", json!({ "name": "late" })),
            ("tools/call", json!({ "name": "trapped" })),
            ("tools/call", json!({ "name": "drops" })),
            ("resources/read", json!({ "uri": "test://panics" })),
            ("resources/list", json!({})),
            ("prompts/get", json!({ "name": "panics", "arguments": { "city": "x" } })),
            ("completion/complete", reference),
        ] {
            let answer = client.request(method, params.clone()).await;
            assert_eq!(answer.code(), Some(-32603), "{version} {method} {params}: {answer:?}");
            assert!(!format!("{answer:?}").contains("secret"));
            assert_eq!(client.call_tool("add", json!({})).await.text(), "sum");
        }
    }
}

#[tokio::test]
async fn a_panic_while_a_cancelled_call_is_dropped_goes_no_further() {
    let server = server(panicking());
    let mut connection = shaken(&server, HANDSHAKE).await;
    let mut exchange = receive(&mut connection, &plain(1, "tools/call", json!({ "name": "hangs" }))).unwrap();
    assert!(ready(&mut exchange).is_empty());
    drop(exchange);
    assert_eq!(connection.in_flight(), 0);
    assert_eq!(ask(&mut connection, &plain(1, "tools/call", json!({ "name": "add" }))).await.text(), "sum");
}

#[tokio::test]
async fn the_scratch_is_empty_at_each_call_and_shared_within_one() {
    type Counter = CallState<Arc<Mutex<u32>>>;
    let handler = |CallState(one): Counter, CallState(other): Counter, context: Context| async move {
        *one.lock().unwrap() += 1;
        *other.lock().unwrap() += 1;
        let seen = *context.scratch::<Arc<Mutex<u32>>>().unwrap().lock().unwrap();
        assert!(context.put_scratch("mine").is_none());
        assert_eq!(context.put_scratch("yours"), Some("mine"));
        assert_eq!(context.scratch::<u8>(), None);
        seen.to_string()
    };
    let server = server(McpRouter::new().tool("count", tool(handler).describe("Counts")));
    for _ in 0..3 {
        assert_eq!(server.client(MODERN).call_tool("count", json!({})).await.text(), "2");
    }
}

#[tokio::test]
async fn meta_of_the_result_is_merged_and_the_signature_stays_the_servers() {
    let handler = |context: Context| async move {
        context.put_result_meta("a", json!(1));
        context.put_result_meta("b", json!(1));
        context.put_result_meta(crate::wire::SERVER_KEY, json!("forged"));
        let own = json!({ "b": 2, "c": 2 }).as_object().unwrap().clone();
        mcp_core::protocol::CallToolResult::text("x").meta(own)
    };
    let server = server(McpRouter::new().tool("meta", tool(handler).describe("Adds _meta")));
    let modern = server.client(MODERN).call_tool("meta", json!({})).await;
    let signature = json!({ "name": "test", "version": "1" });
    let expected = json!({ "a": 1, "b": 2, "c": 2, crate::wire::SERVER_KEY: signature });
    assert_eq!(modern.result().unwrap()["_meta"], expected);
    let old = server.client(HANDSHAKE).call_tool("meta", json!({})).await;
    assert_eq!(old.result().unwrap()["_meta"], json!({ "a": 1, "b": 2, "c": 2 }));
}

#[tokio::test]
async fn a_tools_failure_is_for_the_model_and_a_protocol_error_for_the_client() {
    #[derive(Debug, thiserror::Error)]
    #[error("no route to 10.0.0.7")]
    struct Network;
    let router = || {
        McpRouter::new()
            .tool(
                "question",
                tool(|| async { Err::<String, ToolError>(Network.into()) }).describe("Fails with ?"),
            )
            .tool(
                "text",
                tool(|| async { Err::<String, _>(ToolError::new("row 3 is empty").caused_by(Network)) })
                    .describe("Fails with a text"),
            )
            .tool(
                "protocol",
                tool(|| async {
                    Err::<String, _>(ProtocolError::new(-31010, "slow down").data(json!({ "after": 3 })))
                })
                .describe("Refuses"),
            )
            .tool(
                "wrapped",
                tool(|| async {
                    Err::<String, ToolError>(ProtocolError::invalid_params("not today").into())
                })
                .describe("Refuses"),
            )
            .tool(
                "reserved",
                tool(|| async { Err::<String, _>(ProtocolError::new(-32020, "mine")) })
                    .describe("Claims a reserved code"),
            )
            .tool(
                "capability",
                tool(|| async { Err::<String, _>(ProtocolError::missing_capability("sampling.tools")) })
                    .describe("Needs sampling"),
            )
    };
    let built = server(router());
    for version in ProtocolVersion::ALL {
        let client = built.client(version);
        let question = client.call_tool("question", json!({})).await;
        assert!(question.is_error() && !question.text().contains("10.0.0.7"), "{question:?}");
        let text = client.call_tool("text", json!({})).await;
        assert_eq!((text.is_error(), text.text()), (true, "row 3 is empty"));
        let protocol = client.call_tool("protocol", json!({})).await;
        assert_eq!(
            protocol.outcome,
            Err(json!({ "code": -31010, "message": "slow down", "data": { "after": 3 } }))
        );
        assert_eq!(client.call_tool("wrapped", json!({})).await.code(), Some(-32602));
        assert_eq!(client.call_tool("reserved", json!({})).await.code(), Some(-32603));
        let capability = client.call_tool("capability", json!({})).await;
        assert_eq!(capability.code(), (version == MODERN).then_some(-32021), "{version}");
        assert_eq!(capability.text().contains("sampling.tools"), version != MODERN, "for the model to read");
    }
    let missing = built.client(MODERN).call_tool("capability", json!({})).await.outcome.unwrap_err();
    assert_eq!(missing["data"], json!({ "requiredCapabilities": { "sampling": { "tools": {} } } }));
    let open = serving(router()).show_errors().build().unwrap();
    assert!(open.client(MODERN).call_tool("question", json!({})).await.text().contains("10.0.0.7"));
}
