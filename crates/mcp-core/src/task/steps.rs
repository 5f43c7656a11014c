//! What a running handler tells the store, one step after the other.

use crate::ports::TaskStep;
use event_listener::Event;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Steps that the store has not been told yet; as many as the handler has questions, which are bounded.
#[derive(Debug, Default)]
pub(super) struct Steps {
    waiting: Mutex<VecDeque<TaskStep>>,
    added: Event,
}

impl Steps {
    /// Adds a step. A question that is withdrawn before the store knows it never was; a newer sentence takes the place of an older one.
    pub(super) fn add(&self, step: TaskStep) {
        let mut waiting = self.lock();
        match &step {
            TaskStep::Withdraw { key } => {
                let same =
                    |waiting: &TaskStep| matches!(waiting, TaskStep::Ask { key: asked, .. } if asked == key);
                if let Some(place) = waiting.iter().position(same) {
                    waiting.remove(place);
                    return;
                }
            }
            TaskStep::Note { .. } => waiting.retain(|waiting| !matches!(waiting, TaskStep::Note { .. })),
            _ => {}
        }
        waiting.push_back(step);
        drop(waiting);
        self.added.notify(usize::MAX);
    }

    /// Takes the next step, waiting for one. Cancel-safe.
    pub(super) async fn next(&self) -> TaskStep {
        loop {
            let listener = self.added.listen();
            if let Some(step) = self.lock().pop_front() {
                return step;
            }
            listener.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<TaskStep>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
