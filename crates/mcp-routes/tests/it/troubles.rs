//! Routes that panic, never finish, or are no longer waited for.

use crate::world::{Reply, call, post as send, world};
use axum::{
    body::Body,
    extract::Request,
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, future::join_all, stream};
use mcp_server::routes::{Expose, Routes, get};
use serde_json::json;
use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

async fn plain() -> &'static str {
    "plain"
}

async fn panics() -> &'static str {
    panic!("a secret")
}

async fn panicking_layer(_: Request, _: Next) -> Response {
    panic!("a secret")
}

async fn panicking_body() -> Response {
    let begun = stream::once(async { Ok::<_, Infallible>("begun") });
    Body::from_stream(begun.chain(stream::poll_fn(|_| panic!("a secret")))).into_response()
}

#[tokio::test]
async fn a_panic_of_a_layer_a_body_a_resource_or_a_prompt_costs_its_own_call() {
    let world = world(
        Routes::new()
            .route("/layer", get(plain).tool("Panics in a layer").layer(from_fn(panicking_layer)))
            .route("/body", get(panicking_body).tool("Panics in its body"))
            .route("/resource", get(panics).resource("app://it", "Panics"))
            .prompt("prompt", panics, "Panics")
            .route("/fine", get(plain).tool(Expose::new("Is fine").name("fine"))),
    );
    let refused = |reply: Reply| {
        assert_eq!(reply.body["error"]["code"], -32603, "{reply:?}");
        assert!(!reply.body.to_string().contains("secret"), "{reply:?}");
    };
    refused(call(&world, "plain", json!({}), &[]).await);
    refused(call(&world, "panicking_body", json!({}), &[]).await);
    refused(send(&world.router, "/mcp", "resources/read", json!({ "uri": "app://it" }), &[]).await);
    refused(send(&world.router, "/mcp", "prompts/get", json!({ "name": "prompt" }), &[]).await);
    assert_eq!(call(&world, "fine", json!({}), &[]).await.text(), "plain");
}

/// Counts the requests that were given up.
struct Dropped(&'static AtomicUsize);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

async fn hangs(dropped: &'static AtomicUsize) -> &'static str {
    let _dropped = Dropped(dropped);
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_never_finishes_is_given_up_when_the_call_has_lasted_too_long() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    let expose = Expose::new("Hangs").name("it").with(|tool| tool.timeout(Duration::from_secs(5)));
    let world = world(Routes::new().route("/it", get(async || hangs(&DROPPED).await).tool(expose)));
    let reply = call(&world, "it", json!({}), &[]).await;
    assert!(reply.is_error() && reply.text().contains("longer than 5s"), "{reply:?}");
    assert_eq!(DROPPED.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_goes_away_takes_the_request_in_process_with_it() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    let expose = Expose::new("Hangs").name("it");
    let world = world(Routes::new().route("/it", get(async || hangs(&DROPPED).await).tool(expose)));
    let waiting = call(&world, "it", json!({}), &[]);
    tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap_err();
    // Whoever drives the call notices at its next turn.
    while DROPPED.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn many_calls_at_once_are_all_answered() {
    let world = Arc::new(world(Routes::new().route("/it", get(plain).tool("Answers"))));
    let calls = (0..500).map(|_| {
        let world = Arc::clone(&world);
        tokio::spawn(async move { call(&world, "plain", json!({}), &[]).await.text().to_owned() })
    });
    for answered in join_all(calls).await {
        assert_eq!(answered.unwrap(), "plain");
    }
}
