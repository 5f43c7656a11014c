//! What a running task tells the store, one step after the other.

use super::TaskAnswer;
use crate::ports::TaskStep;
use event_listener::Event;
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What is done in this process once the store was told a step.
#[derive(Debug)]
pub(super) enum Then {
    Nothing,
    /// The question of this key can be answered from now on, because a client can know of it.
    Put(Box<str>),
    /// The handler hears what became of the question of this key.
    Deliver(Box<str>, TaskAnswer),
}

/// A step that is on its way to the store.
#[derive(Debug)]
pub(super) struct Queued {
    number: StepNumber,
    pub(super) step: TaskStep,
    pub(super) then: Then,
}

/// Tells a step from others of its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StepNumber(u64);

/// Steps that the store has not been told yet; as many as the handler has questions, which are bounded.
///
/// One future takes them, in this order: of two that told the store side by side, the later step could come first
/// and leave a question that nobody waits for any more.
#[derive(Debug, Default)]
pub(super) struct Steps {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Queued>,
    /// The step that the store is being told for the first time.
    first_try: Option<StepNumber>,
    next: u64,
    /// Nobody takes steps any more.
    closed: bool,
}

impl Steps {
    /// Adds a step. A question that is withdrawn before the store knows it never was; a newer sentence takes the
    /// place of an older one.
    pub(super) fn add(&self, step: TaskStep, then: Then) -> StepNumber {
        let mut state = self.lock();
        let number = StepNumber(state.next);
        state.next += 1;
        let step = match step {
            TaskStep::Withdraw { key } => match state.unput(&key) {
                None => TaskStep::Withdraw { key },
                // What it was to take the place of is still there.
                Some(Some(replaced)) => TaskStep::Withdraw { key: replaced },
                Some(None) => return number,
            },
            TaskStep::Note { .. } => {
                state.waiting.retain(|queued| !matches!(queued.step, TaskStep::Note { .. }));
                step
            }
            step => step,
        };
        state.waiting.push_back(Queued { number, step, then });
        drop(state);
        self.changed.notify(usize::MAX);
        number
    }

    /// Takes the next step, waiting for one. Cancel-safe.
    pub(super) async fn next(&self) -> Queued {
        loop {
            let listener = self.changed.listen();
            {
                let mut state = self.lock();
                if let Some(queued) = state.waiting.pop_front() {
                    state.first_try = Some(queued.number);
                    return queued;
                }
            }
            listener.await;
        }
    }

    /// The step that was taken last has been told, or the store has failed and is told again later.
    pub(super) fn tried(&self) {
        self.lock().first_try = None;
        self.changed.notify(usize::MAX);
    }

    /// Waits until a step has been told, or has failed once, or will never be told. Cancel-safe.
    pub(super) async fn until_tried(&self, number: StepNumber) {
        loop {
            let listener = self.changed.listen();
            {
                let state = self.lock();
                let waits = state.first_try == Some(number)
                    || state.waiting.iter().any(|queued| queued.number == number);
                if !waits || state.closed {
                    return;
                }
            }
            listener.await;
        }
    }

    /// Nobody takes steps any more.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        drop(state);
        self.changed.notify(usize::MAX);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes the question of a key out of what waits, and gives the key that it was to take the place of.
    fn unput(&mut self, key: &str) -> Option<Option<Box<str>>> {
        let same =
            |queued: &Queued| matches!(&queued.step, TaskStep::Ask { key: asked, .. } if **asked == *key);
        let place = self.waiting.iter().position(same)?;
        match self.waiting.remove(place)?.step {
            TaskStep::Ask { replaces, .. } => Some(replaces),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use futures_util::FutureExt as _;

    fn ask(key: &str, replaces: Option<&str>) -> TaskStep {
        TaskStep::Ask {
            key: key.into(),
            request: Bytes::from_static(b"{}"),
            replaces: replaces.map(Box::from),
        }
    }

    fn withdraw(key: &str) -> TaskStep {
        TaskStep::Withdraw { key: key.into() }
    }

    fn rest(steps: &Steps) -> Vec<TaskStep> {
        std::iter::from_fn(|| steps.next().now_or_never()).map(|queued| queued.step).collect()
    }

    #[test]
    fn a_question_that_is_withdrawn_before_the_store_knows_it_never_was() {
        let steps = Steps::default();
        steps.add(ask("a", None), Then::Put("a".into()));
        steps.add(ask("b", None), Then::Put("b".into()));
        steps.add(withdraw("a"), Then::Nothing);
        assert_eq!(rest(&steps), [ask("b", None)]);
    }

    #[test]
    fn what_a_withdrawn_question_was_to_replace_goes_with_it() {
        let steps = Steps::default();
        steps.add(ask("a#2", Some("a")), Then::Put("a#2".into()));
        steps.add(withdraw("a#2"), Then::Nothing);
        assert_eq!(rest(&steps), [withdraw("a")]);
    }

    #[test]
    fn whoever_waits_for_a_step_waits_until_it_is_told_or_the_task_ends() {
        let steps = Steps::default();
        let first = steps.add(ask("a", None), Then::Put("a".into()));
        let second = steps.add(withdraw("b"), Then::Nothing);
        assert!(steps.until_tried(first).now_or_never().is_none());
        assert!(steps.next().now_or_never().is_some());
        assert!(steps.until_tried(first).now_or_never().is_none(), "it is on its way");
        steps.tried();
        assert!(steps.until_tried(first).now_or_never().is_some());
        assert!(steps.until_tried(second).now_or_never().is_none());
        steps.close();
        assert!(steps.until_tried(second).now_or_never().is_some());
    }
}
