//! Listen streams over HTTP, and how many streams there may be.

use crate::request::{Probe, body, call, endpoint, modern, piece, sample, send};
use axum::body::Body;
use http::{Request, StatusCode};
use mcp_transport_http::{Endpoint, HttpOptions, QuietAnswers};
use serde_json::{Value, json};

fn listen(notifications: Value) -> Request<Body> {
    let params = json!({ "notifications": notifications });
    let text = body("subscriptions/listen", params.clone()).to_string();
    modern("subscriptions/listen", params).body(Body::from(text)).unwrap()
}

#[tokio::test]
async fn a_listen_stream_acknowledges_first_and_ends_with_its_result() {
    let server = sample(&Probe::default());
    let endpoint = Endpoint::new(server.clone(), HttpOptions::default()).unwrap();
    let wanted = json!({ "toolsListChanged": true, "resourceSubscriptions": ["test://one"] });
    let mut stream = send(&endpoint, listen(wanted)).await.into_body();
    assert!(piece(&mut stream).await.contains("subscriptions/acknowledged"));
    server.notify_prompts_changed();
    server.notify_resource_updated("test://two");
    server.notify_resource_updated("test://one");
    let updated = piece(&mut stream).await;
    assert!(updated.contains("resources/updated") && updated.contains("test://one"), "{updated}");
    server.notify_tools_changed();
    assert!(piece(&mut stream).await.contains("tools/list_changed"));
    server.shut_down();
    let end = piece(&mut stream).await;
    assert!(end.contains("\"resultType\":\"complete\"") && end.contains("subscriptionId"), "{end}");
    assert_eq!(piece(&mut stream).await, "");
}

#[tokio::test]
async fn streams_beyond_the_limit_are_refused_and_calls_go_on_without() {
    let endpoint = endpoint(HttpOptions { max_streams: 1, ..HttpOptions::default() });
    let open = send(&endpoint, listen(json!({}))).await;
    assert_eq!(open.status(), StatusCode::OK);
    let refused = send(&endpoint, listen(json!({}))).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()["retry-after"], "5");
    assert!(piece(&mut refused.into_body()).await.contains("max_streams"));
    let call_meanwhile = send(&endpoint, call("report")).await;
    assert_eq!(call_meanwhile.headers()["content-type"], "application/json");
    drop(open);
    assert_eq!(send(&endpoint, listen(json!({}))).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn where_no_more_streams_may_be_open_every_call_is_answered_as_json() {
    let streaming = QuietAnswers::EventStream;
    let endpoint =
        endpoint(HttpOptions { max_streams: 1, quiet_answers: streaming, ..HttpOptions::default() });
    let open = send(&endpoint, listen(json!({}))).await;
    let response = send(&endpoint, call("echo")).await;
    assert_eq!(
        (response.status(), &response.headers()["content-type"]),
        (StatusCode::OK, &"application/json".parse().unwrap())
    );
    drop(open);
    assert_eq!(send(&endpoint, call("echo")).await.headers()["content-type"], "text/event-stream");
}

#[tokio::test]
async fn a_listener_must_take_event_streams() {
    let endpoint = endpoint(HttpOptions::default());
    let mut request = listen(json!({}));
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    assert_eq!(send(&endpoint, request).await.status(), StatusCode::NOT_ACCEPTABLE);
}
