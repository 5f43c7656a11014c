//! How tasks change.

use super::{
    super::demand::{CALLERS, done},
    id, owner, record,
};
use bytes::Bytes;
use futures_util::future::join_all;
use mcp_core::ports::{TaskLimits, TaskOutcome, TaskState, TaskStep, TaskStore, TaskUpdate};
use std::time::{Duration, SystemTime};

fn completed(text: &str) -> TaskStep {
    let result = Bytes::copy_from_slice(text.as_bytes());
    TaskStep::Settle { outcome: TaskOutcome::Completed { result, is_error: false }, message: None }
}

pub(super) async fn each_step_is_seen_at_once_and_a_settled_task_stays(
    store: &dyn TaskStore,
    now: SystemTime,
) {
    let (limits, ada, task) = (TaskLimits::default(), owner("ada"), id(10, 0));
    done(store.create(record(&task, &ada, now), &limits, now).await);
    let later = now + Duration::from_secs(1);
    let ask =
        TaskStep::Ask { key: "sure".into(), request: Bytes::from_static(br#"{"a":1}"#), replaces: None };
    for (step, settles) in [
        (ask, false),
        (TaskStep::Note { message: Some("half way".into()) }, false),
        (TaskStep::Withdraw { key: "sure".into() }, false),
        (completed(r#"{"content":[]}"#), true),
    ] {
        let update = done(store.step(&ada, &task, step, &limits, later).await);
        let seen = done(store.load(&ada, &task, later).await);
        assert_eq!(Some(update), seen.clone().map(TaskUpdate::Changed), "a step must be seen at once");
        assert!(seen.is_some_and(|task| task.updated_at == later && task.is_settled() == settles));
    }
    let settled = done(store.load(&ada, &task, later).await);
    for step in [completed("{}"), TaskStep::Cancel { message: None }] {
        let update = done(store.step(&ada, &task, step, &limits, later).await);
        assert_eq!(Some(update), settled.clone().map(TaskUpdate::Settled), "a settled task must stay");
    }
    assert_eq!(done(store.remove_owned(&ada, now).await), 1);
}

pub(super) async fn of_many_ends_at_once_one_counts(store: &dyn TaskStore, now: SystemTime) {
    let (limits, ada, task) = (TaskLimits::default(), owner("ada"), id(11, 0));
    done(store.create(record(&task, &ada, now), &limits, now).await);
    let ends = (0..CALLERS).map(|number| completed(&format!(r#"{{"n":{number}}}"#)));
    let ends = ends.map(|step| store.step(&ada, &task, step, &limits, now));
    let changed: Vec<_> = join_all(ends)
        .await
        .into_iter()
        .map(done)
        .filter_map(|update| match update {
            TaskUpdate::Changed(task) => Some(task),
            _ => None,
        })
        .collect();
    assert_eq!(changed.len(), 1, "a task must end once");
    assert_eq!(done(store.load(&ada, &task, now).await).as_ref(), changed.first());
    assert_eq!(done(store.remove_owned(&ada, now).await), 1);
}

pub(super) async fn questions_at_once_do_not_undo_each_other(store: &dyn TaskStore, now: SystemTime) {
    let (limits, ada, task) = (TaskLimits::default(), owner("ada"), id(12, 0));
    done(store.create(record(&task, &ada, now), &limits, now).await);
    let asks = (0..CALLERS).map(|number| TaskStep::Ask {
        key: number.to_string().into(),
        request: Bytes::from_static(b"{}"),
        replaces: None,
    });
    join_all(asks.map(|step| store.step(&ada, &task, step, &limits, now))).await;
    let open = |record: Option<mcp_core::ports::TaskRecord>| match record.map(|record| record.state) {
        Some(TaskState::InputRequired(asks)) => asks.len(),
        _ => 0,
    };
    assert_eq!(open(done(store.load(&ada, &task, now).await)), usize::from(CALLERS));
    let withdraw = (1..CALLERS).map(|number| TaskStep::Withdraw { key: number.to_string().into() });
    join_all(withdraw.map(|step| store.step(&ada, &task, step, &limits, now))).await;
    assert_eq!(open(done(store.load(&ada, &task, now).await)), 1);
    assert_eq!(done(store.remove_owned(&ada, now).await), 1);
}
