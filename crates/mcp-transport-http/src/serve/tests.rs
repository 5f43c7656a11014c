//! Connections in this process on a paused clock: what ends them, and what a client sees of it.

use super::{ServeOptions, connection::Connections};
use crate::{Endpoint, HttpOptions};
use axum::{Router, routing::post};
use bytes::Bytes;
use h2::{Reason, RecvStream, client::SendRequest};
use http::{Request, StatusCode};
use mcp_auth::{Verifier, VerifyError};
use mcp_core::principal::Principal;
use mcp_server::{Cancelled, McpRouter, Progress, Server, server, tool};
use serde_json::{Value, json};
use std::{
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

const SECOND: Duration = Duration::from_secs(1);

/// The handlers of the tests; `left` is what the last of them was told.
fn sample(left: &Arc<Mutex<Option<Cancelled>>>) -> Server {
    let keep = Arc::clone(left);
    let hang = move |cancelled: Cancelled| {
        *keep.lock().unwrap() = Some(cancelled);
        async { pending::<&'static str>().await }
    };
    let report = async |progress: Progress| {
        progress.report(1.0, None);
        pending::<&'static str>().await
    };
    let router = McpRouter::new()
        .tool("echo", tool(async || "here").describe("Answers"))
        .tool("big", tool(async || "x".repeat(1 << 20)).describe("Answers with a megabyte"))
        .tool("hang", tool(hang).describe("Never ends"))
        .tool("report_and_hang", tool(report).describe("Reports once and never ends"));
    server(router).name("sample").version("1").dynamic().build().unwrap()
}

/// A listener's connections, and what a handler that hangs is told.
struct World {
    connections: Connections,
    left: Arc<Mutex<Option<Cancelled>>>,
}

fn world(http: HttpOptions, options: &ServeOptions) -> World {
    let left = Arc::default();
    let endpoint = Endpoint::new(sample(&left), http).unwrap();
    let upload = post(async |body: Bytes| body.len().to_string());
    let routes: Router = endpoint.routes().route("/upload", upload);
    World { connections: Connections::new(routes, options, CancellationToken::new()), left }
}

fn with_deadline(deadline: Duration) -> World {
    let http = HttpOptions {
        request_deadline: Some(deadline),
        body_timeout: Duration::from_secs(600),
        ..HttpOptions::default()
    };
    world(http, &ServeOptions { read_timeout: Some(Duration::from_secs(600)), ..ServeOptions::default() })
}

impl World {
    fn connect(&self, buffer: usize) -> (DuplexStream, JoinHandle<()>) {
        let (client, stream) = duplex(buffer);
        let connections = self.connections.clone();
        let served = tokio::spawn(async move {
            let _ = connections.run(stream).await;
        });
        (client, served)
    }

    fn http1(&self) -> DuplexStream {
        self.connect(1 << 20).0
    }

    async fn http2(&self) -> Client {
        self.http2_with_window(1 << 20).await
    }

    /// A client whose streams may be sent so many bytes before it takes them.
    async fn http2_with_window(&self, window: u32) -> Client {
        let (stream, served) = self.connect(1 << 22);
        let mut builder = h2::client::Builder::new();
        builder.initial_window_size(window).initial_connection_window_size(1 << 24);
        let (requests, connection) = builder.handshake(stream).await.unwrap();
        let driven = tokio::spawn(async move {
            let _ = connection.await;
        });
        Client { requests, served, _driven: driven }
    }
}

/// A client over HTTP/2.
struct Client {
    requests: SendRequest<Bytes>,
    served: JoinHandle<()>,
    _driven: JoinHandle<()>,
}

impl Client {
    /// Sends a request; gives status and body.
    async fn answer(&mut self, request: Request<()>, text: String) -> (StatusCode, RecvStream) {
        self.requests = self.requests.clone().ready().await.unwrap();
        let (response, mut body) = self.requests.send_request(request, false).unwrap();
        body.send_data(text.into(), true).unwrap();
        let (head, body) = response.await.unwrap().into_parts();
        (head.status, body)
    }

    async fn call(&mut self, name: &str) -> (StatusCode, RecvStream) {
        self.answer(head("tools/call", Some(name)), call(name)).await
    }
}

fn body(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "t",
    });
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
}

fn call(name: &str) -> String {
    body("tools/call", json!({ "name": name }))
}

fn listen() -> String {
    body("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }))
}

fn head(method: &str, name: Option<&str>) -> Request<()> {
    let mut request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    request.body(()).unwrap()
}

/// The head of a request over HTTP/1 that promises a body of this length.
fn lines(method: &str, name: Option<&str>, length: usize) -> String {
    let name = name.map(|name| format!("mcp-name: {name}\r\n")).unwrap_or_default();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}content-length: {length}\r\n\r\n"
    )
}

fn whole(method: &str, name: Option<&str>, text: &str) -> String {
    lines(method, name, text.len()) + text
}

async fn until(stream: &mut DuplexStream, needle: &str) -> String {
    let mut text = String::new();
    let mut buffer = vec![0; 64 * 1024];
    while !text.contains(needle) {
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(read > 0, "the connection ended before `{needle}`: {text}");
        text.push_str(&String::from_utf8_lossy(buffer.get(..read).unwrap()));
    }
    text
}

async fn rest(stream: &mut DuplexStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

/// Takes a body to its end.
async fn taken(body: &mut RecvStream) -> Result<String, h2::Error> {
    let mut text = Vec::new();
    while let Some(piece) = body.data().await {
        let piece = piece?;
        let _ = body.flow_control().release_capacity(piece.len());
        text.extend_from_slice(&piece);
    }
    Ok(String::from_utf8(text).unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_connection_is_kept_between_requests_and_a_head_that_has_begun_has_to_come() {
    let options = ServeOptions {
        head_timeout: 10 * SECOND,
        idle_timeout: Some(120 * SECOND),
        ..ServeOptions::default()
    };
    let world = world(HttpOptions::default(), &options);
    let mut client = world.http1();
    for _ in 0..3 {
        client.write_all(whole("tools/call", Some("echo"), &call("echo")).as_bytes()).await.unwrap();
        until(&mut client, "here").await;
        sleep(100 * SECOND).await;
    }
    let before = Instant::now();
    client.write_all(b"POST /mcp HT").await.unwrap();
    assert_eq!(rest(&mut client).await, "");
    assert_eq!(before.elapsed(), 10 * SECOND);
    let mut idle = world.http1();
    idle.write_all(whole("tools/call", Some("echo"), &call("echo")).as_bytes()).await.unwrap();
    until(&mut idle, "here").await;
    let before = Instant::now();
    assert_eq!(rest(&mut idle).await, "");
    assert_eq!(before.elapsed(), 120 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn without_an_idle_timeout_the_read_timeout_ends_idle_connections() {
    let options =
        ServeOptions { idle_timeout: None, read_timeout: Some(45 * SECOND), ..ServeOptions::default() };
    let mut idle = world(HttpOptions::default(), &options).http1();
    idle.write_all(whole("tools/call", Some("echo"), &call("echo")).as_bytes()).await.unwrap();
    until(&mut idle, "here").await;
    let before = Instant::now();
    assert_eq!(rest(&mut idle).await, "");
    assert_eq!(before.elapsed(), 45 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn an_http2_stream_whose_answer_nobody_takes_is_reset_and_its_siblings_go_on() {
    let world = world(HttpOptions::default(), &ServeOptions::default());
    let mut client = world.http2_with_window(1_000).await;
    let before = Instant::now();
    let (status, mut unread) = client.call("big").await;
    assert_eq!(status, 200);
    // Traffic beside it does not keep it.
    for _ in 0..4 {
        sleep(5 * SECOND).await;
        let (_, mut answer) = client.call("echo").await;
        assert!(taken(&mut answer).await.unwrap().contains("here"));
    }
    // What was let through can still be taken, then comes the end.
    let error = loop {
        if let Err(error) = unread.data().await.unwrap() {
            break error;
        }
    };
    assert_eq!(error.reason(), Some(Reason::CANCEL), "{error}");
    assert_eq!(before.elapsed(), 30 * SECOND);
    let (_, mut answer) = client.call("echo").await;
    assert!(taken(&mut answer).await.unwrap().contains("here"));
}

#[tokio::test(start_paused = true)]
async fn an_http2_client_that_takes_its_answer_slowly_gets_it_whole() {
    let world = world(HttpOptions::default(), &ServeOptions::default());
    let mut client = world.http2_with_window(100_000).await;
    let before = Instant::now();
    let (_, mut answer) = client.call("big").await;
    let mut length = 0;
    while let Some(piece) = answer.data().await {
        let piece = piece.unwrap();
        length += piece.len();
        sleep(2 * SECOND).await;
        let _ = answer.flow_control().release_capacity(piece.len());
    }
    assert!(length > 1 << 20);
    assert!(before.elapsed() > 60 * SECOND, "{:?}", before.elapsed());
}

#[tokio::test(start_paused = true)]
async fn an_idle_http2_client_that_does_not_go_is_cut_off() {
    let world = world(HttpOptions::default(), &ServeOptions::default());
    // Its pings are answered, and it keeps a stream whose last bytes it does not take.
    let mut client = world.http2_with_window(10).await;
    let (_, _unread) = client.call("echo").await;
    let before = Instant::now();
    client.served.await.unwrap();
    assert_eq!(before.elapsed(), 150 * SECOND, "120 s idle, 30 s to leave");
}

#[tokio::test(start_paused = true)]
async fn an_upload_that_stops_is_refused_and_cut_off() {
    let http = HttpOptions { body_timeout: 600 * SECOND, ..HttpOptions::default() };
    let world = world(http, &ServeOptions::default());
    let mut slow = world.http1();
    let text = call("echo");
    slow.write_all(lines("tools/call", Some("echo"), text.len()).as_bytes()).await.unwrap();
    slow.write_all(b"{").await.unwrap();
    let before = Instant::now();
    let answer = rest(&mut slow).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("read_timeout"), "{answer}");
    assert_eq!(before.elapsed(), 30 * SECOND);
    let mut client = world.http2().await;
    let (response, mut upload) =
        client.requests.send_request(head("tools/call", Some("echo")), false).unwrap();
    upload.send_data(Bytes::from_static(b"{"), false).unwrap();
    let (response, mut answer) = response.await.unwrap().into_parts();
    assert_eq!(response.status, 408);
    assert!(taken(&mut answer).await.unwrap().contains("read_timeout"));
    let reset = std::future::poll_fn(|context| upload.poll_reset(context)).await.unwrap();
    assert_eq!(reset, Reason::NO_ERROR);
    // Routes of the application beside the endpoint are protected, too.
    let request = Request::post("http://localhost/upload").body(()).unwrap();
    let before = Instant::now();
    let (response, _upload) = client.requests.send_request(request, false).unwrap();
    assert!(response.await.unwrap().status().is_client_error());
    assert_eq!(before.elapsed(), 30 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_trickling_upload_ends_when_the_body_should_be_there() {
    let world = world(HttpOptions::default(), &ServeOptions::default());
    let mut slow = world.http1();
    slow.write_all(lines("tools/call", Some("echo"), 1_000).as_bytes()).await.unwrap();
    let before = Instant::now();
    let (mut reading, mut writing) = tokio::io::split(slow);
    let trickle = tokio::spawn(async move {
        while writing.write_all(b" ").await.is_ok() {
            sleep(5 * SECOND).await;
        }
    });
    let mut answer = vec![0; 4_096];
    let length = reading.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(answer.get(..length).unwrap()).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("body_timeout"), "{answer}");
    assert!(before.elapsed() <= 30 * SECOND);
    trickle.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_a_handler_is_dropped_and_the_answer_is_504_with_the_id() {
    let world = with_deadline(10 * SECOND);
    let mut client = world.http1();
    let before = Instant::now();
    client.write_all(whole("tools/call", Some("hang"), &call("hang")).as_bytes()).await.unwrap();
    let answer = until(&mut client, "}}").await;
    assert_eq!(before.elapsed(), 10 * SECOND);
    assert!(answer.starts_with("HTTP/1.1 504") && answer.contains(r#""id":7"#), "{answer}");
    assert!(answer.contains("request_deadline") && answer.contains("-32603"), "{answer}");
    assert!(world.left.lock().unwrap().as_ref().unwrap().is_cancelled());
    // The connection is as good as before.
    client.write_all(whole("tools/call", Some("echo"), &call("echo")).as_bytes()).await.unwrap();
    assert!(until(&mut client, "here").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_the_call_of_a_session_ends_too() {
    let world = with_deadline(10 * SECOND);
    let mut client = world.http1();
    let send = |session: &str, body: Value| {
        let text = body.to_string();
        format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n{session}content-length: {}\r\n\r\n{text}",
            text.len()
        )
    };
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } } });
    client.write_all(send("", hello).as_bytes()).await.unwrap();
    let welcome = until(&mut client, "serverInfo").await;
    let id = welcome.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let session = format!("mcp-session-id: {id}\r\nmcp-protocol-version: 2025-11-25\r\n");
    let call = json!({ "jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": { "name": "hang" } });
    let before = Instant::now();
    client.write_all(send(&session, call).as_bytes()).await.unwrap();
    let answer = until(&mut client, "}}").await;
    assert_eq!(before.elapsed(), 10 * SECOND);
    assert!(answer.starts_with("HTTP/1.1 504") && answer.contains(r#""id":8"#), "{answer}");
    assert!(world.left.lock().unwrap().as_ref().unwrap().is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_an_upload_is_cut_off() {
    let world = with_deadline(10 * SECOND);
    let mut slow = world.http1();
    let before = Instant::now();
    slow.write_all(lines("tools/call", Some("echo"), 1_000).as_bytes()).await.unwrap();
    let answer = rest(&mut slow).await;
    assert_eq!(before.elapsed(), 10 * SECOND);
    assert!(answer.starts_with("HTTP/1.1 504") && answer.contains("request_deadline"), "{answer}");
    let mut client = world.http2().await;
    let before = Instant::now();
    let (response, mut upload) =
        client.requests.send_request(head("tools/call", Some("echo")), false).unwrap();
    let (response, mut answer) = response.await.unwrap().into_parts();
    assert_eq!((before.elapsed(), response.status), (10 * SECOND, StatusCode::GATEWAY_TIMEOUT));
    assert!(taken(&mut answer).await.unwrap().contains("request_deadline"));
    let reset = std::future::poll_fn(|context| upload.poll_reset(context)).await.unwrap();
    assert_eq!(reset, Reason::NO_ERROR);
    let (status, _) = client.call("echo").await;
    assert_eq!(status, 200);
}

/// A verifier that does not come back.
#[derive(Debug)]
struct Hung;

#[async_trait::async_trait]
impl Verifier for Hung {
    async fn verify(&self, _: &str) -> Result<Principal, VerifyError> {
        pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_covers_the_check_of_the_caller() {
    let http = HttpOptions {
        request_deadline: Some(10 * SECOND),
        verifier: Some(Arc::new(Hung)),
        ..HttpOptions::default()
    };
    let mut client = world(http, &ServeOptions::default()).http1();
    let text = whole("tools/call", Some("echo"), &call("echo")).replacen(
        "host:",
        "authorization: Bearer abc\r\nhost:",
        1,
    );
    let before = Instant::now();
    client.write_all(text.as_bytes()).await.unwrap();
    assert!(until(&mut client, "request_deadline").await.starts_with("HTTP/1.1 504"));
    assert_eq!(before.elapsed(), 10 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_a_stream_breaks_off_and_does_not_look_ended() {
    let world = with_deadline(10 * SECOND);
    let mut client = world.http1();
    let before = Instant::now();
    let text = whole("tools/call", Some("report_and_hang"), &call("report_and_hang"));
    client.write_all(text.as_bytes()).await.unwrap();
    let answer = rest(&mut client).await;
    assert_eq!(before.elapsed(), 10 * SECOND);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("notifications/progress"), "{answer}");
    assert!(answer.contains("chunked") && !answer.ends_with("0\r\n\r\n"), "{answer}");
    let mut client = world.http2().await;
    let before = Instant::now();
    let (status, mut answer) = client.call("report_and_hang").await;
    assert_eq!(status, 200);
    let error = taken(&mut answer).await.unwrap_err();
    assert!(error.is_reset(), "{error}");
    assert_eq!(before.elapsed(), 10 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_covers_an_answer_that_is_not_taken() {
    let world = with_deadline(10 * SECOND);
    let (mut client, served) = world.connect(1_000);
    let before = Instant::now();
    client.write_all(whole("tools/call", Some("big"), &call("big")).as_bytes()).await.unwrap();
    served.await.unwrap();
    assert_eq!(before.elapsed(), 10 * SECOND);
    let mut client = world.http2_with_window(1_000).await;
    let before = Instant::now();
    let (_, mut unread) = client.call("big").await;
    assert!(unread.data().await.unwrap().is_ok());
    let error = unread.data().await.unwrap().unwrap_err();
    assert!(error.is_reset(), "{error}");
    assert_eq!(before.elapsed(), 10 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_listen_stream_has_no_deadline() {
    let world = with_deadline(10 * SECOND);
    let mut client = world.http1();
    client.write_all(whole("subscriptions/listen", None, &listen()).as_bytes()).await.unwrap();
    until(&mut client, "acknowledged").await;
    let ended = timeout(600 * SECOND, async { while client.read_u8().await.is_ok() {} }).await;
    assert!(ended.is_err(), "the stream ended");
}

/// A frame of HTTP/2; RFC 9113 section 4.1.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length.get(1..).unwrap().to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

#[tokio::test(start_paused = true)]
async fn a_client_that_opens_and_resets_streams_in_a_flood_is_sent_away() {
    const HEADERS: u8 = 1;
    const RST_STREAM: u8 = 3;
    const SETTINGS: u8 = 4;
    const GOAWAY: u8 = 7;
    let world = world(HttpOptions::default(), &ServeOptions::default());
    let mut hostile = world.http1();
    let mut flood = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    flood.extend(frame(SETTINGS, 0, 0, &[]));
    for stream in (1..400).step_by(2) {
        // `:method: POST`, `:scheme: http`, `:path: /` by their index; the head ends, the body does not.
        flood.extend(frame(HEADERS, 0x4, stream, &[0x83, 0x86, 0x84]));
        flood.extend(frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()));
    }
    hostile.write_all(&flood).await.unwrap();
    let mut told = Vec::new();
    timeout(SECOND, hostile.read_to_end(&mut told)).await.unwrap().unwrap();
    let enhance_your_calm = 11_u32.to_be_bytes();
    let goodbye = told.windows(4).rposition(|code| code == enhance_your_calm).unwrap();
    assert_eq!(told.get(goodbye - 10), Some(&GOAWAY));
    let mut other = world.http2().await;
    let (_, mut answer) = other.call("echo").await;
    assert!(taken(&mut answer).await.unwrap().contains("here"));
}

#[tokio::test(start_paused = true)]
async fn a_head_that_is_too_large_is_refused_on_http2() {
    let world = world(HttpOptions::default(), &ServeOptions::default());
    let mut client = world.http2().await;
    let mut request = head("tools/call", Some("echo"));
    for number in 0..30 {
        let name = http::HeaderName::try_from(format!("x-{number}")).unwrap();
        request.headers_mut().insert(name, "1".repeat(4_000).try_into().unwrap());
    }
    let (status, _) = client.answer(request, call("echo")).await;
    assert_eq!(status, 431);
    let (status, _) = client.call("echo").await;
    assert_eq!(status, 200);
}
