//! What one `tools/call` of 2026-07-28 costs in process: time, and allocations with their bytes.
//!
//! The tool adds two integers; 1, 50 or 1,000 tools are registered. `posted` goes through the checks of an HTTP
//! request with its routing headers, `dispatched` comes from the same process. The copy of the request's bytes,
//! which a transport brings along, is not counted. Run: `cargo bench -p mcp-core --bench dispatch`.

use bytes::Bytes;
use divan::{AllocProfiler, Bencher};
use futures_util::FutureExt as _;
use mcp_core::{
    admit::{HeaderField, RequestHead},
    context::Transport,
    exchange::{Exchange, Outgoing, Reply},
    extract::Args,
    handler::Structured,
    ports::{BoxFuture, Runtime},
    registry::{McpRouter, tool, tool_args},
    server::{Peer, Posted, Server},
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Instant, SystemTime},
};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const TOOLS: [usize; 3] = [1, 50, 1_000];

/// Time stands still and nothing runs in the background.
#[derive(Debug)]
struct Still(Instant);

impl Runtime for Still {
    fn now(&self) -> Instant {
        self.0
    }

    fn wall_time(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        buffer.fill(0);
    }

    fn spawn(&self, _: BoxFuture<()>) {}

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn sleep_until(&self, _: Instant) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }
}

struct Headers;

impl RequestHead for Headers {
    fn field(&self, name: &str) -> HeaderField<'_> {
        match name {
            "mcp-protocol-version" => HeaderField::Once(ProtocolVersion::LATEST.as_str().as_bytes()),
            "mcp-method" => HeaderField::Once(b"tools/call"),
            "mcp-name" => HeaderField::Once(b"add"),
            _ => HeaderField::Absent,
        }
    }

    fn path(&self) -> &str {
        "/mcp"
    }

    fn accepts_event_stream(&self) -> bool {
        true
    }
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

#[expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a bench may fail, and reads the clock once"
)]
fn server(tools: usize) -> Server {
    let mut router = McpRouter::new()
        .tool("add", tool_args(["a", "b"], |a: i64, b: i64| async move { a + b }).describe("Adds"));
    for number in 1..tools {
        router =
            router.tool(format!("other-{number}"), tool(|| async { "x" }).describe("Does something else"));
    }
    build(router, Instant::now()).expect("the server is sound")
}

fn build(router: McpRouter<()>, now: Instant) -> Result<Server, mcp_core::registry::BuildFaults> {
    Server::builder(router, Arc::new(Still(now))).name("bench").version("1").build()
}

fn request() -> Bytes {
    Bytes::from(format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"add","arguments":{{"a":2,"b":3}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"bench","version":"1"}}}}}}}}"#,
        ProtocolVersion::LATEST
    ))
}

fn reply(mut exchange: Exchange) -> Option<Reply> {
    match exchange.poll_message(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Some(Outgoing::Reply(reply))) => Some(reply),
        _ => None,
    }
}

fn post(server: &Server, body: Bytes) -> Option<Reply> {
    match server.post(body, &Headers, Peer::anonymous(Transport::Http)).now_or_never()? {
        Posted::Exchange(exchange) => reply(exchange),
        _ => None,
    }
}

#[divan::bench(args = TOOLS)]
fn posted(bencher: Bencher<'_, '_>, tools: usize) {
    let server = server(tools);
    bencher.with_inputs(request).bench_local_values(|body| post(&server, body));
}

#[divan::bench(args = TOOLS)]
fn dispatched(bencher: Bencher<'_, '_>, tools: usize) {
    let server = server(tools);
    bencher.with_inputs(request).bench_local_values(|body| {
        server.dispatch(ProtocolVersion::LATEST, body, Peer::anonymous(Transport::InProcess)).and_then(reply)
    });
}

#[divan::bench]
#[expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a bench may fail, and reads the clock once"
)]
fn structured(bencher: Bencher<'_, '_>) {
    let add = |Args(Pair { a, b }): Args<Pair>| async move { Structured(Sum { sum: a + b }) };
    let router = McpRouter::new().tool("add", tool(add).describe("Adds"));
    let server = build(router, Instant::now()).expect("the server is sound");
    bencher.with_inputs(request).bench_local_values(|body| {
        server.dispatch(ProtocolVersion::LATEST, body, Peer::anonymous(Transport::InProcess)).and_then(reply)
    });
}

#[divan::bench(args = TOOLS)]
fn listed(bencher: Bencher<'_, '_>, tools: usize) {
    let server = server(tools);
    let message = || Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    bencher.with_inputs(message).bench_local_values(|body| {
        server.dispatch(ProtocolVersion::LATEST, body, Peer::anonymous(Transport::InProcess)).and_then(reply)
    });
}

fn main() {
    let answered = post(&server(1), request());
    assert!(
        answered.is_some_and(|reply| reply.status == 200 && reply.body.ends_with(b"}}}}")),
        "the tool answers"
    );
    divan::main();
}
