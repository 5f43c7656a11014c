//! The tasks of 2025-11-25.

use super::world::*;
use crate::sessions::world::{pass, settle};

#[tokio::test(start_paused = true)]
async fn a_task_is_created_at_once_looked_at_and_its_result_is_that_of_the_call() {
    let (server, _) = serving();
    let client = core(&server);
    let created = call_as_task(&client, "work", json!({ "seconds": 3 }), json!({ "ttl": 60_000 })).await;
    let result = created.result().unwrap();
    let task = &result["task"];
    assert_eq!(task["status"], "working");
    assert_eq!(task["ttl"], 60_000);
    assert_eq!(task["pollInterval"], 1_000);
    assert_eq!(task["createdAt"], "2027-01-15T08:00:00.000Z");
    assert_eq!(task["lastUpdatedAt"], task["createdAt"]);
    assert!(result["_meta"]["io.modelcontextprotocol/model-immediate-response"].is_string());
    assert_eq!(result.as_object().unwrap().len(), 2, "{result}");
    let id = id_of(&created);

    assert_eq!(get(&client, &id).await["status"], "working");
    let waited = about(&client, "tasks/result", &id).await;
    let plain = call(&client, "work", json!({ "seconds": 0 })).await;
    assert_eq!(waited.text(), "worked for 3 s");
    let mut without_meta = waited.result().unwrap().clone();
    let meta = without_meta.as_object_mut().unwrap().remove("_meta").unwrap();
    assert_eq!(meta, json!({ "io.modelcontextprotocol/related-task": { "taskId": id } }));
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(members(&without_meta), members(plain.result().unwrap()));

    let done = get(&client, &id).await;
    assert_eq!(done["status"], "completed");
    assert_eq!(done["lastUpdatedAt"], "2027-01-15T08:00:03.000Z");
    assert!(done.get("result").is_none() && done.get("_meta").is_none(), "{done}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_tool_is_a_failed_task_with_its_result() {
    let (server, _) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "fail", json!({}), json!({})).await);
    let waited = about(&client, "tasks/result", &id).await;
    assert!(waited.is_error() && waited.text() == "the disk is full", "{waited:?}");
    let task = get(&client, &id).await;
    assert_eq!((&task["status"], &task["statusMessage"]), (&json!("failed"), &json!("the disk is full")));
}

#[tokio::test(start_paused = true)]
async fn an_error_of_the_call_comes_back_as_it_was() {
    let (server, _) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "break", json!({}), json!({})).await);
    let waited = about(&client, "tasks/result", &id).await;
    assert_eq!(waited.outcome, Err(json!({ "code": -31_000, "message": "broken", "data": { "part": 7 } })));
    let panicking = id_of(&call_as_task(&client, "panic", json!({}), json!({})).await);
    assert_eq!(about(&client, "tasks/result", &panicking).await.code(), Some(-32_603));
    assert_eq!(get(&client, &panicking).await["status"], "failed");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_stays_cancelled_and_its_handler_ends() {
    let (server, fates) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "work", json!({ "seconds": 60 }), json!({})).await);
    settle().await;
    let cancelled = about(&client, "tasks/cancel", &id).await;
    assert_eq!(cancelled.result().unwrap()["status"], "cancelled");
    settle().await;
    assert_eq!(fates.dropped.load(Ordering::SeqCst), 1, "the handler must end");
    pass(120).await;
    assert_eq!(get(&client, &id).await["status"], "cancelled");
    assert_eq!(fates.done.load(Ordering::SeqCst), 0);
    assert_eq!(
        about(&client, "tasks/cancel", &id).await.code(),
        Some(-32_602),
        "it cannot be cancelled twice"
    );
    assert_eq!(about(&client, "tasks/result", &id).await.code(), Some(-32_603));
}

#[tokio::test(start_paused = true)]
async fn what_a_cancelled_task_started_elsewhere_is_told() {
    let (server, fates) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "wait", json!({}), json!({})).await);
    settle().await;
    about(&client, "tasks/cancel", &id).await;
    settle().await;
    assert_eq!(fates.done.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_notification_that_cancels_the_call_leaves_its_task_running() {
    let (server, fates) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "work", json!({ "seconds": 5 }), json!({})).await);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    client.send(cancel).await;
    assert_eq!(about(&client, "tasks/result", &id).await.text(), "worked for 5 s");
    assert_eq!(fates.done.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn several_may_wait_for_one_task() {
    let (server, _) = serving();
    let client = core(&server);
    let id = id_of(&call_as_task(&client, "work", json!({ "seconds": 5 }), json!({})).await);
    let (one, two) = tokio::join!(about(&client, "tasks/result", &id), about(&client, "tasks/result", &id));
    assert_eq!((one.text(), two.text()), ("worked for 5 s", "worked for 5 s"));
}

#[tokio::test(start_paused = true)]
async fn the_list_has_every_task_in_pages() {
    let (server, _) =
        serving_with(|tasks| tasks.limits(mcp_core::ports::TaskLimits { page: 2, ..Default::default() }));
    let client = core(&server);
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(id_of(&call_as_task(&client, "work", json!({ "seconds": 1 }), json!({})).await));
    }
    pass(2).await;
    let (mut listed, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = client.request("tasks/list", json!({ "cursor": cursor })).await;
        let page = page.result().unwrap();
        let tasks = page["tasks"].as_array().unwrap();
        assert!(tasks.len() <= 2);
        for task in tasks {
            assert_eq!(*task, get(&client, task["taskId"].as_str().unwrap()).await);
            listed.push(task["taskId"].as_str().unwrap().to_owned());
        }
        match page.get("nextCursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!(listed, ids);
    for cursor in [json!("bad"), json!(7), json!("")] {
        let refused = client.request("tasks/list", json!({ "cursor": cursor })).await;
        assert_eq!(refused.code(), Some(-32_602), "{cursor}");
    }
}

#[tokio::test(start_paused = true)]
async fn messages_of_a_task_reach_whoever_waits_and_name_the_task() {
    let (server, _) = serving();
    let client = core(&server);
    let created = call_for_progress(&client, "report").await;
    let id = id_of(&created);
    let waited = about(&client, "tasks/result", &id).await;
    assert_eq!(waited.text(), "reported");
    let of = |method: &str| {
        let all = waited.notifications.iter();
        all.filter(|message| message["method"] == method).cloned().collect::<Vec<_>>()
    };
    let progress = of("notifications/progress");
    let values = progress.iter().map(|it| it["params"]["progress"].as_f64().unwrap());
    assert_eq!(values.collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    assert_eq!(of("notifications/message").len(), 3);
    for message in &waited.notifications {
        let related = &message["params"]["_meta"]["io.modelcontextprotocol/related-task"];
        assert_eq!(*related, json!({ "taskId": id }), "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn capabilities_and_tools_say_what_can_be_a_task() {
    let (server, _) = serving();
    let welcome = server.client(CORE).request("initialize", json!({ "protocolVersion": CORE.as_str(), "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } })).await;
    let capabilities = &welcome.result().unwrap()["capabilities"];
    assert_eq!(
        capabilities["tasks"],
        json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } })
    );
    assert!(capabilities.get("extensions").is_none(), "the extension is not for handshakes");
    let listed = core(&server).list_tools().await;
    let tools = listed.result().unwrap()["tools"].as_array().unwrap().clone();
    let support = |name: &str| {
        tools.iter().find(|tool| tool["name"] == name).map(|tool| tool["execution"]["taskSupport"].clone())
    };
    assert_eq!(support("plain"), Some(Value::Null));
    assert_eq!(support("work"), Some(json!("optional")));
    assert_eq!(support("must"), Some(json!("required")));
}
