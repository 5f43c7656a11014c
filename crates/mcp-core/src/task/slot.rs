//! Whether a call is a task, or may become one.

use super::RunningTask;
use crate::ask::AskError;
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
    time::Duration,
};

/// How a call becomes a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    /// How long the task is to last.
    pub(crate) ttl: Option<Duration>,
    /// How long the call may take before it becomes one by itself.
    pub(crate) patience: Option<Duration>,
}

/// Whether one call is a task; without memory for one that never is.
#[derive(Default)]
pub(crate) struct TaskSlot(Mutex<State>);

#[derive(Default)]
enum State {
    /// It is none and becomes none.
    #[default]
    Never,
    /// It may become one.
    Possible(Wish),
    /// Its handler waits for it to become one.
    Wanted(Wish, Vec<Waker>),
    /// It is becoming one.
    Beginning(Vec<Waker>),
    /// It could not become one, by this limit.
    Refused(&'static str),
    Running(Arc<RunningTask>),
}

impl TaskSlot {
    /// The call may become a task.
    pub(crate) fn allow(&self, wish: Wish) {
        *self.lock() = State::Possible(wish);
    }

    /// How long the call may take before it becomes a task by itself.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match &*self.lock() {
            State::Possible(wish) => wish.patience,
            _ => None,
        }
    }

    /// The task that the call is.
    pub(crate) fn running(&self) -> Option<Arc<RunningTask>> {
        match &*self.lock() {
            State::Running(task) => Some(Arc::clone(task)),
            _ => None,
        }
    }

    /// Waits, as the call's handler, until it is a task; `false` when it becomes none.
    pub(crate) fn poll_detach(&self, waker: &Waker) -> Poll<Result<bool, AskError>> {
        let mut state = self.lock();
        match &mut *state {
            State::Never => Poll::Ready(Ok(false)),
            State::Running(_) => Poll::Ready(Ok(true)),
            State::Refused(setting) => Poll::Ready(Err(AskError::Limit(setting))),
            State::Possible(wish) => {
                *state = State::Wanted(*wish, vec![waker.clone()]);
                Poll::Pending
            }
            State::Wanted(_, wakers) | State::Beginning(wakers) => {
                if !wakers.iter().any(|known| known.will_wake(waker)) {
                    wakers.push(waker.clone());
                }
                Poll::Pending
            }
        }
    }

    /// What the handler waits for, once.
    pub(crate) fn take_wanted(&self) -> Option<Wish> {
        let mut state = self.lock();
        let (wish, wakers) = match &mut *state {
            State::Wanted(wish, wakers) => (*wish, std::mem::take(wakers)),
            _ => return None,
        };
        *state = State::Beginning(wakers);
        Some(wish)
    }

    /// The call's patience has ended: it becomes a task, unless it is becoming one already.
    pub(crate) fn take_possible(&self) -> Option<Wish> {
        let mut state = self.lock();
        let State::Possible(wish) = &*state else { return None };
        let wish = *wish;
        *state = State::Beginning(Vec::new());
        Some(wish)
    }

    /// The call is a task from now on.
    pub(crate) fn begun(&self, task: Arc<RunningTask>) {
        self.settle(State::Running(task));
    }

    /// The call becomes no task, because of a limit.
    pub(crate) fn refused(&self, setting: &'static str) {
        self.settle(State::Refused(setting));
    }

    fn settle(&self, next: State) {
        let before = std::mem::replace(&mut *self.lock(), next);
        if let State::Wanted(_, wakers) | State::Beginning(wakers) = before {
            wakers.into_iter().for_each(Waker::wake);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TaskSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TaskSlot").finish_non_exhaustive()
    }
}
