//! How a call becomes a task.

use super::{CAPABILITY, RunningTask, TaskStart, TaskSupport, Wish, run};
use crate::{
    context::Context,
    handler::ProtocolError,
    json::{Kind, Node},
    ports::{BoxFuture, TaskId, TaskOwner, TaskRecord, TaskState, TaskStep},
    refusal::Refusal,
    registry::ToolEntry,
    server::Server,
    version::Feature,
};
use std::{sync::Arc, time::Duration};

/// What becomes of a call of a tool.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// It is answered when it ends.
    Call,
    /// It may become a task while it runs.
    Maybe(Wish),
    /// It is a task from the start.
    Task(Wish),
    /// It cannot be served the way it is asked for.
    Refused(Refusal),
    /// As [`Chosen::Refused`], because of what the client did not declare.
    Incapable(ProtocolError),
}

/// Decides it, by what the tool supports, what the revision has and what the client asks for or can do.
pub(crate) fn choose(context: &Context, tool: &ToolEntry) -> Chosen {
    let version = context.version();
    let task = &tool.definition.task;
    if version.has(Feature::CoreTasks) {
        return chosen_by_client(context, tool);
    }
    if !version.has(Feature::TasksExtension) {
        return match task.support {
            TaskSupport::Required => Chosen::Refused(Refusal::TaskRequired(tool.name.clone())),
            _ => Chosen::Call,
        };
    }
    let capable = task.support != TaskSupport::Forbidden && context.client_supports(CAPABILITY);
    match (task.support, capable) {
        (TaskSupport::Required, false) => Chosen::Incapable(ProtocolError::missing_capability(CAPABILITY)),
        (_, false) => Chosen::Call,
        (_, true) => match task.start {
            TaskStart::AtOnce => Chosen::Task(Wish { ttl: task.ttl, patience: None }),
            TaskStart::OnDetach => Chosen::Maybe(Wish { ttl: task.ttl, patience: None }),
            TaskStart::After(patience) => Chosen::Maybe(Wish { ttl: task.ttl, patience: Some(patience) }),
        },
    }
}

/// On 2025-11-25 the client says `task`, where the server has told it that it may.
fn chosen_by_client(context: &Context, tool: &ToolEntry) -> Chosen {
    let support = tool.definition.task.support;
    let params = context.0.request.params();
    let asked = params.and_then(|params| params.get("task")).filter(|task| !task.is_null());
    let ownerless = context.task_owner() == TaskOwner::Anyone;
    match (asked, support) {
        // A server without tasks takes no notice.
        (Some(_), _) if !context.0.server.offers_tasks() => Chosen::Call,
        // A task of nobody in particular would be in everybody's list. Transports refuse such servers at the start;
        // a tool that is added later does not change that.
        (_, TaskSupport::Required) if ownerless => Chosen::Refused(Refusal::TaskRequired(tool.name.clone())),
        (Some(_), _) if ownerless => Chosen::Call,
        (Some(_), TaskSupport::Forbidden) => Chosen::Refused(Refusal::TaskForbidden(tool.name.clone())),
        (Some(task), _) => match wanted_ttl(task) {
            Ok(ttl) => Chosen::Task(Wish { ttl: ttl.or(tool.definition.task.ttl), patience: None }),
            Err(refusal) => Chosen::Refused(refusal),
        },
        (None, TaskSupport::Required) => Chosen::Refused(Refusal::TaskRequired(tool.name.clone())),
        (None, _) => Chosen::Call,
    }
}

fn wanted_ttl(task: Node<'_>) -> Result<Option<Duration>, Refusal> {
    if task.kind() != Kind::Object {
        return Err(Refusal::InvalidParams("`task` must be an object".into()));
    }
    let Some(ttl) = task.get("ttl").filter(|ttl| !ttl.is_null()) else { return Ok(None) };
    // A number of the schema: what is left of a millisecond is nobody's concern.
    match ttl.as_f64() {
        Some(millis) if millis >= 0.0 => {
            Ok(Some(Duration::try_from_secs_f64(millis / 1_000.0).unwrap_or(Duration::MAX)))
        }
        _ => Err(Refusal::InvalidParams("`task.ttl` must be a number of milliseconds, 0 or more".into())),
    }
}

/// Makes a call a task: stored, so that a client which hears its id can ask for it at once.
pub(crate) fn begin(context: &Context, wish: Wish) -> BoxFuture<Result<Arc<RunningTask>, Refusal>> {
    let context = context.clone();
    Box::pin(async move {
        let server = &context.0.server;
        let Some(host) = server.tasks() else { return Err(Refusal::Internal) };
        let request = host.keep_request(&context)?;
        let runtime = server.runtime();
        let (mut random, now) = ([0; 24], runtime.wall_time());
        runtime.fill_random(&mut random);
        let record = TaskRecord {
            id: TaskId::from_random(random),
            owner: context.task_owner(),
            tool: context.target().unwrap_or_default().into(),
            version: context.version(),
            created_at: now,
            updated_at: now,
            ttl: host.settings.limits.ttl(wish.ttl),
            poll_interval: host.settings.poll_interval,
            message: None,
            state: TaskState::Working,
        };
        if let Err(refusal) = host.create(&record, now).await {
            if matches!(refusal, Refusal::StoreUnavailable) {
                forget(server, record);
            }
            return Err(refusal);
        }
        Ok(host.enter(server, &context, (record, request)))
    })
}

/// The store failed, and may have the task all the same: nobody is told of it, so that it is cancelled there.
fn forget(server: &Server, record: TaskRecord) {
    let (server, task) = (server.clone(), RunningTask::new(record, None, 0));
    let runtime = Arc::clone(server.runtime());
    runtime.spawn(Box::pin(async move {
        let message = Some("The task did not begin.".into());
        run::tell(&server, &task, TaskStep::Cancel { message }, || ()).await;
    }));
}

impl Context {
    /// Whom a task of this call's caller belongs to.
    pub(crate) fn task_owner(&self) -> TaskOwner {
        self.0.caller.task_owner()
    }
}

/// The client left while its call was becoming a task: nobody knows the task, so it is cancelled.
pub(crate) fn give_up(context: &Context, beginning: BoxFuture<Result<Arc<RunningTask>, Refusal>>) {
    let server = context.0.server.clone();
    context.runtime().spawn(Box::pin(async move {
        let (Ok(task), Some(host)) = (beginning.await, server.tasks()) else { return };
        task.stop();
        let message = Some("The client left before it was told of the task.".into());
        run::tell(&server, &task, TaskStep::Cancel { message }, || ()).await;
        host.leave(&task);
    }));
}
