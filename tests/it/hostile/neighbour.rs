//! A client that does everything right while others do not.

use super::HANDSHAKE;
use mcp_tests::{fixture::Fixture, message::modern_call, session::Session};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{sync::oneshot, task::JoinHandle, time::interval};

/// How often the client calls, so that it leaves the processor to the attack.
const PACE: Duration = Duration::from_millis(10);

/// A well-behaved client of both eras; it fails as soon as one of its calls is not answered as it should be.
#[derive(Debug)]
pub(super) struct Neighbour {
    stop: oneshot::Sender<()>,
    work: JoinHandle<u64>,
}

impl Neighbour {
    /// Moves in; the first calls are answered when this is done.
    pub(super) async fn begin(fixture: &Arc<Fixture>) -> Self {
        let (stop, mut stopped) = oneshot::channel();
        let (ready, begun) = oneshot::channel();
        let fixture = Arc::clone(fixture);
        let work = tokio::spawn(async move {
            let session = Session::begin(&fixture, HANDSHAKE).await;
            let mut connection = fixture.connect().await;
            let mut pace = interval(PACE);
            let mut ready = Some(ready);
            for round in 0.. {
                let text = format!("round {round}");
                let arguments = json!({ "text": text });
                let kept = connection.send(&modern_call(round, "echo", arguments.clone())).await;
                assert_eq!(said(&kept.reply()), Some(&*text), "on a connection that is kept");
                let new = fixture.send(&modern_call(round, "echo", arguments.clone())).await;
                assert_eq!(said(&new.reply()), Some(&*text), "on a new connection");
                let reply = session.call(i64::try_from(round).unwrap(), "echo", arguments).await;
                assert_eq!(said(&reply), Some(&*text), "in a session");
                ready.take().map(|ready| ready.send(()));
                tokio::select! {
                    _ = &mut stopped => {
                        assert_eq!(session.end().await.status, 204);
                        return round;
                    }
                    _ = pace.tick() => {}
                }
            }
            0
        });
        // One that fails drops the sender.
        let _ = begun.await;
        Self { stop, work }
    }

    /// Moves out, and tells how often the client was served.
    pub(super) async fn end(self) -> u64 {
        let _ = self.stop.send(());
        self.work.await.expect("the client beside is served every time")
    }
}

fn said(reply: &Value) -> Option<&str> {
    reply["result"]["content"][0]["text"].as_str()
}
