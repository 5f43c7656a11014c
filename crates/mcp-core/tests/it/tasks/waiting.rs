//! Several who wait for one task.

use super::world::*;
use crate::sessions::world::{pass, settle};

fn answering(server: &Server) -> TestClient {
    with_principal(server.client(CORE), "ada").answering(|_| accepted(json!({ "sure": true }))).live()
}

/// A client of the same principal that declares nothing it could be asked.
fn silent(server: &Server) -> TestClient {
    with_principal(server.client(CORE), "ada")
        .answering(|_| panic!("asked"))
        .with_capabilities(json!({}))
        .live()
}

#[tokio::test(start_paused = true)]
async fn of_those_who_wait_the_newest_that_can_be_asked_is_asked() {
    let (server, _) = serving();
    let (able, unable) = (answering(&server), silent(&server));
    let id = id_of(&call_as_task(&able, "confirm", json!({}), json!({})).await);
    settle().await;
    let first = about(&able, "tasks/result", &id);
    let then = async {
        settle().await;
        about(&unable, "tasks/result", &id).await
    };
    let (first, then) =
        tokio::time::timeout(Duration::from_secs(60), async { tokio::join!(first, then) }).await.unwrap();
    assert_eq!((first.text(), then.text()), ("sure: true", "sure: true"));
    assert_eq!((first.asked.len(), then.asked.len()), (1, 0));
    // And the other way round: who cannot be asked is not asked while nobody else waits.
    let id = id_of(&call_as_task(&able, "confirm", json!({}), json!({})).await);
    let first = about(&unable, "tasks/result", &id);
    let then = async {
        settle().await;
        about(&able, "tasks/result", &id).await
    };
    let (first, then) = tokio::join!(first, then);
    assert_eq!((first.asked.len(), then.asked.len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn messages_with_a_clients_token_go_to_that_client() {
    let (server, _) = serving();
    let (began, other) = (answering(&server), silent(&server));
    let id = id_of(&call_for_progress(&began, "report").await);
    let (theirs, mine) = tokio::join!(about(&other, "tasks/result", &id), about(&began, "tasks/result", &id));
    assert_eq!((mine.text(), theirs.text()), ("reported", "reported"));
    assert!(theirs.notifications.is_empty(), "{:?}", theirs.notifications);
    assert!(mine.notifications.len() >= 3);
}

#[tokio::test(start_paused = true)]
async fn the_newest_who_leaves_hands_its_questions_to_who_waited_before() {
    let (server, _) = serving();
    // Asked, and never answers.
    let (mute, able) = (silent(&server).with_capabilities(json!({ "elicitation": {} })), answering(&server));
    let mute = mute.answering(|_| Value::Null);
    let id = id_of(&call_as_task(&able, "confirm_two", json!({}), json!({})).await);
    let first = about(&able, "tasks/result", &id);
    let newest = async {
        settle().await;
        let waiting = about(&mute, "tasks/result", &id);
        let _ = futures_util::FutureExt::now_or_never(waiting);
    };
    let (first, ()) = tokio::join!(first, newest);
    assert_eq!(first.text(), "true and true");
    pass(1).await;
    assert_eq!((server.counts().tasks, server.counts().open_asks), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_learns_of_the_end_whichever_way_it_comes() {
    let (server, _) = serving();
    let client = core(&server);
    for method in ["tasks/cancel", "expiry"] {
        let id =
            id_of(&call_as_task(&client, "work", json!({ "seconds": 600 }), json!({ "ttl": 5_000 })).await);
        let ending = async {
            settle().await;
            if method == "expiry" { pass(6).await } else { drop(about(&client, method, &id).await) }
        };
        let (one, two) = (about(&client, "tasks/result", &id), about(&client, "tasks/result", &id));
        let waited = async { tokio::join!(one, two, ending) };
        let (one, two, ()) = tokio::time::timeout(Duration::from_secs(60), waited).await.unwrap();
        let code = if method == "expiry" { -32_602 } else { -32_603 };
        assert_eq!((one.code(), two.code()), (Some(code), Some(code)), "{method}");
    }
    assert_eq!(server.counts().tasks, 0);
}
