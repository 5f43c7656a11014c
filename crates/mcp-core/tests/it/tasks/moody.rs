//! A store of tasks that fails or takes its time when a test says so.

use crate::sessions::moody::Mood;
use async_trait::async_trait;
use mcp_core::ports::{
    StoreError, TaskId, TaskLimits, TaskOwner, TaskRecord, TaskStep, TaskStore, TaskUpdate,
};
use mcp_store::MemoryTasks;
use std::time::SystemTime;

#[derive(Debug, Default)]
pub(super) struct MoodyTasks {
    pub(super) store: MemoryTasks,
    pub(super) creating: Mood,
    /// How it is once a task is there, and before that is told.
    pub(super) created: Mood,
    pub(super) stepping: Mood,
    pub(super) loading: Mood,
}

impl MoodyTasks {
    pub(super) const fn moods(&self) -> [&Mood; 4] {
        [&self.creating, &self.created, &self.stepping, &self.loading]
    }
}

#[async_trait]
impl TaskStore for MoodyTasks {
    async fn create(&self, task: TaskRecord, limits: &TaskLimits, now: SystemTime) -> Result<(), StoreError> {
        self.creating.go().await?;
        let created = self.store.create(task, limits, now).await;
        self.created.go().await?;
        created
    }

    async fn load(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        now: SystemTime,
    ) -> Result<Option<TaskRecord>, StoreError> {
        self.loading.go().await?;
        self.store.load(owner, id, now).await
    }

    async fn step(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        step: TaskStep,
        limits: &TaskLimits,
        now: SystemTime,
    ) -> Result<TaskUpdate, StoreError> {
        self.stepping.go().await?;
        self.store.step(owner, id, step, limits, now).await
    }

    async fn list(
        &self,
        owner: &TaskOwner,
        after: Option<&TaskId>,
        most: usize,
        now: SystemTime,
    ) -> Result<Option<Vec<TaskRecord>>, StoreError> {
        self.loading.go().await?;
        self.store.list(owner, after, most, now).await
    }

    async fn remove_owned(&self, owner: &TaskOwner, now: SystemTime) -> Result<usize, StoreError> {
        self.stepping.go().await?;
        self.store.remove_owned(owner, now).await
    }

    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.store.expire(now).await
    }

    async fn count(&self, now: SystemTime) -> Result<usize, StoreError> {
        self.store.count(now).await
    }
}
