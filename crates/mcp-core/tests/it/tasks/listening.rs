//! Clients that are told of tasks without asking.

use super::world::*;
use crate::sessions::world::settle;
use bytes::Bytes;
use mcp_core::{
    connection::Connection,
    context::Transport,
    exchange::{Exchange, Outgoing},
    server::Peer,
};
use std::{
    future::poll_fn,
    task::{Context, Poll, Waker},
};

fn listen(client: &str, tasks: &[&str]) -> Bytes {
    let capabilities = match client {
        "capable" => json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } }),
        _ => json!({}),
    };
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN.as_str(),
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    let params = json!({ "_meta": meta, "notifications": { "taskIds": tasks } });
    let request = json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params });
    Bytes::from(request.to_string())
}

async fn next(exchange: &mut Exchange) -> Value {
    match poll_fn(|context| exchange.poll_message(context)).await {
        Some(Outgoing::Notification(text)) => serde_json::from_slice(&text).unwrap(),
        Some(Outgoing::Reply(reply)) => serde_json::from_slice(&reply.body).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn is_silent(exchange: &mut Exchange) -> bool {
    exchange.poll_message(&mut Context::from_waker(Waker::noop())).is_pending()
}

/// A connection whose tasks belong to it, and a task of it.
async fn connected(server: &Server, tool: &str, arguments: Value) -> (Connection, String) {
    let mut connection = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN.as_str(),
        "io.modelcontextprotocol/clientCapabilities":
            { "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let params = json!({ "_meta": meta, "name": tool, "arguments": arguments });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut exchange = connection.receive(Bytes::from(request.to_string())).unwrap();
    let id = next(&mut exchange).await["result"]["taskId"].as_str().unwrap().to_owned();
    (connection, id)
}

#[tokio::test(start_paused = true)]
async fn a_listen_stream_tells_what_tasks_get_would_say() {
    let (server, _) = serving();
    let (mut connection, id) = connected(&server, "confirm", json!({})).await;
    settle().await;
    let mut stream = connection.receive(listen("capable", &[&id, "unknown"])).unwrap();
    let acknowledged = next(&mut stream).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({ "taskIds": [id] }),
        "what is unknown is left out"
    );
    let now = next(&mut stream).await;
    assert_eq!(now["method"], "notifications/tasks");
    assert_eq!(now["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    assert_eq!(
        now["params"]["status"], "input_required",
        "what happened before the stream began is not missed"
    );
    assert!(now["params"]["inputRequests"]["sure"].is_object());
    assert!(is_silent(&mut stream));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN.as_str(),
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let answers = json!({ "sure": accepted(json!({ "sure": true })) });
    let params = json!({ "_meta": meta, "taskId": id, "inputResponses": answers });
    let request = json!({ "jsonrpc": "2.0", "id": 2, "method": "tasks/update", "params": params });
    next(&mut connection.receive(Bytes::from(request.to_string())).unwrap()).await;
    settle().await;
    let done = next(&mut stream).await;
    assert_eq!(done["params"]["status"], "completed", "changes that wait come to one");
    assert_eq!(done["params"]["result"]["content"][0]["text"], "sure: true");
    assert!(is_silent(&mut stream));
    let params = json!({ "_meta": meta, "taskId": id });
    let request = json!({ "jsonrpc": "2.0", "id": 3, "method": "tasks/get", "params": params });
    let got = next(&mut connection.receive(Bytes::from(request.to_string())).unwrap()).await;
    let strip = |mut value: Value| {
        let object = value.as_object_mut().unwrap();
        object.remove("_meta");
        object.remove("resultType");
        value
    };
    assert_eq!(strip(done["params"].clone()), strip(got["result"].clone()));
}

#[tokio::test(start_paused = true)]
async fn a_strangers_task_is_not_listened_to() {
    let (server, _) = serving();
    let (_owner, id) = connected(&server, "work", json!({ "seconds": 1 })).await;
    let mut stranger = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
    let mut stream = stranger.receive(listen("capable", &[&id])).unwrap();
    let acknowledged = next(&mut stream).await;
    assert_eq!(acknowledged["params"]["notifications"], json!({}));
    tokio::time::sleep(Duration::from_secs(2)).await;
    settle().await;
    assert!(is_silent(&mut stream));
}

#[tokio::test(start_paused = true)]
async fn listening_to_tasks_needs_the_extension() {
    let (server, _) = serving();
    let mut connection = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
    let refused = next(&mut connection.receive(listen("incapable", &["x"])).unwrap()).await;
    assert_eq!(refused["error"]["code"], -32_021);
}

#[tokio::test(start_paused = true)]
async fn a_client_of_2025_11_25_hears_how_its_tasks_go() {
    let (server, _) = serving();
    let mut connection = Connection::new(server.clone(), Peer::anonymous(Transport::Stdio));
    let info = json!({ "name": "c", "version": "1" });
    let hello = json!({ "protocolVersion": CORE.as_str(), "capabilities": {}, "clientInfo": info });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    next(&mut connection.receive(Bytes::from(hello.to_string())).unwrap()).await;
    connection.receive(Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#));
    let meta = json!({ "progressToken": 5 });
    let params = json!({ "_meta": meta, "name": "report", "arguments": {}, "task": {} });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
    let id = next(&mut connection.receive(Bytes::from(call.to_string())).unwrap()).await["result"]["task"]["taskId"]
        .clone();
    tokio::time::sleep(Duration::from_secs(4)).await;
    settle().await;
    let mut heard = Vec::new();
    while let Poll::Ready(text) = connection.poll_change(&mut Context::from_waker(Waker::noop())) {
        let message: Value = serde_json::from_slice(&text).unwrap();
        heard.push(message);
    }
    let methods: Vec<_> = heard.iter().map(|message| message["method"].as_str().unwrap()).collect();
    assert_eq!(
        methods.iter().filter(|method| **method == "notifications/progress").count(),
        3,
        "{methods:?}"
    );
    let last = heard.last().unwrap();
    assert_eq!(last["method"], "notifications/tasks/status");
    assert_eq!((&last["params"]["taskId"], &last["params"]["status"]), (&id, &json!("completed")));
    assert!(last["params"].get("_meta").is_none(), "{last}");
}
