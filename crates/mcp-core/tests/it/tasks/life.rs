//! How long tasks last, and what is left of them.

use super::world::*;
use crate::sessions::world::{pass, settle};
use bytes::Bytes;
use mcp_core::{connection::Connection, context::Transport, exchange::Outgoing, server::Peer};
use std::future::poll_fn;

#[tokio::test(start_paused = true)]
async fn a_task_is_gone_after_its_ttl_and_not_before() {
    let (server, _) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "work", json!({ "seconds": 1 }), json!({ "ttl": 10_000 })).await);
    pass(9).await;
    assert_eq!(get(&client, &id).await["status"], "completed");
    pass(2).await;
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        assert_eq!(about(&client, method, &id).await.code(), Some(-32_602), "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_outlives_its_task_is_ended() {
    let (server, fates) = serving();
    let client = core(&server);
    call_as_task(&client, "work", json!({ "seconds": 600 }), json!({ "ttl": 5_000 })).await;
    pass(4).await;
    assert_eq!((server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (1, 0));
    pass(2).await;
    assert_eq!((server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_left_of_tasks_that_ended() {
    let (server, fates) = serving();
    let client = modern(&server);
    for tool in ["work", "must", "patient"] {
        call(&client, tool, json!({ "seconds": 3 })).await;
    }
    let cancelled = id_of(&call(&client, "work", json!({ "seconds": 3_000 })).await);
    about(&client, "tasks/cancel", &cancelled).await;
    pass(10).await;
    assert_eq!(server.counts().tasks, 0);
    assert_eq!(fates.dropped.load(Ordering::SeqCst), fates.begun.load(Ordering::SeqCst));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_waits_is_told_of_the_shutdown() {
    let (server, _) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "work", json!({ "seconds": 600 }), json!({})).await);
    let waiting = about(&client, "tasks/result", &id);
    let ending = async {
        settle().await;
        server.shut_down();
    };
    let (waited, ()) = tokio::join!(waiting, ending);
    assert_eq!(waited.code(), Some(-32_603));
}

/// Sends a message on a connection, and gives the reply.
async fn on(connection: &mut Connection, message: Value) -> Value {
    let mut exchange = connection.receive(Bytes::from(message.to_string())).unwrap();
    loop {
        match poll_fn(|context| exchange.poll_message(context)).await {
            Some(Outgoing::Reply(reply)) => return serde_json::from_slice(&reply.body).unwrap(),
            Some(_) => {}
            None => panic!("no reply"),
        }
    }
}

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_connection_ends_its_tasks() {
    let (server, fates) = serving();
    let mut connection = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
    let info = json!({ "name": "c", "version": "1" });
    let hello = json!({ "protocolVersion": CORE.as_str(), "capabilities": {}, "clientInfo": info });
    on(&mut connection, request(1, "initialize", hello)).await;
    let call = json!({ "name": "work", "arguments": { "seconds": 60 }, "task": {} });
    let id = on(&mut connection, request(2, "tools/call", call)).await["result"]["task"]["taskId"].clone();
    let seen = on(&mut connection, request(3, "tasks/get", json!({ "taskId": id }))).await;
    assert_eq!(seen["result"]["status"], "working");
    let mut other = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
    let hello = json!({ "protocolVersion": CORE.as_str(), "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    on(&mut other, request(1, "initialize", hello)).await;
    let unknown = on(&mut other, request(2, "tasks/get", json!({ "taskId": id }))).await;
    assert_eq!(unknown["error"]["code"], -32_602, "another connection does not find it");
    settle().await;
    assert_eq!(server.counts().tasks, 1);
    drop(connection);
    settle().await;
    assert_eq!((server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
}
