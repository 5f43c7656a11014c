//! Streams on real connections.

use super::client::{Old, call, initialize, initialized, request, sample_endpoint};
use http::StatusCode;
use mcp_server::Limits;
use mcp_transport_http::{Endpoint, HttpOptions, LegacySse, ServeOptions, serve};
use serde_json::json;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};

/// A client whose stream is a connection of its own and whose POSTs are made in this process.
struct Connected {
    stream: TcpStream,
    text: String,
    poster: super::client::Poster,
}

impl Connected {
    async fn open(endpoint: &Endpoint, address: SocketAddr) -> Self {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let get = b"GET /sse HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n";
        stream.write_all(get).await.unwrap();
        let poster = Old::poster(endpoint, String::new());
        let mut client = Self { stream, text: String::new(), poster };
        client.until("session_id=").await;
        client.until("\n\n").await;
        let key = client.text.split("session_id=").nth(1).unwrap().split('\n').next().unwrap();
        client.poster.url = format!("/messages?session_id={}", key.trim());
        client
    }

    async fn shaken(endpoint: &Endpoint, address: SocketAddr) -> Self {
        let mut client = Self::open(endpoint, address).await;
        assert_eq!(client.poster.say(&initialize("2024-11-05")).await, StatusCode::ACCEPTED);
        client.until("\"serverInfo\"").await;
        assert_eq!(client.poster.say(&initialized()).await, StatusCode::ACCEPTED);
        client
    }

    async fn until(&mut self, text: &str) {
        while !self.text.contains(text) {
            let mut buffer = [0; 4_096];
            let read = self.stream.read(&mut buffer).await.unwrap();
            assert!(read > 0, "the stream ended before `{text}`: {}", self.text);
            self.text.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
    }
}

async fn running(
    endpoint: &Endpoint,
    options: ServeOptions,
) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let endpoint = endpoint.clone();
    let done = tokio::spawn(async move {
        let shutdown = async move {
            let _ = stopped.await;
        };
        serve(listener, endpoint.routes(), &endpoint, options, shutdown).await.unwrap();
    });
    (address, stop, done)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_is_cut_off_and_another_is_served_throughout() {
    let legacy_sse = Some(LegacySse { queue: 2, ..LegacySse::default() });
    let limits = Limits { requests_in_flight: 4, ..Limits::default() };
    let router = mcp_server::McpRouter::new()
        .tool("much", mcp_server::tool(async || "x".repeat(1 << 20)).describe("Says much"));
    let server = mcp_server::server(router).name("n").version("1").limits(limits).build().unwrap();
    let endpoint = Endpoint::new(server, HttpOptions { legacy_sse, ..HttpOptions::default() }).unwrap();
    let serving = ServeOptions { write_timeout: Duration::from_millis(300), ..ServeOptions::default() };
    let (address, stop, done) = running(&endpoint, serving).await;
    let deaf = Connected::shaken(&endpoint, address).await;
    let mut other = Connected::shaken(&endpoint, address).await;
    let mut id = 0;
    // The system takes some megabytes before the server sees that nobody reads.
    let status = loop {
        id += 1;
        match deaf.poster.say(&call(id, "much")).await {
            StatusCode::ACCEPTED if id < 1_000 => {}
            status => break status,
        }
        other.text.clear();
        other.poster.say(&request(id, "ping", json!({}))).await;
        other.until(&format!("\"id\":{id},\"result\":{{}}")).await;
    };
    assert_eq!(status, StatusCode::NOT_FOUND, "after {id} calls");
    assert_eq!(endpoint.legacy_sessions(), 1, "the other's");
    stop.send(()).unwrap();
    done.await.unwrap();
    assert_eq!(endpoint.legacy_sessions(), 0);
}

#[tokio::test]
async fn the_grace_bounds_the_end_of_a_stream_whose_call_never_ends() {
    let (endpoint, probe) = sample_endpoint(super::client::legacy());
    let serving = ServeOptions { grace: Duration::from_millis(200), ..ServeOptions::default() };
    let (address, stop, done) = running(&endpoint, serving).await;
    let mut client = Connected::shaken(&endpoint, address).await;
    client.poster.say(&call(1, "hang")).await;
    probe.started.notified().await;
    let begin = std::time::Instant::now();
    stop.send(()).unwrap();
    done.await.unwrap();
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    probe.cancelled.notified().await;
    let mut rest = Vec::new();
    client.stream.read_to_end(&mut rest).await.unwrap();
    assert!(rest.ends_with(b"0\r\n\r\n"), "the stream is complete: {}", String::from_utf8_lossy(&rest));
}
