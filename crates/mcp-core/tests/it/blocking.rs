//! Handlers that block: how many run, how many wait, and what cancellation means for them.

use crate::wire::{HANDSHAKE, MODERN, drive, plain, ready, receive, serving, shaken};
use mcp_core::{
    extract::{Args, Cancelled},
    handler::{ToolError, blocking},
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::{Limits, Server},
};
use serde_json::{Value, json};
use std::sync::{
    Arc, Condvar, Mutex,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

/// A gate that holds blocking handlers until it is opened, and counts them.
#[derive(Debug, Default)]
struct Gate {
    open: Mutex<bool>,
    moved: Condvar,
    inside: AtomicUsize,
    most: AtomicUsize,
    begun: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        self.begun.fetch_add(1, SeqCst);
        self.most.fetch_max(self.inside.fetch_add(1, SeqCst) + 1, SeqCst);
        let open = self.open.lock().unwrap();
        drop(self.moved.wait_while(open, |open| !*open).unwrap());
        self.inside.fetch_sub(1, SeqCst);
    }

    fn set_open(&self) {
        *self.open.lock().unwrap() = true;
        self.moved.notify_all();
    }

    async fn until_begun(&self, count: usize) {
        while self.begun.load(SeqCst) < count {
            tokio::task::yield_now().await;
        }
    }
}

fn gated(limits: Limits) -> (Server, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let inner = Arc::clone(&gate);
    let handler = blocking(move || {
        inner.pass();
        "passed"
    });
    let router = McpRouter::new().tool("gate", tool(handler).describe("Waits at a gate"));
    (serving(router).limits(limits).build().unwrap(), gate)
}

fn call(id: usize) -> Value {
    plain(id, "tools/call", json!({ "name": "gate" }))
}

#[tokio::test]
async fn so_many_run_at_once_so_many_wait_and_the_next_is_refused() {
    let (server, gate) = gated(Limits { blocking_calls: 2, blocking_queue: 3, ..Limits::default() });
    let mut connection = shaken(&server, HANDSHAKE).await;
    let mut exchanges: Vec<_> = (0..5).map(|id| receive(&mut connection, &call(id)).unwrap()).collect();
    assert!(exchanges.iter_mut().all(|exchange| ready(exchange).is_empty()));
    let refused = drive(receive(&mut connection, &call(5)).unwrap()).await;
    assert_eq!(refused.code(), -32603);
    assert!(refused.message().contains("limits.blocking_queue"), "{}", refused.message());
    gate.until_begun(2).await;
    gate.set_open();
    for exchange in exchanges {
        assert_eq!(drive(exchange).await.text(), "passed");
    }
    assert_eq!((gate.most.load(SeqCst), gate.begun.load(SeqCst)), (2, 5));
    assert_eq!(
        drive(receive(&mut connection, &call(6)).unwrap()).await.text(),
        "passed",
        "the queue is free again"
    );
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_it_waits_never_runs() {
    let (server, gate) = gated(Limits { blocking_calls: 1, blocking_queue: 2, ..Limits::default() });
    let mut connection = shaken(&server, HANDSHAKE).await;
    let mut running = receive(&mut connection, &call(0)).unwrap();
    let mut waiting = receive(&mut connection, &call(1)).unwrap();
    let mut behind = receive(&mut connection, &call(2)).unwrap();
    for exchange in [&mut running, &mut waiting, &mut behind] {
        assert!(ready(exchange).is_empty());
    }
    drop(waiting);
    gate.until_begun(1).await;
    gate.set_open();
    assert_eq!(drive(running).await.text(), "passed");
    assert_eq!(drive(behind).await.text(), "passed");
    assert_eq!(gate.begun.load(SeqCst), 2);
}

#[test]
fn a_call_that_is_cancelled_in_the_queue_of_the_runtime_never_runs() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let (server, gate) = gated(Limits { blocking_calls: 8, ..Limits::default() });
        let mut connection = shaken(&server, HANDSHAKE).await;
        let mut first = receive(&mut connection, &call(0)).unwrap();
        assert!(ready(&mut first).is_empty());
        gate.until_begun(1).await;
        let mut second = receive(&mut connection, &call(1)).unwrap();
        assert!(ready(&mut second).is_empty());
        drop(second);
        gate.set_open();
        assert_eq!(drive(first).await.text(), "passed");
        assert_eq!(drive(receive(&mut connection, &call(2)).unwrap()).await.text(), "passed");
        assert_eq!(gate.begun.load(SeqCst), 2);
    });
}

#[tokio::test]
async fn a_running_call_sees_that_it_is_cancelled() {
    let (give, take) = std::sync::mpsc::channel();
    let give = Mutex::new(give);
    let give = Arc::new(give);
    let handler = blocking(move |cancelled: Cancelled| {
        give.lock().unwrap().send("began").unwrap();
        while !cancelled.is_cancelled() {
            std::thread::yield_now();
        }
        give.lock().unwrap().send("saw it").unwrap();
        "late"
    });
    let server = serving(McpRouter::new().tool("gate", tool(handler).describe("Spins"))).build().unwrap();
    let mut connection = shaken(&server, HANDSHAKE).await;
    let mut exchange = receive(&mut connection, &call(0)).unwrap();
    assert!(ready(&mut exchange).is_empty());
    assert_eq!(take.recv().unwrap(), "began");
    drop(exchange);
    assert_eq!(take.recv().unwrap(), "saw it");
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    city: String,
}

#[tokio::test]
async fn every_kind_of_handler_may_block_fail_and_panic() {
    let router = McpRouter::new()
        .tool("text", tool(blocking(|Args(City { city }): Args<City>| city)).describe("Echoes"))
        .tool("fails", tool(blocking(|| Err::<String, _>(ToolError::new("no")))).describe("Fails"))
        .tool("panics", tool(blocking(|| -> String { panic!("secret") })).describe("Panics"))
        .resource("test://a", resource(blocking(|| "a")))
        .list_resources(blocking(|| vec![Resource::new("test://b", "b")]))
        .prompt(
            "p",
            prompt(blocking(|Args(City { city }): Args<City>| city))
                .complete("city", blocking(|| vec!["Rome"])),
        );
    let server = serving(router).limits(Limits { blocking_calls: 1, ..Limits::default() }).build().unwrap();
    let client = server.client(MODERN);
    for _ in 0..3 {
        assert_eq!(
            client.call_tool("panics", json!({})).await.code(),
            Some(-32603),
            "and gives its place back"
        );
    }
    assert_eq!(client.call_tool("text", json!({ "city": "Bern" })).await.text(), "Bern");
    assert_eq!(client.call_tool("fails", json!({})).await.text(), "no");
    assert_eq!(client.read_resource("test://a").await.result().unwrap()["contents"][0]["text"], "a");
    let listed = client.request("resources/list", Value::Null).await;
    assert_eq!(listed.result().unwrap()["resources"].as_array().unwrap().len(), 2);
    let rendered = client.get_prompt("p", json!({ "city": "Oslo" })).await;
    assert_eq!(rendered.result().unwrap()["messages"][0]["content"]["text"], "Oslo");
    let params =
        json!({ "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "city", "value": "R" } });
    let completed = client.request("completion/complete", params).await;
    assert_eq!(completed.result().unwrap()["completion"]["values"], json!(["Rome"]));
}
