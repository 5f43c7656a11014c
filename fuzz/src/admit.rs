//! Whole HTTP requests against a server: any body under any routing headers.

use bytes::Bytes;
use futures_util::FutureExt as _;
use mcp_core::{
    admit::{HeaderField, RequestHead},
    context::Transport,
    exchange::Outgoing,
    ports::{BoxFuture, Runtime},
    registry::{McpRouter, prompt, resource, tool},
    server::{Peer, Posted, Server},
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, LazyLock},
    task::{Context, Poll, Waker},
    time::{Instant, SystemTime},
};

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "o": { "type": "object", "properties": { "n": { "type": "integer", "x-mcp-header": "N" } } },
        },
    });
    let router = McpRouter::new()
        .tool("run", tool(|| async { "ran" }).describe("Runs").input_schema(schema))
        .resource("test://{id}", resource(|| async { "x" }))
        .prompt("p", prompt(|| async { "x" }));
    Server::builder(router, Arc::new(NoRuntime))
        .name("fuzz")
        .version("1")
        .dynamic()
        .build()
        .expect("it is sound")
});

/// Nothing here waits, so nothing is ever spawned.
#[derive(Debug)]
struct NoRuntime;

impl Runtime for NoRuntime {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn wall_time(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }

    fn spawn(&self, _: BoxFuture<()>) {
        panic!("nothing is left to do in the background");
    }

    fn spawn_blocking(&self, _: Box<dyn FnOnce() + Send>) {
        panic!("no handler blocks");
    }

    fn sleep_until(&self, _: Instant) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }
}

/// The header lines of the input, names and values as they come.
struct Lines<'a>(Vec<(&'a [u8], &'a [u8])>);

impl RequestHead for Lines<'_> {
    fn field(&self, name: &str) -> HeaderField<'_> {
        let mut values = self.0.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name.as_bytes()));
        match (values.next(), values.next()) {
            (None, _) => HeaderField::Absent,
            (Some((_, value)), None) => HeaderField::Once(value),
            (Some(_), Some(_)) => HeaderField::Repeated,
        }
    }

    fn path(&self) -> &str {
        "/mcp"
    }

    fn accepts_event_stream(&self) -> bool {
        true
    }
}

/// Takes `name:value` lines, an empty line and a body, and serves them.
///
/// # Panics
/// Where the server panics, answers with something other than JSON, or answers a request more or less than once.
pub fn admit(input: &[u8]) {
    let (head, body) = match input.windows(2).position(|pair| pair == b"\n\n") {
        Some(end) => (&input[..end], &input[end + 2..]),
        None => (&[][..], input),
    };
    let lines = head.split(|byte| *byte == b'\n').filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        Some((&line[..colon], &line[colon + 1..]))
    });
    let headers = Lines(lines.collect());
    let posted = SERVER.post(Bytes::copy_from_slice(body), &headers, Peer::anonymous(Transport::Http));
    match posted.now_or_never().expect("nothing waits for a store") {
        Posted::Accepted => {}
        Posted::Refused(reply) => {
            assert!(read(&reply.body)["error"]["code"].is_i64());
            assert!((400..600).contains(&reply.status));
        }
        Posted::Exchange(mut exchange) => {
            let listens = exchange.is_listen();
            let mut replies = 0;
            while let Poll::Ready(Some(message)) =
                exchange.poll_message(&mut Context::from_waker(Waker::noop()))
            {
                match message {
                    Outgoing::Notification(bytes) | Outgoing::Request(bytes) => {
                        assert!(read(&bytes)["method"].is_string())
                    }
                    Outgoing::Stream(_) => {}
                    Outgoing::Reply(reply) => {
                        let answer = read(&reply.body);
                        assert!(answer.get("id").is_some(), "{answer}");
                        assert_ne!(answer.get("result").is_some(), answer.get("error").is_some(), "{answer}");
                        replies += 1;
                    }
                }
            }
            assert_eq!(replies, usize::from(!listens));
        }
    }
}

fn read(bytes: &[u8]) -> Value {
    assert!(!bytes.contains(&b'\n'), "a message is one line");
    serde_json::from_slice(bytes).expect("the server writes JSON")
}

#[cfg(test)]
mod tests {
    use super::admit;

    #[test]
    fn requests_of_every_kind_and_their_fragments_pass_the_target() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        let head = "MCP-Protocol-Version:2026-07-28\nMcp-Method: tools/call\nmcp-name:=?base64?cnVu?=\nMcp-Param-Region:eu\n\n";
        for text in [
            format!(r#"{head}{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"run","arguments":{{"region":"eu"}},{meta}}}}}"#),
            format!("mcp-protocol-version:2026-07-28\nmcp-method:subscriptions/listen\n\n{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"subscriptions/listen\",\"params\":{{\"notifications\":{{\"toolsListChanged\":true}},{meta}}}}}"),
            "mcp-protocol-version:2025-11-25\n\n{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"x\"}}".to_owned(),
            "mcp-protocol-version:1\nmcp-protocol-version:1\n\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".to_owned(),
            "[]".to_owned(),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}".to_owned(),
        ] {
            for end in 0..=text.len() {
                admit(&text.as_bytes()[..end]);
                let mut broken = text.as_bytes().to_vec();
                if let Some(byte) = broken.get_mut(end) {
                    *byte ^= 0x21;
                }
                admit(&broken);
            }
        }
    }
}
