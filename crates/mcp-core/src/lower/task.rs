//! Tasks, in the two dialects they have: 2025-11-25 and the extension of 2026-07-28.

use super::{Reply, ResultFrame, ask::ask_members, error::raw_error};
use crate::{
    ask::AskRequest,
    json::{Document, JsonLimits, JsonWriter, Node, ObjectWriter},
    jsonrpc::RequestId,
    ports::{TaskId, TaskRecord, TaskState},
    protocol::{Meta, meta_key},
    version::{Feature, ProtocolVersion},
};
use bytes::Bytes;
use std::{borrow::Cow, time::SystemTime};

/// The result that begins a task; `response` is what a model may be told meanwhile.
///
/// Spec: 2025-11-25, schema `CreateTaskResult`; extension schema `CreateTaskResult`.
pub(crate) fn task_created(frame: ResultFrame<'_>, task: &TaskRecord, response: Option<&str>) -> Reply {
    let mut meta = Meta::new();
    let body = if frame.version.has(Feature::CoreTasks) {
        if let Some(response) = response {
            meta.insert(meta_key::IMMEDIATE_RESPONSE.to_owned(), response.into());
        }
        frame.write(384, &meta, None, |result| {
            result.object("task", |object| fields(object, task, frame.version));
        })
    } else {
        frame.write_as("task", 384, &meta, None, |result| fields(result, task, frame.version))
    };
    Reply::new(Bytes::from(body), 200)
}

/// The result of `tasks/get`, and of `tasks/cancel` on 2025-11-25.
pub(crate) fn task(frame: ResultFrame<'_>, task: &TaskRecord) -> Reply {
    let capacity = 384 + task.text_bytes();
    let body = frame.write(capacity, &Meta::new(), None, |result| {
        fields(result, task, frame.version);
        if frame.version.has(Feature::TasksExtension) {
            details(result, task);
        }
    });
    Reply::new(Bytes::from(body), 200)
}

/// The result of `tasks/list`.
pub(crate) fn task_list(frame: ResultFrame<'_>, tasks: &[TaskRecord], next: Option<&TaskId>) -> Reply {
    let body = frame.write(64 + 320 * tasks.len(), &Meta::new(), None, |result| {
        result.array("tasks", |list| {
            for task in tasks {
                list.object(|object| fields(object, task, frame.version));
            }
        });
        result.optional_string("nextCursor", next.map(TaskId::as_str));
    });
    Reply::new(Bytes::from(body), 200)
}

/// The result of `tasks/result`: what the call itself would have been answered with.
///
/// Spec: 2025-11-25, basic/utilities/tasks#result-retrieval.
pub(crate) fn task_result(frame: ResultFrame<'_>, task: &TaskRecord) -> Reply {
    match &task.state {
        TaskState::Completed { result, .. } => {
            let document = written(result);
            let root = document.as_ref().map(Document::root);
            let mut meta = Meta::new();
            for (name, value) in root.and_then(|root| root.get("_meta")).into_iter().flat_map(Node::members) {
                if !name.eq_str(meta_key::SERVER_INFO) {
                    let value = serde_json::from_str(value.raw()).unwrap_or_default();
                    meta.insert(name.text().into_owned(), value);
                }
            }
            let related = serde_json::json!({ "taskId": task.id.as_str() });
            meta.insert(meta_key::RELATED_TASK.to_owned(), related);
            let body = frame.write(result.len() + 192, &meta, None, |object| {
                if let Some(root) = root {
                    copy(object, root, frame.version);
                }
            });
            Reply::new(Bytes::from(body), 200)
        }
        TaskState::Failed(error) => raw_error(frame.id, error),
        // What a cancelled call would have been answered with is nothing: this says why there is none.
        _ => raw_error(frame.id, br#"{"code":-32603,"message":"the task was cancelled"}"#),
    }
}

/// `notifications/tasks/status` of 2025-11-25.
pub(crate) fn task_status(task: &TaskRecord) -> Bytes {
    notification("notifications/tasks/status", |params| {
        fields(params, task, ProtocolVersion::V2025_11_25);
    })
}

/// `notifications/tasks` of the extension, on the listen stream that asked for it.
pub(crate) fn task_changed(task: &TaskRecord, listen: &RequestId) -> Bytes {
    notification("notifications/tasks", |params| {
        params.object("_meta", |meta| meta.raw(meta_key::SUBSCRIPTION_ID, listen.as_json()));
        fields(params, task, ProtocolVersion::V2026_07_28);
        details(params, task);
    })
}

/// A question of a task as a request to the client, tied to the task.
///
/// Spec: 2025-11-25, basic/utilities/tasks#associating-task-related-messages.
pub(crate) fn task_ask(id: i64, request: &AskRequest, version: ProtocolVersion, task: &TaskId) -> Bytes {
    let mut out = Vec::with_capacity(256);
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    message.integer("id", id);
    message.string("method", request.method());
    message.object("params", |params| {
        related_task(params, task);
        super::ask::ask_param_members(params, request, version);
    });
    message.end();
    Bytes::from(out)
}

/// A question of a task as it is shown in `inputRequests`, as JSON text.
pub(crate) fn input_request(request: &AskRequest) -> Bytes {
    let mut out = Vec::with_capacity(256);
    JsonWriter::new(&mut out).object(|object| ask_members(object, request, ProtocolVersion::LATEST));
    Bytes::from(out)
}

/// Ties a message to its task.
pub(super) fn related_task(params: &mut ObjectWriter<'_>, task: &TaskId) {
    params.object("_meta", |meta| {
        meta.object(meta_key::RELATED_TASK, |related| related.string("taskId", task.as_str()));
    });
}

/// What both dialects say of a task, each with its own names.
fn fields(object: &mut ObjectWriter<'_>, task: &TaskRecord, version: ProtocolVersion) {
    let (ttl, interval) =
        if version.has(Feature::CoreTasks) { ("ttl", "pollInterval") } else { ("ttlMs", "pollIntervalMs") };
    object.string("taskId", task.id.as_str());
    object.string("status", status(task, version));
    object.optional_string("statusMessage", task.message.as_deref());
    object.string("createdAt", &time(task.created_at));
    object.string("lastUpdatedAt", &time(task.updated_at));
    object.unsigned(ttl, millis(task.ttl));
    object.unsigned(interval, millis(task.poll_interval).max(1));
}

/// The word for the state. A tool's own failure is a failed task on 2025-11-25, and a result in the extension.
fn status(task: &TaskRecord, version: ProtocolVersion) -> &'static str {
    match &task.state {
        TaskState::Working => "working",
        TaskState::InputRequired(_) => "input_required",
        TaskState::Completed { is_error: true, .. } if version.has(Feature::CoreTasks) => "failed",
        TaskState::Completed { .. } => "completed",
        TaskState::Failed(_) => "failed",
        TaskState::Cancelled => "cancelled",
    }
}

/// What the extension says of each state.
fn details(object: &mut ObjectWriter<'_>, task: &TaskRecord) {
    match &task.state {
        TaskState::Working | TaskState::Cancelled => {}
        TaskState::InputRequired(asks) => object.object("inputRequests", |requests| {
            asks.iter().for_each(|(key, request)| requests.raw(key, request));
        }),
        TaskState::Completed { result, .. } if task.version.has(Feature::ResultType) => {
            object.raw("result", result);
        }
        TaskState::Completed { result, .. } => object.object("result", |object| {
            object.string("resultType", "complete");
            if let Some(document) = written(result) {
                document.root().members().for_each(|(name, value)| object.raw(&name.text(), value.raw()));
            }
        }),
        TaskState::Failed(error) => object.raw("error", error),
    }
}

/// Copies what a revision has of a result, but for its `_meta`.
fn copy(object: &mut ObjectWriter<'_>, result: Node<'_>, version: ProtocolVersion) {
    for (name, value) in result.members() {
        let name: Cow<'_, str> = name.text();
        let leaves = match &*name {
            "_meta" => true,
            "resultType" => !version.has(Feature::ResultType),
            "structuredContent" => {
                !version.has(Feature::AnyStructuredContent) && !value.raw().starts_with('{')
            }
            _ => false,
        };
        if !leaves {
            object.raw(&name, value.raw());
        }
    }
}

/// Text that this server has written, within the limits of what goes out.
fn written(text: &Bytes) -> Option<Document> {
    Document::parse(text.clone(), &JsonLimits::widest()).ok()
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn time(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}

fn notification(method: &str, fill: impl FnOnce(&mut ObjectWriter<'_>)) -> Bytes {
    let mut out = Vec::with_capacity(384);
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    message.string("method", method);
    message.object("params", fill);
    message.end();
    Bytes::from(out)
}
