//! What a session hides from its lists.

use super::{
    super::demand::{CALLERS, done, reached, some_succeed},
    key, owner, record,
};
use futures_util::future::join_all;
use mcp_core::ports::{
    Hidden, HiddenChange, HiddenUpdate, Selection, SessionKey, SessionLimits, SessionStore, StoreLimit,
};
use std::time::SystemTime;

fn hide(number: u8) -> HiddenChange {
    HiddenChange::Hide(Selection::tool(format!("tool-{number:02}")))
}

pub(super) async fn each_change_is_told_with_what_was_hidden_before_it(
    store: &dyn SessionStore,
    now: SystemTime,
) {
    let limits = SessionLimits::default();
    let key = key(40, 0);
    let mut expected = record(&key, now);
    done(store.create(expected.clone(), &limits, now).await);
    let (one, same) =
        (Selection::tool("a"), [Selection::prompt("a"), Selection::resource("a"), Selection::tag("a")]);
    let mut changes =
        vec![HiddenChange::Reset, HiddenChange::Unhide(one.clone()), HiddenChange::Hide(one.clone())];
    changes.extend([
        HiddenChange::Hide(one.clone()),
        HiddenChange::Unhide(one.clone()),
        HiddenChange::Hide(one),
    ]);
    changes.extend(same.into_iter().map(HiddenChange::Hide));
    changes.extend([HiddenChange::Reset, hide(1)]);
    let mut before = Hidden::default();
    for change in changes {
        let after = before.changed_by(&change);
        let update = done(store.change_hidden(&key, &change, &limits, now).await);
        let told = Some(HiddenUpdate { before, after: after.clone() });
        assert_eq!(update, told, "a change of what is hidden must be told with what it changed");
        before = after;
    }
    expected.hidden = before;
    assert_eq!(done(store.load(&key, now).await), Some(expected), "the session must hold what is hidden");
    let foreign = SessionKey { owner: owner("bob"), ..key.clone() };
    let update = done(store.change_hidden(&foreign, &HiddenChange::Reset, &limits, now).await);
    assert_eq!(update, None, "a foreign key must show nothing");
    assert!(done(store.remove(&key, now).await));
    let update = done(store.change_hidden(&key, &HiddenChange::Reset, &limits, now).await);
    assert_eq!(update, None, "a session that has ended hides nothing");
}

pub(super) async fn what_is_hidden_is_bounded_at_any_pace(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits { hidden: 3, ..SessionLimits::default() };
    let key = key(41, 0);
    done(store.create(record(&key, now), &limits, now).await);
    let changes: Vec<_> = (0..CALLERS).map(hide).collect();
    let updates =
        join_all(changes.iter().map(|change| store.change_hidden(&key, change, &limits, now))).await;
    let mut revisions: Vec<_> =
        updates.iter().flatten().flatten().map(|update| update.after.revision).collect();
    revisions.sort_unstable();
    some_succeed(updates, 3, StoreLimit::Hidden);
    assert_eq!(revisions, [1, 2, 3], "each change must see the one before it");

    let hidden = done(store.load(&key, now).await).map(|session| session.hidden).unwrap_or_default();
    assert_eq!(hidden.selections.len(), 3, "as many as the limit allows must be hidden");
    let narrow = SessionLimits { hidden: 0, text_bytes: 1_024, ..limits };
    for selection in &hidden.selections {
        done(store.change_hidden(&key, &HiddenChange::Hide(selection.clone()), &narrow, now).await);
    }
    if let Some(selection) = hidden.selections.first() {
        done(store.change_hidden(&key, &HiddenChange::Unhide(selection.clone()), &narrow, now).await);
    }
    reached(&store.change_hidden(&key, &hide(99), &narrow, now).await, StoreLimit::Hidden);
    let long = HiddenChange::Hide(Selection::tag("x".repeat(2_000)));
    let short = SessionLimits { text_bytes: 1_024, ..limits };
    reached(&store.change_hidden(&key, &long, &short, now).await, StoreLimit::SessionText);
    done(store.change_hidden(&key, &HiddenChange::Reset, &narrow, now).await);
    assert!(done(store.remove(&key, now).await));
}
