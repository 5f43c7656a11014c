//! `tasks/get`, `tasks/result`, `tasks/list`, `tasks/update` and `tasks/cancel`.

use super::{params, refuse};
use crate::{
    context::Caller,
    exchange::{Asked, Exchange, Outcome},
    handler::ProtocolError,
    json::Kind,
    jsonrpc::IncomingRequest,
    lower::{self, Reply, ResultFrame},
    ports::{TaskId, TaskOwner, TaskRecord, TaskUpdate},
    protocol::Method,
    refusal::Refusal,
    server::Server,
    task::{self, TaskHost, TaskReply, TaskWait},
    version::Feature,
};
use std::time::Duration;

pub(super) fn task(server: &Server, request: IncomingRequest, method: Method, caller: Caller) -> Exchange {
    if !server.offers_tasks() {
        return refuse(&request, &Refusal::MethodNotFound, &caller);
    }
    // Before anything is looked up: a client that cannot have a task learns nothing of one.
    if caller.version.has(Feature::TasksExtension) && !caller.capabilities.supports(task::CAPABILITY) {
        let error = ProtocolError::missing_capability(task::CAPABILITY).on_wire(Some(caller.version));
        return super::answer(&request, &caller, lower::error_reply(Some(&request.id), &error));
    }
    if method == Method::TaskResult {
        return match task_id(&request) {
            Ok(id) => Exchange::wait(TaskWait::new(server, request, caller, id)),
            Err(refusal) => refuse(&request, &refusal, &caller),
        };
    }
    let server = server.clone();
    Exchange::deferred(Box::pin(async move {
        let served = match server.tasks() {
            Some(host) => serve(&server, host, &request, method, &caller).await,
            None => Err(Refusal::MethodNotFound),
        };
        let asked = Asked { request: &request, version: Some(caller.version), transport: caller.transport };
        asked.report(if served.is_ok() { Outcome::Completed } else { Outcome::Refused }, Duration::ZERO);
        served.unwrap_or_else(|refusal| lower::refusal(Some(&request.id), &refusal, Some(caller.version)))
    }))
}

async fn serve(
    server: &Server,
    host: &TaskHost,
    request: &IncomingRequest,
    method: Method,
    caller: &Caller,
) -> Result<Reply, Refusal> {
    let frame = server.frame(&request.id, caller.version);
    let owner = caller.task_owner();
    match method {
        Method::ListTasks => {
            // Where callers cannot be told apart, a list would show everyone's tasks to everyone.
            if owner == TaskOwner::Anyone {
                return Err(Refusal::MethodNotFound);
            }
            let (tasks, next) = host.list(server, &owner, cursor(request)?.as_ref()).await?;
            Ok(page(frame, &tasks, next.as_ref(), server.limits().output_bytes))
        }
        Method::UpdateTask => {
            host.answer(server, &owner, &task_id(request)?, answers(request)?).await?;
            Ok(lower::empty(frame))
        }
        Method::CancelTask => match host.cancel(server, &owner, &task_id(request)?).await? {
            // The extension acknowledges, whatever became of it.
            _ if caller.version.has(Feature::TasksExtension) => Ok(lower::empty(frame)),
            TaskUpdate::Changed(task) => Ok(lower::task(frame, &task)),
            TaskUpdate::Settled(_) | TaskUpdate::Unknown => Err(Refusal::TaskSettled),
        },
        _ => Ok(lower::task(frame, &host.get(server, &owner, &task_id(request)?).await?)),
    }
}

/// A page of tasks in so many bytes: one that would have more ends earlier, with one task at least.
fn page(frame: ResultFrame<'_>, tasks: &[TaskRecord], next: Option<&TaskId>, most_bytes: usize) -> Reply {
    let reply = lower::task_list(frame, tasks, next);
    if reply.body.len() <= most_bytes || tasks.len() < 2 {
        return reply;
    }
    let (tasks, _) = tasks.split_at(tasks.len() / 2);
    page(frame, tasks, tasks.last().map(|task| &task.id), most_bytes)
}

/// The task that a request is about; what no id looks like is as unknown as an id that is none.
fn task_id(request: &IncomingRequest) -> Result<TaskId, Refusal> {
    let id = params::member_text(request.params(), "taskId")?;
    TaskId::parse(&id).ok_or(Refusal::UnknownTask)
}

/// A cursor is the id of the last task of the page before.
fn cursor(request: &IncomingRequest) -> Result<Option<TaskId>, Refusal> {
    let cursor = request.params().and_then(|params| params.get("cursor"));
    match cursor.filter(|cursor| !cursor.is_null()) {
        None => Ok(None),
        Some(cursor) => {
            let id = cursor.as_str().and_then(|text| TaskId::parse(&text));
            id.map(Some).ok_or(Refusal::InvalidCursor)
        }
    }
}

/// The answers of `tasks/update`, each as JSON text.
fn answers(request: &IncomingRequest) -> Result<Vec<TaskReply>, Refusal> {
    let node = request.params().and_then(|params| params.get("inputResponses"));
    match node.filter(|node| node.kind() == Kind::Object) {
        Some(answers) => {
            let answers = answers
                .members()
                .map(|(name, value)| TaskReply { key: Box::from(&*name.text()), text: value.raw().into() });
            Ok(answers.collect())
        }
        None => Err(Refusal::InvalidParams("`inputResponses` must be an object".into())),
    }
}
