//! How fast the progress of a call is told.

use crate::wire::{HANDSHAKE, MODERN, connect, modern, plain, read, shaken, with_meta};
use futures_util::StreamExt as _;
use mcp_core::{
    exchange::{Exchange, Outgoing},
    extract::Progress,
    handler::blocking,
    registry::{McpRouter, tool},
    server::{Limits, Server},
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const INTERVAL: Duration = Duration::from_millis(100);

async fn flood(progress: Progress) -> &'static str {
    for done in 1..=1_000 {
        progress.report(f64::from(done), 1_000.0);
    }
    "done"
}

/// Reports much at once, and is silent for a long time.
async fn silence(progress: Progress) -> &'static str {
    for done in 1..=50 {
        progress.report(f64::from(done), None);
    }
    sleep(Duration::from_secs(1_800)).await;
    "done"
}

async fn steady(progress: Progress) -> &'static str {
    for done in 1..=100 {
        progress.report(f64::from(done), None);
        sleep(Duration::from_millis(20)).await;
    }
    "done"
}

async fn slow(progress: Progress) -> &'static str {
    for done in 1..=30 {
        progress.report(f64::from(done), None);
        sleep(INTERVAL).await;
    }
    "done"
}

/// Values that do not grow, with some that wait.
async fn back_and_forth(progress: Progress) -> &'static str {
    for done in [1.0, 5.0, 4.0, 6.0, 2.0, f64::NAN, 6.0, 7.0, f64::INFINITY, 3.0] {
        progress.report(done, None);
    }
    "done"
}

fn server(limits: Limits) -> Server {
    let apart = blocking(|progress: Progress| {
        for done in 1..=50 {
            progress.report(f64::from(done), None);
        }
        "done"
    });
    let router = McpRouter::new()
        .tool("flood", tool(flood).describe("."))
        .tool("silence", tool(silence).describe("."))
        .tool("steady", tool(steady).describe("."))
        .tool("slow", tool(slow).describe("."))
        .tool("back_and_forth", tool(back_and_forth).describe("."))
        .tool("apart", tool(apart).describe("."));
    crate::wire::serving(router).limits(limits).build().unwrap()
}

/// The same call in both eras.
async fn calls(server: &Server, name: &str) -> [Exchange; 2] {
    let params = || json!({ "name": name, "_meta": { "progressToken": "t" } });
    let old = plain(1, "tools/call", params());
    let new = with_meta(modern(1, "tools/call", params()), json!({ "progressToken": "t" }));
    let mut session = shaken(server, HANDSHAKE).await;
    let mut stateless = connect(server);
    assert_eq!(MODERN.as_str(), "2026-07-28");
    [&mut session, &mut stateless]
        .into_iter()
        .zip([old, new])
        .map(|(connection, message)| crate::wire::receive(connection, &message).unwrap())
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

/// The progress that is told, each with the time since the call began; the reply comes last.
async fn told(mut exchange: Exchange) -> Vec<(u64, Duration)> {
    let begin = Instant::now();
    let mut told = Vec::new();
    while let Some(message) = exchange.next().await {
        match message {
            Outgoing::Notification(bytes) => {
                let value: Value = read(&bytes);
                assert_eq!(value["method"], "notifications/progress");
                told.push((value["params"]["progress"].as_f64().unwrap() as u64, begin.elapsed()));
            }
            Outgoing::Reply(reply) => {
                assert_eq!(read(&reply.body)["result"]["content"][0]["text"], "done");
                assert!(exchange.next().await.is_none(), "nothing follows the reply");
                return told;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("no reply");
}

fn values(told: &[(u64, Duration)]) -> Vec<u64> {
    told.iter().map(|(value, _)| *value).collect()
}

#[tokio::test(start_paused = true)]
async fn of_a_flood_the_first_reports_and_the_last_go_out_and_nobody_waits() {
    let server = server(Limits::default());
    for call in calls(&server, "flood").await {
        let begin = Instant::now();
        let told = told(call).await;
        assert_eq!(values(&told), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1_000]);
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }
}

#[tokio::test(start_paused = true)]
async fn the_newest_report_goes_out_when_its_time_comes_though_the_handler_says_nothing_more() {
    let server = server(Limits::default());
    for call in calls(&server, "silence").await {
        let told = told(call).await;
        assert_eq!(values(&told), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50]);
        let (_, when) = told[10];
        assert!((INTERVAL..INTERVAL + Duration::from_millis(2)).contains(&when), "{when:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_steady_stream_is_thinned_to_one_report_in_each_interval() {
    let server = server(Limits { progress_burst: 3, ..Limits::default() });
    for call in calls(&server, "steady").await {
        let told = told(call).await;
        // Two seconds: three at once, one in each tenth of a second, and the last.
        assert!((20..=24).contains(&told.len()), "{told:?}");
        assert_eq!(told.last().unwrap().0, 100);
        let late: Vec<_> = told[3..told.len() - 1].windows(2).map(|two| two[1].1 - two[0].1).collect();
        assert!(late.iter().all(|gap| *gap + Duration::from_millis(2) >= INTERVAL), "{late:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn reports_no_faster_than_the_interval_all_go_out() {
    let server = server(Limits { progress_burst: 1, ..Limits::default() });
    for call in calls(&server, "slow").await {
        assert_eq!(values(&told(call).await), (1..=30).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn what_waits_grows_like_what_goes_out() {
    for burst in [1, 2, 10] {
        let server = server(Limits { progress_burst: burst, ..Limits::default() });
        for call in calls(&server, "back_and_forth").await {
            let told = values(&told(call).await);
            let expected: &[u64] = match burst {
                1 => &[1, 7],
                2 => &[1, 5, 7],
                _ => &[1, 5, 6, 7],
            };
            assert_eq!(told, expected, "{burst}");
        }
    }
}

#[tokio::test]
async fn a_report_from_another_thread_is_held_and_told_too() {
    let server = server(Limits { progress_burst: 2, ..Limits::default() });
    for call in calls(&server, "apart").await {
        let told = values(&told(call).await);
        assert_eq!(told.first(), Some(&1));
        assert_eq!(told.last(), Some(&50));
        assert!(told.len() <= 4 && told.is_sorted(), "{told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_token_nothing_is_told_or_held() {
    let server = server(Limits::default());
    let mut connection = connect(&server);
    let message = modern(1, "tools/call", json!({ "name": "flood" }));
    let call = crate::wire::receive(&mut connection, &message).unwrap();
    assert_eq!(told(call).await, []);
}
