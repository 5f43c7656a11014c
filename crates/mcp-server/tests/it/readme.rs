//! The README tells the defaults as they are.

use mcp_server::{
    EventLimits, Limits, SessionLimits, Sessions, files,
    http::{HttpOptions, ServeOptions},
    skills,
    stdio::StdioOptions,
};
use std::{collections::BTreeMap, time::Duration};

const README: &str = include_str!("../../../../README.md");

fn bytes(bytes: usize) -> String {
    match bytes {
        bytes if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

fn count(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

#[test]
fn every_limit_in_the_table_is_the_default() {
    let (limits, http) = (Limits::default(), HttpOptions::default());
    let (sessions, events) = (SessionLimits::default(), EventLimits::default());
    let (serve, stdio) = (ServeOptions::default(), StdioOptions::default());
    let defaults: BTreeMap<&str, String> = BTreeMap::from([
        ("limits.message.document_bytes", bytes(limits.message.document_bytes)),
        ("limits.message.depth", count(limits.message.depth)),
        ("limits.message.tokens", count(limits.message.tokens)),
        ("limits.output_bytes", bytes(limits.output_bytes)),
        ("limits.output_json.tokens", count(limits.output_json.tokens)),
        ("limits.output_json.depth", count(limits.output_json.depth)),
        ("limits.notification_bytes", bytes(limits.notification_bytes)),
        ("limits.requests_in_flight", count(limits.requests_in_flight)),
        ("limits.batch_messages", count(limits.batch_messages)),
        ("limits.blocking_calls", count(limits.blocking_calls)),
        ("limits.blocking_queue", count(limits.blocking_queue)),
        ("limits.subscriptions", count(limits.subscriptions)),
        ("limits.subscription_uris", count(limits.subscription_uris)),
        ("limits.outbox_messages", count(limits.outbox_messages)),
        ("limits.uri_bytes", bytes(limits.uri_bytes)),
        ("limits.ask_timeout", seconds(limits.ask_timeout)),
        ("limits.open_asks", count(limits.open_asks)),
        ("limits.sampling_rounds", limits.sampling_rounds.to_string()),
        ("limits.sampling_calls", count(limits.sampling_calls)),
        ("limits.sampling_depth", limits.sampling_depth.to_string()),
        ("limits.ask_rounds", limits.ask_rounds.to_string()),
        ("limits.ask_state_bytes", bytes(limits.ask_state_bytes)),
        ("limits.ask_state_ttl", seconds(limits.ask_state_ttl)),
        ("limits.call_timeout", seconds(limits.call_timeout.unwrap())),
        ("limits.teardown", seconds(limits.teardown)),
        ("sessions.limits.total", count(sessions.total)),
        ("sessions.limits.per_principal", count(sessions.per_principal)),
        ("sessions.limits.text_bytes", bytes(sessions.text_bytes)),
        ("sessions.limits.subscriptions", count(sessions.subscriptions)),
        ("sessions.limits.idle_ttl", seconds(sessions.idle_ttl)),
        ("sessions.limits.opening_ttl", seconds(sessions.opening_ttl)),
        ("sessions.event_limits.stream_events", count(events.stream_events)),
        ("sessions.event_limits.stream_bytes", bytes(events.stream_bytes)),
        ("sessions.event_limits.session_streams", count(events.session_streams)),
        ("sessions.event_limits.total_streams", count(events.total_streams)),
        ("sessions.event_limits.total_bytes", bytes(events.total_bytes)),
        ("sessions.event_limits.age", seconds(events.age)),
        ("sessions.retry", seconds(Sessions::DEFAULT_RETRY)),
        ("HttpOptions::body_bytes", bytes(http.body_bytes)),
        ("HttpOptions::body_timeout", seconds(http.body_timeout)),
        ("HttpOptions::request_deadline", http.request_deadline.map_or("off".to_owned(), seconds)),
        ("HttpOptions::max_streams", count(http.max_streams)),
        ("HttpOptions::keep_alive", seconds(http.keep_alive.unwrap())),
        ("ServeOptions::max_connections", count(serve.max_connections)),
        ("ServeOptions::head_bytes", bytes(serve.head_bytes)),
        ("ServeOptions::head_timeout", seconds(serve.head_timeout)),
        ("ServeOptions::max_headers", count(serve.max_headers)),
        ("ServeOptions::read_timeout", seconds(serve.read_timeout.unwrap())),
        ("ServeOptions::idle_timeout", seconds(serve.idle_timeout.unwrap())),
        ("ServeOptions::max_http2_streams", serve.max_http2_streams.to_string()),
        ("ServeOptions::max_http2_resets", serve.max_http2_resets.to_string()),
        ("ServeOptions::http2_ping", seconds(serve.http2_ping.unwrap())),
        ("ServeOptions::write_timeout", seconds(serve.write_timeout)),
        ("ServeOptions::grace", seconds(serve.grace)),
        ("StdioOptions::line_bytes", bytes(stdio.line_bytes)),
        ("StdioOptions::grace", seconds(stdio.grace)),
        ("StdioOptions::connections", count(stdio.connections)),
        ("skills::MAX_SKILL_FILES", count(skills::MAX_SKILL_FILES)),
        ("skills::MAX_SKILL_BYTES", bytes(usize::try_from(skills::MAX_SKILL_BYTES).unwrap())),
        ("skills::MAX_FRONT_MATTER_BYTES", bytes(skills::MAX_FRONT_MATTER_BYTES)),
        ("files::MAX_FILE_BYTES", bytes(usize::try_from(files::MAX_FILE_BYTES).unwrap())),
        ("files::MAX_ICON_BYTES", bytes(usize::try_from(files::MAX_ICON_BYTES).unwrap())),
    ]);
    let (_, section) = README.split_once("## Limits").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let told: BTreeMap<&str, String> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .map(|(setting, rest)| (setting, rest.split(" | ").next().unwrap().to_owned()))
        .collect();
    assert_eq!(told, defaults);
}

#[test]
fn every_link_within_the_repository_leads_to_a_file() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (at, _) in README.match_indices("](") {
        let target = README[at + 2..].split(')').next().unwrap();
        if !target.contains("://") && !target.starts_with('#') {
            assert!(root.join(target).exists(), "{target}");
        }
    }
}
