//! The listener: timeouts, limits and the end.

use crate::request::{Probe, body, sample};
use mcp_transport_http::{Endpoint, Exposure, HttpOptions, ServeError, ServeOptions, serve};
use serde_json::json;
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<Result<(), ServeError>>,
    probe: Probe,
}

async fn running(options: ServeOptions) -> Running {
    let probe = Probe::default();
    let endpoint = Endpoint::new(sample(&probe), HttpOptions::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let done = tokio::spawn(async move {
        let routes = endpoint.routes();
        serve(listener, routes, &endpoint, options, async move {
            let _ = stopped.await;
        })
        .await
    });
    Running { address, stop, done, probe }
}

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

fn raw(method: &str, name: Option<&str>) -> Vec<u8> {
    let params = match name {
        Some(name) => json!({ "name": name }),
        None => json!({ "notifications": { "toolsListChanged": true } }),
    };
    let text = body(method, params).to_string();
    let name = name.map(|name| format!("mcp-name: {name}\r\n")).unwrap_or_default();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}content-length: {}\r\n\r\n{text}",
        text.len()
    )
    .into_bytes()
}

async fn read_until(stream: &mut TcpStream, needle: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4_096];
    while !text.contains(needle) {
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(read > 0, "the connection ended before `{needle}`: {text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    text
}

async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn at_the_end_calls_finish_streams_end_and_idle_connections_close() {
    let server = running(ServeOptions::default()).await;
    let mut idle = connect(server.address).await;
    let mut listening = connect(server.address).await;
    listening.write_all(&raw("subscriptions/listen", None)).await.unwrap();
    read_until(&mut listening, "acknowledged").await;
    let mut calling = connect(server.address).await;
    calling.write_all(&raw("tools/call", Some("slow"))).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let before = Instant::now();
    server.stop.send(()).unwrap();
    assert!(rest(&mut listening).await.contains("\"resultType\":\"complete\""));
    assert!(rest(&mut calling).await.contains("late"));
    assert_eq!(rest(&mut idle).await, "");
    server.done.await.unwrap().unwrap();
    assert!(before.elapsed() < Duration::from_secs(3));
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn the_grace_bounds_the_end_whatever_calls_do() {
    let server = running(ServeOptions { grace: Duration::from_millis(200), ..ServeOptions::default() }).await;
    let mut hanging = connect(server.address).await;
    hanging.write_all(&raw("tools/call", Some("hang"))).await.unwrap();
    server.probe.started.notified().await;
    let mut streaming = connect(server.address).await;
    streaming.write_all(&raw("tools/call", Some("report_and_hang"))).await.unwrap();
    read_until(&mut streaming, "notifications/progress").await;
    server.stop.send(()).unwrap();
    assert!(rest(&mut streaming).await.contains("retry: 1000"));
    server.done.await.unwrap().unwrap();
    assert_eq!(server.probe.ended(), 2);
}

#[tokio::test]
async fn clients_that_send_no_head_or_are_idle_are_cut_off_and_working_ones_are_not() {
    let server = running(ServeOptions {
        head_timeout: Duration::from_millis(200),
        idle_timeout: Some(Duration::from_millis(300)),
        ..ServeOptions::default()
    })
    .await;
    let mut silent = connect(server.address).await;
    let mut half = connect(server.address).await;
    half.write_all(b"POST /mcp HTTP/1.1\r\nhost: loc").await.unwrap();
    let mut preface = connect(server.address).await;
    preface.write_all(b"PRI * HT").await.unwrap();
    let mut idle = connect(server.address).await;
    idle.write_all(&raw("tools/call", Some("echo"))).await.unwrap();
    read_until(&mut idle, "resultType").await;
    let mut working = connect(server.address).await;
    working.write_all(&raw("tools/call", Some("slow"))).await.unwrap();
    assert!(read_until(&mut working, "resultType").await.contains("late"));
    for (name, stream) in
        [("half", &mut half), ("silent", &mut silent), ("preface", &mut preface), ("idle", &mut idle)]
    {
        let closed = tokio::time::timeout(Duration::from_secs(5), rest(stream)).await;
        assert!(closed.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn a_client_that_never_reads_its_answers_is_cut_off() {
    let server =
        running(ServeOptions { write_timeout: Duration::from_millis(200), ..ServeOptions::default() }).await;
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut greedy = socket.connect(server.address).await.unwrap();
    let requests = raw("tools/call", Some("echo")).repeat(100);
    // The answers fill the buffers on both sides, then the requests do, and then nothing moves.
    let cut_off = async { while greedy.write_all(&requests).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(20), cut_off).await.unwrap();
}

#[tokio::test]
async fn a_client_that_leaves_within_its_first_bytes_leaves_its_place() {
    let server = running(ServeOptions { max_connections: 1, ..ServeOptions::default() }).await;
    let mut first = connect(server.address).await;
    first.write_all(b"P").await.unwrap();
    let mut second = connect(server.address).await;
    second.write_all(&raw("tools/call", Some("echo"))).await.unwrap();
    drop(first);
    let answered = tokio::time::timeout(Duration::from_secs(5), read_until(&mut second, "resultType")).await;
    assert!(answered.is_ok());
}

/// A request with so many more headers, of which one is so long.
fn with_headers(count: usize, length: usize) -> Vec<u8> {
    let call = String::from_utf8(raw("tools/call", Some("echo"))).unwrap();
    let mut more = String::new();
    (1..count).for_each(|number| more.push_str(&format!("x-{number}: 1\r\n")));
    more.push_str(&format!("x-long: {}\r\n", "1".repeat(length)));
    call.replacen("host: localhost\r\n", &format!("host: localhost\r\n{more}"), 1).into_bytes()
}

#[tokio::test]
async fn a_head_of_too_many_headers_or_bytes_is_431() {
    let options = ServeOptions { max_headers: 20, head_bytes: 8 * 1024, ..ServeOptions::default() };
    let server = running(options).await;
    for (count, length, status) in [(10, 10, "200"), (20, 10, "431"), (1, 4_000, "200"), (1, 20_000, "431")] {
        let mut stream = connect(server.address).await;
        stream.write_all(&with_headers(count, length)).await.unwrap();
        let answer = read_until(&mut stream, "\r\n\r\n").await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{count} of {length}: {answer}");
    }
}

#[tokio::test]
async fn an_http2_client_is_told_how_many_requests_it_may_have_in_flight() {
    /// SETTINGS_MAX_CONCURRENT_STREAMS; RFC 9113 section 6.5.2.
    const MOST_STREAMS: u16 = 3;
    let server = running(ServeOptions { max_http2_streams: 7, ..ServeOptions::default() }).await;
    let mut stream = connect(server.address).await;
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(head[3], 4, "the first frame holds the settings");
    let mut settings = vec![0; usize::from(u16::from_be_bytes([head[1], head[2]]))];
    stream.read_exact(&mut settings).await.unwrap();
    let most = settings.chunks_exact(6).find(|setting| setting[..2] == MOST_STREAMS.to_be_bytes()).unwrap();
    assert_eq!(most[2..], 7_u32.to_be_bytes());
}

#[tokio::test]
async fn connections_beyond_the_limit_wait() {
    let server = running(ServeOptions { max_connections: 1, ..ServeOptions::default() }).await;
    let mut first = connect(server.address).await;
    first.write_all(&raw("tools/call", Some("echo"))).await.unwrap();
    read_until(&mut first, "resultType").await;
    let mut second = connect(server.address).await;
    second.write_all(&raw("tools/call", Some("echo"))).await.unwrap();
    let waited = tokio::time::timeout(Duration::from_millis(100), second.readable()).await;
    assert!(waited.is_err());
    drop(first);
    read_until(&mut second, "resultType").await;
}

#[tokio::test]
async fn an_open_listener_needs_authentication_or_an_explicit_word() {
    for (exposure, refused) in [(Exposure::Guarded, true), (Exposure::Open, false)] {
        let endpoint = Endpoint::new(sample(&Probe::default()), HttpOptions::default()).unwrap();
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let options = ServeOptions { exposure, ..ServeOptions::default() };
        let outcome = serve(listener, endpoint.routes(), &endpoint, options, async {}).await;
        assert_eq!(matches!(outcome, Err(ServeError::Unguarded(_))), refused);
    }
}

#[tokio::test]
async fn a_server_that_would_wait_for_ever_for_a_silent_client_does_not_start() {
    let start = async |idle_timeout, read_timeout, request_deadline| {
        let http = HttpOptions { request_deadline, ..HttpOptions::default() };
        let endpoint = Endpoint::new(sample(&Probe::default()), http).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let options = ServeOptions { idle_timeout, read_timeout, ..ServeOptions::default() };
        serve(listener, endpoint.routes(), &endpoint, options, async {}).await
    };
    let some = Some(Duration::from_secs(10));
    // Neither the deadline nor the timeout of writes, which is always on, is a substitute.
    for deadline in [None, some] {
        let refused = start(None, None, deadline).await.unwrap_err();
        assert!(matches!(refused, ServeError::NoReadLimit), "{refused:?}");
        let text = refused.to_string();
        assert!(text.contains("`idle_timeout`") && text.contains("`read_timeout`"), "{text}");
    }
    assert!(start(some, None, None).await.is_ok());
    assert!(start(None, some, None).await.is_ok());
}

#[tokio::test]
async fn bodies_in_odd_pieces_pipelined_requests_and_old_clients_are_served() {
    let server = running(ServeOptions::default()).await;
    let mut chunked = connect(server.address).await;
    let request = String::from_utf8(raw("tools/call", Some("echo"))).unwrap();
    let (head, text) = request.split_once("\r\n\r\n").unwrap();
    let head: String = head
        .lines()
        .filter(|line| !line.starts_with("content-length"))
        .map(|line| format!("{line}\r\n"))
        .collect();
    chunked.write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes()).await.unwrap();
    for piece in text.as_bytes().chunks(7) {
        chunked.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await.unwrap();
        chunked.write_all(piece).await.unwrap();
        chunked.write_all(b"\r\n").await.unwrap();
    }
    chunked.write_all(b"0\r\n\r\n").await.unwrap();
    assert!(read_until(&mut chunked, "resultType").await.starts_with("HTTP/1.1 200"));
    let mut pipelined = connect(server.address).await;
    let one = raw("tools/call", Some("echo"));
    pipelined.write_all(&[one.as_slice(), one.as_slice()].concat()).await.unwrap();
    let mut answers = read_until(&mut pipelined, "resultType").await;
    while answers.matches("HTTP/1.1 200").count() < 2 {
        answers.push_str(&read_until(&mut pipelined, "resultType").await);
    }
    let mut old = connect(server.address).await;
    let text = request.replacen("HTTP/1.1", "HTTP/1.0", 1);
    old.write_all(text.as_bytes()).await.unwrap();
    let answer = rest(&mut old).await;
    assert!(answer.starts_with("HTTP/1.0 200") && !answer.contains("chunked"), "{answer}");
}
