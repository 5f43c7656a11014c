//! A task as plain data, and the steps it goes through.

use super::{TaskId, TaskOwner};
use crate::version::ProtocolVersion;
use bytes::Bytes;
use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

/// A task as plain data: all that any node needs in order to answer for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a store that leaves a field out must not compile")]
pub struct TaskRecord {
    /// Its id.
    pub id: TaskId,
    /// Whom it belongs to.
    pub owner: TaskOwner,
    /// The tool that runs.
    pub tool: Box<str>,
    /// The revision of the caller who began it: its outcome is written in this one.
    pub version: ProtocolVersion,
    /// When it began.
    pub created_at: SystemTime,
    /// When it changed last.
    pub updated_at: SystemTime,
    /// How long after `created_at` it lasts.
    pub ttl: Duration,
    /// How long a client is asked to wait between two looks at it.
    pub poll_interval: Duration,
    /// A sentence about its state, for people.
    pub message: Option<Box<str>>,
    /// Its state.
    pub state: TaskState,
}

/// The states of a task; a settled one never changes.
///
/// Spec: 2025-11-25, basic/utilities/tasks#task-status-lifecycle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification has these five")]
pub enum TaskState {
    /// The tool runs.
    Working,
    /// The tool waits for the client: what it asks, by key, as the JSON text of an `InputRequest`.
    InputRequired(BTreeMap<Box<str>, Bytes>),
    /// The call has a result.
    Completed {
        /// The result object as JSON text, without its request's id.
        result: Bytes,
        /// Whether the tool reports its own failure in it.
        is_error: bool,
    },
    /// The call ended in a JSON-RPC error: the error object as JSON text.
    Failed(Bytes),
    /// It was cancelled.
    Cancelled,
}

/// How a call that runs as a task ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a call has a result or an error")]
pub enum TaskOutcome {
    /// See [`TaskState::Completed`].
    Completed {
        /// The result object as JSON text.
        result: Bytes,
        /// Whether the tool reports its own failure in it.
        is_error: bool,
    },
    /// See [`TaskState::Failed`].
    Failed(Bytes),
}

/// A step of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a store that leaves a step out must not compile")]
pub enum TaskStep {
    /// The tool asks the client.
    Ask {
        /// The key of the question; never used again for another one.
        key: Box<str>,
        /// The `InputRequest` as JSON text.
        request: Bytes,
        /// A question that this one takes the place of, because it was not answered as it should be.
        replaces: Option<Box<str>>,
    },
    /// A question is answered, or not put any more.
    Withdraw {
        /// Its key.
        key: Box<str>,
    },
    /// Says something else about the state.
    Note {
        /// The sentence.
        message: Option<Box<str>>,
    },
    /// The call ends.
    Settle {
        /// How.
        outcome: TaskOutcome,
        /// What is said about it.
        message: Option<Box<str>>,
    },
    /// The client cancels it.
    Cancel {
        /// What is said about it.
        message: Option<Box<str>>,
    },
}

impl TaskRecord {
    /// Tells whether it has not outlived its `ttl`.
    #[must_use]
    pub fn is_live(&self, now: SystemTime) -> bool {
        self.expires_at().is_none_or(|end| now < end)
    }

    /// When it ends; `None` where time ends before.
    #[must_use]
    pub fn expires_at(&self) -> Option<SystemTime> {
        self.created_at.checked_add(self.ttl)
    }

    /// Tells whether nothing changes any more.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.state.is_settled()
    }

    /// The bytes of everything in it that a tool or a client chose.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let state = match &self.state {
            TaskState::Working | TaskState::Cancelled => 0,
            TaskState::InputRequired(asks) => asks.iter().map(|(key, text)| key.len() + text.len()).sum(),
            TaskState::Completed { result, .. } => result.len(),
            TaskState::Failed(error) => error.len(),
        };
        state + self.message.as_deref().map_or(0, str::len) + self.tool.len()
    }

    /// Goes a step; tells whether it could, which a settled task never can.
    ///
    /// The one table of transitions: stores apply it within their own atomic operation.
    pub fn apply(&mut self, step: TaskStep, now: SystemTime) -> bool {
        if self.is_settled() {
            return false;
        }
        match step {
            TaskStep::Ask { key, request, replaces } => {
                let mut asks = match std::mem::replace(&mut self.state, TaskState::Working) {
                    TaskState::InputRequired(asks) => asks,
                    _ => BTreeMap::new(),
                };
                if let Some(replaced) = replaces {
                    asks.remove(&replaced);
                }
                asks.insert(key, request);
                self.state = TaskState::InputRequired(asks);
            }
            TaskStep::Withdraw { key } => {
                if let TaskState::InputRequired(asks) = &mut self.state {
                    asks.remove(&key);
                    if asks.is_empty() {
                        self.state = TaskState::Working;
                    }
                }
            }
            TaskStep::Note { message } => self.message = message,
            TaskStep::Settle { outcome, message } => {
                self.state = match outcome {
                    TaskOutcome::Completed { result, is_error } => TaskState::Completed { result, is_error },
                    TaskOutcome::Failed(error) => TaskState::Failed(error),
                };
                self.message = message;
            }
            TaskStep::Cancel { message } => {
                self.state = TaskState::Cancelled;
                self.message = message;
            }
        }
        // Clocks of two nodes may differ; time never runs backwards for a client.
        self.updated_at = self.updated_at.max(now);
        true
    }
}

impl TaskState {
    /// Tells whether nothing changes any more.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !matches!(self, Self::Working | Self::InputRequired(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record() -> TaskRecord {
        TaskRecord {
            id: TaskId::from_random([1; 24]),
            owner: TaskOwner::Anyone,
            tool: "work".into(),
            version: ProtocolVersion::LATEST,
            created_at: SystemTime::UNIX_EPOCH,
            updated_at: SystemTime::UNIX_EPOCH,
            ttl: Duration::from_secs(60),
            poll_interval: Duration::from_secs(1),
            message: None,
            state: TaskState::Working,
        }
    }

    fn step(number: u8, key: u8) -> TaskStep {
        let named = |key: u8| Box::from(key.to_string());
        match number {
            0 => TaskStep::Ask { key: named(key), request: Bytes::from_static(b"{}"), replaces: None },
            1 => TaskStep::Ask {
                key: named(key),
                request: Bytes::from_static(b"{}"),
                replaces: Some(named(key.wrapping_add(1))),
            },
            2 => TaskStep::Withdraw { key: named(key) },
            3 => TaskStep::Note { message: Some("still at it".into()) },
            4 => TaskStep::Settle { outcome: TaskOutcome::Failed(Bytes::from_static(b"{}")), message: None },
            _ => TaskStep::Cancel { message: None },
        }
    }

    proptest! {
        #[test]
        fn a_settled_task_never_changes_and_one_that_asks_nothing_is_working(
            steps in prop::collection::vec((0_u8..6, 0_u8..3), 0..40),
        ) {
            let mut task = record();
            for (number, key) in steps {
                let before = task.clone();
                let went = task.apply(step(number, key), before.updated_at + Duration::from_secs(1));
                prop_assert_eq!(went, !before.is_settled());
                if before.is_settled() {
                    prop_assert_eq!(&task, &before);
                }
                if let TaskState::InputRequired(asks) = &task.state {
                    prop_assert!(!asks.is_empty());
                }
                prop_assert!(task.updated_at >= before.updated_at);
            }
        }
    }

    #[test]
    fn a_task_lasts_for_its_ttl_and_not_a_moment_longer() {
        let task = record();
        let end = SystemTime::UNIX_EPOCH + Duration::from_secs(60);
        assert!(task.is_live(end - Duration::from_nanos(1)));
        assert!(!task.is_live(end));
    }
}
