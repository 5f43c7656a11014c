//! Tasks in memory.

use super::task_table::TaskTable;
use async_trait::async_trait;
use mcp_core::ports::{
    StoreError, TaskId, TaskLimits, TaskOwner, TaskRecord, TaskStep, TaskStore, TaskUpdate,
};
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// A [`TaskStore`] within one process.
///
/// Each operation holds one lock for a time that grows with the logarithm of the number of tasks; a list and the end
/// of an owner take as long as the owner has tasks.
#[derive(Default)]
pub struct MemoryTasks {
    table: Mutex<TaskTable>,
}

impl MemoryTasks {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, TaskTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TaskStore for MemoryTasks {
    async fn create(&self, task: TaskRecord, limits: &TaskLimits, now: SystemTime) -> Result<(), StoreError> {
        self.lock().create(task, limits, now)
    }

    async fn load(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        now: SystemTime,
    ) -> Result<Option<TaskRecord>, StoreError> {
        Ok(self.lock().find(owner, id, now).cloned())
    }

    async fn step(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        step: TaskStep,
        limits: &TaskLimits,
        now: SystemTime,
    ) -> Result<TaskUpdate, StoreError> {
        Ok(self.lock().step(owner, id, step, limits, now))
    }

    async fn list(
        &self,
        owner: &TaskOwner,
        after: Option<&TaskId>,
        most: usize,
        now: SystemTime,
    ) -> Result<Option<Vec<TaskRecord>>, StoreError> {
        Ok(self.lock().list(owner, after, most, now))
    }

    async fn remove_owned(&self, owner: &TaskOwner, now: SystemTime) -> Result<usize, StoreError> {
        Ok(self.lock().remove_owned(owner, now))
    }

    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError> {
        Ok(self.lock().expire(now))
    }

    async fn count(&self, now: SystemTime) -> Result<usize, StoreError> {
        let mut table = self.lock();
        table.expire(now);
        Ok(table.len())
    }
}

impl fmt::Debug for MemoryTasks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryTasks").field("tasks", &self.lock().len()).finish()
    }
}
