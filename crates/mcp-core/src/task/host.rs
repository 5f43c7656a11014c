//! The tasks of a server.

use super::{
    RunningTask, Tasks, keeper,
    requests::{KeptRequest, RequestBytes},
};
use crate::{
    context::{Asking, Context},
    lower,
    ports::{
        StoreError, StoreLimit, TaskId, TaskOutcome, TaskOwner, TaskRecord, TaskState, TaskStep, TaskUpdate,
    },
    refusal::Refusal,
    server::Server,
    version::Feature,
};
use event_listener::Event;
use foldhash::HashMap;
use futures_util::{StreamExt as _, stream};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::SystemTime,
};

/// How many tasks the store is told of at once, where it is told of all.
pub(super) const AT_ONCE: usize = 64;

/// What a client says to a question of a task.
#[derive(Debug)]
pub(crate) struct TaskReply {
    /// The key of the question on the wire.
    pub(crate) key: Box<str>,
    /// The client's result as JSON text.
    pub(crate) text: Box<str>,
}

/// The tasks of a server: where they are kept, and those that run in this process.
#[derive(Debug)]
pub(crate) struct TaskHost {
    pub(crate) settings: Tasks,
    running: Mutex<HashMap<TaskId, Arc<RunningTask>>>,
    requests: RequestBytes,
    /// The keeper has been started.
    pub(super) keeping: AtomicBool,
    /// Notified when a task does not run here any more.
    left: Event,
}

impl TaskHost {
    pub(crate) fn new(settings: Tasks) -> Self {
        Self {
            settings,
            running: Mutex::default(),
            requests: RequestBytes::default(),
            keeping: AtomicBool::new(false),
            left: Event::new(),
        }
    }

    /// Takes room for the request of a call that goes on as a task.
    ///
    /// # Errors
    /// [`Refusal::Limit`].
    pub(super) fn keep_request(&self, context: &Context) -> Result<KeptRequest, Refusal> {
        self.requests.keep(context.0.request.text_bytes(), self.settings.request_bytes)
    }

    /// Stores a new task.
    ///
    /// # Errors
    /// [`Refusal::Limit`] and [`Refusal::StoreUnavailable`].
    pub(super) async fn create(&self, record: &TaskRecord, now: SystemTime) -> Result<(), Refusal> {
        let created = self.settings.store.create(record.clone(), &self.settings.limits, now).await;
        created.map_err(refusal)
    }

    /// Notes that a stored task runs here.
    pub(super) fn enter(
        &self,
        server: &Server,
        context: &Context,
        (record, request): (TaskRecord, KeptRequest),
    ) -> Arc<RunningTask> {
        let caller = &context.0.caller;
        let client = match &caller.asking {
            Asking::Live(session) | Asking::Nobody(Some(session)) => Some(Arc::downgrade(session)),
            Asking::Nobody(None) | Asking::Rounds(_) => None,
        };
        let most_renewals = server.limits().ask_rounds;
        let task = Arc::new(RunningTask::new(record, client, most_renewals).keeping(request));
        self.lock().insert(task.id.clone(), Arc::clone(&task));
        keeper::start(server, self);
        tracing::info!(task = ?task.id, tool = &*task.record().tool, "a call goes on as a task");
        task
    }

    /// The task of an id, when it runs here for this owner.
    pub(crate) fn running(&self, owner: &TaskOwner, id: &TaskId) -> Option<Arc<RunningTask>> {
        self.lock().get(id).filter(|task| task.owner == *owner).cloned()
    }

    /// Tells whether tasks of an owner run here.
    pub(crate) fn has_running(&self, owner: &TaskOwner) -> bool {
        self.lock().values().any(|task| task.owner == *owner)
    }

    /// The tasks that run here.
    pub(crate) fn all(&self) -> Vec<Arc<RunningTask>> {
        self.lock().values().cloned().collect()
    }

    /// Forgets that a task runs here.
    pub(super) fn leave(&self, task: &RunningTask) {
        self.lock().remove(&task.id);
        task.steps.close();
        task.changed.notify(usize::MAX);
        self.left.notify(usize::MAX);
    }

    /// Waits until no task runs here. Cancel-safe.
    pub(crate) async fn all_left(&self) {
        loop {
            let left = self.left.listen();
            if self.lock().is_empty() {
                return;
            }
            left.await;
        }
    }

    /// Ends every task that runs here, as failed: nobody will run it any more. Cancel-safe.
    pub(crate) async fn give_up_all(&self, server: &Server) {
        let error = Refusal::ShuttingDown.on_wire(None);
        let (outcome, message) = (TaskOutcome::Failed(lower::error_object(&error)), Some(error.message));
        let step = TaskStep::Settle { outcome, message };
        let all = stream::iter(self.all()).for_each_concurrent(AT_ONCE, |task| {
            let step = step.clone();
            async move {
                if let Err(error) = self.step(server, (&task.owner, &task.id), step).await {
                    tracing::warn!(%error, task = ?task.id, "a task ends with the server, and its store does not know");
                }
                task.stop();
            }
        });
        all.await;
    }

    /// The task of an id.
    ///
    /// # Errors
    /// [`Refusal::UnknownTask`] for one that is unknown, has expired or belongs to someone else, and
    /// [`Refusal::StoreUnavailable`].
    pub(crate) async fn get(
        &self,
        server: &Server,
        owner: &TaskOwner,
        id: &TaskId,
    ) -> Result<TaskRecord, Refusal> {
        let found = self.settings.store.load(owner, id, server.runtime().wall_time()).await;
        found.map_err(refusal)?.ok_or(Refusal::UnknownTask)
    }

    /// Tasks of an owner, at most a page, with the position of the next page.
    ///
    /// # Errors
    /// [`Refusal::InvalidCursor`] for a position that is no task of this owner.
    pub(crate) async fn list(
        &self,
        server: &Server,
        owner: &TaskOwner,
        after: Option<&TaskId>,
    ) -> Result<(Vec<TaskRecord>, Option<TaskId>), Refusal> {
        let (most, now) = (self.settings.limits.page, server.runtime().wall_time());
        // One more than the page has, to know whether there is another.
        let found = self.settings.store.list(owner, after, most + 1, now).await.map_err(refusal)?;
        let mut tasks = found.ok_or(Refusal::InvalidCursor)?;
        let more = tasks.len() > most;
        tasks.truncate(most);
        let next = tasks.last().filter(|_| more).map(|task| task.id.clone());
        Ok((tasks, next))
    }

    /// Goes a step with a task, and tells those who want to hear of it.
    pub(super) async fn step(
        &self,
        server: &Server,
        (owner, id): (&TaskOwner, &TaskId),
        step: TaskStep,
    ) -> Result<TaskUpdate, StoreError> {
        let now = server.runtime().wall_time();
        let update = self.settings.store.step(owner, id, step, &self.settings.limits, now).await?;
        if let TaskUpdate::Changed(record) | TaskUpdate::Settled(record) = &update {
            let news = self.running(owner, id).is_none_or(|task| task.update(record));
            if news && matches!(update, TaskUpdate::Changed(_)) {
                self.tell(server, Arc::new(record.clone()));
            }
        }
        Ok(update)
    }

    /// Tells those who want to hear of it what a task is now.
    fn tell(&self, server: &Server, record: Arc<TaskRecord>) {
        server.subscribers().task_changed(&record);
        let Some(task) = self.running(&record.owner, &record.id) else { return };
        if task.version.has(Feature::CoreTasks)
            && let Some(registration) = task.client().and_then(|client| client.existing_registration())
        {
            registration.subscriber().task_changed(record);
        }
    }

    /// Takes the client's answers to what a task asks; unknown keys are ignored.
    ///
    /// # Errors
    /// As [`TaskHost::get`], and [`Refusal::TaskElsewhere`] where only another process can take them.
    pub(crate) async fn answer(
        &self,
        server: &Server,
        owner: &TaskOwner,
        id: &TaskId,
        answers: Vec<TaskReply>,
    ) -> Result<(), Refusal> {
        // First, so that one which ends meanwhile is found settled.
        let running = self.running(owner, id);
        let record = self.get(server, owner, id).await?;
        let TaskState::InputRequired(_) = &record.state else { return Ok(()) };
        // To say that they were taken would lose them: a client answers no key twice.
        let Some(task) = running else { return Err(Refusal::TaskElsewhere) };
        let mut last = None;
        for TaskReply { key, text } in answers {
            match task.judge(&key, &text) {
                Some(number) => last = Some(number),
                None => tracing::debug!(task = ?id, "an answer to no open question is ignored"),
            }
        }
        // Whoever looks at the task next sees what was answered.
        if let Some(number) = last {
            task.steps.until_tried(number).await;
        }
        Ok(())
    }

    /// Cancels a task: from now on it is cancelled, and its handler ends.
    ///
    /// # Errors
    /// As [`TaskHost::get`].
    pub(crate) async fn cancel(
        &self,
        server: &Server,
        owner: &TaskOwner,
        id: &TaskId,
    ) -> Result<TaskUpdate, Refusal> {
        let step = TaskStep::Cancel { message: Some("The client cancelled the task.".into()) };
        let update = self.step(server, (owner, id), step).await.map_err(refusal)?;
        if let Some(task) = self.running(owner, id) {
            task.stop();
        }
        match update {
            TaskUpdate::Unknown => Err(Refusal::UnknownTask),
            update => Ok(update),
        }
    }

    /// Ends the tasks of an owner that is no more.
    pub(crate) async fn end_owner(&self, server: &Server, owner: &TaskOwner) {
        for task in self.all().into_iter().filter(|task| task.owner == *owner) {
            task.stop();
        }
        if let Err(error) = self.settings.store.remove_owned(owner, server.runtime().wall_time()).await {
            tracing::warn!(%error, "the tasks of a session that has ended could not be removed");
        }
    }

    /// The server shuts down: nobody is kept waiting.
    pub(crate) fn shut_down(&self) {
        self.all().iter().for_each(|task| {
            task.changed.notify(usize::MAX);
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TaskId, Arc<RunningTask>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a client is told when the task store refuses or fails.
pub(super) fn refusal(error: StoreError) -> Refusal {
    match error {
        StoreError::LimitReached { limit: StoreLimit::TasksOfOwner } => {
            Refusal::Limit { setting: "tasks.limits.per_owner" }
        }
        StoreError::LimitReached { .. } => Refusal::Limit { setting: "tasks.limits.total" },
        error => {
            tracing::error!(%error, "the task store failed");
            Refusal::StoreUnavailable
        }
    }
}
