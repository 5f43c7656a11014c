//! Routes that say with a protocol error what the client is to be told.

use crate::world::{call, fetch, post as send, world};
use axum::{
    extract::Request,
    middleware::{Next, from_fn},
    response::Response,
};
use http::StatusCode;
use mcp_server::{
    ProtocolError,
    routes::{Refusal, Routes, get},
};
use serde_json::json;

async fn busy() -> Result<String, Refusal> {
    let error = ProtocolError::new(-31_500, "the report is being made").data(json!({ "retryInSeconds": 5 }));
    Err(Refusal::new(StatusCode::CONFLICT, error))
}

async fn marked(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert("x-layer", "ran".parse().unwrap());
    response
}

#[tokio::test]
async fn a_protocol_error_of_a_route_reaches_the_client_with_its_code_message_and_data() {
    let group = Routes::new()
        .route("/report", get(busy).tool("Reports").resource("app://report", "The report"))
        .prompt("ask", busy, "Asks")
        .instructions_from(busy)
        .layer(from_fn(marked))
        .endpoint();
    let world = world(Routes::new().nest("/g", group.show()));
    let expected = json!({
        "code": -31_500, "message": "the report is being made", "data": { "retryInSeconds": 5 },
    });
    assert_eq!(call(&world, "g_busy", json!({}), &[]).await.body["error"], expected);
    for (method, params) in [
        ("resources/read", json!({ "uri": "app://report" })),
        ("prompts/get", json!({ "name": "ask" })),
        ("server/discover", json!({})),
    ] {
        let reply = send(&world.router, "/g/mcp", method, params, &[]).await;
        assert_eq!(reply.body["error"], expected, "{method}");
    }
    // People get the status and the message.
    let reply = fetch(&world.router, "/g/report").await;
    assert_eq!((reply.status, reply.body), (StatusCode::CONFLICT, json!("the report is being made")));
}
