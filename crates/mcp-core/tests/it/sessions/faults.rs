//! Stores that fail, take their time, or lose a session.

use super::{
    moody::Moody,
    world::{Client, NEWEST, World, call, pass, settle, words},
};
use mcp_core::ports::{EndpointPath, Owner, SessionId, SessionKey, SessionStore};
use mcp_store::{MemoryEvents, MemorySessions};
use serde_json::json;
use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

/// A server on two stores whose moods change.
struct Moods {
    world: World,
    sessions: Arc<Moody<MemorySessions>>,
    events: Arc<Moody<MemoryEvents>>,
}

impl Moods {
    fn new() -> Self {
        Self::with(Duration::from_secs(90))
    }

    fn with(idle_ttl: Duration) -> Self {
        let sessions = Arc::new(Moody::<MemorySessions>::default());
        let events = Arc::new(Moody::<MemoryEvents>::default());
        let world = World::on(sessions.clone(), events.clone(), |settings| settings.idle_ttl(idle_ttl));
        Self { world, sessions, events }
    }
}

fn wait(id: u32, ms: u64) -> serde_json::Value {
    call(id, "wait", json!({ "ms": ms, "text": "done" }))
}

/// The session is removed behind the back of the process that serves it.
async fn lose(client: &Client, sessions: &Moody<MemorySessions>) {
    let key = SessionKey {
        id: SessionId::parse(client.id.as_deref().unwrap()).unwrap(),
        owner: Owner::Anonymous,
        endpoint: EndpointPath::new("/mcp"),
    };
    let long_ago = SystemTime::UNIX_EPOCH;
    assert!(sessions.store.remove(&key, long_ago).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn while_the_store_fails_everything_of_sessions_is_refused_for_now() {
    let moods = Moods::new();
    let client = moods.world.begin(NEWEST).await;
    moods.sessions.mood.fail(true);
    for method in ["ping", "tools/list", "logging/setLevel"] {
        let answer = client.ask(1, method, json!({ "level": "info" })).await;
        assert_eq!((answer.status, answer.code()), (503, Some(-32603)), "{method}");
        assert!(!answer.reply.to_string().contains("cable"), "what failed is nobody's business");
    }
    assert_eq!(moods.world.visitor(NEWEST).initialize().await.status, 503);
    assert_eq!(client.initialize().await.status, 503);
    assert_eq!(client.notify("notifications/initialized", json!({})).await, 503);
    assert_eq!(client.send(&json!([{ "jsonrpc": "2.0", "method": "x" }])).await.status, 503);
    assert_eq!((client.open().await.unwrap_err().status, client.end().await), (503, 503));
    moods.sessions.mood.fail(false);
    assert_eq!(client.ask(1, "ping", json!({})).await.status, 200, "the session is still there");
    moods.world.assert_at_rest();
}

#[tokio::test(start_paused = true)]
async fn calls_and_streams_outlive_a_failure_of_the_store() {
    let moods = Moods::new();
    let client = moods.world.begin(NEWEST).await;
    let mut get = client.get().await;
    let call = client.exchange(&wait(1, 80_000)).await;
    let call = tokio::spawn(futures_util::StreamExt::collect::<Vec<_>>(call));
    settle().await;
    moods.sessions.mood.fail(true);
    pass(60).await;
    moods.world.server.notify_tools_changed();
    assert_eq!(get.message().await.unwrap().word(), "notifications/tools/list_changed");
    moods.sessions.mood.fail(false);
    assert_eq!(call.await.unwrap().len(), 1);
    pass(80).await;
    assert_eq!(client.ask(2, "ping", json!({})).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_the_store_has_lost_ends_here_too() {
    let moods = Moods::new();
    let client = moods.world.begin(NEWEST).await;
    let mut get = client.get().await;
    let call = client.exchange(&wait(1, 600_000)).await;
    let call = tokio::spawn(futures_util::StreamExt::collect::<Vec<_>>(call));
    settle().await;
    lose(&client, &moods.sessions).await;
    assert_eq!(client.ask(2, "ping", json!({})).await.status, 404);
    assert_eq!(call.await.unwrap().len(), 1);
    get.rest().await;
    settle().await;
    assert_eq!(moods.world.server.counts(), Default::default());
    let next = moods.world.begin(NEWEST).await;
    let mut get = next.get().await;
    lose(&next, &moods.sessions).await;
    // Nobody asks; the keeper finds out.
    get.rest().await;
    assert_eq!(moods.world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn a_level_or_a_subscription_of_a_session_that_ends_meanwhile_is_told_so() {
    let moods = Moods::new();
    let requests = [
        ("logging/setLevel", json!({ "level": "info" })),
        ("resources/subscribe", json!({ "uri": "test://one" })),
    ];
    for (method, params) in requests {
        let client = moods.world.begin(NEWEST).await;
        moods.sessions.mood.take(1_000);
        let asking = client.clone();
        let asked = tokio::spawn(async move { asking.ask(1, method, params).await });
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        lose(&client, &moods.sessions).await;
        moods.sessions.mood.take(0);
        assert_eq!(client.ask(2, "ping", json!({})).await.status, 404);
        assert_eq!(asked.await.unwrap().status, 404, "{method}");
    }
    settle().await;
    assert_eq!(moods.world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn a_request_that_waited_for_the_store_is_still_one_of_its_session() {
    let moods = Moods::with(Duration::from_secs(900));
    let client = moods.world.begin(NEWEST).await;
    moods.sessions.telling.take(200_000);
    let asking = client.clone();
    let asked = tokio::spawn(async move { asking.send(&wait(1, 600_000)).await });
    // Long enough for the process to let go of a session that nobody uses.
    pass(201).await;
    moods.sessions.telling.take(0);
    assert_eq!(moods.world.server.counts().requests_in_flight, 1);
    assert_eq!(client.cancel(1).await, 202);
    assert_eq!(asked.await.unwrap().reply, json!(null));
    assert_eq!(moods.world.fates.count(), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_session_ends_before_it_is_served_is_told_so() {
    let moods = Moods::with(Duration::from_secs(900));
    let client = moods.world.begin(NEWEST).await;
    moods.sessions.telling.take(1_000);
    let asking = client.clone();
    let asked = tokio::spawn(async move { asking.send(&wait(1, 600_000)).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(client.end().await, 204);
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(asked.is_finished(), "it is known at once here");
    assert_eq!(asked.await.unwrap().status, 404);
    assert_eq!(moods.world.server.counts(), Default::default());
    let far = moods.world.begin(NEWEST).await;
    // The process has let go of it, as one would that never knew it.
    moods.sessions.telling.take(0);
    pass(125).await;
    moods.sessions.telling.take(1_000);
    let asking = far.clone();
    let asked = tokio::spawn(async move { asking.send(&wait(1, 600_000)).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(far.end().await, 204);
    pass(35).await;
    assert!(asked.is_finished(), "the keeper finds out");
    assert_eq!(asked.await.unwrap().status, 404);
    assert_eq!(moods.world.server.counts(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn without_the_log_calls_are_answered_and_cannot_be_resumed() {
    let moods = Moods::new();
    let client = moods.world.begin(NEWEST).await;
    let opening = client.stream(1, "quiet", json!({ "ms": 5, "text": "x" })).await.next().await.unwrap();
    pass(1).await;
    moods.events.mood.fail(true);
    let all = client.stream(2, "steps", json!({ "n": 2, "ms": 5 })).await.rest().await;
    assert_eq!(words(&all), ["1.0", "2.0", "2 steps"]);
    assert!(all.iter().all(|event| event.id.is_none()));
    assert_eq!(client.resume(opening.id.as_deref().unwrap()).await.unwrap_err().status, 503);
    let mut get = client.get().await;
    moods.world.server.notify_tools_changed();
    assert_eq!(get.message().await.unwrap().word(), "notifications/tools/list_changed");
    drop(get);
    let left = client.stream(3, "steps", json!({ "n": 2, "ms": 5 })).await;
    drop(left);
    pass(1).await;
    moods.world.assert_at_rest();
    moods.events.mood.fail(false);
    let mut back = client.resume(opening.id.as_deref().unwrap()).await.unwrap();
    assert_eq!(words(&back.rest().await), ["x"]);
}

#[tokio::test(start_paused = true)]
async fn a_log_that_fails_in_the_middle_costs_ids_and_nothing_else() {
    let moods = Moods::new();
    let client = moods.world.begin(NEWEST).await;
    let mut stream = client.stream(1, "steps", json!({ "n": 3, "ms": 1_000 })).await;
    assert!(stream.next().await.unwrap().data.is_null());
    assert_eq!(stream.next().await.unwrap().word(), "1.0");
    moods.events.mood.fail(true);
    let second = stream.next().await.unwrap();
    assert_eq!((second.word(), second.id), ("2.0".to_owned(), None));
    moods.events.mood.fail(false);
    let rest = stream.rest().await;
    assert_eq!(words(&rest), ["3.0", "3 steps"]);
    assert!(rest.iter().all(|event| event.id.is_some()));
}

#[tokio::test(start_paused = true)]
async fn a_slow_log_loses_nothing_whenever_the_client_leaves() {
    for leaves_after in [0, 150, 700, 1_250, 1_800, 2_600] {
        let moods = Moods::new();
        let client = moods.world.begin(NEWEST).await;
        moods.events.mood.take(400);
        let mut stream = client.stream(1, "steps", json!({ "n": 3, "ms": 1_000 })).await;
        let mut last = stream.next().await.unwrap();
        let deadline = tokio::time::sleep(Duration::from_millis(leaves_after));
        tokio::pin!(deadline);
        loop {
            tokio::select! {
                event = stream.next() => match event {
                    Some(event) => last = event,
                    None => break,
                },
                () = &mut deadline => break,
            }
        }
        drop(stream);
        let seen = last.data["params"]["progress"].as_f64().unwrap_or_default();
        let replied = last.data["result"].is_object();
        let mut resumed = client.resume(last.id.as_deref().unwrap()).await.unwrap();
        let told = words(&resumed.rest().await);
        let mut expected: Vec<_> =
            (1..=3).filter(|step| f64::from(*step) > seen).map(|step| format!("{step}.0")).collect();
        expected.push("3 steps".to_owned());
        if replied {
            expected.clear();
        }
        assert_eq!(told, expected, "left after {leaves_after} ms");
        pass(5).await;
        moods.world.assert_at_rest();
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_on_its_way_into_a_slow_log_is_not_lost_with_its_stream() {
    let moods = Moods::new();
    let client = moods.world.begin(NEWEST).await;
    let mut get = client.get().await;
    let opening = get.next().await.unwrap();
    moods.events.mood.take(1_000);
    moods.world.server.notify_tools_changed();
    assert!(get.ready().0.is_empty());
    drop(get);
    pass(2).await;
    moods.events.mood.take(0);
    let mut back = client.resume(opening.id.as_deref().unwrap()).await.unwrap();
    assert_eq!(back.message().await.unwrap().word(), "notifications/tools/list_changed");
}

#[tokio::test(start_paused = true)]
async fn many_sessions_at_work_are_kept_in_a_slow_store() {
    let moods = Moods::new();
    let mut all = Vec::new();
    for _ in 0..300 {
        let client = moods.world.begin(NEWEST).await;
        all.push((client.get().await, client));
    }
    moods.sessions.mood.take(1_000);
    pass(600).await;
    moods.sessions.mood.take(0);
    for (stream, client) in &mut all {
        assert!(!stream.ready().1);
        assert_eq!(client.ask(1, "ping", json!({})).await.status, 200);
    }
}
