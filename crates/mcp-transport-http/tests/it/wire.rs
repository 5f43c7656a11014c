//! Requests as they are written on the wire: expectations, lengths, and characters that are cut in two.

use crate::request::{Probe, body, sample};
use mcp_transport_http::{Endpoint, HttpOptions, ServeOptions, serve};
use serde_json::json;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};

/// Long enough for any machine, and an end for a server that does not answer.
const PATIENCE: Duration = Duration::from_secs(20);

async fn connect() -> TcpStream {
    let endpoint = Endpoint::new(sample(&Probe::default()), HttpOptions::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        serve(listener, endpoint.routes(), &endpoint, ServeOptions::default(), std::future::pending()).await
    });
    TcpStream::connect(address).await.unwrap()
}

/// The head of a call, with these fields more, and its body; the answer names the argument, which does not exist.
fn call(argument: &str, fields: &str) -> (String, String) {
    let text = body("tools/call", json!({ "name": "echo", "arguments": { argument: 1 } })).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: echo\r\n{fields}\r\n"
    );
    (head, text)
}

async fn read_until(stream: &mut TcpStream, needle: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4_096];
    while !text.contains(needle) {
        let read = timeout(PATIENCE, stream.read(&mut buffer)).await.unwrap().unwrap();
        assert!(read > 0, "the connection ended before `{needle}`: {text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    text
}

#[tokio::test]
async fn a_client_that_waits_to_be_told_to_go_on_is_told() {
    let text = "x".repeat(2_000);
    let mut stream = connect().await;
    let (head, body) = call(&text, "");
    let length = format!("content-length: {}\r\nexpect: 100-continue\r\n\r\n", body.len());
    stream.write_all(head.replacen("\r\n\r\n", &format!("\r\n{length}"), 1).as_bytes()).await.unwrap();
    assert!(read_until(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 100"));
    stream.write_all(body.as_bytes()).await.unwrap();
    assert!(read_until(&mut stream, "resultType").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_client_that_waits_is_refused_before_it_sends_its_body() {
    let mut stream = connect().await;
    let (head, _) = call("x", "");
    let length = "content-length: 99999999\r\nexpect: 100-continue\r\n\r\n";
    stream.write_all(head.replacen("\r\n\r\n", &format!("\r\n{length}"), 1).as_bytes()).await.unwrap();
    assert!(read_until(&mut stream, "\r\n\r\n").await.starts_with("HTTP/1.1 413"));
}

#[tokio::test]
async fn a_character_may_be_cut_in_two() {
    let mut stream = connect().await;
    let (head, body) = call("größe 😀", "transfer-encoding: chunked\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    for byte in body.as_bytes() {
        stream.write_all(&[b"1\r\n".as_slice(), &[*byte], b"\r\n"].concat()).await.unwrap();
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
    let answer = read_until(&mut stream, "resultType").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("größe 😀"), "{answer}");
}

#[tokio::test]
async fn nothing_that_follows_a_body_of_doubtful_length_is_served() {
    for (fields, status) in [
        ("content-length: 5\r\ncontent-length: 7\r\n", "400"),
        ("transfer-encoding: chunked, gzip\r\n", "400"),
        // RFC 9112, section 6.3: the chunks count, and the connection ends.
        ("content-length: 5\r\ntransfer-encoding: chunked\r\n", "200"),
        ("transfer-encoding: chunked\r\ncontent-length: 5\r\n", "200"),
    ] {
        let mut stream = connect().await;
        let (head, body) = call("x", fields);
        let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        let (second, smuggled) = call("smuggled", "");
        let length = format!("\r\ncontent-length: {}\r\n\r\n", smuggled.len());
        let second = second.replacen("\r\n\r\n", &length, 1);
        stream.write_all(format!("{head}{chunk}{second}{smuggled}").as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{fields}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{fields}: {answer}");
        assert!(answer.contains("connection: close") && !answer.contains("smuggled"), "{fields}: {answer}");
    }
}

#[tokio::test]
async fn a_client_that_sends_all_before_it_reads_is_told_why_it_is_refused() {
    let length = 8 * 1_024 * 1_024;
    let (well_formed, _) = call("x", &format!("content-length: {length}\r\n"));
    for (head, status, named) in [
        (well_formed.clone(), "413", "body_bytes"),
        (
            well_formed.replace("application/json\r\naccept", "text/plain\r\naccept"),
            "415",
            "application/json",
        ),
        (well_formed.replace("POST", "PUT"), "405", "takes POST"),
        (well_formed.replace("host: localhost", "host: elsewhere.example"), "403", "allowed_hosts"),
    ] {
        let mut stream = connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let sent = timeout(PATIENCE, stream.write_all(&vec![b' '; length])).await.unwrap();
        assert!(sent.is_ok(), "{status}: {sent:?}");
        let answer = read_until(&mut stream, named).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    }
}

#[tokio::test]
async fn a_refused_body_without_end_ends_its_connection() {
    let mut stream = connect().await;
    let (head, _) = call("x", "transfer-encoding: chunked\r\n");
    stream.write_all(head.replace("POST", "PUT").as_bytes()).await.unwrap();
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 65_536], b"\r\n"].concat();
    let sending = async { while stream.write_all(&chunk).await.is_ok() {} };
    timeout(PATIENCE, sending).await.expect("the connection ends");
}
