//! Which types a message is made of.

use super::Official;
use mcp_core::version::ProtocolVersion;
use serde_json::{Value, json};
use std::path::Path;

/// What is asked of clients, as approved in the files of the core's own test.
#[expect(clippy::disallowed_methods, reason = "a test may read its own files")]
pub(super) fn asked(version: ProtocolVersion) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asks");
    let ending = format!(".{version}.json");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut asked: Vec<_> = files
        .filter_map(|path| {
            let kind = path.file_name()?.to_str()?.strip_suffix(&ending)?.to_owned();
            Some((format!("ask {kind}"), std::fs::read(&path).unwrap()))
        })
        .collect();
    asked.sort();
    asked
}

/// A message as values of the revision's types: its envelope, and what is in it.
pub(super) fn typed(official: &Official, kind: &str, message: &Value) -> Vec<(String, Value)> {
    let one = |name: &str, value: &Value| (name.to_owned(), value.clone());
    if message.get("error").is_some() {
        let mut error = message.clone();
        if error["id"].is_null() && error.get("id").is_some() {
            // JSON-RPC wants null where no id could be read; the types of the revisions before 2025-11-25, which
            // require an id, leave it out.
            error["id"] = json!(0);
        }
        return vec![one(error_type(official, message), &error)];
    }
    if let Some(result) = message.get("result") {
        let envelope = ["JSONRPCResultResponse", "JSONRPCResponse"].into_iter().find(|it| official.has(it));
        // The result in its place is an open map; its own type says what may be in it.
        let bare = json!({ "jsonrpc": message["jsonrpc"], "id": message["id"], "result": bare(result) });
        return vec![one(envelope.unwrap(), &bare), one(result_type(kind, result), result)];
    }
    let method = message["method"].as_str().unwrap();
    let envelope = if message.get("id").is_some() { "JSONRPCRequest" } else { "JSONRPCNotification" };
    let mut plain = message.clone();
    if plain.get("params").is_some() {
        plain["params"] = json!({});
    }
    let Some(definition) = message_type(method) else { return vec![one(envelope, &plain)] };
    if !official.has(definition) {
        // The type of a question that the revision does not have: no client of it is asked.
        assert!(definition == "ElicitRequest" && kind.starts_with("ask "), "{kind}: no type {definition}");
        return vec![one(envelope, &plain)];
    }
    // Before 2025-11-25 the types of messages leave the envelope to the envelope's type.
    let mut inner = message.clone();
    if !official.version().has(mcp_core::version::Feature::ErrorWithoutId) {
        inner.as_object_mut().unwrap().retain(|name, _| name == "method" || name == "params");
    }
    vec![one(envelope, &plain), one(definition, &inner)]
}

/// A result without the members of its own type.
fn bare(result: &Value) -> Value {
    match result.get("resultType") {
        Some(of) => json!({ "resultType": of }),
        None => json!({}),
    }
}

fn error_type(official: &Official, message: &Value) -> &'static str {
    let own = match message["error"]["code"].as_i64() {
        Some(-32020) => "HeaderMismatchError",
        Some(-32021) => "MissingRequiredClientCapabilityError",
        Some(-32022) => "UnsupportedProtocolVersionError",
        Some(-32042) => "URLElicitationRequiredError",
        _ => "JSONRPCErrorResponse",
    };
    if own != "JSONRPCErrorResponse" || official.has(own) { own } else { "JSONRPCError" }
}

fn result_type(kind: &str, result: &Value) -> &'static str {
    match kind {
        _ if result["resultType"] == "input_required" => "InputRequiredResult",
        "tools" => "ListToolsResult",
        "resources" => "ListResourcesResult",
        "templates" => "ListResourceTemplatesResult",
        "prompts" => "ListPromptsResult",
        "read" => "ReadResourceResult",
        "prompt" => "GetPromptResult",
        "completion" => "CompleteResult",
        "initialize" => "InitializeResult",
        "discover" => "DiscoverResult",
        "listen" => "SubscriptionsListenResult",
        "task-created" => "CreateTaskResult",
        "task" => "GetTaskResult",
        "task-list" => "ListTasksResult",
        "task-cancel" => "CancelTaskResult",
        "ping" | "set-level" | "subscribe" | "unsubscribe" => "EmptyResult",
        kind if kind.starts_with("call-") || kind.starts_with("error-") => "CallToolResult",
        other => panic!("no type is known for the result of {other}"),
    }
}

fn message_type(method: &str) -> Option<&'static str> {
    Some(match method {
        "elicitation/create" => "ElicitRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        "roots/list" => "ListRootsRequest",
        "notifications/progress" => "ProgressNotification",
        "notifications/message" => "LoggingMessageNotification",
        "notifications/cancelled" => "CancelledNotification",
        "notifications/tasks/status" => "TaskStatusNotification",
        "notifications/elicitation/complete" => "ElicitationCompleteNotification",
        "notifications/subscriptions/acknowledged" => "SubscriptionsAcknowledgedNotification",
        "notifications/tools/list_changed" => "ToolListChangedNotification",
        "notifications/prompts/list_changed" => "PromptListChangedNotification",
        "notifications/resources/list_changed" => "ResourceListChangedNotification",
        "notifications/resources/updated" => "ResourceUpdatedNotification",
        // The author's own.
        "notifications/vendor" => return None,
        other => panic!("no type is known for {other}"),
    })
}
