//! How many tasks there may be.

use super::world::*;
use crate::sessions::world::{pass, settle};
use mcp_core::ports::TaskLimits;

#[tokio::test(start_paused = true)]
async fn one_owner_has_so_many_tasks_and_others_theirs() {
    let (server, fates) =
        serving_with(|tasks| tasks.limits(TaskLimits { per_owner: 2, ..TaskLimits::default() }));
    let (client, other) = (core(&server), core(&server));
    let begin = |client: TestClient| async move {
        call_as_task(&client, "work", json!({ "seconds": 5 }), json!({})).await
    };
    let first = id_of(&begin(client.clone()).await);
    begin(client.clone()).await.result().unwrap();
    let refused = begin(client.clone()).await;
    assert_eq!(refused.code(), Some(-32_603));
    assert!(refused.outcome.unwrap_err()["message"].as_str().unwrap().contains("tasks.limits.per_owner"));
    begin(other).await.result().unwrap();
    settle().await;
    assert_eq!(fates.begun.load(Ordering::SeqCst), 3, "a refused call must not run");
    pass(6).await;
    begin(client.clone()).await.result().unwrap();
    assert_eq!(about(&client, "tasks/get", &first).await.code(), Some(-32_602), "the oldest result gave way");
}

#[tokio::test(start_paused = true)]
async fn the_server_has_so_many_tasks() {
    let (server, _) = serving_with(|tasks| tasks.limits(TaskLimits { total: 3, ..TaskLimits::default() }));
    let mut refused = 0;
    for _ in 0..5 {
        let answer = call(&modern(&server), "work", json!({ "seconds": 5 })).await;
        if answer.code().is_some() {
            assert!(answer.outcome.unwrap_err().to_string().contains("tasks.limits.total"));
            refused += 1;
        }
    }
    assert_eq!((refused, server.counts().tasks), (2, 3));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_cannot_become_a_task_goes_on_without() {
    let (server, _) = serving_with(|tasks| tasks.limits(TaskLimits { total: 1, ..TaskLimits::default() }));
    let client = modern(&server);
    call(&client, "work", json!({ "seconds": 60 })).await.result().unwrap();
    assert_eq!(call(&client, "patient", json!({ "seconds": 9 })).await.text(), "worked for 9 s");
}

#[tokio::test(start_paused = true)]
async fn the_bytes_of_requests_that_run_as_tasks_are_bounded() {
    let (server, _) = serving_with(|tasks| tasks.request_bytes(4_096));
    let large = async |client: &TestClient, bytes: usize| {
        let meta = Map::from_iter([("padding".to_owned(), json!("x".repeat(bytes)))]);
        let params = json!({ "name": "work", "arguments": { "seconds": 5 } });
        client.request_with_meta("tools/call", params, meta).await
    };
    // One alone may be larger; beside it there is no room for any.
    large(&modern(&server), 8_192).await.result().unwrap();
    let refused = large(&modern(&server), 16).await;
    assert_eq!(refused.code(), Some(-32_603));
    assert!(refused.outcome.unwrap_err().to_string().contains("tasks.request_bytes"));
    // A call that may go on without is not refused.
    assert_eq!(call(&modern(&server), "patient", json!({ "seconds": 3 })).await.text(), "worked for 3 s");
    pass(6).await;
    for _ in 0..3 {
        large(&modern(&server), 1_000).await.result().unwrap();
    }
    assert_eq!(large(&modern(&server), 1_000).await.code(), Some(-32_603));
    pass(6).await;
    large(&modern(&server), 3_000).await.result().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_cannot_have_a_task_last_for_ever() {
    let (server, _) = serving();
    let client = core(&server);
    for (wanted, lasts) in [(json!(1e300), 86_400_000), (json!(0), 1_000), (json!(1_500.7), 1_500)] {
        let created = call_as_task(&client, "work", json!({ "seconds": 0 }), json!({ "ttl": wanted })).await;
        assert_eq!(created.result().unwrap()["task"]["ttl"], lasts, "{wanted}");
    }
}

#[test]
fn settings_outside_their_range_are_named() {
    let fates = Fates::default();
    let runtime = Arc::new(crate::runtime::TestRuntime);
    let tasks = Tasks::new(Arc::new(MemoryTasks::new()))
        .limits(TaskLimits { per_owner: 0, ..TaskLimits::default() })
        .poll_interval(Duration::ZERO);
    let built = Server::builder(router(&fates), runtime).name("t").version("1").tasks(tasks).build();
    let faults = built.unwrap_err().to_string();
    for setting in ["tasks.limits.per_owner", "tasks.poll_interval"] {
        assert!(faults.contains(setting), "{faults}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_of_tasks_is_within_what_may_go_out_and_every_task_is_listed() {
    let fates = Fates::default();
    let limits = mcp_core::server::Limits::default().with_output_bytes(4_096);
    let server = building(&fates, |tasks| tasks).limits(limits).build().unwrap();
    let client = core(&server);
    let mut begun = Vec::new();
    for _ in 0..40 {
        begun.push(id_of(&call_as_task(&client, "fail", json!({}), json!({})).await));
    }
    let (mut listed, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = client.request("tasks/list", json!({ "cursor": cursor })).await;
        let result = page.result().unwrap();
        assert!(result.to_string().len() <= 4_096);
        listed.extend(
            result["tasks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|task| task["taskId"].as_str().unwrap().to_owned()),
        );
        cursor = result["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(listed, begun);
}
