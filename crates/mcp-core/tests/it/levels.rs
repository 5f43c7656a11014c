//! Log levels: of a session until it changes them, of a request for itself alone.

use crate::wire::{HANDSHAKE, LOG_KEY, ask, connect, modern, plain, serving, shaken, with_meta};
use mcp_core::{
    extract::Log,
    protocol::LogLevel,
    registry::{McpRouter, tool},
    server::Server,
    version::{Era, ProtocolVersion},
};
use serde_json::{Value, json};

/// From the least to the most severe (RFC 5424).
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

async fn speak(log: Log) -> &'static str {
    for level in LEVELS {
        log.send(LogLevel::parse(level).unwrap(), &json!({ "level": level }));
    }
    "done"
}

fn server() -> Server {
    serving(McpRouter::new().tool("speak", tool(speak).describe("."))).build().unwrap()
}

/// The levels of the messages that came, in order.
fn heard(notifications: &[Value]) -> Vec<&str> {
    notifications
        .iter()
        .map(|told| {
            assert_eq!(told["method"], "notifications/message");
            assert_eq!(told["params"]["data"]["level"], told["params"]["level"]);
            told["params"]["level"].as_str().unwrap()
        })
        .collect()
}

#[tokio::test]
async fn a_session_hears_from_its_level_on_until_it_sets_another() {
    let server = server();
    let call = |id: i64| plain(id, "tools/call", json!({ "name": "speak" }));
    let set = |id: i64, level: Value| plain(id, "logging/setLevel", json!({ "level": level }));
    for version in ProtocolVersion::ALL.into_iter().filter(|version| version.era() == Era::Handshake) {
        let mut session = shaken(&server, version).await;
        let mut other = shaken(&server, version).await;
        assert_eq!(heard(&ask(&mut session, &call(1)).await.notifications), LEVELS, "{version}");
        for (position, level) in LEVELS.into_iter().enumerate().rev() {
            assert_eq!(*ask(&mut session, &set(2, json!(level))).await.result(), json!({}));
            let told = ask(&mut session, &call(3)).await;
            assert_eq!(heard(&told.notifications), LEVELS[position..], "{version}");
        }
        ask(&mut session, &set(4, json!("alert"))).await;
        for unknown in [json!("loud"), json!("ALERT"), json!(3), Value::Null] {
            assert_eq!(ask(&mut session, &set(5, unknown)).await.code(), -32602, "{version}");
        }
        // What was refused changed nothing, and nobody else's level is changed.
        assert_eq!(heard(&ask(&mut session, &call(6)).await.notifications), ["alert", "emergency"]);
        assert_eq!(heard(&ask(&mut other, &call(1)).await.notifications), LEVELS, "{version}");
    }
}

#[tokio::test]
async fn a_modern_request_hears_what_it_names_and_the_next_one_nothing() {
    let server = server();
    let mut connection = connect(&server);
    let naming = |level: Value| {
        with_meta(modern(1, "tools/call", json!({ "name": "speak" })), json!({ LOG_KEY: level }))
    };
    for (position, level) in LEVELS.into_iter().enumerate() {
        let told = ask(&mut connection, &naming(json!(level))).await;
        assert_eq!(heard(&told.notifications), LEVELS[position..]);
        let silent = ask(&mut connection, &modern(2, "tools/call", json!({ "name": "speak" }))).await;
        assert_eq!(heard(&silent.notifications), [""; 0], "a level holds for its own request");
    }
    for unknown in [json!("loud"), json!("DEBUG"), json!(3)] {
        let refused = ask(&mut connection, &naming(unknown.clone())).await;
        assert_eq!(refused.code(), -32602, "{unknown}");
        assert!(refused.notifications.is_empty());
    }
    let set = modern(3, "logging/setLevel", json!({ "level": "debug" }));
    assert_eq!(ask(&mut connection, &set).await.code(), -32601, "there is no session to set it for");
}

#[tokio::test]
async fn a_key_of_the_modern_era_says_nothing_in_a_session() {
    let server = server();
    let mut session = shaken(&server, HANDSHAKE).await;
    let mut call = plain(1, "tools/call", json!({ "name": "speak" }));
    call["params"]["_meta"] = json!({ LOG_KEY: "emergency" });
    assert_eq!(heard(&ask(&mut session, &call).await.notifications), LEVELS);
}
