//! What the lists of a session show and hide.

use super::{
    super::demand::{CALLERS, done, reached, some_succeed},
    key, owner, record,
};
use futures_util::future::join_all;
use mcp_core::ports::{
    ListView, ListViewChange, ListViewUpdate, Selection, SessionKey, SessionLimits, SessionStore, StoreLimit,
};
use std::time::SystemTime;

fn hide(number: u8) -> ListViewChange {
    ListViewChange::Hide(Selection::tool(format!("tool-{number:02}")))
}

fn open(number: u8) -> ListViewChange {
    ListViewChange::Open(format!("box-{number:02}").into())
}

pub(super) async fn each_change_is_told_with_what_was_before_it(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits::default();
    let key = key(40, 0);
    let mut expected = record(&key, now);
    done(store.create(expected.clone(), &limits, now).await);
    let (one, same) =
        (Selection::tool("a"), [Selection::prompt("a"), Selection::resource("a"), Selection::tag("a")]);
    let mut changes =
        vec![ListViewChange::ShowAll, ListViewChange::Unhide(one.clone()), ListViewChange::Hide(one.clone())];
    changes.extend([
        ListViewChange::Hide(one.clone()),
        ListViewChange::Unhide(one.clone()),
        ListViewChange::Hide(one),
    ]);
    changes.extend(same.into_iter().map(ListViewChange::Hide));
    changes.extend([open(1), open(1), ListViewChange::Close("other".into()), ListViewChange::ShowAll]);
    changes.extend([hide(1), open(2), ListViewChange::Close("box-01".into())]);
    let mut before = ListView::default();
    for change in changes {
        let after = before.changed_by(&change);
        let update = done(store.change_view(&key, &change, &limits, now).await);
        let told = Some(ListViewUpdate { before, after: after.clone() });
        assert_eq!(update, told, "a change of the lists must be told with what it changed");
        before = after;
    }
    expected.view = before;
    assert_eq!(
        done(store.load(&key, now).await),
        Some(expected),
        "the session must hold what its lists show and hide"
    );
    let foreign = SessionKey { owner: owner("bob"), ..key.clone() };
    let update = done(store.change_view(&foreign, &ListViewChange::ShowAll, &limits, now).await);
    assert_eq!(update, None, "a foreign key must show nothing");
    assert!(done(store.remove(&key, now).await));
    let update = done(store.change_view(&key, &ListViewChange::ShowAll, &limits, now).await);
    assert_eq!(update, None, "a session that has ended has no lists");
}

pub(super) async fn what_is_hidden_is_bounded_at_any_pace(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits { hidden: 3, ..SessionLimits::default() };
    let key = key(41, 0);
    done(store.create(record(&key, now), &limits, now).await);
    let changes: Vec<_> = (0..CALLERS).map(hide).collect();
    let updates = join_all(changes.iter().map(|change| store.change_view(&key, change, &limits, now))).await;
    let mut revisions: Vec<_> =
        updates.iter().flatten().flatten().map(|update| update.after.revision).collect();
    revisions.sort_unstable();
    some_succeed(updates, 3, StoreLimit::Hidden);
    assert_eq!(revisions, [1, 2, 3], "each change must see the one before it");

    let view = done(store.load(&key, now).await).map(|session| session.view).unwrap_or_default();
    assert_eq!(view.hidden.len(), 3, "as many as the limit allows must be hidden");
    let narrow = SessionLimits { hidden: 0, text_bytes: 1_024, ..limits };
    for selection in &view.hidden {
        done(store.change_view(&key, &ListViewChange::Hide(selection.clone()), &narrow, now).await);
    }
    if let Some(selection) = view.hidden.first() {
        done(store.change_view(&key, &ListViewChange::Unhide(selection.clone()), &narrow, now).await);
    }
    reached(&store.change_view(&key, &hide(99), &narrow, now).await, StoreLimit::Hidden);
    let long = ListViewChange::Hide(Selection::tag("x".repeat(2_000)));
    let short = SessionLimits { text_bytes: 1_024, ..limits };
    reached(&store.change_view(&key, &long, &short, now).await, StoreLimit::SessionText);
    done(store.change_view(&key, &ListViewChange::ShowAll, &narrow, now).await);
    assert!(done(store.remove(&key, now).await));
}

pub(super) async fn what_is_open_is_bounded_at_any_pace(store: &dyn SessionStore, now: SystemTime) {
    let limits = SessionLimits { open_toolboxes: 3, hidden: 0, ..SessionLimits::default() };
    let key = key(42, 0);
    done(store.create(record(&key, now), &limits, now).await);
    let changes: Vec<_> = (0..CALLERS).map(open).collect();
    let updates = join_all(changes.iter().map(|change| store.change_view(&key, change, &limits, now))).await;
    some_succeed(updates, 3, StoreLimit::OpenToolboxes);
    let view = done(store.load(&key, now).await).map(|session| session.view).unwrap_or_default();
    assert_eq!(view.open.len(), 3, "as many toolboxes as the limit allows must be open");
    let narrow = SessionLimits { open_toolboxes: 0, text_bytes: 1_024, ..limits };
    for toolbox in &view.open {
        done(store.change_view(&key, &ListViewChange::Open(toolbox.clone()), &narrow, now).await);
    }
    for toolbox in view.open {
        done(store.change_view(&key, &ListViewChange::Close(toolbox), &narrow, now).await);
    }
    reached(&store.change_view(&key, &open(99), &narrow, now).await, StoreLimit::OpenToolboxes);
    let long = ListViewChange::Open("x".repeat(2_000).into());
    let short = SessionLimits { text_bytes: 1_024, ..limits };
    reached(&store.change_view(&key, &long, &short, now).await, StoreLimit::SessionText);
    assert!(done(store.remove(&key, now).await));
}
