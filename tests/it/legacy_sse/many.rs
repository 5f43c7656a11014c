//! Many sessions at once, and what is left of them.

use super::{call, request, shaken, start};
use mcp_tests::{fixture::Fixture, http_client::HttpClient, legacy_client::LegacyClient};
use serde_json::json;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_goes_to_the_stream_of_who_asked() {
    let fixture = Arc::new(start());
    let clients = (0..20).map(|client| {
        let fixture = Arc::clone(&fixture);
        tokio::spawn(async move {
            let mut own = shaken(&fixture).await;
            for id in 1..=20 {
                let text = format!("{client}/{id}");
                own.write(&call(id, "echo", json!({ "text": text }))).await;
                let reply = own.next().await;
                assert_eq!(
                    (&reply["id"], &reply["result"]["content"][0]["text"]),
                    (&json!(id), &json!(text))
                );
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
}

/// Waits until the server knows the client no more: its side of the connection closes a little later.
async fn forgotten(fixture: &Fixture, gone: &mcp_tests::http_client::Request) {
    let deadline = std::time::Instant::now() + mcp_tests::http_client::PATIENCE;
    loop {
        match fixture.send(gone).await.status {
            404 => return,
            status => assert_eq!(status, 202),
        }
        assert!(std::time::Instant::now() < deadline, "a session outlives its stream");
    }
}

#[tokio::test]
async fn a_client_that_breaks_off_leaves_nothing_and_others_are_served_on() {
    let fixture = start();
    let mut steady = shaken(&fixture).await;
    for round in 0..50 {
        let broken = LegacyClient::open(&fixture).await;
        let gone = broken.post(&request(1, "ping", json!({})));
        drop(broken);
        forgotten(&fixture, &gone).await;
        steady.write(&request(round, "ping", json!({}))).await;
        assert_eq!(steady.next().await["id"], round);
    }
    let mut connection = HttpClient::connect(fixture.address()).await;
    let status = connection.send(&steady.post(&request(99, "ping", json!({})))).await.status;
    assert_eq!((status, &steady.next().await["id"]), (202, &json!(99)));
}
