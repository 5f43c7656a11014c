//! Every case in every revision over every transport.

use super::{
    case::{Case, E, REVISIONS},
    cases::cases,
};
use mcp_tests::{
    fixture::Fixture,
    http_client::PATIENCE,
    peer::{Heard, Peer, Wire, unwilling},
    schemas::Official,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path, time::Duration};

/// The pause between two lines of the file that the cancelled call writes.
const GAP: Duration = Duration::from_millis(10);

/// Everything that a revision heard over one transport, by method.
type Record = Vec<(&'static str, Heard)>;

fn start() -> Fixture {
    Fixture::start_with(&["--probe", "--legacy-sse"])
}

/// The transports that carry a revision. A client of HTTP+SSE may agree on any that has a handshake.
fn wires(revision: &str) -> Vec<Wire> {
    let mut wires = vec![Wire::Http, Wire::Stdio];
    if revision != E {
        wires.push(Wire::LegacySse);
    }
    wires
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_do_the_same_in_every_revision_over_every_transport() {
    let fixture = start();
    let (mut wrong, mut records) = (Vec::new(), Vec::new());
    for revision in REVISIONS {
        let mut recorded = Record::new();
        for wire in wires(revision) {
            let mut peer = Peer::connect(&fixture, revision, wire).await;
            let first = if revision == E { "server/discover" } else { "initialize" };
            recorded.push((first, Heard { reply: peer.welcome.clone(), ..Heard::default() }));
            for case in cases() {
                let heard = run(&mut peer, &case).await;
                let (found, expected) = ((case.view)(&heard), case.expected_in(revision));
                if found != *expected {
                    wrong.push(format!(
                        "{}, {revision}, {wire:?}:\n  {found}\n  expected {expected}",
                        case.name
                    ));
                }
                recorded.push((case.method, heard));
            }
        }
        records.push((revision, recorded));
    }
    assert!(wrong.is_empty(), "{} outcomes differ:\n{}", wrong.len(), wrong.join("\n"));
    for (revision, recorded) in records {
        let Some(mut schema) = Official::of(revision) else { continue };
        recorded.iter().for_each(|(method, heard)| check(&mut schema, method, heard));
    }
}

async fn run(peer: &mut Peer, case: &Case) -> Heard {
    let mut params = case.params.clone();
    if let Some(level) = case.log_level {
        if peer.version == E {
            params["_meta"] = json!({ "io.modelcontextprotocol/logLevel": level });
        } else {
            let set = peer.ask("logging/setLevel", json!({ "level": level }), unwilling).await;
            assert_eq!(set.reply["result"], json!({}), "{}", peer.version);
        }
    }
    peer.ask(case.method, params, case.willing).await
}

/// Fails the test when anything that was heard does not fit the official schema.
fn check(schema: &mut Official, method: &str, heard: &Heard) {
    for reply in heard.rounds.iter().chain([&heard.reply]) {
        match reply.get("result") {
            Some(result) => schema.check_result(method, result),
            None => schema.check_error(reply),
        }
    }
    heard.notifications.iter().for_each(|message| schema.check_notification(message));
    for question in &heard.asked {
        // In a result a question has no envelope, and the type of 2026-07-28 wants none.
        schema.check_request(question);
    }
}

#[tokio::test]
async fn a_cancelled_call_stops_and_is_not_answered_in_any_revision_over_any_transport() {
    let fixture = start();
    let folder = std::env::temp_dir().join(format!("mcp-matrix-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for revision in REVISIONS {
        for wire in wires(revision) {
            let mut peer = Peer::connect(&fixture, revision, wire).await;
            let file = folder.join(format!("{revision}-{wire:?}"));
            let arguments = json!({ "path": file, "n": 10_000, "gap_ms": GAP.as_millis() as u64 });
            let params =
                json!({ "name": "tick_file", "arguments": arguments, "_meta": { "progressToken": 1 } });
            let after = peer.cancel("tools/call", params).await;
            assert_eq!(after, [Value::Null; 0], "{revision} {wire:?}");
            stops_growing(&file).await;
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Waits until a file has not grown for ten of its writer's pauses.
async fn stops_growing(file: &Path) {
    let length = || std::fs::metadata(file).unwrap().len();
    let stopped = async {
        let mut before = length();
        loop {
            // Nothing signals that a writer has stopped but that nothing is written.
            tokio::time::sleep(GAP * 10).await;
            match length() {
                now if now == before => return,
                now => before = now,
            }
        }
    };
    tokio::time::timeout(PATIENCE, stopped).await.expect("the call stops");
}

#[test]
fn every_exception_names_revisions_a_reason_and_another_outcome() {
    let mut names = BTreeSet::new();
    for case in cases() {
        assert!(names.insert(case.name), "{} twice", case.name);
        for exception in &case.exceptions {
            assert!(
                !exception.revisions.is_empty() && exception.revisions.len() < REVISIONS.len(),
                "{}",
                case.name
            );
            assert!(
                exception.reason.contains("since") || exception.reason.contains("until"),
                "{}",
                case.name
            );
            assert_ne!(exception.expected, case.expected, "{}", case.name);
        }
    }
}
