//! Who sends the events of a session's streams.

use crate::ports::StreamId;
use futures_util::task::AtomicWaker;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::Waker,
};

/// The responses that carry streams of one session; each message goes out on one of them.
///
/// Spec: 2025-11-25, basic/transports#multiple-connections.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The holders of each stream, newest last.
    by_stream: BTreeMap<StreamId, Vec<Arc<Holder>>>,
    /// The streams that something is still added to, whether or not a response carries them.
    growing: BTreeSet<StreamId>,
    ended: bool,
}

#[derive(Debug, Default)]
struct Holder {
    dismissed: AtomicBool,
    driver: AtomicWaker,
}

/// A response's hold on a stream; dropping it lets the next newest response send.
#[derive(Debug)]
pub(crate) struct Hold {
    table: Arc<Holders>,
    stream: StreamId,
    holder: Arc<Holder>,
}

/// A stream that something is still added to, until this is dropped.
#[derive(Debug)]
pub(crate) struct Growing {
    table: Arc<Holders>,
    stream: StreamId,
}

/// What a response that holds a stream does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is the newest: it sends.
    Send,
    /// A newer one sends; it is there in case that one breaks.
    StandBy,
    /// It ends.
    Dismissed,
}

impl Holders {
    /// Takes a stream over: whoever held it is dismissed.
    pub(crate) fn take_over(self: &Arc<Self>, stream: StreamId) -> Hold {
        self.hold(stream, 1)
    }

    /// Holds a stream as the newest of at most `most` responses; the oldest is dismissed beyond that.
    pub(crate) fn hold(self: &Arc<Self>, stream: StreamId, most: usize) -> Hold {
        let holder = Arc::new(Holder::default());
        let mut state = self.lock();
        if state.ended {
            holder.dismissed.store(true, Ordering::Release);
        }
        let holders = state.by_stream.entry(stream.clone()).or_default();
        holders.push(Arc::clone(&holder));
        let beyond = holders.len().saturating_sub(most);
        let dismissed: Vec<_> = holders.drain(..beyond).collect();
        drop(state);
        for old in dismissed {
            old.dismissed.store(true, Ordering::Release);
            old.driver.wake();
        }
        Hold { table: Arc::clone(self), stream, holder }
    }

    /// Notes that something will be added to a new stream.
    pub(crate) fn grow(self: &Arc<Self>, stream: StreamId) -> Growing {
        self.lock().growing.insert(stream.clone());
        Growing { table: Arc::clone(self), stream }
    }

    /// The streams that are held now, or that something is still added to.
    pub(crate) fn streams(&self) -> Vec<StreamId> {
        let state = self.lock();
        let unheard = state.growing.iter().filter(|stream| !state.by_stream.contains_key(*stream));
        state.by_stream.keys().chain(unheard).cloned().collect()
    }

    /// Wakes everyone, for a reason other than a change of who sends.
    pub(super) fn wake(&self) {
        let all: Vec<_> = self.lock().by_stream.values().flatten().cloned().collect();
        all.iter().for_each(|holder| holder.driver.wake());
    }

    /// Dismisses everyone, now and from now on.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        let all: Vec<_> = std::mem::take(&mut state.by_stream).into_values().flatten().collect();
        drop(state);
        for holder in all {
            holder.dismissed.store(true, Ordering::Release);
            holder.driver.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hold {
    /// What this response does now; the waker is called when that changes.
    pub(crate) fn role(&self, waker: &Waker) -> Role {
        self.holder.driver.register(waker);
        if self.holder.dismissed.load(Ordering::Acquire) {
            return Role::Dismissed;
        }
        let state = self.table.lock();
        let newest = state.by_stream.get(&self.stream).and_then(|holders| holders.last());
        match newest {
            Some(newest) if Arc::ptr_eq(newest, &self.holder) => Role::Send,
            Some(_) => Role::StandBy,
            None => Role::Dismissed,
        }
    }

    /// Wakes the newest response, unless this is the newest.
    pub(crate) fn pass_on(&self) {
        let newest =
            self.table.lock().by_stream.get(&self.stream).and_then(|holders| holders.last().cloned());
        if let Some(newest) = newest.filter(|newest| !Arc::ptr_eq(newest, &self.holder)) {
            newest.driver.wake();
        }
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        self.table.lock().growing.remove(&self.stream);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut state = self.table.lock();
        let Some(holders) = state.by_stream.get_mut(&self.stream) else { return };
        holders.retain(|holder| !Arc::ptr_eq(holder, &self.holder));
        let next = holders.last().cloned();
        if next.is_none() {
            state.by_stream.remove(&self.stream);
        }
        drop(state);
        if let Some(next) = next {
            next.driver.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::task::noop_waker;
    use std::{sync::atomic::AtomicUsize, task::Wake};

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn stream() -> StreamId {
        StreamId::from_random([1; 12])
    }

    #[test]
    fn the_newest_sends_and_the_next_takes_its_place() {
        let holders = Arc::new(Holders::default());
        let first = holders.hold(stream(), 2);
        let second = holders.hold(stream(), 2);
        assert_eq!((first.role(&noop_waker()), second.role(&noop_waker())), (Role::StandBy, Role::Send));
        let third = holders.hold(stream(), 2);
        assert_eq!(first.role(&noop_waker()), Role::Dismissed);
        drop(third);
        assert_eq!(second.role(&noop_waker()), Role::Send);
        drop((first, second));
        assert!(holders.streams().is_empty());
    }

    #[test]
    fn a_response_that_is_not_the_newest_any_more_passes_on_to_the_one_that_is() {
        let holders = Arc::new(Holders::default());
        let first = holders.hold(stream(), 2);
        let second = holders.hold(stream(), 2);
        let woken = Arc::new(Woken::default());
        assert_eq!(second.role(&Arc::clone(&woken).into()), Role::Send);
        second.pass_on();
        assert_eq!(woken.0.load(Ordering::Relaxed), 0, "the newest has nobody to pass on to");
        first.pass_on();
        assert_eq!(woken.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_stream_that_is_taken_over_has_one_holder() {
        let holders = Arc::new(Holders::default());
        let first = holders.take_over(stream());
        let _second = holders.take_over(stream());
        assert_eq!(first.role(&noop_waker()), Role::Dismissed);
    }

    #[test]
    fn a_stream_that_grows_is_there_without_a_response() {
        let holders = Arc::new(Holders::default());
        let growing = holders.grow(stream());
        let hold = holders.take_over(stream());
        assert_eq!(holders.streams(), [stream()]);
        drop(hold);
        assert_eq!(holders.streams(), [stream()]);
        drop(growing);
        assert!(holders.streams().is_empty());
    }

    #[test]
    fn the_end_dismisses_those_who_come_later_too() {
        let holders = Arc::new(Holders::default());
        let first = holders.take_over(stream());
        holders.end();
        assert_eq!(first.role(&noop_waker()), Role::Dismissed);
        assert_eq!(holders.take_over(stream()).role(&noop_waker()), Role::Dismissed);
    }
}
