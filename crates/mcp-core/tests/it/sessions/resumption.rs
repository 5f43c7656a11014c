//! Streams that broke, taken up again.

use super::world::{Client, NEWEST, REVISIONS, Seen, World, pass, settle, words};
use mcp_core::ports::EventLimits;
use serde_json::json;
use std::{collections::BTreeSet, time::Duration};

/// The revisions whose streams can be resumed, as far as HTTP has them.
const OLDER: [&str; 2] = ["2025-03-26", "2025-06-18"];

fn ids(events: &[Seen]) -> Vec<&str> {
    events.iter().map(|event| event.id.as_deref().unwrap()).collect()
}

/// A call whose stream breaks after its first message; gives what was seen of it.
async fn broken(client: &Client, id: u32, n: u32) -> Vec<Seen> {
    let mut stream = client.stream(id, "steps", json!({ "n": n, "ms": 1_000 })).await;
    let mut seen = vec![stream.next().await.unwrap()];
    while seen.last().unwrap().data.is_null() {
        seen.push(stream.next().await.unwrap());
    }
    seen
}

#[tokio::test(start_paused = true)]
async fn only_the_newest_clients_are_given_an_id_and_a_delay_before_anything_is_said() {
    let world = World::with(|sessions| sessions.retry(Duration::from_millis(250)));
    let client = world.begin(NEWEST).await;
    for mut stream in [client.get().await, client.stream(1, "steps", json!({ "n": 1, "ms": 1 })).await] {
        let first = stream.next().await.unwrap();
        assert!(first.id.is_some() && first.data.is_null());
        assert_eq!(first.retry, Some(Duration::from_millis(250)));
        assert!(stream.ready().0.iter().all(|event| event.retry.is_none()));
    }
    for version in OLDER {
        let client = world.begin(version).await;
        let mut get = client.get().await;
        settle().await;
        assert_eq!(get.ready(), (vec![], false), "{version}");
        let mut stream = client.stream(1, "steps", json!({ "n": 1, "ms": 1 })).await;
        let all = stream.rest().await;
        assert_eq!(words(&all), ["1.0", "1 steps"], "{version}");
        assert!(all.iter().all(|event| event.id.is_some() && event.retry.is_none()), "{version}");
    }
}

#[tokio::test(start_paused = true)]
async fn ids_are_unique_within_a_session_and_tell_their_stream() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut all = BTreeSet::new();
    let mut streams = BTreeSet::new();
    for id in 0..5 {
        let events = client.stream(id, "steps", json!({ "n": 4, "ms": 1 })).await.rest().await;
        let of: BTreeSet<_> =
            ids(&events).iter().map(|id| id.rsplit_once('.').unwrap().0.to_owned()).collect();
        assert_eq!(of.len(), 1);
        streams.extend(of);
        all.extend(ids(&events).iter().map(|id| (*id).to_owned()));
    }
    assert_eq!((streams.len(), all.len()), (5, 5 * 6));
}

#[tokio::test(start_paused = true)]
async fn what_was_missed_comes_again_in_order_with_the_reply_as_often_as_it_is_asked_for() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let seen = broken(&client, 1, 5).await;
        pass(60).await;
        world.assert_at_rest();
        let last = seen.last().unwrap().id.clone().unwrap();
        let rest = client.resume(&last).await.unwrap().rest().await;
        assert_eq!(words(&rest), ["2.0", "3.0", "4.0", "5.0", "5 steps"], "{version}");
        let again = client.resume(&last).await.unwrap().rest().await;
        assert_eq!(again, rest);
        let later = client.resume(rest[2].id.as_deref().unwrap()).await.unwrap().rest().await;
        assert_eq!(later, rest[3..]);
        let end = rest.last().unwrap().id.as_deref().unwrap();
        assert!(client.resume(end).await.unwrap().rest().await.is_empty());
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_still_runs_goes_on_where_it_is_resumed() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let seen = broken(&client, 1, 4).await;
        let mut resumed = client.resume(seen.last().unwrap().id.as_deref().unwrap()).await.unwrap();
        assert_eq!(resumed.message().await.unwrap().word(), "2.0");
        let second = resumed.message().await.unwrap();
        assert_eq!(second.word(), "3.0");
        drop(resumed);
        let mut resumed = client.resume(second.id.as_deref().unwrap()).await.unwrap();
        assert_eq!(words(&resumed.rest().await), ["4.0", "4 steps"], "{version}");
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_taken_over_says_nothing_more() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut half_open = client.stream(1, "steps", json!({ "n": 3, "ms": 1_000 })).await;
    half_open.next().await;
    let first = half_open.message().await.unwrap();
    let mut resumed = client.resume(first.id.as_deref().unwrap()).await.unwrap();
    let old = tokio::spawn(async move { half_open.rest().await });
    assert_eq!(words(&resumed.rest().await), ["2.0", "3.0", "3 steps"]);
    assert_eq!(old.await.unwrap(), []);
    world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn of_two_who_resume_one_stream_the_later_hears_it() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let seen = broken(&client, 1, 3).await;
    let last = seen.last().unwrap().id.clone().unwrap();
    let mut earlier = client.resume(&last).await.unwrap();
    let mut later = client.resume(&last).await.unwrap();
    let earlier = tokio::spawn(async move { earlier.rest().await });
    assert_eq!(words(&later.rest().await), ["2.0", "3.0", "3 steps"]);
    assert_eq!(earlier.await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn only_the_stream_that_broke_comes_again() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let (one, two) = (broken(&client, 1, 2).await, broken(&client, 2, 3).await);
    let mut get = client.get().await;
    world.server.notify_tools_changed();
    get.next().await;
    drop(get);
    pass(30).await;
    for (seen, rest) in [(one, vec!["2.0", "2 steps"]), (two, vec!["2.0", "3.0", "3 steps"])] {
        let mut resumed = client.resume(seen.last().unwrap().id.as_deref().unwrap()).await.unwrap();
        assert_eq!(words(&resumed.rest().await), rest);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_sent_away_comes_back_for_the_rest() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let seen = client.stream(1, "away", json!({ "n": 2, "ms": 5_000 })).await.rest().await;
    assert_eq!(words(&seen), [""]);
    assert!(seen[0].retry.is_some());
    let mut resumed = client.resume(seen[0].id.as_deref().unwrap()).await.unwrap();
    assert_eq!(words(&resumed.rest().await), ["1.0", "2.0", "2 steps away"]);
    for version in OLDER {
        let client = world.begin(version).await;
        let seen = client.stream(1, "away", json!({ "n": 1, "ms": 5 })).await.rest().await;
        assert_eq!(words(&seen), ["1.0", "1 steps away"], "{version} knows nothing of that");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_says_nothing_is_resumed_from_its_opening() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut stream = client.stream(1, "quiet", json!({ "ms": 5_000, "text": "done" })).await;
    let opening = stream.next().await.unwrap();
    drop(stream);
    let mut resumed = client.resume(opening.id.as_deref().unwrap()).await.unwrap();
    assert_eq!(words(&resumed.rest().await), ["done"]);
}

#[tokio::test(start_paused = true)]
async fn events_of_others_and_ids_that_are_none_resume_nothing() {
    let world = World::new();
    let client = world.begin_as(NEWEST, "ada").await;
    let seen = broken(&client, 1, 3).await;
    let last = seen.last().unwrap().id.clone().unwrap();
    let (stream, number) = last.rsplit_once('.').unwrap();
    let other = world.begin_as(NEWEST, "ada").await;
    assert_eq!(other.resume(&last).await.unwrap_err().status, 400, "another session of the same owner");
    assert_eq!(client.clone().of("bob").resume(&last).await.unwrap_err().status, 404);
    let wrong = [
        String::new(),
        "x".to_owned(),
        ".".to_owned(),
        format!("{stream}.999"),
        format!("{stream}.-1"),
        format!("{stream}.0{number}"),
        format!("{stream}.18446744073709551616"),
        format!("{stream}x.{number}"),
        "a".repeat(10_000),
        "é.1".to_owned(),
    ];
    for id in wrong {
        let refused = client.resume(&id).await.unwrap_err();
        assert_eq!((refused.status, refused.code()), (400, Some(-32600)), "{id}");
    }
    let twice = client.clone().header("last-event-id", &last).header("last-event-id", &last);
    assert_eq!(twice.open().await.unwrap_err().status, 400);
    let bytes = client.clone().header("last-event-id", b"\xFF.1");
    assert_eq!(bytes.open().await.unwrap_err().status, 400);
    let mut resumed = client.resume(&last).await.unwrap();
    assert_eq!(words(&resumed.rest().await), ["2.0", "3.0", "3 steps"], "all that changed nothing");
}

#[tokio::test(start_paused = true)]
async fn changes_that_a_broken_stream_did_not_carry_are_told_on_the_next_one() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let mut stream = client.get().await;
        settle().await;
        stream.ready();
        world.server.notify_tools_changed();
        let first = stream.message().await.unwrap();
        // These two go out on a connection that nobody reads any more.
        world.server.notify_prompts_changed();
        world.server.notify_resources_changed();
        let lost = [stream.message().await.unwrap(), stream.message().await.unwrap()];
        let mut resumed = client.resume(first.id.as_deref().unwrap()).await.unwrap();
        settle().await;
        let told: Vec<_> = resumed.ready().0.into_iter().filter(|event| !event.data.is_null()).collect();
        assert_eq!(told, lost, "{version}");
        world.server.notify_tools_changed();
        assert_eq!(resumed.message().await.unwrap().word(), "notifications/tools/list_changed");
        assert!(stream.ready().0.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_standalone_stream_whose_events_are_forgotten_goes_on() {
    let world = World::with(|sessions| {
        sessions.event_limits(EventLimits { age: Duration::from_secs(10), ..EventLimits::default() })
    });
    let client = world.begin(NEWEST).await;
    let opening = client.get().await.next().await.unwrap();
    pass(120).await;
    let mut resumed = client.resume(opening.id.as_deref().unwrap()).await.unwrap();
    world.server.notify_tools_changed();
    assert_eq!(resumed.message().await.unwrap().word(), "notifications/tools/list_changed");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_opened_again_much_later_uses_no_id_twice() {
    let world = World::with(|sessions| {
        sessions.event_limits(EventLimits { age: Duration::from_secs(10), ..EventLimits::default() })
    });
    let client = world.begin(NEWEST).await;
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        let mut stream = client.get().await;
        world.server.notify_tools_changed();
        while let Some(event) = stream.next().await {
            assert!(seen.insert(event.id.unwrap()));
            if !event.data.is_null() {
                break;
            }
        }
        drop(stream);
        pass(600).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_log_is_bounded_from_the_oldest_on() {
    let world = World::with(|sessions| {
        sessions.event_limits(EventLimits { stream_events: 3, session_streams: 2, ..EventLimits::default() })
    });
    let client = world.begin(NEWEST).await;
    let seen = broken(&client, 1, 9).await;
    pass(60).await;
    let last = seen.last().unwrap().id.clone().unwrap();
    let rest = client.resume(&last).await.unwrap().rest().await;
    assert_eq!(words(&rest), ["8.0", "9.0", "9 steps"]);
    for id in 2..4 {
        client.stream(id, "steps", json!({ "n": 1, "ms": 1 })).await.rest().await;
    }
    assert_eq!(client.resume(&last).await.unwrap_err().status, 400, "its stream made room");
}

#[tokio::test(start_paused = true)]
async fn calls_beyond_the_streams_that_are_kept_are_served_all_the_same() {
    let world = World::with(|sessions| {
        sessions.event_limits(EventLimits { session_streams: 1, ..EventLimits::default() })
    });
    let client = world.begin(NEWEST).await;
    let (mut one, mut two) = tokio::join!(
        client.stream(1, "steps", json!({ "n": 2, "ms": 100 })),
        client.stream(2, "steps", json!({ "n": 2, "ms": 100 }))
    );
    let (one, two) = tokio::join!(one.rest(), two.rest());
    for all in [&one, &two] {
        let said: Vec<_> = words(all).into_iter().filter(|word| !word.is_empty()).collect();
        assert_eq!(said, ["1.0", "2.0", "2 steps"]);
    }
    assert!(one.iter().chain(&two).any(|event| event.id.is_none()), "one of the two is not kept");
}

#[tokio::test(start_paused = true)]
async fn events_are_forgotten_when_they_are_too_old() {
    let world = World::with(|sessions| {
        sessions.event_limits(EventLimits { age: Duration::from_secs(30), ..EventLimits::default() })
    });
    let client = world.begin(NEWEST).await;
    let seen = broken(&client, 1, 2).await;
    pass(10).await;
    let last = seen.last().unwrap().id.clone().unwrap();
    assert_eq!(client.resume(&last).await.unwrap().rest().await.len(), 2);
    pass(60).await;
    assert_eq!(client.resume(&last).await.unwrap_err().status, 400);
}

#[tokio::test(start_paused = true)]
async fn without_resumption_no_ids_are_given_and_calls_go_on() {
    let world = World::with(|sessions| sessions.without_resumption());
    for version in REVISIONS {
        let client = world.begin(version).await;
        let seen = client.stream(1, "steps", json!({ "n": 2, "ms": 1 })).await.rest().await;
        assert_eq!(words(&seen), ["1.0", "2.0", "2 steps"]);
        let away = client.stream(1, "away", json!({ "n": 1, "ms": 1 })).await.rest().await;
        assert_eq!(words(&away), ["1.0", "1 steps away"], "nobody could come back");
        let mut get = client.get().await;
        world.server.notify_tools_changed();
        let change = get.next().await.unwrap();
        assert_eq!(change.word(), "notifications/tools/list_changed");
        assert!(seen.iter().chain(&away).chain([&change]).all(|event| event.id.is_none()));
        drop(client.stream(3, "steps", json!({ "n": 3, "ms": 50 })).await);
        drop(get);
        pass(1).await;
        world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn without_the_stream_of_changes_calls_are_resumed_and_without_both_there_is_no_get() {
    let world = World::with(|sessions| sessions.without_get_stream());
    let client = world.begin(NEWEST).await;
    let seen = broken(&client, 1, 2).await;
    let mut resumed = client.resume(seen.last().unwrap().id.as_deref().unwrap()).await.unwrap();
    assert_eq!(words(&resumed.rest().await), ["2.0", "2 steps"]);
    assert_eq!(client.open().await.unwrap_err().status, 405);
    let world = World::with(|sessions| sessions.without_get_stream().without_resumption());
    let client = world.begin(NEWEST).await;
    assert_eq!(client.open().await.unwrap_err().status, 405);
    assert_eq!(client.resume("get.0").await.unwrap_err().status, 405);
    assert_eq!(client.stream(1, "steps", json!({ "n": 1, "ms": 1 })).await.rest().await.len(), 2);
    assert_eq!(client.end().await, 204);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_whose_client_is_away_ends_its_stream_without_a_reply() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let seen = broken(&client, 1, 5).await;
    let mut resumed = client.resume(seen.last().unwrap().id.as_deref().unwrap()).await.unwrap();
    assert_eq!(resumed.message().await.unwrap().word(), "2.0");
    client.cancel(1).await;
    assert_eq!(resumed.rest().await, []);
    let mut again = client.resume(seen.last().unwrap().id.as_deref().unwrap()).await.unwrap();
    assert_eq!(words(&again.rest().await), ["2.0"]);
    world.assert_at_rest();
}
