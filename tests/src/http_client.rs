//! HTTP/1.1 as it is on the wire: every byte of a request is the test's choice.

use serde_json::Value;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// How long any single answer may take before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A request, with just the headers it is given, `Host` and the body's length.
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// A request without headers and body.
    #[must_use]
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// Sets the path.
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Sets a header in place of what it was.
    #[must_use]
    pub fn header(self, name: &str, value: impl Into<String>) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.into()));
        request
    }

    /// Leaves a header out.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    fn encode(&self, host: &str) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {host}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", self.body.len()));
        let mut bytes = head.into_bytes();
        bytes.extend(&self.body);
        bytes
    }
}

/// A connection on which requests follow each other.
#[derive(Debug)]
pub struct HttpClient {
    stream: TcpStream,
    host: String,
    received: Vec<u8>,
}

/// A whole response.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers, in order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, without its transfer coding.
    pub body: Vec<u8>,
}

impl Response {
    /// A header's value; names are compared in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the body is UTF-8")
    }

    /// The messages of the body, whether it is JSON or an event stream.
    #[must_use]
    pub fn messages(&self) -> Vec<Value> {
        match self.header("content-type").unwrap_or_default() {
            "application/json" => vec![serde_json::from_slice(&self.body).expect("the body is JSON")],
            "text/event-stream" => data_lines(&self.text()),
            other => panic!("status {} with content type `{other}`: {}", self.status, self.text()),
        }
    }

    /// The last message of the body: the reply.
    #[must_use]
    #[track_caller]
    pub fn reply(&self) -> Value {
        self.messages().pop().expect("the body has a message")
    }

    /// The code of the reply's error.
    #[must_use]
    #[track_caller]
    pub fn error_code(&self) -> Option<i64> {
        self.reply()["error"]["code"].as_i64()
    }
}

fn data_lines(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim_start);
    data.filter(|data| !data.is_empty())
        .map(|data| serde_json::from_str(data).expect("each data line is a message"))
        .collect()
}

impl HttpClient {
    /// Connects.
    pub async fn connect(address: SocketAddr) -> Self {
        let stream = within("connecting", TcpStream::connect(address)).await.expect("the server listens");
        stream.set_nodelay(true).expect("the option is known");
        Self { stream, host: address.to_string(), received: Vec::new() }
    }

    /// Sends a request and reads the whole response.
    pub async fn send(&mut self, request: &Request) -> Response {
        self.write(request).await;
        let (status, headers) = self.read_head().await;
        self.read_body(status, headers).await
    }

    /// Sends a request, and reads the whole response or, if it is an event stream, up to its beginning.
    pub async fn begin(mut self, request: &Request) -> Answering {
        self.write(request).await;
        let (status, headers) = self.read_head().await;
        let events =
            headers.iter().any(|(name, value)| name == "content-type" && value == "text/event-stream");
        if events {
            Answering::Events(self.events(headers).await)
        } else {
            Answering::Whole(self.read_body(status, headers).await)
        }
    }

    async fn read_body(&mut self, status: u16, headers: Vec<(String, String)>) -> Response {
        let mut response = Response { status, headers, body: Vec::new() };
        match response.header("content-length").map(|length| length.parse::<usize>().unwrap()) {
            Some(length) => {
                while self.received.len() < length {
                    assert!(self.receive().await, "the connection ended inside a body");
                }
                response.body = self.received.drain(..length).collect();
            }
            None if response.header("transfer-encoding") == Some("chunked") => {
                while let Some(chunk) = self.read_chunk().await {
                    response.body.extend(chunk);
                }
            }
            None => {}
        }
        response
    }

    /// Sends a request and reads no answer.
    pub async fn write(&mut self, request: &Request) {
        let bytes = request.encode(&self.host);
        within("sending", self.stream.write_all(&bytes)).await.expect("the server reads");
    }

    /// Sends as much of a request as the server takes; `false` when it closes the connection before the end.
    ///
    /// # Panics
    /// When it neither reads nor closes in time.
    pub async fn try_write(&mut self, request: &Request) -> bool {
        let bytes = request.encode(&self.host);
        within("sending", self.stream.write_all(&bytes)).await.is_ok()
    }

    /// Everything that still comes until the server closes the connection, which it must.
    ///
    /// # Panics
    /// When it does not close in time.
    pub async fn until_closed(mut self) -> String {
        while self.receive().await {}
        String::from_utf8_lossy(&self.received).into_owned()
    }

    /// Sends a request that is answered with an event stream, and reads up to its beginning.
    pub async fn listen(mut self, request: &Request) -> EventStream {
        self.write(request).await;
        let (status, headers) = self.read_head().await;
        let kind = headers.iter().find(|(name, _)| name == "content-type").map(|(_, value)| value.as_str());
        assert_eq!((status, kind), (200, Some("text/event-stream")), "an event stream is expected");
        self.events(headers).await
    }

    /// A stream whose head was read; one whose events are all there comes with its length.
    async fn events(mut self, headers: Vec<(String, String)>) -> EventStream {
        if headers.iter().any(|(name, _)| name == "content-length") {
            let text = self.read_body(200, headers).await.text();
            return EventStream { client: self, text, ended: true };
        }
        EventStream { client: self, text: String::new(), ended: false }
    }

    /// Reads a status line and headers.
    pub async fn read_head(&mut self) -> (u16, Vec<(String, String)>) {
        loop {
            if let Some(end) = find(&self.received, b"\r\n\r\n") {
                let head: Vec<u8> = self.received.drain(..end + 4).collect();
                let head = String::from_utf8(head).expect("the head is text");
                let mut lines = head.trim_end().split("\r\n");
                let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
                let headers = lines
                    .map(|line| line.split_once(':').expect("a header has a colon"))
                    .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
                    .collect();
                return (status, headers);
            }
            assert!(self.receive().await, "the connection ended before the response's head");
        }
    }

    /// Tells whether the server closes the connection without another byte.
    pub async fn is_closed(&mut self) -> bool {
        self.received.is_empty() && !self.receive().await
    }

    async fn read_chunk(&mut self) -> Option<Vec<u8>> {
        let length = loop {
            if let Some(end) = find(&self.received, b"\r\n") {
                let line: Vec<u8> = self.received.drain(..end + 2).collect();
                let digits = String::from_utf8(line).unwrap();
                break usize::from_str_radix(digits.trim(), 16).expect("a chunk begins with its length");
            }
            if !self.receive().await {
                return None;
            }
        };
        while self.received.len() < length + 2 {
            if !self.receive().await {
                return None;
            }
        }
        let mut chunk: Vec<u8> = self.received.drain(..length + 2).collect();
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    /// Waits for more bytes; `false` at the end of the connection.
    async fn receive(&mut self) -> bool {
        match within("an answer", self.stream.read_buf(&mut self.received)).await {
            Ok(count) => count > 0,
            Err(_) => false,
        }
    }
}

/// What a request is answered with.
#[derive(Debug)]
pub enum Answering {
    /// One response, read to its end.
    Whole(Response),
    /// A stream of messages, not read yet.
    Events(EventStream),
}

/// An event stream that is read message by message; dropping it closes the connection.
#[derive(Debug)]
pub struct EventStream {
    client: HttpClient,
    text: String,
    ended: bool,
}

/// One event as it was written; comments are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenEvent {
    /// The event's name, where it has one.
    pub name: Option<String>,
    /// The data as it is, where there is some.
    pub data: Option<String>,
    /// The event's id.
    pub id: Option<String>,
    /// The milliseconds to wait before coming back.
    pub retry: Option<u64>,
    /// The message; `None` for an event without one.
    pub message: Option<Value>,
}

impl WrittenEvent {
    fn read(text: &str) -> Self {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let data = field("data:").filter(|data| !data.is_empty());
        Self {
            name: field("event:").map(str::to_owned),
            data: data.map(str::to_owned),
            id: field("id:").map(str::to_owned),
            retry: field("retry:").map(|delay| delay.parse().expect("a delay is a number")),
            message: data
                .filter(|_| field("event:") != Some("endpoint"))
                .map(|data| serde_json::from_str(data).expect("each data line is a message")),
        }
    }
}

impl EventStream {
    /// The next message; `None` at the stream's end.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = self.event().await?.message {
                return Some(message);
            }
        }
    }

    /// All events up to the stream's end.
    pub async fn rest(&mut self) -> Vec<WrittenEvent> {
        let mut all = Vec::new();
        while let Some(event) = self.event().await {
            all.push(event);
        }
        all
    }

    /// Breaks the connection with a reset, as a process that is killed may do.
    pub fn reset(self) {
        self.client.stream.set_zero_linger().expect("the option is known");
    }

    /// The next event; `None` at the stream's end.
    pub async fn event(&mut self) -> Option<WrittenEvent> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let text: String = self.text.drain(..end + 2).collect();
                let event = WrittenEvent::read(&text);
                if event != WrittenEvent::default() {
                    return Some(event);
                }
            }
            if self.ended {
                return None;
            }
            match self.client.read_chunk().await {
                Some(chunk) => self.text.push_str(&String::from_utf8(chunk).expect("events are text")),
                None => self.ended = true,
            }
        }
    }
}

async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("{what} took longer than {PATIENCE:?}"))
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}
