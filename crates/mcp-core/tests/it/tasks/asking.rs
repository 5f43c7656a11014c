//! Tasks that ask their client.

use super::world::*;
use crate::sessions::world::settle;

#[tokio::test(start_paused = true)]
async fn a_task_shows_what_it_asks_and_goes_on_when_it_is_answered() {
    let (server, _) = serving();
    let client = modern(&server);
    let id = id_of(&call(&client, "confirm", json!({})).await);
    settle().await;
    let asked = get(&client, &id).await;
    assert_eq!(asked["status"], "input_required");
    let request = &asked["inputRequests"]["sure"];
    assert_eq!(
        (&request["method"], &request["params"]["message"]),
        (&json!("elicitation/create"), &json!("Are you sure?"))
    );
    assert_eq!(get(&client, &id).await, asked, "a question is shown as long as it is open");
    let unknown = update(&client, &id, json!({ "other": accepted(json!({ "sure": true })) })).await;
    assert_eq!(unknown.result().unwrap()["resultType"], "complete");
    assert_eq!(get(&client, &id).await["status"], "input_required", "an unknown key is ignored");
    let told = update(&client, &id, json!({ "sure": accepted(json!({ "sure": true })) })).await;
    assert!(told.result().unwrap().get("status").is_none());
    assert_ne!(get(&client, &id).await["status"], "input_required", "an answer is seen at once");
    settle().await;
    let done = get(&client, &id).await;
    assert_eq!(done["result"]["content"][0]["text"], "sure: true");
    update(&client, &id, json!({ "sure": accepted(json!({ "sure": false })) })).await.result().unwrap();
    assert_eq!(get(&client, &id).await, done);
}

#[tokio::test(start_paused = true)]
async fn answers_may_come_one_by_one() {
    let (server, _) = serving();
    let client = modern(&server);
    let id = id_of(&call(&client, "confirm_two", json!({})).await);
    settle().await;
    let keys = |task: &Value| task["inputRequests"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&get(&client, &id).await), ["one", "two"]);
    update(&client, &id, json!({ "two": accepted(json!({ "sure": false })) })).await.result().unwrap();
    let asked = get(&client, &id).await;
    assert_eq!((&asked["status"], keys(&asked)), (&json!("input_required"), vec!["one".to_owned()]));
    update(&client, &id, json!({ "one": accepted(json!({ "sure": true })) })).await.result().unwrap();
    settle().await;
    assert_eq!(get(&client, &id).await["result"]["content"][0]["text"], "true and false");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_fit_is_asked_for_again_under_a_new_key() {
    let (server, _) = serving();
    let client = modern(&server);
    let id = id_of(&call(&client, "confirm", json!({})).await);
    settle().await;
    update(&client, &id, json!({ "sure": accepted(json!({ "sure": "maybe" })) })).await.result().unwrap();
    let asked = get(&client, &id).await;
    let keys: Vec<_> = asked["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["sure#2"], "a client shows no question twice whose key it has answered");
    update(&client, &id, json!({ "sure": accepted(json!({ "sure": true })) })).await.result().unwrap();
    assert_eq!(get(&client, &id).await["status"], "input_required", "the old key names nothing any more");
    update(&client, &id, json!({ "sure#2": accepted(json!({ "sure": true })) })).await.result().unwrap();
    settle().await;
    assert_eq!(get(&client, &id).await["result"]["content"][0]["text"], "sure: true");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_answers_as_it_should_is_not_asked_for_ever() {
    let (server, _) = serving();
    let client = modern(&server);
    let id = id_of(&call(&client, "confirm", json!({})).await);
    settle().await;
    let mut asked = 0;
    while let Some(open) = get(&client, &id).await["inputRequests"].as_object() {
        let key = open.keys().next().unwrap().clone();
        update(&client, &id, json!({ key: 7 })).await.result().unwrap();
        settle().await;
        asked += 1;
        assert!(asked < 100);
    }
    let done = get(&client, &id).await;
    assert_eq!((&done["status"], &done["result"]["isError"]), (&json!("completed"), &json!(true)), "{done}");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_object_is_refused() {
    let (server, _) = serving();
    let client = modern(&server);
    let id = id_of(&call(&client, "confirm", json!({})).await);
    for answers in [Value::Null, json!([]), json!("x")] {
        assert_eq!(update(&client, &id, answers.clone()).await.code(), Some(-32_602), "{answers}");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_for_what_they_did_not_declare() {
    let (server, _) = serving();
    let client = server
        .client(MODERN)
        .with_capabilities(json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } }));
    let id = id_of(&call(&client, "confirm", json!({})).await);
    settle().await;
    let failed = get(&client, &id).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!(-32_021)));
}

/// A client of 2025-11-25 that says yes.
fn answering(server: &Server) -> TestClient {
    server.client(CORE).answering(|_| accepted(json!({ "sure": true }))).live()
}

#[tokio::test(start_paused = true)]
async fn on_2025_11_25_whoever_waits_for_the_result_is_asked() {
    let (server, _) = serving();
    let client = answering(&server);
    let id = id_of(&call_as_task(&client, "confirm", json!({}), json!({})).await);
    settle().await;
    let asked = get(&client, &id).await;
    assert_eq!(asked["status"], "input_required");
    assert!(asked.get("inputRequests").is_none());
    let waited = about(&client, "tasks/result", &id).await;
    assert_eq!(waited.text(), "sure: true");
    assert_eq!(waited.asked.len(), 1);
    let related = &waited.asked[0]["params"]["_meta"]["io.modelcontextprotocol/related-task"];
    assert_eq!(*related, json!({ "taskId": id }));
    assert_eq!(get(&client, &id).await["status"], "completed");
}

#[tokio::test(start_paused = true)]
async fn on_2025_11_25_two_questions_go_out_and_each_answer_counts() {
    let (server, _) = serving();
    let client = answering(&server);
    let id = id_of(&call_as_task(&client, "confirm_two", json!({}), json!({})).await);
    let waited = about(&client, "tasks/result", &id).await;
    assert_eq!((waited.text(), waited.asked.len()), ("true and true", 2));
}

#[tokio::test(start_paused = true)]
async fn on_2025_11_25_a_question_goes_out_again_when_its_stream_breaks() {
    let (server, _) = serving();
    let client = answering(&server);
    let id = id_of(&call_as_task(&client, "confirm", json!({}), json!({})).await);
    settle().await;
    // A wait that is given up before the client has read anything of it.
    {
        let waiting = about(&client, "tasks/result", &id);
        let _ = futures_util::FutureExt::now_or_never(waiting);
    }
    assert_eq!(about(&client, "tasks/result", &id).await.text(), "sure: true");
}
