//! Messages and heads that are too large, too deep or too many.

use super::{
    siege::{Siege, flood},
    text_of, willing_call,
};
use mcp_tests::{
    fixture::Fixture,
    http_client::Request,
    message::{modern, modern_call, modern_message, post},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// Sends each request several times, and checks what it is answered with.
async fn flooded(fixture: &Arc<Fixture>, requests: Vec<Request>, check: fn(u16, &str)) {
    let requests = Arc::new(requests);
    flood(requests.len() * 20, |number| {
        let (fixture, requests) = (Arc::clone(fixture), Arc::clone(&requests));
        async move {
            let response = fixture.send(&requests[number % requests.len()]).await;
            check(response.status, &response.text());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn giant_ids_are_refused_and_never_repeated() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let giant = "9".repeat(100_000);
            let ids = [json!("a".repeat(1_025)), json!("ü".repeat(100_000)), json!("\u{1}".repeat(300))];
            let mut requests: Vec<Request> =
                ids.into_iter().map(|id| modern_call(id, "echo", json!({ "text": "x" }))).collect();
            let number = modern_message(1, "ping", json!({}))
                .to_string()
                .replace("\"id\":1", &format!("\"id\":{giant}"));
            requests.push(post(number));
            flooded(fixture, requests, |status, text| {
                assert_eq!(status, 400, "{text}");
                assert!(text.len() < 1_000, "{} bytes in return", text.len());
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn giant_strings_are_served_up_to_the_limit_of_a_body_and_refused_beyond() {
    Siege::of(&[])
        .peak(128)
        .kept(32)
        .withstand(async |fixture| {
            let fits = "x".repeat(1_900_000);
            let requests = vec![
                modern_call(1, "echo", json!({ "text": fits })),
                modern_call(2, "echo", json!({ "text": "x".repeat(5_000_000) })),
                modern(3, "tools/call", json!({ "name": "x".repeat(1_000_000) })).without("Mcp-Name"),
                modern(4, &"m".repeat(1_000_000), json!({})).without("Mcp-Method"),
            ];
            let requests = Arc::new(requests);
            flood(40, |number| {
                let (fixture, requests) = (Arc::clone(fixture), Arc::clone(&requests));
                let kind = number % requests.len();
                async move {
                    if kind == 1 {
                        // The server does not wait for the rest of what it refuses.
                        let mut client = fixture.connect().await;
                        client.try_write(&requests[kind]).await;
                        return;
                    }
                    let response = fixture.send(&requests[kind]).await;
                    if kind == 0 {
                        assert_eq!(text_of(&response.reply()).len(), 1_900_000);
                    } else {
                        assert!([400, 404].contains(&response.status), "{}", response.status);
                        assert!(response.body.len() < 1_000, "{} bytes in return", response.body.len());
                    }
                }
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_that_is_too_deep_or_too_fine_is_a_parse_error() {
    Siege::of(&[])
        .peak(128)
        .kept(40)
        .withstand(async |fixture| {
            let around = |value: &str| {
                let message =
                    modern_message(1, "tools/call", json!({ "name": "echo_json", "arguments": {} }));
                let text = message
                    .to_string()
                    .replace("\"arguments\":{}", &format!("\"arguments\":{{\"value\":{value}}}"));
                modern_call(1, "echo_json", json!({})).body(text)
            };
            let requests = vec![
                around(&format!("{}{}", "[".repeat(1_001), "]".repeat(1_001))),
                around(&"[".repeat(1_000_000)),
                around(&"{\"a\":".repeat(500_000)),
                around(&format!("[{}1]", "1,".repeat(100_000))),
                around(&format!("{{{}\"a\":1}}", "\"a\":1,".repeat(100_000))),
                around(&"1".repeat(100_000)),
                around("1e999999999999"),
                post("[".repeat(4_000_000)),
            ];
            flooded(fixture, requests, |status, text| {
                assert_eq!(status, 400, "{text}");
                let error: Value = serde_json::from_str(text).unwrap();
                assert!([json!(-32700), json!(-32600)].contains(&error["error"]["code"]), "{text}");
            })
            .await;
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn header_storms_are_refused() {
    Siege::of(&[])
        .withstand(async |fixture| {
            let call = || willing_call(1, "echo", json!({ "text": "x" }));
            let many = (0..500).fold(call(), |request, number| request.header(&format!("x-{number}"), "y"));
            let requests = vec![
                many,
                call().header("x-long", "y".repeat(1_000_000)),
                call().at(&format!("/mcp?{}", "q".repeat(1_000_000))),
            ];
            let requests = Arc::new(requests);
            flood(60, |number| {
                let (fixture, requests) = (Arc::clone(fixture), Arc::clone(&requests));
                async move {
                    // The connection may end before everything is sent.
                    let mut client = fixture.connect().await;
                    client.try_write(&requests[number % requests.len()]).await;
                    let answer = client.until_closed().await;
                    let head = answer.lines().next().unwrap_or_default();
                    let refused = ["431", "414", "400"].iter().any(|status| head.contains(status));
                    assert!(head.is_empty() || refused, "{head}");
                }
            })
            .await;
            let accepts = call().header("Accept", "a/b;c=\"d\",".repeat(5_000));
            flooded(fixture, vec![accepts], |status, text| assert_eq!(status, 406, "{text}")).await;
        })
        .await;
}
