//! What is left of a server that ends, and of one that is dropped.

use super::world::*;
use crate::sessions::world::{pass, settle};
use futures_util::FutureExt as _;

#[tokio::test(start_paused = true)]
async fn a_transport_waits_for_tasks_as_for_other_calls_without_a_client() {
    let (server, fates) = serving();
    let client = modern(&server);
    call(&client, "work", json!({ "seconds": 5 })).await;
    server.shut_down();
    assert!(server.detached_calls_ended().now_or_never().is_none());
    tokio::time::timeout(Duration::from_secs(6), server.detached_calls_ended()).await.unwrap();
    assert_eq!(fates.done.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_outlives_the_grace_fails_and_is_not_working_for_ever() {
    let store = Arc::new(MemoryTasks::new());
    let (server, fates) = serving_on(store.clone());
    let ada = with_principal(modern(&server), "ada");
    let id = id_of(&call(&ada, "work", json!({ "seconds": 600 })).await);
    settle().await;
    server.shut_down();
    server.give_up_tasks().await;
    settle().await;
    assert_eq!((server.counts().tasks, fates.dropped.load(Ordering::SeqCst)), (0, 1));
    let (next, _) = serving_on(store);
    let seen = get(&with_principal(modern(&next), "ada"), &id).await;
    assert_eq!((&seen["status"], &seen["error"]["code"]), (&json!("failed"), &json!(-32_603)));
    assert_eq!(seen["statusMessage"], "the server is shutting down");
}

#[tokio::test(start_paused = true)]
async fn nothing_keeps_a_server_that_is_dropped_once_its_tasks_have_ended() {
    let (server, fates) = serving();
    let state = Arc::downgrade(&fates.begun);
    let client = modern(&server);
    for tool in ["work", "must", "patient"] {
        call(&client, tool, json!({ "seconds": 3 })).await;
    }
    for tool in ["confirm", "inspect", "fail", "panic", "report", "say_then_detach"] {
        let id = id_of(&call(&client, tool, json!({})).await);
        settle().await;
        about(&client, "tasks/cancel", &id).await.result().unwrap();
    }
    let waiting = server.client(CORE).answering(|_| accepted(json!({ "sure": true }))).live();
    let id = id_of(&call_as_task(&waiting, "confirm", json!({}), json!({})).await);
    about(&waiting, "tasks/result", &id).await.result().unwrap();
    pass(20).await;
    drop((server, client, waiting, fates));
    pass(20).await;
    assert_eq!(state.strong_count(), 0);
}
