//! One HTTP request, and everything that comes back.

use http_body_util::{BodyExt as _, Full};
use hyper::{
    HeaderMap, Request,
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use mcp_server::ProtocolVersion;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: String,
}

impl Answered {
    /// The messages in the body: one of JSON, or those of an event stream.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let parse = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {self:?}"));
        if self.content_type.starts_with("text/event-stream") {
            self.body.lines().filter_map(|line| line.strip_prefix("data: ")).map(parse).collect()
        } else {
            vec![parse(&self.body)]
        }
    }

    /// The result in the last message.
    pub(crate) fn result(&self) -> Value {
        let last = self.messages().pop().unwrap();
        last.get("result").unwrap_or_else(|| panic!("no result: {self:?}")).clone()
    }
}

/// Sends a request of the newest version to a URL such as `http://127.0.0.1:4000/mcp`.
pub(crate) async fn call(url: &str, method: &str, params: Value, more: &[(&str, &str)]) -> Answered {
    let mut params = params;
    let version = ProtocolVersion::LATEST.as_str();
    let meta = params.as_object_mut().unwrap().entry("_meta").or_insert(json!({}));
    meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
    let meta = meta.as_object_mut().unwrap();
    meta.entry("io.modelcontextprotocol/clientCapabilities").or_insert(json!({}));
    let target = ["name", "uri"].iter().find_map(|member| params[*member].as_str()).map(str::to_owned);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let mut headers = vec![
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", version),
        ("mcp-method", method),
    ];
    headers.extend(target.as_deref().map(|target| ("mcp-name", target)));
    headers.extend(more);
    send(url, "POST", &headers, body).await
}

/// Sends any request and reads the whole answer.
pub(crate) async fn send(url: &str, method: &str, headers: &[(&str, &str)], body: String) -> Answered {
    let Begun { status, headers, body, .. } = begin(url, method, headers, body).await;
    let content_type = headers.get("content-type").map_or("", |value| value.to_str().unwrap()).into();
    let body = body.collect().await.unwrap().to_bytes();
    Answered { status, content_type, body: String::from_utf8(body.to_vec()).unwrap() }
}

/// An answer whose body is still to come.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: Incoming,
    read: Vec<u8>,
}

/// Sends any request and reads the head of the answer.
pub(crate) async fn begin(url: &str, method: &str, headers: &[(&str, &str)], body: String) -> Begun {
    let (authority, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let stream = TcpStream::connect(authority).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(format!("/{path}"));
    request = request.header("host", authority);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body))).unwrap();
    let (head, body) = sender.send_request(request).await.unwrap().into_parts();
    Begun { status: head.status.as_u16(), headers: head.headers, body, read: Vec::new() }
}

impl Begun {
    /// The next message of an event stream.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            if let Some(end) = self.read.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = self.read.drain(..end + 2).collect();
                let event = String::from_utf8(event).unwrap();
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                match data {
                    Some(data) if !data.is_empty() => return serde_json::from_str(data).unwrap(),
                    _ => continue,
                }
            }
            let frame = self.body.frame().await.expect("the stream has ended").unwrap();
            if let Ok(bytes) = frame.into_data() {
                self.read.extend_from_slice(&bytes);
            }
        }
    }
}
