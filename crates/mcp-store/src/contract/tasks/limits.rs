//! How many tasks there may be.

use super::{
    super::demand::{CALLERS, done, reached, some_succeed},
    id, owner, record,
};
use bytes::Bytes;
use futures_util::future::join_all;
use mcp_core::ports::{StoreLimit, TaskLimits, TaskOutcome, TaskOwner, TaskStep, TaskStore};
use std::time::{Duration, SystemTime};

fn completed(bytes: usize) -> TaskStep {
    let result = Bytes::from(vec![b' '; bytes]);
    TaskStep::Settle { outcome: TaskOutcome::Completed { result, is_error: false }, message: None }
}

pub(super) async fn the_limits_of_an_owner_and_of_the_store_hold_at_any_pace(
    store: &dyn TaskStore,
    now: SystemTime,
) {
    let (ada, bob) = (owner("ada"), owner("bob"));
    let limits = TaskLimits { total: 8, per_owner: 3, ..TaskLimits::default() };
    let of_ada = (0..CALLERS).map(|number| record(&id(20, number), &ada, now));
    let results = join_all(of_ada.map(|task| store.create(task, &limits, now))).await;
    some_succeed(results, 3, StoreLimit::TasksOfOwner);
    let of_anyone = (0..CALLERS).map(|number| record(&id(21, number), &TaskOwner::Anyone, now));
    let results = join_all(of_anyone.map(|task| store.create(task, &limits, now))).await;
    some_succeed(results, 5, StoreLimit::Tasks);
    reached(&store.create(record(&id(22, 0), &bob, now), &limits, now).await, StoreLimit::Tasks);
    assert_eq!(
        done(store.remove_owned(&ada, now).await),
        3,
        "a task that was refused must leave nothing behind"
    );
    done(store.create(record(&id(22, 0), &bob, now), &limits, now).await);
    assert_eq!(done(store.remove_owned(&bob, now).await), 1);
    assert_eq!(done(store.remove_owned(&TaskOwner::Anyone, now).await), 5);
    assert_eq!(done(store.count(now).await), 0);
}

pub(super) async fn settled_tasks_make_room_the_oldest_first(store: &dyn TaskStore, now: SystemTime) {
    let (ada, bob) = (owner("ada"), owner("bob"));
    let limits = TaskLimits { total: 3, per_owner: 2, ..TaskLimits::default() };
    for number in 0..2 {
        done(store.create(record(&id(23, number), &ada, now), &limits, now).await);
    }
    // The later one ends first.
    for (number, seconds) in [(1, 1), (0, 2)] {
        let at = now + Duration::from_secs(seconds);
        done(store.step(&ada, &id(23, number), completed(2), &limits, at).await);
    }
    done(store.create(record(&id(23, 2), &ada, now), &limits, now).await);
    assert_eq!(done(store.load(&ada, &id(23, 1), now).await), None, "the first that ended must make room");
    assert!(done(store.load(&ada, &id(23, 0), now).await).is_some(), "no other must");
    done(store.create(record(&id(23, 3), &bob, now), &limits, now).await);
    done(store.create(record(&id(23, 4), &bob, now), &limits, now).await);
    assert_eq!(
        done(store.load(&ada, &id(23, 0), now).await),
        None,
        "any settled one makes room for the whole"
    );
    assert_eq!(done(store.remove_owned(&ada, now).await) + done(store.remove_owned(&bob, now).await), 3);
}

pub(super) async fn the_texts_of_all_tasks_are_bounded(store: &dyn TaskStore, now: SystemTime) {
    let ada = owner("ada");
    let limits = TaskLimits { text_bytes: 1 << 20, ..TaskLimits::default() };
    for number in 0..4 {
        let at = now + Duration::from_secs(u64::from(number));
        done(store.create(record(&id(24, number), &ada, now), &limits, at).await);
        done(store.step(&ada, &id(24, number), completed(400_000), &limits, at).await);
    }
    let kept = done(store.list(&ada, None, 9, now).await).unwrap_or_default();
    let kept: Vec<_> = kept.into_iter().map(|task| task.id).collect();
    assert_eq!(kept, [id(24, 2), id(24, 3)], "the first results must give way to the last");
    assert_eq!(done(store.remove_owned(&ada, now).await), 2);
}
