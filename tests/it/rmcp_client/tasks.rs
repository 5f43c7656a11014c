//! Calls that go on as tasks, by the extension of 2026-07-28: looked at, answered, cancelled, listened to.

use super::visitor::{Begin, News, Over, Visitor, connect, connect_for_tasks, text, tool_call, within};
use rmcp::{
    ServiceError,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ClientRequest,
        CreateTaskResult, CustomRequest, DetailedTask, GetTaskParams, InputRequests, InputResponses,
        TaskPayload, TaskStatus, UpdateTaskParams,
    },
    service::PeerRequestOptions,
};
use serde_json::{Value, json};
use std::time::Duration;

const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;
const MISSING_CAPABILITY: i32 = -32_021;

/// The pause between two looks at a task.
const GLANCE: Duration = Duration::from_millis(20);

async fn visitors() -> [Visitor; 2] {
    [connect_for_tasks(Over::Http).await, connect_for_tasks(Over::Stdio).await]
}

/// Calls a tool once, whatever the answer is.
async fn once(visitor: &Visitor, params: CallToolRequestParams) -> Result<CallToolResponse, ServiceError> {
    within("the call", visitor.client.call_tool_once(params)).await
}

/// Calls a tool that goes on as a task.
async fn begun(visitor: &Visitor, tool: &'static str, arguments: Value) -> CreateTaskResult {
    match once(visitor, tool_call(tool, arguments)).await {
        Ok(CallToolResponse::Task(created)) => created,
        other => panic!("{visitor}: {tool} is no task: {other:?}"),
    }
}

async fn look(visitor: &Visitor, id: &str) -> DetailedTask {
    within("tasks/get", visitor.client.get_task(GetTaskParams::new(id))).await.unwrap().task
}

/// Looks at a task until it has come to a status.
async fn until(visitor: &Visitor, id: &str, status: TaskStatus) -> DetailedTask {
    let looking = async {
        loop {
            let task = look(visitor, id).await;
            if task.status() == status {
                return task;
            }
            assert!(!task.status().is_terminal(), "{visitor}: {task:?}");
            tokio::time::sleep(GLANCE).await;
        }
    };
    within("the task", looking).await
}

/// The result of a task that is done.
#[track_caller]
fn result(task: &DetailedTask) -> CallToolResult {
    match &task.payload {
        TaskPayload::Completed { result } => {
            serde_json::from_value(Value::Object(result.clone())).expect("a result of a tool")
        }
        other => panic!("no result: {other:?}"),
    }
}

/// What a task waits for.
#[track_caller]
fn asked(task: &DetailedTask) -> &InputRequests {
    match &task.payload {
        TaskPayload::InputRequired { input_requests } => input_requests,
        other => panic!("nothing is asked: {other:?}"),
    }
}

async fn answer(visitor: &Visitor, id: &str, key: &str, content: &Value) {
    let answers = InputResponses::from([(key.to_owned(), accepted(content))]);
    within("tasks/update", visitor.client.update_task(UpdateTaskParams::new(id, answers))).await.unwrap();
}

fn accepted(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[track_caller]
fn code<T: std::fmt::Debug>(refused: Result<T, ServiceError>) -> i32 {
    match refused {
        Err(ServiceError::McpError(error)) => error.code.0,
        other => panic!("no error of the protocol: {other:?}"),
    }
}

#[tokio::test]
async fn the_client_sees_that_the_server_runs_tasks() {
    for visitor in visitors().await {
        assert!(visitor.client.peer_info().unwrap().capabilities.supports_tasks(), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_call_that_goes_on_as_a_task_is_looked_at_until_its_result_is_there() {
    for visitor in visitors().await {
        let created = begun(&visitor, "slow_compute", json!({ "seconds": 0.2, "label": "six" })).await;
        assert_eq!(created.task.status, TaskStatus::Working, "{visitor}");
        assert!(created.task.ttl_ms.is_some() && created.task.poll_interval_ms.is_some(), "{visitor}");
        let done = until(&visitor, &created.task.task_id, TaskStatus::Completed).await;
        assert_eq!(text(&result(&done)), "computed six for 0.2 s", "{visitor}");
        assert_eq!(done.task.created_at, created.task.created_at, "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_failure_for_the_model_completes_a_task_and_an_error_of_the_protocol_fails_it() {
    for visitor in visitors().await {
        let job = begun(&visitor, "failing_job", json!({})).await;
        let error = begun(&visitor, "protocol_error_job", json!({})).await;
        let completed = until(&visitor, &job.task.task_id, TaskStatus::Completed).await;
        assert_eq!(result(&completed).is_error, Some(true), "{visitor}");
        let failed = until(&visitor, &error.task.task_id, TaskStatus::Failed).await;
        let TaskPayload::Failed { error } = failed.payload else { panic!("{visitor}: {failed:?}") };
        assert_eq!(error["code"], -31_099, "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_task_that_asks_goes_on_with_the_answer() {
    for visitor in visitors().await {
        let created = begun(&visitor, "confirm_delete", json!({ "filename": "old.txt" })).await;
        let id = &created.task.task_id;
        let waiting = until(&visitor, id, TaskStatus::InputRequired).await;
        let keys: Vec<_> = asked(&waiting).keys().cloned().collect();
        let [key] = &keys[..] else { panic!("{visitor}: {keys:?}") };
        answer(&visitor, id, key, &json!({ "confirm": true })).await;
        let done = until(&visitor, id, TaskStatus::Completed).await;
        assert_eq!(text(&result(&done)), "old.txt is deleted", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_task_that_asks_twice_takes_its_answers_one_by_one() {
    for visitor in visitors().await {
        let created = begun(&visitor, "multi_input", json!({})).await;
        let id = &created.task.task_id;
        let both = within("both questions", async {
            loop {
                let task = until(&visitor, id, TaskStatus::InputRequired).await;
                if asked(&task).len() == 2 {
                    return task;
                }
            }
        });
        let keys: Vec<_> = asked(&both.await).keys().cloned().collect();
        let of = |name: &str| keys.iter().find(|key| key.contains(name)).expect("the key names the question");
        answer(&visitor, id, of("user_name"), &json!({ "name": "Ada" })).await;
        let waiting = until(&visitor, id, TaskStatus::InputRequired).await;
        assert_eq!(asked(&waiting).keys().collect::<Vec<_>>(), [of("sure")], "{visitor}");
        answer(&visitor, id, of("sure"), &json!({ "confirm": true })).await;
        let done = until(&visitor, id, TaskStatus::Completed).await;
        assert_eq!(text(&result(&done)), "Ada is sure", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_call_asks_first_and_goes_on_as_a_task_then() {
    for visitor in visitors().await {
        let asking = once(&visitor, tool_call("test_tool_with_task", json!({}))).await;
        let Ok(CallToolResponse::InputRequired(round)) = asking else { panic!("{visitor}: {asking:?}") };
        let keys = round.input_requests.unwrap().into_keys();
        let answers = keys.map(|key| (key, accepted(&json!({ "name": "Ada" })))).collect();
        let mut again = tool_call("test_tool_with_task", json!({})).with_input_responses(answers);
        if let Some(state) = round.request_state {
            again = again.with_request_state(state);
        }
        let begun = once(&visitor, again).await;
        let Ok(CallToolResponse::Task(created)) = begun else { panic!("{visitor}: {begun:?}") };
        let done = until(&visitor, &created.task.task_id, TaskStatus::Completed).await;
        assert_eq!(text(&result(&done)), "Hello, Ada!", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_cancelled_task_ends_and_stays_cancelled() {
    for visitor in visitors().await {
        let created = begun(&visitor, "slow_compute", json!({ "seconds": 3_600 })).await;
        let id = &created.task.task_id;
        for _ in 0..2 {
            let cancelled = visitor.client.cancel_task(CancelTaskParams::new(id));
            within("tasks/cancel", cancelled).await.unwrap();
            assert_eq!(look(&visitor, id).await.status(), TaskStatus::Cancelled, "{visitor}");
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn what_is_no_task_is_refused() {
    for visitor in visitors().await {
        let client = &visitor.client;
        let answers = InputResponses::from([("key".to_owned(), accepted(&json!({})))]);
        assert_eq!(code(client.get_task(GetTaskParams::new("nobody")).await), INVALID_PARAMS, "{visitor}");
        assert_eq!(
            code(client.update_task(UpdateTaskParams::new("nobody", answers)).await),
            INVALID_PARAMS,
            "{visitor}"
        );
        assert_eq!(
            code(client.cancel_task(CancelTaskParams::new("nobody")).await),
            INVALID_PARAMS,
            "{visitor}"
        );
        // The dialect of 2025-11-25 is not spoken here.
        for method in ["tasks/list", "tasks/result"] {
            let request = CustomRequest::new(method, Some(json!({ "taskId": "nobody" })));
            let refused = client.send_request(ClientRequest::CustomRequest(request)).await;
            assert_eq!(code(refused), METHOD_NOT_FOUND, "{visitor}, {method}");
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_client_without_the_extension_is_answered_when_the_call_ends() {
    for over in [Over::Http, Over::Stdio] {
        let (visitor, _) = connect(over, Begin::Discover).await;
        let plain = visitor.call("slow_compute", json!({ "seconds": 0 })).await;
        assert_eq!(text(&plain), "computed something for 0 s", "{visitor}");
        assert_eq!(
            code(once(&visitor, tool_call("failing_job", json!({}))).await),
            MISSING_CAPABILITY,
            "{visitor}"
        );
        assert_eq!(
            code(visitor.client.get_task(GetTaskParams::new("nobody")).await),
            MISSING_CAPABILITY,
            "{visitor}"
        );
        visitor.leave().await;
    }
}

/// The next that is told of a task.
async fn told(visitor: &mut Visitor) -> DetailedTask {
    loop {
        if let Some(News::Task(task)) = within("news of the task", visitor.news.recv()).await {
            return *task;
        }
    }
}

#[tokio::test]
async fn a_task_is_listened_to() {
    for mut visitor in visitors().await {
        let created = begun(&visitor, "confirm_delete", json!({ "filename": "old.txt" })).await;
        let id = created.task.task_id;
        // This client's own filter has no tasks; what it hears of them it takes all the same.
        let filter = json!({ "notifications": { "taskIds": [id] } });
        let request = ClientRequest::CustomRequest(CustomRequest::new("subscriptions/listen", Some(filter)));
        let options = PeerRequestOptions::no_options();
        let listening = visitor.client.send_cancellable_request(request, options).await.unwrap();
        assert_eq!(within("listening", visitor.news.recv()).await, Some(News::Listening), "{visitor}");
        let waiting = loop {
            let task = told(&mut visitor).await;
            if task.status() == TaskStatus::InputRequired {
                break task;
            }
        };
        assert_eq!(waiting, look(&visitor, &id).await, "{visitor}");
        let key = asked(&waiting).keys().next().expect("a question").clone();
        answer(&visitor, &id, &key, &json!({ "confirm": false })).await;
        let done = loop {
            let task = told(&mut visitor).await;
            if task.status().is_terminal() {
                break task;
            }
        };
        assert_eq!(text(&result(&done)), "old.txt is left as it is", "{visitor}");
        within("the end", listening.cancel(None)).await.unwrap();
        visitor.leave().await;
    }
}
