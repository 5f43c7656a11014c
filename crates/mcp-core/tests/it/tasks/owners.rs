//! Whose tasks are whose.

use super::world::*;
use crate::sessions::world::pass;

/// Everything about a task that a client can try, as text.
async fn tries(client: &TestClient, id: &str, methods: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for method in methods {
        let params = json!({ "taskId": id, "inputResponses": {} });
        all.push(format!("{:?}", client.request(method, params).await.outcome));
    }
    all
}

#[tokio::test(start_paused = true)]
async fn a_strangers_task_looks_unknown_everywhere() {
    let (server, _) = serving();
    for (owner, stranger, methods) in [
        (
            with_principal(core(&server), "ada"),
            with_principal(core(&server), "bob"),
            &["tasks/get", "tasks/result", "tasks/cancel"][..],
        ),
        (core(&server), core(&server), &["tasks/get", "tasks/result", "tasks/cancel"][..]),
        (
            with_principal(modern(&server), "ada"),
            with_principal(modern(&server), "bob"),
            &["tasks/get", "tasks/update", "tasks/cancel"][..],
        ),
        (modern(&server), modern(&server), &["tasks/get", "tasks/update", "tasks/cancel"][..]),
    ] {
        let id = id_of(&call_as_task(&owner, "work", json!({ "seconds": 5 }), json!({})).await);
        assert_eq!(tries(&stranger, &id, methods).await, tries(&stranger, "no-such-task", methods).await);
        pass(6).await;
        assert_eq!(get(&owner, &id).await["status"], "completed", "the stranger must not have cancelled it");
        assert_eq!(tries(&stranger, &id, methods).await, tries(&stranger, "no-such-task", methods).await);
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_has_the_callers_own_tasks_only() {
    let (server, _) = serving();
    let (ada, bob) = (with_principal(core(&server), "ada"), with_principal(core(&server), "bob"));
    let id = id_of(&call_as_task(&ada, "work", json!({ "seconds": 1 }), json!({})).await);
    let listed = |answer: Answer| answer.result().unwrap()["tasks"].as_array().unwrap().len();
    assert_eq!(listed(ada.request("tasks/list", Value::Null).await), 1);
    assert_eq!(listed(bob.request("tasks/list", Value::Null).await), 0);
    let stolen = bob.request("tasks/list", json!({ "cursor": id })).await;
    assert_eq!(stolen.code(), Some(-32_602), "a stranger's task is no position");
}

#[tokio::test(start_paused = true)]
async fn a_principal_finds_its_tasks_from_anywhere() {
    let (server, _) = serving();
    let id = id_of(&call(&with_principal(modern(&server), "ada"), "work", json!({ "seconds": 1 })).await);
    pass(2).await;
    let elsewhere = with_principal(modern(&server), "ada");
    assert_eq!(get(&elsewhere, &id).await["status"], "completed");
}
