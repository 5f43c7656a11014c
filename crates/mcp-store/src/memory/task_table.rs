//! Tasks by id, by owner, by when they end, and by when they settled.

use foldhash::HashMap;
use mcp_core::ports::{
    StoreError, StoreLimit, TaskId, TaskLimits, TaskOwner, TaskRecord, TaskStep, TaskUpdate,
};
use std::{collections::BTreeSet, time::SystemTime};

/// The tasks of a process, with indexes that every change keeps in step.
#[derive(Debug, Default)]
pub(super) struct TaskTable {
    tasks: HashMap<TaskId, Entry>,
    /// The next number: tasks are numbered in the order they were created.
    next: u64,
    ends: BTreeSet<(SystemTime, TaskId)>,
    owned: HashMap<TaskOwner, BTreeSet<(u64, TaskId)>>,
    /// Settled tasks, the one that changed first before others.
    settled: BTreeSet<(SystemTime, u64, TaskId)>,
    text_bytes: usize,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    task: TaskRecord,
}

impl TaskTable {
    pub(super) fn len(&self) -> usize {
        self.tasks.len()
    }

    pub(super) fn create(
        &mut self,
        task: TaskRecord,
        limits: &TaskLimits,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.expire(now);
        if self.tasks.contains_key(&task.id) {
            return Err(StoreError::Conflict);
        }
        // Nothing makes room before it is known that there is room: a refusal changes nothing.
        let of_owner = self
            .owned
            .get(&task.owner)
            .filter(|owned| task.owner != TaskOwner::Anyone && owned.len() >= limits.per_owner);
        let gives_way = match of_owner {
            Some(owned) => match self.first_settled(owned) {
                Some(id) => Some(id),
                None => return Err(StoreError::LimitReached { limit: StoreLimit::TasksOfOwner }),
            },
            None if self.tasks.len() >= limits.total => match self.settled.first() {
                Some((_, _, id)) => Some(id.clone()),
                None => return Err(StoreError::LimitReached { limit: StoreLimit::Tasks }),
            },
            None => None,
        };
        if let Some(id) = gives_way {
            self.forget(&id);
        }
        let number = self.next;
        self.next += 1;
        self.text_bytes += task.text_bytes();
        if let Some(end) = task.expires_at() {
            self.ends.insert((end, task.id.clone()));
        }
        self.owned.entry(task.owner.clone()).or_default().insert((number, task.id.clone()));
        self.tasks.insert(task.id.clone(), Entry { number, task });
        Ok(())
    }

    /// The settled task among these that changed first.
    fn first_settled(&self, owned: &BTreeSet<(u64, TaskId)>) -> Option<TaskId> {
        let settled = owned.iter().filter_map(|(number, id)| {
            let task = &self.tasks.get(id)?.task;
            task.is_settled().then_some((task.updated_at, *number, id))
        });
        settled.min().map(|(_, _, id)| id.clone())
    }

    pub(super) fn find(&self, owner: &TaskOwner, id: &TaskId, now: SystemTime) -> Option<&TaskRecord> {
        let task = &self.tasks.get(id)?.task;
        (task.owner == *owner && task.is_live(now)).then_some(task)
    }

    pub(super) fn step(
        &mut self,
        owner: &TaskOwner,
        id: &TaskId,
        step: TaskStep,
        limits: &TaskLimits,
        now: SystemTime,
    ) -> TaskUpdate {
        let Some(Entry { number, task }) = self.tasks.get_mut(id) else { return TaskUpdate::Unknown };
        if task.owner != *owner || !task.is_live(now) {
            return TaskUpdate::Unknown;
        }
        let before = task.text_bytes();
        if !task.apply(step, now) {
            return TaskUpdate::Settled(task.clone());
        }
        self.text_bytes = self.text_bytes - before + task.text_bytes();
        let (changed, number) = (task.clone(), *number);
        self.make_room(limits);
        if changed.is_settled() {
            self.settled.insert((changed.updated_at, number, id.clone()));
        }
        TaskUpdate::Changed(changed)
    }

    /// Removes settled tasks as long as all texts together are too long.
    fn make_room(&mut self, limits: &TaskLimits) {
        while self.text_bytes > limits.text_bytes
            && let Some((_, _, id)) = self.settled.first()
        {
            let id = id.clone();
            self.forget(&id);
        }
    }

    pub(super) fn list(
        &self,
        owner: &TaskOwner,
        after: Option<&TaskId>,
        most: usize,
        now: SystemTime,
    ) -> Option<Vec<TaskRecord>> {
        let from = match after {
            None => 0,
            Some(id) => {
                self.find(owner, id, now)?;
                self.tasks.get(id)?.number + 1
            }
        };
        let Some(owned) = self.owned.get(owner) else { return Some(Vec::new()) };
        let later = owned.iter().filter(|(number, _)| *number >= from);
        Some(later.filter_map(|(_, id)| self.find(owner, id, now)).take(most).cloned().collect())
    }

    pub(super) fn remove_owned(&mut self, owner: &TaskOwner, now: SystemTime) -> usize {
        self.expire(now);
        let owned = self.owned.get(owner).cloned().unwrap_or_default();
        owned.iter().for_each(|(_, id)| self.forget(id));
        owned.len()
    }

    pub(super) fn expire(&mut self, now: SystemTime) -> usize {
        let before = self.tasks.len();
        while let Some((_, id)) = self.ends.first().filter(|(end, _)| *end <= now) {
            let id = id.clone();
            self.forget(&id);
        }
        before - self.tasks.len()
    }

    fn forget(&mut self, id: &TaskId) {
        let Some(Entry { number, task }) = self.tasks.remove(id) else { return };
        self.text_bytes -= task.text_bytes();
        if let Some(end) = task.expires_at() {
            self.ends.remove(&(end, id.clone()));
        }
        self.settled.remove(&(task.updated_at, number, id.clone()));
        if let Some(owned) = self.owned.get_mut(&task.owner) {
            owned.remove(&(number, id.clone()));
            if owned.is_empty() {
                self.owned.remove(&task.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use mcp_core::{
        ports::{Owner, TaskOutcome, TaskState},
        version::ProtocolVersion,
    };
    use proptest::prelude::*;
    use std::time::Duration;

    fn owner(number: u8) -> TaskOwner {
        match number % 3 {
            0 => TaskOwner::Anyone,
            subject => TaskOwner::Principal(Owner::Principal {
                issuer: None,
                subject: subject.to_string().into(),
                client: None,
            }),
        }
    }

    fn task(number: u8, now: SystemTime) -> TaskRecord {
        TaskRecord {
            id: TaskId::from_random([number; 24]),
            owner: owner(number),
            tool: "work".into(),
            version: ProtocolVersion::LATEST,
            created_at: now,
            updated_at: now,
            ttl: Duration::from_secs(20),
            poll_interval: Duration::from_secs(1),
            message: None,
            state: TaskState::Working,
        }
    }

    proptest! {
        #[test]
        fn the_indexes_follow_every_change(
            steps in prop::collection::vec((0_u8..6, 0_u8..12, 0_u64..3), 0..80),
        ) {
            let limits =
                TaskLimits { total: 6, per_owner: 3, text_bytes: 64, ..TaskLimits::default() };
            let (mut table, mut now) = (TaskTable::default(), SystemTime::UNIX_EPOCH);
            for (step, number, seconds) in steps {
                now += Duration::from_secs(seconds);
                let (owner, id) = (owner(number), TaskId::from_random([number; 24]));
                match step {
                    0 | 1 => drop(table.create(task(number, now), &limits, now)),
                    2 => {
                        let result = Bytes::from(vec![b' '; usize::from(number) * 4]);
                        let outcome = TaskOutcome::Completed { result, is_error: false };
                        table.step(&owner, &id, TaskStep::Settle { outcome, message: None }, &limits, now);
                    }
                    3 => {
                        let request = Bytes::from_static(b"{}");
                        let ask = TaskStep::Ask { key: "a".into(), request, replaces: None };
                        table.step(&owner, &id, ask, &limits, now);
                    }
                    4 => { table.expire(now); }
                    _ => { table.remove_owned(&owner, now); }
                }
                let tasks: Vec<_> = table.tasks.values().collect();
                prop_assert_eq!(table.text_bytes, tasks.iter().map(|entry| entry.task.text_bytes()).sum::<usize>());
                prop_assert_eq!(table.ends.len(), tasks.len());
                prop_assert_eq!(table.owned.values().map(BTreeSet::len).sum::<usize>(), tasks.len());
                let settled = tasks.iter().filter(|entry| entry.task.is_settled()).map(|entry| {
                    (entry.task.updated_at, entry.number, entry.task.id.clone())
                });
                prop_assert_eq!(&table.settled, &settled.collect());
                prop_assert!(table.len() <= 6);
                let bounded = |(owner, owned): (&TaskOwner, &BTreeSet<_>)| {
                    *owner == TaskOwner::Anyone || owned.len() <= 3
                };
                prop_assert!(table.owned.iter().all(bounded));
            }
        }
    }
}
