//! The end of the process: calls finish, streams end.

use super::{call, shaken, start};
use mcp_tests::legacy_client::LegacyClient;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_signal_lets_calls_finish_and_then_ends_each_stream() {
    let mut fixture = start();
    let mut bare = LegacyClient::open(&fixture).await;
    let mut idle = shaken(&fixture).await;
    let mut busy = shaken(&fixture).await;
    busy.write(&call(1, "slow_echo", json!({ "ms": 1_000, "text": "in time" }))).await;
    let begin = Instant::now();
    fixture.signal("TERM");
    assert!(bare.ends().await && idle.ends().await);
    assert_eq!(busy.next().await["result"]["content"][0]["text"], "in time");
    assert!(busy.ends().await);
    assert!(fixture.ended(Duration::from_secs(5)).await.success(), "{}", fixture.log());
    assert!(begin.elapsed() < Duration::from_secs(5));
}
