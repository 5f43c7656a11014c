//! Threads for work that blocks, which nobody waits for at the end of the process.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// How long a thread waits for more work before it ends.
const LINGER: Duration = Duration::from_secs(10);

/// A piece of work.
type Work = Box<dyn FnOnce() + Send>;

/// Threads that are started when work comes and none is idle.
///
/// A tokio runtime that is dropped waits for its own blocking threads, so one call that never returned would keep
/// the process alive. These threads are detached: they end with the process.
#[derive(Debug)]
pub(super) struct Threads {
    state: Mutex<State>,
    work_came: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Work>,
    /// Threads that wait for work; those that were woken for queued work count until they took it.
    idle: usize,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("State");
        shown.field("queued", &self.queue.len()).field("idle", &self.idle).finish()
    }
}

impl Threads {
    /// No thread yet.
    pub(super) const fn new() -> Self {
        let state = Mutex::new(State { queue: VecDeque::new(), idle: 0 });
        Self { state, work_came: Condvar::new() }
    }

    /// Runs the work on a thread, soon. Without a thread for it the work is dropped, which its caller notices.
    pub(super) fn run(&'static self, work: Work) {
        let mut state = self.lock();
        if state.idle > state.queue.len() {
            state.queue.push_back(work);
            drop(state);
            self.work_came.notify_one();
            return;
        }
        drop(state);
        let started = thread::Builder::new().name("mcp-blocking".to_owned()).spawn(move || self.work(work));
        if let Err(error) = started {
            tracing::error!(%error, "a thread for a blocking handler could not be started");
        }
    }

    /// The life of one thread.
    fn work(&self, first: Work) {
        let mut next = Some(first);
        while let Some(work) = next {
            // What a handler panics with was caught already; this is about what its values do when they are dropped.
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("a blocking handler's result or arguments panicked when they were dropped");
            }
            next = self.wait();
        }
    }

    /// Waits for more work; `None` when none came for long enough.
    fn wait(&self) -> Option<Work> {
        let mut state = self.lock();
        state.idle += 1;
        let waited = self.work_came.wait_timeout_while(state, LINGER, |state| state.queue.is_empty());
        (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.idle = state.idle.saturating_sub(1);
        state.queue.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        collections::BTreeSet,
        sync::mpsc::{Receiver, channel},
    };

    fn threads() -> &'static Threads {
        Box::leak(Box::new(Threads::new()))
    }

    /// Runs work that tells on which thread it ran, and returns when the thread is idle again.
    fn told(threads: &'static Threads) -> thread::ThreadId {
        let (tell, told) = channel();
        threads.run(Box::new(move || tell.send(thread::current().id()).unwrap()));
        let id = told.recv().unwrap();
        while threads.lock().idle == 0 {
            thread::yield_now();
        }
        id
    }

    #[test]
    fn an_idle_thread_takes_the_next_work() {
        let threads = threads();
        let ids: BTreeSet<String> = (0..20).map(|_| format!("{:?}", told(threads))).collect();
        assert_eq!(ids.len(), 1);
    }

    #[test]
    fn work_that_never_returns_keeps_nothing_else_from_running() {
        let threads = threads();
        let (hold, held): (_, Receiver<()>) = channel();
        threads.run(Box::new(move || {
            let _ = held.recv();
        }));
        told(threads);
        drop(hold);
    }

    #[test]
    fn a_panic_costs_no_thread() {
        let threads = threads();
        threads.run(Box::new(|| panic!("in work")));
        while threads.lock().idle == 0 {
            thread::yield_now();
        }
        told(threads);
        assert_eq!(threads.lock().idle, 1);
    }
}
