//! Tools: listed, called, refused, followed while they work, cancelled.

use super::visitor::{Begin, Over, Visitor, connect, everywhere, text, tool_call, within};
use rmcp::{
    model::{CallToolRequest, ClientRequest, ErrorCode, ProtocolVersion, ServerResult},
    service::{PeerRequestOptions, RequestHandle, RoleClient, ServiceError},
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, path::Path, time::Duration};
use tokio::{task::JoinSet, time::sleep};

/// Sends a call whose answer is waited for later.
async fn begin_call(visitor: &Visitor, tool: &'static str, arguments: Value) -> RequestHandle<RoleClient> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(tool_call(tool, arguments)));
    let handle = visitor.client.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    handle.unwrap_or_else(|error| panic!("{visitor}: {tool}: {error}"))
}

#[tokio::test]
async fn every_tool_is_listed_once_with_its_schemas() {
    for (visitor, _) in everywhere().await {
        let tools = visitor.client.list_all_tools().await.unwrap();
        let names: BTreeSet<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names.len(), tools.len(), "{visitor}: a tool is listed twice");
        for name in ["test_simple_text", "echo", "stat", "div", "slow_echo"] {
            assert!(names.contains(name), "{visitor}: {name} is not listed");
        }
        let echo = tools.iter().find(|tool| tool.name == "echo").unwrap();
        assert_eq!(echo.input_schema["required"], json!(["text"]), "{visitor}");
        let stat = tools.iter().find(|tool| tool.name == "stat").unwrap();
        let output = stat.output_schema.as_ref().expect("an output schema is declared");
        assert_eq!(output["required"], json!(["n"]), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_tool_gets_its_arguments_unchanged() {
    for (visitor, _) in everywhere().await {
        let sent = "snow ☃, a \"quote\", a \\ and\na line";
        let result = visitor.call("echo", json!({ "text": sent })).await;
        assert_eq!((text(&result), result.is_error.unwrap_or(false)), (sent, false), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_structured_result_arrives_as_structure() {
    for (visitor, _) in everywhere().await {
        let result = visitor.call("stat", json!({ "mode": "ok" })).await;
        assert_eq!(result.structured_content, Some(json!({ "n": 1 })), "{visitor}");
        let result = visitor.call("div", json!({ "a": 1, "b": 4 })).await;
        assert_eq!(result.structured_content, Some(json!({ "q": 0.25 })), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_tool_that_fails_answers_with_a_result_marked_as_an_error() {
    for (visitor, _) in everywhere().await {
        let result = visitor.call("stat", json!({ "mode": "fail" })).await;
        assert_eq!(result.is_error, Some(true), "{visitor}");
        assert_eq!(text(&result), "nothing could be counted", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    for (visitor, _) in everywhere().await {
        match visitor.client.call_tool(tool_call("no_such_tool", json!({}))).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!(error.code, ErrorCode::INVALID_PARAMS, "{visitor}: {error}");
            }
            other => panic!("{visitor}: {other:?}"),
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn progress_carries_the_token_of_its_call_and_arrives_in_order() {
    for (visitor, mut reports) in everywhere().await {
        let call = begin_call(&visitor, "progress", json!({ "n": 3, "gap_ms": 20 })).await;
        let token = call.progress_token.clone();
        let answer = within("the call", call.await_response()).await.unwrap();
        assert!(matches!(answer, ServerResult::CallToolResult(_)), "{visitor}: {answer:?}");
        for expected in [1.0, 2.0, 3.0] {
            let report = within("progress", reports.recv()).await.unwrap();
            assert_eq!(report.progress_token, token, "{visitor}");
            assert_eq!((report.progress, report.total), (expected, Some(3.0)), "{visitor}");
        }
        assert!(reports.try_recv().is_err(), "{visitor}: there is more progress than was made");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn calls_at_the_same_time_get_each_its_own_answer() {
    for (visitor, _) in everywhere().await {
        let mut calls = JoinSet::new();
        for index in 0..8_u64 {
            let peer = visitor.client.peer().clone();
            calls.spawn(async move {
                // What begins last is ready first.
                let arguments = json!({ "ms": 80 - 10 * index, "text": format!("text {index}") });
                let result = peer.call_tool(tool_call("slow_echo", arguments)).await.unwrap();
                assert_eq!(text(&result), format!("text {index}"));
            });
        }
        within("eight calls", calls.join_all()).await;
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_quick_call_overtakes_a_slow_one_which_can_be_cancelled() {
    for (visitor, _) in everywhere().await {
        let mut slow = begin_call(&visitor, "slow_echo", json!({ "ms": 60_000, "text": "late" })).await;
        assert_eq!(text(&visitor.call("echo", json!({ "text": "quick" })).await), "quick", "{visitor}");
        assert!(slow.rx.try_recv().is_err(), "{visitor}: the slow call has ended");
        within("cancelling", slow.cancel(Some("no longer needed".to_owned()))).await.unwrap();
        assert_eq!(text(&visitor.call("echo", json!({ "text": "next" })).await), "next", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn cancelling_a_call_stops_the_tool() {
    let handshake = || Begin::Handshake(ProtocolVersion::V_2025_11_25);
    let everywhere = [
        (Over::Http, Begin::Auto),
        (Over::Http, handshake()),
        (Over::Stdio, Begin::Auto),
        (Over::Stdio, handshake()),
    ];
    for (index, (over, begin)) in everywhere.into_iter().enumerate() {
        let file = std::env::temp_dir().join(format!("mcp-rmcp-{}-{index}", std::process::id()));
        let (visitor, mut reports) = connect(over, begin).await;
        let arguments = json!({ "path": file, "n": 10_000, "gap_ms": 10 });
        let call = begin_call(&visitor, "tick_file", arguments).await;
        within("the first tick", reports.recv()).await.unwrap();
        within("cancelling", call.cancel(Some("no longer needed".to_owned()))).await.unwrap();
        within("the end of the ticks", stillness(&file)).await;
        visitor.leave().await;
        fs::remove_file(file).unwrap();
    }
}

/// Waits until a file that grew every 10 ms has stopped growing.
async fn stillness(file: &Path) {
    let length = || fs::metadata(file).unwrap().len();
    let mut before = 0;
    while length() != before {
        before = length();
        sleep(Duration::from_millis(300)).await;
    }
}
