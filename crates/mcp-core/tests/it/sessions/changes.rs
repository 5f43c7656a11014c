//! Changes, which are told on the stream that a client opens with GET.

use super::world::{NEWEST, REVISIONS, Seen, Stream, World, pass, settle};
use serde_json::json;

const CHANGED: &str = "notifications/tools/list_changed";

/// The messages that are there now.
async fn said(stream: &mut Stream) -> Vec<String> {
    settle().await;
    let words = stream.ready().0.iter().map(Seen::word).collect::<Vec<_>>();
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_change_is_told_once_on_the_newest_stream() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let mut streams = [client.get().await, client.get().await, client.get().await];
        for stream in &mut streams {
            assert!(said(stream).await.is_empty());
        }
        world.server.notify_tools_changed();
        let [old, middle, new] = &mut streams;
        assert!(said(old).await.is_empty() && said(middle).await.is_empty());
        assert_eq!(said(new).await, [CHANGED]);
        let [old, middle, new] = streams;
        drop(new);
        let mut streams = [old, middle];
        world.server.notify_tools_changed();
        assert!(said(&mut streams[0]).await.is_empty());
        assert_eq!(said(&mut streams[1]).await, [CHANGED], "the next newest takes over");
    }
}

#[tokio::test(start_paused = true)]
async fn the_next_stream_is_woken_when_the_newest_breaks() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut old = client.get().await;
    let mut new = client.get().await;
    old.ready();
    new.ready();
    let heard = tokio::spawn(async move { old.message().await });
    settle().await;
    drop(new);
    settle().await;
    world.server.notify_tools_changed();
    assert_eq!(heard.await.unwrap().unwrap().word(), CHANGED);
}

#[tokio::test(start_paused = true)]
async fn a_change_between_two_streams_is_told_on_the_next_one_once() {
    for version in REVISIONS {
        let world = World::new();
        let client = world.begin(version).await;
        let mut stream = client.get().await;
        assert!(said(&mut stream).await.is_empty());
        drop(stream);
        world.server.notify_tools_changed();
        world.server.notify_tools_changed();
        let mut stream = client.get().await;
        assert_eq!(said(&mut stream).await, [CHANGED]);
        drop(stream);
        assert!(said(&mut client.get().await).await.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn streams_are_reopened_at_once_as_often_as_a_client_likes() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(client.get().await);
    }
    settle().await;
    let ended = open.iter_mut().filter_map(|stream| stream.ready().1.then_some(())).count();
    assert_eq!(ended, 16, "a client that does not close what it leaves keeps a few streams");
    world.server.notify_tools_changed();
    assert_eq!(said(open.last_mut().unwrap()).await, [CHANGED]);
    drop(open);
    assert_eq!(world.server.counts().session_work, 0);
}

#[tokio::test(start_paused = true)]
async fn updates_are_told_to_who_subscribed_until_it_unsubscribes() {
    let world = World::new();
    let [one, two] = [world.begin(NEWEST).await, world.begin(NEWEST).await];
    let (mut of_one, mut of_two) = (one.get().await, two.get().await);
    let (uri, other) = (json!({ "uri": "test://one" }), json!({ "uri": "test://two" }));
    assert_eq!(one.ask(1, "resources/subscribe", uri.clone()).await.reply["result"], json!({}));
    assert_eq!(two.ask(1, "resources/subscribe", other).await.status, 200);
    world.server.notify_resource_updated("test://one");
    world.server.notify_resource_updated("test://one");
    assert_eq!(said(&mut of_one).await, ["notifications/resources/updated"]);
    assert!(said(&mut of_two).await.is_empty());
    assert_eq!(one.ask(2, "resources/unsubscribe", uri.clone()).await.reply["result"], json!({}));
    assert_eq!(one.ask(3, "resources/unsubscribe", uri).await.status, 200, "twice does no harm");
    world.server.notify_resource_updated("test://one");
    assert!(said(&mut of_one).await.is_empty());
    let unknown = one.ask(4, "resources/subscribe", json!({ "uri": "test://none" })).await;
    assert_eq!(unknown.code(), Some(-32002));
    assert_eq!(one.ask(5, "resources/subscribe", json!({ "uri": 7 })).await.code(), Some(-32602));
}

#[tokio::test(start_paused = true)]
async fn a_subscription_is_heard_of_wherever_the_session_goes_on() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    assert_eq!(client.ask(1, "resources/subscribe", json!({ "uri": "test://one" })).await.status, 200);
    // The process may forget what the store remembers.
    pass(300).await;
    let mut stream = client.get().await;
    assert!(said(&mut stream).await.is_empty());
    world.server.notify_resource_updated("test://one");
    assert_eq!(said(&mut stream).await, ["notifications/resources/updated"]);
}

#[tokio::test(start_paused = true)]
async fn without_the_stream_nothing_of_changes_is_offered() {
    let world = World::with(|sessions| sessions.without_get_stream());
    let welcome = world.visitor(NEWEST).initialize().await;
    let capabilities = &welcome.reply["result"]["capabilities"];
    assert!(!capabilities.to_string().contains("listChanged\":true"), "{capabilities}");
    assert!(!capabilities.to_string().contains("subscribe\":true"), "{capabilities}");
    let client = world.begin(NEWEST).await;
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let answer = client.ask(1, method, json!({ "uri": "test://one" })).await;
        assert_eq!((answer.status, answer.code()), (200, Some(-32601)));
    }
    assert_eq!(client.open().await.unwrap_err().status, 405);
    assert_eq!(client.end().await, 204);
}

#[tokio::test(start_paused = true)]
async fn streams_end_with_the_server() {
    let world = World::new();
    let client = world.begin(NEWEST).await;
    let streams = [client.get().await, client.get().await];
    let [mut old, mut new] = streams;
    let ended =
        [tokio::spawn(async move { old.rest().await }), tokio::spawn(async move { new.rest().await })];
    settle().await;
    world.server.shut_down();
    for stream in ended {
        assert!(stream.await.unwrap().iter().all(|event| event.data.is_null()));
    }
    assert_eq!(client.open().await.unwrap_err().status, 503);
}

#[tokio::test(start_paused = true)]
async fn changes_wait_until_the_client_is_initialized() {
    let world = World::new();
    let visitor = world.visitor(NEWEST);
    let id = visitor.initialize().await.session;
    let client = visitor.naming(id.as_deref());
    let mut stream = client.get().await;
    assert!(said(&mut stream).await.is_empty());
    world.server.notify_tools_changed();
    assert!(said(&mut stream).await.is_empty(), "the lifecycle forbids it");
    let heard = tokio::spawn(async move { stream.message().await });
    settle().await;
    assert_eq!(client.notify("notifications/initialized", json!({})).await, 202);
    assert_eq!(heard.await.unwrap().unwrap().word(), CHANGED);
}
