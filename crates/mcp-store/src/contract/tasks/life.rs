//! How tasks begin, are found, and end.

use super::{super::demand::done, TTL, id, owner, record};
use mcp_core::ports::{SessionId, StoreError, TaskLimits, TaskOwner, TaskStep, TaskStore, TaskUpdate};
use std::time::{Duration, SystemTime};

pub(super) async fn a_task_is_found_by_its_owner_only(store: &dyn TaskStore, now: SystemTime) {
    let (limits, ada) = (TaskLimits::default(), owner("ada"));
    let task = record(&id(1, 0), &ada, now);
    done(store.create(task.clone(), &limits, now).await);
    assert_eq!(
        done(store.load(&ada, &task.id, now).await),
        Some(task.clone()),
        "a task must come back as it was"
    );
    for stranger in [owner("bob"), TaskOwner::Anyone, TaskOwner::Session(SessionId::from_random([1; 32]))] {
        assert_eq!(done(store.load(&stranger, &task.id, now).await), None, "{stranger:?} must not find it");
        let cancel = TaskStep::Cancel { message: None };
        let update = done(store.step(&stranger, &task.id, cancel, &limits, now).await);
        assert_eq!(update, TaskUpdate::Unknown, "{stranger:?} must not change it");
        assert_eq!(done(store.list(&stranger, None, 9, now).await), Some(Vec::new()));
        assert_eq!(done(store.list(&stranger, Some(&task.id), 9, now).await), None);
    }
    assert_eq!(done(store.remove_owned(&ada, now).await), 1);
}

pub(super) async fn an_id_is_taken_once(store: &dyn TaskStore, now: SystemTime) {
    let (limits, ada) = (TaskLimits::default(), owner("ada"));
    done(store.create(record(&id(2, 0), &ada, now), &limits, now).await);
    for claimant in [&ada, &owner("bob")] {
        let again = store.create(record(&id(2, 0), claimant, now), &limits, now).await;
        assert!(matches!(again, Err(StoreError::Conflict)), "an id must be taken once, not {again:?}");
    }
    assert_eq!(done(store.remove_owned(&ada, now).await), 1);
}

pub(super) async fn a_task_lasts_for_its_ttl(store: &dyn TaskStore, now: SystemTime) {
    let (limits, ada) = (TaskLimits::default(), owner("ada"));
    done(store.create(record(&id(3, 0), &ada, now), &limits, now).await);
    let (last, end) = (now + TTL - Duration::from_millis(1), now + TTL);
    assert!(done(store.load(&ada, &id(3, 0), last).await).is_some(), "it must not end early");
    assert_eq!(done(store.load(&ada, &id(3, 0), end).await), None, "it must end in time");
    let cancel = TaskStep::Cancel { message: None };
    assert_eq!(done(store.step(&ada, &id(3, 0), cancel, &limits, end).await), TaskUpdate::Unknown);
    assert_eq!(done(store.list(&ada, None, 9, end).await), Some(Vec::new()));
    assert_eq!(done(store.count(end).await), 0);
    done(store.expire(end).await);
}

pub(super) async fn the_tasks_of_an_owner_are_listed_in_order_and_removed_together(
    store: &dyn TaskStore,
    now: SystemTime,
) {
    let (limits, ada, bob) = (TaskLimits::default(), owner("ada"), owner("bob"));
    for number in [3, 1, 2] {
        done(store.create(record(&id(4, number), &ada, now), &limits, now).await);
    }
    done(store.create(record(&id(4, 9), &bob, now), &limits, now).await);
    let listed = |tasks: Option<Vec<_>>| -> Vec<_> {
        tasks.into_iter().flatten().map(|task: mcp_core::ports::TaskRecord| task.id).collect()
    };
    let first = listed(done(store.list(&ada, None, 2, now).await));
    assert_eq!(first, [id(4, 3), id(4, 1)], "tasks must be listed in the order they were created");
    assert_eq!(listed(done(store.list(&ada, first.last(), 2, now).await)), [id(4, 2)]);
    assert_eq!(done(store.list(&ada, Some(&id(4, 2)), 2, now).await), Some(Vec::new()));
    assert_eq!(
        done(store.list(&ada, Some(&id(4, 9)), 2, now).await),
        None,
        "a stranger's task is no position"
    );
    assert_eq!(done(store.remove_owned(&ada, now).await), 3);
    assert_eq!(done(store.list(&ada, None, 9, now).await), Some(Vec::new()));
    assert_eq!(done(store.remove_owned(&bob, now).await), 1, "another owner's tasks must stay");
}
