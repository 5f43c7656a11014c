//! Every kind of message in every revision, byte for byte as it is sent.
//!
//! The files are `golden/KIND.VERSION.json`. `UPDATE_GOLDEN=1 cargo test -p mcp-core golden` writes them anew;
//! read the difference before it is committed.

use crate::{
    everything::everything,
    wire::{LOG_KEY, MODERN, connect, plain, ready, receive, shaken, with_meta},
};
use bytes::Bytes;
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{exchange::Outgoing, server::Server, version::ProtocolVersion};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Requests, each with the kind of its reply.
const REQUESTS: [(&str, &str, &str); 29] = [
    ("tools", "tools/list", "{}"),
    ("resources", "resources/list", "{}"),
    ("templates", "resources/templates/list", "{}"),
    ("prompts", "prompts/list", "{}"),
    ("call-structured", "tools/call", r#"{"name":"add","arguments":{"a":9007199254740992,"b":1}}"#),
    ("call-structured-array", "tools/call", r#"{"name":"list"}"#),
    ("call-content", "tools/call", r#"{"name":"content"}"#),
    ("call-failed", "tools/call", r#"{"name":"fail"}"#),
    ("call-unfit", "tools/call", r#"{"name":"add","arguments":{"a":"x"}}"#),
    ("read", "resources/read", r#"{"uri":"test://a"}"#),
    ("prompt", "prompts/get", r#"{"name":"trip","arguments":{"city":"Rome"}}"#),
    (
        "completion",
        "completion/complete",
        r#"{"ref":{"type":"ref/resource","uri":"users://{id}{?page}"},"argument":{"name":"id","value":""}}"#,
    ),
    ("discover", "server/discover", "{}"),
    ("ping", "ping", "{}"),
    ("set-level", "logging/setLevel", r#"{"level":"info"}"#),
    ("subscribe", "resources/subscribe", r#"{"uri":"test://a"}"#),
    ("unsubscribe", "resources/unsubscribe", r#"{"uri":"test://a"}"#),
    ("error-custom", "tools/call", r#"{"name":"refuse"}"#),
    ("error-forbidden", "tools/call", r#"{"name":"forbid"}"#),
    ("error-capability", "tools/call", r#"{"name":"need"}"#),
    ("error-page", "tools/call", r#"{"name":"page"}"#),
    ("error-internal", "tools/call", r#"{"name":"break"}"#),
    ("error-unknown-tool", "tools/call", r#"{"name":"nobody"}"#),
    ("error-unknown-prompt", "prompts/get", r#"{"name":"nobody"}"#),
    ("error-unknown-resource", "resources/read", r#"{"uri":"test://nothing"}"#),
    ("error-unknown-method", "vendor/nothing", "{}"),
    ("error-params", "tools/call", r#"{"arguments":{}}"#),
    ("error-cursor", "tools/list", r#"{"cursor":"x"}"#),
    ("error-argument-missing", "prompts/get", r#"{"name":"trip"}"#),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden")
}

/// Everything that is sent, by kind.
#[derive(Default)]
struct Sent(BTreeMap<String, Vec<u8>>);

impl Sent {
    fn note(&mut self, kind: &str, bytes: &[u8]) {
        assert!(self.0.insert(kind.to_owned(), bytes.to_vec()).is_none(), "{kind} twice");
    }
}

/// A request as a client of the version sends it; a modern one hears every log message.
fn request(version: ProtocolVersion, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ "progressToken": "token" });
    let message = plain(1, method, params);
    if version == MODERN {
        with_meta(message, json!({ "progressToken": "token", LOG_KEY: "debug" }))
    } else {
        message
    }
}

/// Everything that is sent to a revision, by kind.
pub(crate) async fn sent_bytes(version: ProtocolVersion) -> BTreeMap<String, Vec<u8>> {
    sent(version).await.0
}

async fn sent(version: ProtocolVersion) -> Sent {
    let server = everything();
    let mut sent = Sent::default();
    let mut connection = if version == MODERN { connect(&server) } else { shaken(&server, version).await };
    for (kind, method, params) in REQUESTS {
        let message = request(version, method, serde_json::from_str(params).unwrap());
        let mut exchange = receive(&mut connection, &message).unwrap();
        match &ready(&mut exchange)[..] {
            [Outgoing::Reply(reply)] => sent.note(kind, &reply.body),
            other => panic!("{kind}: {other:?}"),
        }
    }
    let speak = request(version, "tools/call", json!({ "name": "speak" }));
    let messages = ready(&mut receive(&mut connection, &speak).unwrap());
    let kinds = ["progress-message", "progress", "log", "notification", "call-text"];
    assert_eq!(messages.len(), kinds.len());
    for (kind, message) in kinds.into_iter().zip(&messages) {
        match message {
            Outgoing::Notification(bytes) | Outgoing::Request(bytes) => sent.note(kind, bytes),
            Outgoing::Stream(control) => panic!("{control:?}"),
            Outgoing::Reply(reply) => sent.note(kind, &reply.body),
        }
    }
    if version == MODERN {
        listen(&server, &mut sent)
    } else {
        hear(&server, version, &mut sent).await
    }
    sent
}

fn change(server: &Server) {
    server.notify_tools_changed();
    server.notify_resources_changed();
    server.notify_prompts_changed();
    server.notify_resource_updated("test://a");
}

const CHANGES: [&str; 4] = ["tools-changed", "resources-changed", "prompts-changed", "resource-updated"];

/// What a listen stream carries.
fn listen(server: &Server, sent: &mut Sent) {
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://a"],
    });
    let message = request(MODERN, "subscriptions/listen", json!({ "notifications": filter }));
    let mut stream = receive(&mut connect(server), &message).unwrap();
    let [Outgoing::Notification(acknowledged)] = &ready(&mut stream)[..] else {
        panic!("no acknowledgement")
    };
    sent.note("acknowledged", acknowledged);
    change(server);
    for (kind, message) in CHANGES.into_iter().zip(ready(&mut stream)) {
        let Outgoing::Notification(bytes) = message else { panic!("{kind}") };
        sent.note(kind, &bytes);
    }
    server.shut_down();
    let [Outgoing::Reply(end)] = &ready(&mut stream)[..] else { panic!("no end") };
    sent.note("listen", &end.body);
}

/// The handshake, and what a session hears.
async fn hear(server: &Server, version: ProtocolVersion, sent: &mut Sent) {
    let hello = plain(1, "initialize", json!({ "protocolVersion": version.as_str(), "capabilities": {} }));
    let [Outgoing::Reply(welcome)] = &ready(&mut receive(&mut connect(server), &hello).unwrap())[..] else {
        panic!()
    };
    sent.note("initialize", &welcome.body);
    let mut connection = shaken(server, version).await;
    ready(
        &mut receive(&mut connection, &plain(1, "resources/subscribe", json!({ "uri": "test://a" })))
            .unwrap(),
    );
    change(server);
    for kind in CHANGES {
        let bytes: Option<Bytes> = poll_fn(|context| connection.poll_change(context)).now_or_never();
        sent.note(kind, &bytes.unwrap());
    }
    let [Outgoing::Reply(unreadable)] =
        &ready(&mut connection.receive(Bytes::from_static(b"{")).unwrap())[..]
    else {
        panic!("no refusal")
    };
    sent.note("error-parse", &unreadable.body);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test may read its own files")]
async fn what_is_sent_is_what_was_approved() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let (mut expected, mut wrong) = (BTreeSet::new(), Vec::new());
    for version in ProtocolVersion::ALL {
        for (kind, bytes) in sent(version).await.0 {
            assert!(
                !bytes.contains(&b'\n') && serde_json::from_slice::<Value>(&bytes).is_ok(),
                "{kind} {version}"
            );
            let name = format!("{kind}.{version}.json");
            let path = folder().join(&name);
            if update {
                std::fs::write(&path, &bytes).unwrap();
            } else if std::fs::read(&path).ok().as_deref() != Some(&bytes[..]) {
                wrong.push(format!("{name}\n  sent: {}", String::from_utf8_lossy(&bytes)));
            }
            expected.insert(name);
        }
    }
    assert!(wrong.is_empty(), "{} messages are not as approved:\n{}", wrong.len(), wrong.join("\n"));
    let found =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<_> = found.filter(|name| !expected.contains(name)).collect();
    assert!(left.is_empty(), "nothing sends these any more: {left:?}");
}

#[tokio::test]
async fn no_mark_of_the_newest_revision_reaches_an_older_one() {
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != MODERN) {
        for (kind, bytes) in sent(version).await.0 {
            let text = String::from_utf8(bytes).unwrap();
            for mark in ["resultType", "ttlMs", "cacheScope", "io.modelcontextprotocol/"] {
                assert!(!text.contains(mark), "{kind} {version} holds {mark}: {text}");
            }
            if ["ping", "set-level", "subscribe", "unsubscribe"].contains(&&*kind) {
                assert_eq!(text, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "{kind} {version}");
            }
        }
    }
}
