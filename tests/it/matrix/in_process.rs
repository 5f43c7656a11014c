//! Every case in every revision without a transport: asked while the handler waits, and run again after each answer.

use super::{
    case::{Case, D, E, REVISIONS, case, progress_and_outcome, text},
    cases::cases,
};
use crate::catalogue::{RunsTasks, Ticks, begin, fixture, probes};
use mcp_server::{Asked, ProtocolVersion, Server, TestClient, skills};
use mcp_tests::peer::{Heard, capabilities};
use serde_json::{Map, Value, json};

/// Whether handlers run again from their beginning after each answer.
///
/// On 2026-07-28 they always do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunAgain {
    Everywhere,
    WhereTheRevisionSays,
}

/// The folder that the example serves.
const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/mcp-server/examples/everything/skills");

fn server() -> Server {
    let router = fixture(RunsTasks::Yes).merge(probes(Ticks::default(), RunsTasks::Yes));
    let skills = skills::folder(SKILLS).read().expect("the skills have no faults").page_entries(2);
    begin(router).skills(skills).build().expect("the catalogue has no faults")
}

fn client(server: &Server, revision: &str, again: RunAgain, case: &Case) -> TestClient {
    let version = ProtocolVersion::ALL.into_iter().find(|version| version.as_str() == revision);
    let willing = case.willing;
    let client = server
        .client(version.expect("the revision is served"))
        .with_capabilities(capabilities())
        .answering(move |asked: &Asked<'_>| willing(asked.method, asked.params));
    match again {
        RunAgain::Everywhere => client,
        RunAgain::WhereTheRevisionSays => client.live(),
    }
}

/// Whether a case needs what only a transport has: the session that keeps a log level.
fn needs_a_session(case: &Case, revision: &str) -> bool {
    case.log_level.is_some() && revision != E
}

async fn run(client: &TestClient, case: &Case) -> Heard {
    let mut params = case.params.clone();
    let mut meta: Map<String, Value> = params["_meta"].as_object().cloned().unwrap_or_default();
    if let Some(members) = params.as_object_mut() {
        members.remove("_meta");
    }
    if let Some(level) = case.log_level {
        meta.insert("io.modelcontextprotocol/logLevel".to_owned(), json!(level));
    }
    let answer = client.request_with_meta(case.method, params, meta).await;
    let reply = match answer.outcome {
        Ok(result) => json!({ "result": result }),
        Err(error) => json!({ "error": error }),
    };
    Heard { reply, rounds: Vec::new(), notifications: answer.notifications, asked: answer.asked }
}

#[tokio::test]
async fn handlers_do_the_same_whether_they_wait_for_answers_or_run_again() {
    let server = server();
    let mut wrong = Vec::new();
    for revision in REVISIONS {
        for again in [RunAgain::Everywhere, RunAgain::WhereTheRevisionSays] {
            for case in cases().into_iter().filter(|case| !needs_a_session(case, revision)) {
                let heard = run(&client(&server, revision, again, &case), &case).await;
                let (found, expected) = ((case.view)(&heard), case.expected_in(revision));
                if found != *expected {
                    wrong.push(format!(
                        "{}, {revision}, {again:?}:\n  {found}\n  expected {expected}",
                        case.name
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} outcomes differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn a_handler_that_runs_again_says_again_what_it_says_before_it_asks() {
    let server = server();
    let params =
        json!({ "name": "test_streaming_elicitation", "arguments": {}, "_meta": { "progressToken": 1 } });
    let streaming = case("a form after progress", "tools/call", params, Value::Null)
        .answering(|_, _| json!({ "action": "accept", "content": { "name": "Ada" } }));
    for (revision, again, told) in [
        (D, RunAgain::Everywhere, json!([1.0, 1.0, 2.0])),
        (D, RunAgain::WhereTheRevisionSays, json!([1.0, 2.0])),
        (E, RunAgain::WhereTheRevisionSays, json!([1.0, 1.0, 2.0])),
    ] {
        let heard = run(&client(&server, revision, again, &streaming), &streaming).await;
        let expected = json!({ "progress": told, "outcome": text("Ada") });
        assert_eq!(progress_and_outcome(&heard), expected, "{revision} {again:?}");
    }
}
