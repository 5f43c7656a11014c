//! Requests and the session they name.

use super::{NEWEST, REVISIONS, call, cancel, request, text_of};
use mcp_tests::{
    fixture::Fixture,
    http_client::Request,
    session::{Session, initialize},
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

#[tokio::test]
async fn an_unknown_or_ended_session_is_404_and_none_is_400() {
    let fixture = Fixture::start();
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        let list = request(2, "tools/list", json!({}));
        for id in ["no-such-session", "x", &"a".repeat(3_000)] {
            let response = fixture.send(&session.post(&list).header("Mcp-Session-Id", id)).await;
            assert_eq!((response.status, response.error_code()), (404, Some(-32600)));
            assert_eq!(fixture.send(&session.getting().header("Mcp-Session-Id", id)).await.status, 404);
        }
        let response = fixture.send(&session.post(&list).without("Mcp-Session-Id")).await;
        assert_eq!((response.status, response.error_code()), (400, Some(-32600)));
        assert_eq!(session.end().await.status, 204);
        assert_eq!(session.send(&list).await.status, 404);
        assert_eq!(fixture.send(&session.getting()).await.status, 404);
        assert_eq!(session.end().await.status, 404);
    }
}

#[tokio::test]
async fn initialize_negotiates_whatever_its_headers_say() {
    let fixture = Fixture::start();
    let hello = initialize(NEWEST, &json!({})).header("Mcp-Session-Id", "stale-id");
    let welcome = fixture.send(&hello).await;
    let id = welcome.header("mcp-session-id").unwrap();
    assert!(welcome.status == 200 && id != "stale-id" && id.bytes().all(|byte| byte.is_ascii_graphic()));
    let unknown = initialize("2099-01-01", &json!({})).header("MCP-Protocol-Version", "2099-01-01");
    let welcome = fixture.send(&unknown).await;
    assert_eq!(welcome.reply()["result"]["protocolVersion"], NEWEST);
    assert!(welcome.header("mcp-session-id").is_some());
    let session = Session::begin(&fixture, NEWEST).await;
    let again = initialize(NEWEST, &json!({})).header("Mcp-Session-Id", &*session.id);
    let refused = fixture.send(&again).await;
    assert_eq!((refused.status, refused.header("mcp-session-id")), (400, None));
    assert!(!refused.text().contains(&session.id));
    assert!(session.ask(1, "ping", json!({})).await["result"].is_object());
}

#[tokio::test]
async fn requests_right_after_the_welcome_are_served_on_any_connection() {
    let fixture = Fixture::start();
    for _ in 0..20 {
        let welcome = fixture.send(&initialize(NEWEST, &json!({}))).await;
        let id = welcome.header("mcp-session-id").unwrap().to_owned();
        let post = |message: &Value| {
            mcp_tests::message::handshake(NEWEST, message).header("Mcp-Session-Id", id.clone())
        };
        let lists = ["tools/list", "prompts/list", "resources/list"]
            .map(|method| post(&request(1, method, json!({}))));
        let initialized = post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let [tools, prompts, resources] = &lists;
        let (one, two, three, late) = tokio::join!(
            fixture.send(tools),
            fixture.send(prompts),
            fixture.send(resources),
            fixture.send(&initialized)
        );
        assert_eq!([one.status, two.status, three.status, late.status], [200, 200, 200, 202]);
        assert!([one, two, three].iter().all(|response| response.reply()["result"].is_object()));
    }
}

#[tokio::test]
async fn two_requests_with_one_id_get_each_its_own_answer() {
    let fixture = Fixture::start();
    for version in REVISIONS {
        let session = Session::begin(&fixture, version).await;
        let (slow, fast) =
            tokio::join!(session.call(1, "slow_echo", json!({ "ms": 300, "text": "A" })), async {
                sleep(Duration::from_millis(20)).await;
                session.call(1, "slow_echo", json!({ "ms": 50, "text": "B" })).await
            });
        assert_eq!((text_of(&slow), text_of(&fast)), ("A", "B"), "{version}");
    }
}

#[tokio::test]
async fn a_cancellation_that_races_the_answer_ends_the_response_one_way_or_the_other() {
    let fixture = Fixture::start();
    let session = Session::begin(&fixture, NEWEST).await;
    let mut ends = [0, 0];
    for round in 0..100_u64 {
        let id = format!("r-{round}");
        let slow = call(&*id, "slow_echo", json!({ "ms": 10, "text": "x" }));
        let stop = cancel(&*id);
        let (response, cancelled) = tokio::join!(session.send(&slow), async {
            sleep(Duration::from_millis(round % 21)).await;
            session.send(&stop).await
        });
        assert_eq!((response.status, cancelled.status), (200, 202));
        match &response.messages()[..] {
            [] => ends[0] += 1,
            [reply] => {
                assert_eq!((text_of(reply), reply["id"].as_str()), ("x", Some(&*id)));
                ends[1] += 1;
            }
            more => panic!("{more:?}"),
        }
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
    assert!(session.ask(1, "tools/list", json!({})).await["result"].is_object());
}

#[tokio::test]
async fn the_log_level_is_the_sessions_own() {
    let fixture = Fixture::start();
    let [quiet, loud] = [Session::begin(&fixture, NEWEST).await, Session::begin(&fixture, NEWEST).await];
    assert_eq!(quiet.ask(2, "logging/setLevel", json!({ "level": "error" })).await["result"], json!({}));
    assert_eq!(loud.ask(2, "logging/setLevel", json!({ "level": "debug" })).await["result"], json!({}));
    for level in [json!("trace"), json!("ERROR"), json!(""), json!(3), Value::Null] {
        let refused = quiet.ask(3, "logging/setLevel", json!({ "level": level })).await;
        assert_eq!(refused["error"]["code"], -32602);
    }
    for (session, heard) in [(&quiet, 4), (&loud, 8)] {
        let messages = session.send(&call(4, "log_all", json!({}))).await.messages();
        assert_eq!(messages.len(), heard + 1);
    }
}

#[tokio::test]
async fn pages_of_an_allowed_origin_may_use_sessions() {
    let fixture = Fixture::start_with(&["--probe", "--cors", "https://app.example.com"]);
    let asked = "mcp-session-id, mcp-protocol-version, last-event-id, content-type";
    for method in ["POST", "GET", "DELETE"] {
        let preflight = Request::new("OPTIONS", "/mcp")
            .header("Origin", "https://app.example.com")
            .header("Access-Control-Request-Method", method)
            .header("Access-Control-Request-Headers", asked);
        let response = fixture.send(&preflight).await;
        assert_eq!(response.status, 204);
        assert!(response.header("access-control-allow-methods").unwrap().contains(method));
        assert_eq!(response.header("access-control-allow-headers"), Some(asked));
    }
    let hello = initialize(NEWEST, &json!({})).header("Origin", "https://app.example.com");
    let welcome = fixture.send(&hello).await;
    assert!(welcome.header("mcp-session-id").is_some());
    assert!(welcome.header("access-control-expose-headers").unwrap().contains("Mcp-Session-Id"));
}
