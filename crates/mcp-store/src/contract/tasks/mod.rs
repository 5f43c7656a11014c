//! What a store of tasks must do.

mod life;
mod limits;
mod steps;

use mcp_core::{
    ports::{Owner, TaskId, TaskOwner, TaskRecord, TaskState, TaskStore},
    version::ProtocolVersion,
};
use std::time::{Duration, SystemTime};

/// How long the tasks of these checks last.
const TTL: Duration = Duration::from_secs(600);

/// Checks a store of tasks; the [module](crate::contract) says what it needs.
///
/// # Panics
/// When the store does something else than [`TaskStore`] promises.
pub async fn tasks(store: &dyn TaskStore, now: SystemTime) {
    life::a_task_is_found_by_its_owner_only(store, now).await;
    life::an_id_is_taken_once(store, now).await;
    life::a_task_lasts_for_its_ttl(store, now).await;
    life::the_tasks_of_an_owner_are_listed_in_order_and_removed_together(store, now).await;
    steps::each_step_is_seen_at_once_and_a_settled_task_stays(store, now).await;
    steps::of_many_ends_at_once_one_counts(store, now).await;
    steps::questions_at_once_do_not_undo_each_other(store, now).await;
    limits::the_limits_of_an_owner_and_of_the_store_hold_at_any_pace(store, now).await;
    limits::settled_tasks_make_room_the_oldest_first(store, now).await;
    limits::the_texts_of_all_tasks_are_bounded(store, now).await;
}

fn owner(subject: &str) -> TaskOwner {
    let issuer = Some("https://id.example".into());
    TaskOwner::Principal(Owner::Principal { issuer, subject: subject.into(), client: None })
}

/// The id of a task; each number names another one, and each check has numbers of its own.
fn id(check: u8, number: u8) -> TaskId {
    let mut bytes = [0; 24];
    bytes[0] = check;
    bytes[1] = number;
    TaskId::from_random(bytes)
}

fn record(id: &TaskId, owner: &TaskOwner, now: SystemTime) -> TaskRecord {
    TaskRecord {
        id: id.clone(),
        owner: owner.clone(),
        tool: "work".into(),
        version: ProtocolVersion::LATEST,
        created_at: now,
        updated_at: now,
        ttl: TTL,
        poll_interval: Duration::from_secs(1),
        message: None,
        state: TaskState::Working,
    }
}
