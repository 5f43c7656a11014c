//! Tasks of two processes that share one store.

use super::world::*;
use crate::sessions::world::{pass, settle};

/// Two servers, and what became of the handlers of the first.
fn two() -> (Server, Server, Fates) {
    let store = Arc::new(MemoryTasks::new());
    let (here, fates) = serving_on(store.clone());
    let (there, _) = serving_on(store);
    (here, there, fates)
}

#[tokio::test(start_paused = true)]
async fn a_task_that_runs_elsewhere_is_read_and_waited_for() {
    let (here, there, _) = two();
    let (ada_here, ada_there) = (with_principal(core(&here), "ada"), with_principal(core(&there), "ada"));
    let id = id_of(&call_as_task(&ada_here, "work", json!({ "seconds": 5 }), json!({})).await);
    assert_eq!(get(&ada_there, &id).await["status"], "working");
    assert_eq!(about(&ada_there, "tasks/result", &id).await.text(), "worked for 5 s");
    assert_eq!(get(&ada_there, &id).await, get(&ada_here, &id).await);
    let stranger = with_principal(core(&there), "bob");
    assert_eq!(about(&stranger, "tasks/get", &id).await.code(), Some(-32_602));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_cancelled_elsewhere_is_cancelled_at_once_and_its_handler_ends_soon() {
    let (here, there, fates) = two();
    let (ada_here, ada_there) = (with_principal(modern(&here), "ada"), with_principal(modern(&there), "ada"));
    let id = id_of(&call(&ada_here, "work", json!({ "seconds": 600 })).await);
    settle().await;
    about(&ada_there, "tasks/cancel", &id).await.result().unwrap();
    assert_eq!(get(&ada_here, &id).await["status"], "cancelled");
    pass(16).await;
    assert_eq!((here.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn answers_that_come_to_another_process_are_refused_and_not_lost() {
    let (here, there, _) = two();
    let (ada_here, ada_there) = (with_principal(modern(&here), "ada"), with_principal(modern(&there), "ada"));
    let id = id_of(&call(&ada_here, "confirm", json!({})).await);
    settle().await;
    assert_eq!(get(&ada_there, &id).await["status"], "input_required");
    let answers = json!({ "sure": accepted(json!({ "sure": true })) });
    assert_eq!(update(&ada_there, &id, answers.clone()).await.code(), Some(-32_603));
    assert_eq!(get(&ada_there, &id).await["status"], "input_required");
    update(&ada_here, &id, answers.clone()).await.result().unwrap();
    settle().await;
    assert_eq!(get(&ada_there, &id).await["result"]["content"][0]["text"], "sure: true");
    update(&ada_there, &id, answers).await.result().unwrap();
}
