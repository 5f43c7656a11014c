//! Whole HTTP requests against a server: any body under any routing headers.

use crate::{head::Lines, runtime::Still};
use bytes::Bytes;
use futures_util::FutureExt as _;
use mcp_core::{
    ask::state::{StateKey, StateKeys},
    context::Transport,
    exchange::Outgoing,
    extract::Client,
    handler::ToolError,
    registry::{McpRouter, prompt, resource, tool},
    server::{Peer, Posted, Server, TaskSupport, Tasks},
};
use mcp_store::MemoryTasks;
use serde_json::{Value, json};
use std::{
    cell::RefCell,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// The header lines of a call of 2026-07-28.
const HEAD: &str = "mcp-protocol-version:2026-07-28\nmcp-method:tools/call\nmcp-name:";

/// What such a request says of itself: its client can be asked, and knows tasks.
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#;

thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World::new());
}

/// A server with a task at work, and what it sealed when it asked.
struct World {
    server: Server,
    runtime: Arc<Still>,
    task: String,
    state: String,
    waiting: usize,
}

impl World {
    fn new() -> Self {
        let schema = json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region" },
                "o": { "type": "object", "properties": { "n": { "type": "integer", "x-mcp-header": "N" } } },
            },
        });
        let roots = async |client: Client| {
            let roots = client.roots("roots").await?;
            Ok::<_, ToolError>(format!("{} roots", roots.len()))
        };
        let router = McpRouter::new()
            .tool("run", tool(async || "ran").describe("Runs").input_schema(schema))
            .tool("ask", tool(roots).describe("Asks"))
            .tool("stay", tool(stay).describe("Never ends").task_support(TaskSupport::Optional))
            .resource("test://{id}", resource(async || "x"))
            .prompt("p", prompt(async || "x"));
        let runtime = Arc::new(Still::new());
        let server = Server::builder(router, runtime.clone())
            .name("fuzz")
            .version("1")
            .dynamic()
            .tasks(Tasks::new(Arc::new(MemoryTasks::new())))
            .state_keys(StateKeys::new(StateKey::from_bytes([7; StateKey::BYTES])))
            .build()
            .expect("it is sound");
        let mut this = Self { server, runtime, task: String::new(), state: String::new(), waiting: 0 };
        let call = |name: &str| {
            let replies = this.serve(format!("{HEAD}{name}\n\n{}", request(name, "")).as_bytes());
            replies.into_iter().next().unwrap_or_default()
        };
        let (asked, begun) = (call("ask"), call("stay"));
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{asked} {begun}")).to_owned();
        (this.state, this.task) = (text(&asked["result"]["requestState"]), text(&begun["result"]["taskId"]));
        this.waiting = this.runtime.settle();
        this
    }

    /// Serves what an input says, and gives the replies.
    fn serve(&self, input: &[u8]) -> Vec<Value> {
        let input = fill(&fill(input, b"$STATE", &self.state), b"$TASK", &self.task);
        let (head, body) = match input.windows(2).position(|pair| pair == b"\n\n") {
            Some(end) => (&input[..end], &input[end + 2..]),
            None => (&[][..], &*input),
        };
        let lines = head.split(|byte| *byte == b'\n').filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            Some((&line[..colon], &line[colon + 1..]))
        });
        let headers = Lines(lines.collect());
        let posted =
            self.server.post(Bytes::copy_from_slice(body), &headers, Peer::anonymous(Transport::Http));
        let mut replies = Vec::new();
        match posted.now_or_never().expect("the store does not wait") {
            Posted::Accepted => {}
            Posted::Refused(reply) => {
                assert!(read(&reply.body)["error"]["code"].is_i64());
                assert!((400..600).contains(&reply.status));
            }
            Posted::Exchange(mut exchange) => {
                let mut context = Context::from_waker(Waker::noop());
                let over = loop {
                    match exchange.poll_message(&mut context) {
                        Poll::Ready(Some(Outgoing::Notification(bytes) | Outgoing::Request(bytes))) => {
                            assert!(read(&bytes)["method"].is_string());
                        }
                        Poll::Ready(Some(Outgoing::Stream(_))) => {}
                        Poll::Ready(Some(Outgoing::Reply(reply))) => {
                            let answer = read(&reply.body);
                            // A reply to several requests at once is a list.
                            let answers =
                                answer.as_array().map_or(std::slice::from_ref(&answer), Vec::as_slice);
                            for answer in answers {
                                assert!(answer.get("id").is_some(), "{answer}");
                                let (result, error) = (answer.get("result"), answer.get("error"));
                                assert_ne!(result.is_some(), error.is_some(), "{answer}");
                            }
                            replies.push(answer);
                        }
                        Poll::Ready(None) => break true,
                        Poll::Pending => break false,
                    }
                };
                assert_eq!(replies.len(), usize::from(over), "a request is answered once, when it is over");
            }
        }
        replies
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.runtime.end();
    }
}

/// A task's work.
async fn stay() -> &'static str {
    std::future::pending().await
}

/// The call of a tool.
fn request(name: &str, more: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}",{more}{META}}}}}"#)
}

/// Writes a text wherever its name stands.
fn fill(text: &[u8], name: &[u8], value: &str) -> Vec<u8> {
    let (mut filled, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(at) = rest.windows(name.len()).position(|window| window == name) {
        filled.extend_from_slice(&rest[..at]);
        filled.extend_from_slice(value.as_bytes());
        rest = &rest[at + name.len()..];
    }
    filled.extend_from_slice(rest);
    filled
}

/// Takes `name:value` lines, an empty line and a body, and serves them.
///
/// `$STATE` becomes what the server sealed when the tool `ask` asked, `$TASK` the id of a task at work.
///
/// # Panics
/// Where the server panics, answers with something other than JSON, answers a request more or less than once, or
/// still works for it when whoever sent it is gone.
pub fn admit(input: &[u8]) {
    WORLD.with_borrow_mut(|world| {
        world.serve(input);
        let waiting = world.runtime.settle();
        let counts = world.server.counts();
        assert_eq!(
            (counts.requests_in_flight, counts.open_asks, counts.subscriptions),
            (0, 0, 0),
            "{counts:?}"
        );
        // An input that begins or ends a task leaves a changed server behind.
        if counts.tasks != 1 {
            *world = World::new();
        } else {
            assert_eq!(waiting, world.waiting, "something stays behind");
        }
    });
}

fn read(bytes: &[u8]) -> Value {
    assert!(!bytes.contains(&b'\n'), "a message is one line");
    serde_json::from_slice(bytes).expect("the server writes JSON")
}

#[cfg(test)]
mod tests {
    use super::{HEAD, META, WORLD, admit, request};

    /// Serves a body under the headers of its tool, and gives the reply.
    fn reply(head: &str, body: &str) -> serde_json::Value {
        WORLD.with_borrow(|world| world.serve(format!("{head}\n\n{body}").as_bytes()).remove(0))
    }

    #[test]
    fn a_sealed_state_and_a_task_reach_what_they_are_for() {
        let answered =
            r#""requestState":"$STATE","inputResponses":{"roots":{"roots":[{"uri":"file:///a"}]}},"#;
        let done = reply(&format!("{HEAD}ask"), &request("ask", answered));
        assert_eq!(done["result"]["content"][0]["text"], "1 roots", "{done}");
        let get = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{{"taskId":"$TASK",{META}}}}}"#
        );
        let found = reply("mcp-protocol-version:2026-07-28\nmcp-method:tasks/get\nmcp-name:$TASK", &get);
        assert_eq!(found["result"]["status"], "working", "{found}");
    }

    #[test]
    fn requests_of_every_kind_and_their_fragments_pass_the_target() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        let head = "MCP-Protocol-Version:2026-07-28\nMcp-Method: tools/call\nmcp-name:=?base64?cnVu?=\nMcp-Param-Region:eu\n\n";
        for text in [
            format!(r#"{head}{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"run","arguments":{{"region":"eu"}},{meta}}}}}"#),
            format!("mcp-protocol-version:2026-07-28\nmcp-method:subscriptions/listen\n\n{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"subscriptions/listen\",\"params\":{{\"notifications\":{{\"toolsListChanged\":true}},{meta}}}}}"),
            "mcp-protocol-version:2025-11-25\n\n{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"x\"}}".to_owned(),
            "mcp-protocol-version:1\nmcp-protocol-version:1\n\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".to_owned(),
            format!("{HEAD}ask\n\n{}", request("ask", r#""requestState":"$STATE","inputResponses":{"roots":{"roots":[{"uri":"file:///a"}]}},"#)),
            format!("{HEAD}stay\n\n{}", request("stay", "")),
            format!("mcp-protocol-version:2026-07-28\nmcp-method:tasks/cancel\n\n{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/cancel\",\"params\":{{\"taskId\":\"$TASK\",{META}}}}}"),
            "mcp-protocol-version:2025-11-25\n\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"$TASK\"}}".to_owned(),
            "mcp-protocol-version:2025-03-26\n\n[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}]".to_owned(),
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
