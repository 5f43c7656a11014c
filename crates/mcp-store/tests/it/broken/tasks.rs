//! Stores of tasks with one fault each.

use super::{complaint, others_go_on};
use async_trait::async_trait;
use mcp_core::ports::{
    StoreError, StoreLimit, TaskId, TaskLimits, TaskOwner, TaskRecord, TaskStep, TaskStore, TaskUpdate,
};
use mcp_store::{MemoryTasks, contract};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// Finds a task by its id alone.
    IgnoresOwner,
    /// Finds tasks that have expired, until they are freed.
    IgnoresExpiry,
    /// Counts, and inserts later.
    CountsFirst,
    /// Looks whether a task is settled, and settles it later.
    LooksBeforeSettling,
    /// Says that a settled task changed.
    AlwaysChanged,
    /// Refuses tasks where settled ones could make room.
    KeepsSettled,
    /// Keeps as much text as there is.
    KeepsAllTexts,
    /// Lists the newest task first.
    ListsBackwards,
}

#[derive(Debug)]
struct Broken {
    inner: MemoryTasks,
    owners: Mutex<HashMap<TaskId, TaskOwner>>,
    fault: Fault,
}

impl Broken {
    fn new(fault: Fault) -> Self {
        Self { inner: MemoryTasks::new(), owners: Mutex::default(), fault }
    }

    fn owner(&self, owner: &TaskOwner, id: &TaskId) -> TaskOwner {
        let owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.get(id).filter(|_| self.fault == Fault::IgnoresOwner).unwrap_or(owner).clone()
    }
}

#[async_trait]
impl TaskStore for Broken {
    async fn create(&self, task: TaskRecord, limits: &TaskLimits, now: SystemTime) -> Result<(), StoreError> {
        self.owners.lock().unwrap().entry(task.id.clone()).or_insert_with(|| task.owner.clone());
        if self.fault == Fault::CountsFirst && self.inner.count(now).await? < limits.total {
            others_go_on().await;
            let unbounded = TaskLimits { total: usize::MAX, ..*limits };
            return self.inner.create(task, &unbounded, now).await;
        }
        if self.fault == Fault::KeepsSettled && task.owner != TaskOwner::Anyone {
            let owned = self.inner.list(&task.owner, None, limits.per_owner, now).await?;
            if owned.is_some_and(|owned| owned.len() == limits.per_owner) {
                return Err(StoreError::LimitReached { limit: StoreLimit::TasksOfOwner });
            }
        }
        self.inner.create(task, limits, now).await
    }

    async fn load(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        now: SystemTime,
    ) -> Result<Option<TaskRecord>, StoreError> {
        let now = if self.fault == Fault::IgnoresExpiry { SystemTime::UNIX_EPOCH } else { now };
        self.inner.load(&self.owner(owner, id), id, now).await
    }

    async fn step(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        step: TaskStep,
        limits: &TaskLimits,
        now: SystemTime,
    ) -> Result<TaskUpdate, StoreError> {
        let owner = self.owner(owner, id);
        let limits = match self.fault {
            Fault::KeepsAllTexts => TaskLimits { text_bytes: usize::MAX, ..*limits },
            _ => *limits,
        };
        if self.fault == Fault::LooksBeforeSettling
            && let Some(mut task) = self.inner.load(&owner, id, now).await?
            && !task.is_settled()
        {
            others_go_on().await;
            let told = self.inner.step(&owner, id, step.clone(), &limits, now).await?;
            task.apply(step, now);
            return Ok(if told == TaskUpdate::Unknown { told } else { TaskUpdate::Changed(task) });
        }
        Ok(match self.inner.step(&owner, id, step, &limits, now).await? {
            TaskUpdate::Settled(task) if self.fault == Fault::AlwaysChanged => TaskUpdate::Changed(task),
            update => update,
        })
    }

    async fn list(
        &self,
        owner: &TaskOwner,
        after: Option<&TaskId>,
        most: usize,
        now: SystemTime,
    ) -> Result<Option<Vec<TaskRecord>>, StoreError> {
        let mut tasks = self.inner.list(owner, after, most, now).await?;
        if let Some(tasks) = tasks.as_mut().filter(|_| self.fault == Fault::ListsBackwards) {
            tasks.reverse();
        }
        Ok(tasks)
    }

    async fn remove_owned(&self, owner: &TaskOwner, now: SystemTime) -> Result<usize, StoreError> {
        self.inner.remove_owned(owner, now).await
    }

    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.inner.expire(now).await
    }

    async fn count(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.inner.count(now).await
    }
}

fn complaint_about(fault: Fault) -> Option<String> {
    complaint(contract::tasks(&Broken::new(fault), SystemTime::now()))
}

#[test]
fn a_store_without_fault_passes() {
    assert_eq!(complaint_about(Fault::None), None);
}

#[test]
fn each_fault_is_caught_for_what_it_is() {
    for (fault, expected) in [
        (Fault::IgnoresOwner, "must not find it"),
        (Fault::IgnoresExpiry, "it must end in time"),
        (Fault::CountsFirst, "as many succeed as the limit of tasks allows"),
        (Fault::LooksBeforeSettling, "a task must end once"),
        (Fault::AlwaysChanged, "a settled task must stay"),
        (Fault::KeepsSettled, "an operation that must succeed failed"),
        (Fault::KeepsAllTexts, "the first results must give way to the last"),
        (Fault::ListsBackwards, "in the order they were created"),
    ] {
        let complaint = complaint_about(fault).unwrap_or_default();
        assert!(complaint.contains(expected), "{fault:?}: {complaint}");
    }
}
