//! Where tasks live.

use super::{StoreError, TaskId, TaskOwner, TaskRecord, TaskStep};
use crate::setting::SettingFaults;
use async_trait::async_trait;
use std::{
    fmt,
    time::{Duration, SystemTime},
};

/// Keeps the tasks that calls became.
///
/// Each operation is one atomic step: of two callers at the same time, each sees the store before or after the
/// other, never between. What an operation has done is seen by every operation that begins after it ended, on any
/// node: a client may ask for its task the moment it knows the id. All times come from the caller, and a task that
/// has outlived its `ttl` does not exist, whether or not it has been removed yet.
///
/// # Security
/// * One that finds a task for another owner than it was created for shows a stranger's results.
/// * One that changes a settled task lets a client see two outcomes of one call.
/// * One that counts and inserts in two steps lets a burst of calls go past the limits.
///
/// Spec: 2025-11-25, basic/utilities/tasks; the extension `io.modelcontextprotocol/tasks`.
#[async_trait]
pub trait TaskStore: fmt::Debug + Send + Sync {
    /// Stores a new task, if that goes beyond no limit.
    ///
    /// Expired tasks do not count. Where a limit is reached, settled tasks make room, the one that changed first
    /// before others: those of the same owner for the owner's limit, any for the whole store's.
    /// [`TaskLimits::per_owner`] does not apply to [`TaskOwner::Anyone`], whose callers cannot be told apart.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when a task with this id is there, whoever owns it; [`StoreError::LimitReached`]
    /// with `TasksOfOwner` or `Tasks`, in this order, when no settled task can make room.
    async fn create(&self, task: TaskRecord, limits: &TaskLimits, now: SystemTime) -> Result<(), StoreError>;

    /// Gives the task as it is.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn load(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        now: SystemTime,
    ) -> Result<Option<TaskRecord>, StoreError>;

    /// Goes a step with a task, by [`TaskRecord::apply`].
    ///
    /// Beyond [`TaskLimits::text_bytes`] other settled tasks are removed, the one that changed first before others.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn step(
        &self,
        owner: &TaskOwner,
        id: &TaskId,
        step: TaskStep,
        limits: &TaskLimits,
        now: SystemTime,
    ) -> Result<TaskUpdate, StoreError>;

    /// Lists tasks of an owner in the order they were created, those after `after`, at most `most`; `None` when
    /// `after` is no task of this owner.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] and [`StoreError::Corrupt`].
    async fn list(
        &self,
        owner: &TaskOwner,
        after: Option<&TaskId>,
        most: usize,
        now: SystemTime,
    ) -> Result<Option<Vec<TaskRecord>>, StoreError>;

    /// Removes every task of an owner, and tells how many there were.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn remove_owned(&self, owner: &TaskOwner, now: SystemTime) -> Result<usize, StoreError>;

    /// Frees what expired tasks occupy, and tells how many it freed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn expire(&self, now: SystemTime) -> Result<usize, StoreError>;

    /// Counts the live tasks.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn count(&self, now: SystemTime) -> Result<usize, StoreError>;
}

/// What became of a step of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a step happens, comes too late, or has nothing to happen to")]
pub enum TaskUpdate {
    /// The task is this now.
    Changed(TaskRecord),
    /// It was settled already, and stays as it is.
    Settled(TaskRecord),
    /// There is no such task for this owner.
    Unknown,
}

/// How many tasks there may be, and how long; all with defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "settings are written as a struct with `..Default::default()`")]
pub struct TaskLimits {
    /// Tasks in the whole store, running and settled, 1 to 10,000,000; 10,000 by default.
    pub total: usize,
    /// Tasks of one owner (principal, or session without one), running and settled, 1 to 10,000,000; 100 by default.
    pub per_owner: usize,
    /// The bytes of all texts that are kept: results, errors, questions, 1 MiB to 1 TiB; 256 MiB by default.
    /// Settled tasks are removed beyond it.
    pub text_bytes: usize,
    /// How long a task lasts when nobody says otherwise, counted from its creation, 1 s to 30 days; 1 hour by
    /// default.
    pub default_ttl: Duration,
    /// The longest a client or a tool may have a task last, 1 s to 30 days; 24 hours by default.
    pub longest_ttl: Duration,
    /// How many tasks one page of `tasks/list` has, 1 to 1,000; 100 by default.
    pub page: usize,
}

impl Default for TaskLimits {
    fn default() -> Self {
        Self {
            total: 10_000,
            per_owner: 100,
            text_bytes: 256 << 20,
            default_ttl: Duration::from_secs(3_600),
            longest_ttl: Duration::from_secs(24 * 3_600),
            page: 100,
        }
    }
}

impl TaskLimits {
    /// The shortest time a task lasts: what a client asks for beneath it becomes this.
    pub const SHORTEST_TTL: Duration = Duration::from_secs(1);

    /// Checks that each setting lies within its range.
    ///
    /// # Errors
    /// [`SettingFaults`] with every setting that does not.
    pub fn check(&self) -> Result<(), SettingFaults> {
        let mut faults = SettingFaults::default();
        faults.within("total", self.total, &(1..=10_000_000));
        faults.within("per_owner", self.per_owner, &(1..=10_000_000));
        faults.within("text_bytes", self.text_bytes, &((1 << 20)..=(1 << 40)));
        let ttl = Self::SHORTEST_TTL..=Duration::from_secs(30 * 24 * 3_600);
        faults.within("default_ttl", self.default_ttl, &ttl);
        faults.within("longest_ttl", self.longest_ttl, &ttl);
        faults.within("page", self.page, &(1..=1_000));
        if self.default_ttl > self.longest_ttl {
            faults.add("default_ttl", "must not be longer than `longest_ttl`");
        }
        faults.finish()
    }

    /// How long a task lasts for which `wanted` is asked.
    #[must_use]
    pub fn ttl(&self, wanted: Option<Duration>) -> Duration {
        wanted.unwrap_or(self.default_ttl).clamp(Self::SHORTEST_TTL, self.longest_ttl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_within_their_ranges_and_a_time_beyond_the_longest_is_cut() {
        let limits = TaskLimits::default();
        assert_eq!(limits.check(), Ok(()));
        assert_eq!(limits.ttl(None), limits.default_ttl);
        assert_eq!(limits.ttl(Some(Duration::MAX)), limits.longest_ttl);
        assert_eq!(limits.ttl(Some(Duration::ZERO)), TaskLimits::SHORTEST_TTL);
        let faults = TaskLimits { longest_ttl: Duration::from_secs(60), ..limits }.check().unwrap_err();
        assert!(faults.to_string().contains("default_ttl"), "{faults}");
    }
}
