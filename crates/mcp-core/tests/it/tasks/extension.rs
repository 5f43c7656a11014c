//! The extension `io.modelcontextprotocol/tasks` of 2026-07-28.

use super::world::*;
use crate::sessions::world::{pass, settle};

#[tokio::test(start_paused = true)]
async fn a_task_is_flat_and_its_result_is_in_it() {
    let (server, _) = serving();
    let client = modern(&server);
    let created = call(&client, "work", json!({ "seconds": 3 })).await;
    let result = created.result().unwrap();
    assert_eq!((&result["resultType"], &result["status"]), (&json!("task"), &json!("working")));
    assert_eq!((&result["ttlMs"], &result["pollIntervalMs"]), (&json!(3_600_000), &json!(1_000)));
    for absent in ["task", "ttl", "pollInterval", "result", "error", "inputRequests", "requestState"] {
        assert!(result.get(absent).is_none(), "{absent}: {result}");
    }
    let id = id_of(&created);
    let working = get(&client, &id).await;
    assert_eq!((&working["resultType"], &working["status"]), (&json!("complete"), &json!("working")));
    pass(4).await;
    let done = get(&client, &id).await;
    assert_eq!(done["status"], "completed");
    assert_eq!(done["result"]["content"], json!([{ "type": "text", "text": "worked for 3 s" }]));
    assert_eq!(done["result"]["resultType"], "complete");
    assert!(!done.to_string().contains("related-task"));
    assert_eq!(done["lastUpdatedAt"], "2027-01-15T08:00:03.000Z");
}

#[tokio::test(start_paused = true)]
async fn a_result_that_says_error_is_a_completed_task_and_an_error_a_failed_one() {
    let (server, _) = serving();
    let client = modern(&server);
    let (fail, broken) = (call(&client, "fail", json!({})).await, call(&client, "break", json!({})).await);
    pass(2).await;
    let fail = get(&client, &id_of(&fail)).await;
    assert_eq!((&fail["status"], &fail["result"]["isError"]), (&json!("completed"), &json!(true)));
    let broken = get(&client, &id_of(&broken)).await;
    assert_eq!((&broken["status"], &broken["statusMessage"]), (&json!("failed"), &json!("broken")));
    assert_eq!(broken["error"], json!({ "code": -31_000, "message": "broken", "data": { "part": 7 } }));
    assert!(broken.get("result").is_none());
}

#[tokio::test(start_paused = true)]
async fn cancelling_is_acknowledged_whatever_became_of_the_task() {
    let (server, fates) = serving();
    let client = modern(&server);
    let id = id_of(&call(&client, "work", json!({ "seconds": 60 })).await);
    settle().await;
    for _ in 0..2 {
        let acknowledged = about(&client, "tasks/cancel", &id).await;
        let mut result = acknowledged.result().unwrap().clone();
        result.as_object_mut().unwrap().remove("_meta");
        assert_eq!(result, json!({ "resultType": "complete" }));
        assert_eq!(get(&client, &id).await["status"], "cancelled");
    }
    settle().await;
    assert_eq!(fates.dropped.load(Ordering::SeqCst), 1);
    let done = id_of(&call(&client, "work", json!({ "seconds": 1 })).await);
    pass(2).await;
    assert!(about(&client, "tasks/cancel", &done).await.result().is_some());
    assert_eq!(get(&client, &done).await["status"], "completed");
}

#[tokio::test(start_paused = true)]
async fn the_extension_has_its_own_methods_only() {
    let (server, _) = serving();
    let client = modern(&server);
    for method in ["tasks/result", "tasks/list"] {
        assert_eq!(about(&client, method, "x").await.code(), Some(-32_601), "{method}");
    }
    for method in ["tasks/get", "tasks/cancel"] {
        assert_eq!(about(&client, method, "x").await.code(), Some(-32_602), "{method}");
    }
    assert_eq!(update(&client, "x", json!({})).await.code(), Some(-32_602));
    let undeclared = server.client(MODERN);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        assert_eq!(about(&undeclared, method, "x").await.code(), Some(-32_021), "{method} before any look");
    }
    assert_eq!(core(&server).request("tasks/update", json!({ "taskId": "x" })).await.code(), Some(-32_601));
    let discovered = client.request("server/discover", Value::Null).await;
    let capabilities = &discovered.result().unwrap()["capabilities"];
    assert_eq!(capabilities["extensions"], json!({ "io.modelcontextprotocol/tasks": {} }));
    assert!(capabilities.get("tasks").is_none());
    let listed = client.list_tools().await;
    assert!(!listed.result().unwrap().to_string().contains("execution"));
}

#[tokio::test(start_paused = true)]
async fn a_task_begun_in_one_dialect_reads_well_in_the_other() {
    let (server, _) = serving();
    let peer = |client: TestClient| {
        let mut peer = Peer::anonymous(Transport::InProcess);
        peer.principal = Some(Arc::new(Principal::new("ada")));
        client.with_peer(peer)
    };
    let (old, new) = (peer(core(&server)), peer(modern(&server)));
    let from_old = id_of(&call_as_task(&old, "work", json!({ "seconds": 1 }), json!({})).await);
    let from_new = id_of(&call(&new, "work", json!({ "seconds": 1 })).await);
    pass(2).await;
    let read = get(&new, &from_old).await;
    assert_eq!(read["result"]["content"][0]["text"], "worked for 1 s");
    assert_eq!(read["result"]["resultType"], "complete");
    let waited = about(&old, "tasks/result", &from_new).await;
    assert_eq!(waited.text(), "worked for 1 s");
    let result = waited.result().unwrap();
    assert!(result.get("resultType").is_none() && !result.to_string().contains("serverInfo"), "{result}");
}

#[tokio::test(start_paused = true)]
async fn a_handler_knows_its_task_and_says_what_it_does() {
    let (server, _) = serving();
    let client = modern(&server);
    let created = call(&client, "inspect", json!({})).await;
    let id = id_of(&created);
    settle().await;
    assert_eq!(get(&client, &id).await["statusMessage"], "looking");
    pass(6).await;
    let done = get(&client, &id).await;
    assert_eq!(done["result"]["content"][0]["text"], format!("true {id} 1"));
    assert!(done.get("statusMessage").is_none());
    let plain = call(&server.client(MODERN), "inspect", json!({})).await;
    assert_eq!(plain.text(), "false  ");
}

#[tokio::test(start_paused = true)]
async fn a_task_sends_no_progress_and_no_log() {
    let (server, _) = serving();
    let client = modern(&server);
    let created = call(&client, "report", json!({})).await;
    assert!(created.notifications.is_empty());
    pass(5).await;
    let done = about(&client, "tasks/get", &id_of(&created)).await;
    assert!(done.notifications.is_empty());
    assert_eq!(done.result().unwrap()["status"], "completed");
}
