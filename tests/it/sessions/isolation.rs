//! Many sessions of many callers at once.

use super::{NEWEST, call};
use mcp_tests::{fixture::Fixture, http_client::Request, message::handshake, session::initialize};
use serde_json::json;
use std::{fs, path::PathBuf, sync::Arc};

const CALLERS: usize = 50;

/// A file with a token for each caller, removed when dropped.
struct TokenFile(PathBuf);

impl TokenFile {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("many-tokens-{}", std::process::id()));
        let lines: Vec<_> =
            (0..CALLERS).map(|caller| format!("{} user{caller} read\n", token(caller))).collect();
        fs::write(&path, lines.concat()).unwrap();
        Self(path)
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn token(caller: usize) -> String {
    format!("a-long-enough-token-of-caller-{caller:04}")
}

fn bearing(request: Request, caller: usize) -> Request {
    request.header("Authorization", format!("Bearer {}", token(caller)))
}

#[tokio::test]
async fn every_answer_goes_to_who_asked_and_a_stolen_id_opens_nothing() {
    let file = TokenFile::new();
    let fixture = Arc::new(Fixture::start_with(&["--probe", "--tokens", file.0.to_str().unwrap()]));
    let mut ids = Vec::new();
    for caller in 0..CALLERS {
        let welcome = fixture.send(&bearing(initialize(NEWEST, &json!({})), caller)).await;
        ids.push(welcome.header("mcp-session-id").unwrap().to_owned());
    }
    let callers = ids.iter().cloned().enumerate().map(|(caller, id)| {
        let fixture = Arc::clone(&fixture);
        tokio::spawn(async move {
            let mut connection = fixture.connect().await;
            for number in 1..=20 {
                let request = handshake(NEWEST, &call(number, "whoami", json!({})))
                    .header("Mcp-Session-Id", id.clone())
                    .header("X-Probe", format!("{caller}/{number}"));
                let reply = connection.send(&bearing(request, caller)).await.reply();
                let told = &reply["result"]["structuredContent"];
                assert_eq!(
                    (&reply["id"], &told["subject"], &told["sessionId"], &told["header"]),
                    (
                        &json!(number),
                        &json!(format!("user{caller}")),
                        &json!(id),
                        &json!(format!("{caller}/{number}"))
                    )
                );
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let stolen = |method: &str| {
        let request = match method {
            "POST" => handshake(NEWEST, &ping),
            method => Request::new(method, "/mcp").header("Accept", "text/event-stream"),
        };
        request.header("Mcp-Session-Id", &*ids[0])
    };
    for method in ["POST", "GET", "DELETE"] {
        assert_eq!(fixture.send(&bearing(stolen(method), 1)).await.status, 404, "{method}");
        assert_eq!(fixture.send(&stolen(method)).await.status, 401, "{method}");
    }
    assert_eq!(fixture.send(&bearing(stolen("POST"), 0)).await.status, 200);
}
