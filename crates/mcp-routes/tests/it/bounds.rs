//! Responses that are too large or never end.

use crate::world::{call, faults, world};
use axum::{
    body::{Body, Bytes},
    response::{IntoResponse, Response, Sse, sse::Event},
};
use futures_util::{StreamExt, stream};
use http::Method;
use mcp_server::routes::{Expose, Parameter, RouteOptions, Routes, by_hand};
use serde_json::json;
use std::{convert::Infallible, io::Write, time::Duration};

fn answering(respond: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Routes {
    let handler = move || std::future::ready(respond());
    Routes::new().route("/it", by_hand(Method::GET, handler).tool(Expose::new("Answers").name("it")))
}

#[tokio::test]
async fn a_stream_is_read_to_its_end() {
    let events = || {
        let events = ["one", "two"].map(|text| Ok::<_, Infallible>(Event::default().data(text)));
        Sse::new(stream::iter(events)).into_response()
    };
    let reply = call(&world(answering(events)), "it", json!({}), &[]).await;
    assert_eq!(reply.text(), "data: one\n\ndata: two\n\n");
    let pieces = || {
        let pieces = ["{\"a\":", "[1,", "2]}"].map(|text| Ok::<_, Infallible>(Bytes::from(text)));
        ([("content-type", "application/json")], Body::from_stream(stream::iter(pieces))).into_response()
    };
    let reply = call(&world(answering(pieces)), "it", json!({}), &[]).await;
    assert_eq!(reply.result()["structuredContent"], json!({ "a": [1, 2] }));
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_end_is_given_up_and_nothing_of_it_is_returned() {
    let endless = || {
        Body::from_stream(stream::once(async { Ok::<_, Infallible>("begun") }).chain(stream::pending()))
            .into_response()
    };
    let options = RouteOptions::default().response_time(Duration::from_secs(2));
    let reply = call(&world(answering(endless).options(options)), "it", json!({}), &[]).await;
    assert!(reply.is_error() && reply.text().contains("response_time"), "{reply:?}");
    assert!(!reply.body.to_string().contains("begun"));
}

#[tokio::test]
async fn a_response_at_the_limit_passes_and_one_beyond_does_not() {
    for (bytes, passes) in [(2048, true), (2049, false)] {
        let large = move || "x".repeat(bytes).into_response();
        let options = RouteOptions::default().response_bytes(2048);
        let reply = call(&world(answering(large).options(options)), "it", json!({}), &[]).await;
        assert_eq!(!reply.is_error(), passes, "{bytes}");
        assert!(passes || reply.text().contains("response_bytes"), "{reply:?}");
    }
}

#[tokio::test]
async fn a_bomb_is_not_unpacked() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b'x'; 50 * 1024 * 1024]).unwrap();
    let bomb = encoder.finish().unwrap();
    let respond = move || {
        ([("content-encoding", "gzip"), ("content-type", "text/plain")], bomb.clone()).into_response()
    };
    let reply = call(&world(answering(respond)), "it", json!({}), &[]).await;
    assert!(reply.is_error() && reply.text().contains("larger than 5242880 bytes"), "{reply:?}");
    assert!(reply.text().contains("(setting: response_bytes)"), "{reply:?}");
}

#[tokio::test]
async fn a_response_is_as_large_as_it_is_once_decoded() {
    for (bytes, passes) in [(2048, true), (2049, false)] {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![b'x'; bytes]).unwrap();
        let encoded = encoder.finish().unwrap();
        let respond = move || {
            ([("content-encoding", "gzip"), ("content-type", "text/plain")], encoded.clone()).into_response()
        };
        let options = RouteOptions::default().response_bytes(2048);
        let reply = call(&world(answering(respond).options(options)), "it", json!({}), &[]).await;
        assert_eq!(!reply.is_error(), passes, "{bytes}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_failure() {
    let broken = || {
        let pieces = vec![Ok("begun"), Err(std::io::Error::other("a secret"))];
        Body::from_stream(stream::iter(pieces)).into_response()
    };
    let reply = call(&world(answering(broken)), "it", json!({}), &[]).await;
    assert!(reply.is_error() && reply.text().contains("broke off"), "{reply:?}");
    assert!(!reply.body.to_string().contains("secret"));
}

#[test]
fn settings_out_of_range_are_faults() {
    let options = RouteOptions::default().response_bytes(1).response_time(Duration::ZERO);
    let told = faults(answering(|| "x".into_response()).options(options));
    assert!(told.contains("response_bytes") && told.contains("response_time"), "{told}");
}

#[tokio::test]
async fn a_stream_that_is_always_ready_and_gives_nothing_is_given_up_too() {
    let empty =
        || Body::from_stream(stream::repeat_with(|| Ok::<_, Infallible>(Bytes::new()))).into_response();
    let options = RouteOptions::default().response_time(Duration::from_millis(20));
    let reply = call(&world(answering(empty).options(options)), "it", json!({}), &[]).await;
    assert!(reply.is_error() && reply.text().contains("response_time"), "{reply:?}");
}

#[tokio::test]
async fn a_url_that_arguments_make_too_long_is_refused_by_name() {
    let route = by_hand(Method::GET, async || "x").parameter(Parameter::query::<String>("text"));
    let world = world(Routes::new().route("/it", route.tool(Expose::new("Takes it").name("it"))));
    let reply = call(&world, "it", json!({ "text": "x".repeat(70_000) }), &[]).await;
    assert!(reply.is_error() && reply.text().contains("too long"), "{reply:?}");
}

#[test]
fn settings_may_be_at_the_ends_of_their_ranges() {
    let hour = Duration::from_secs(3_600);
    for (bytes, time, fits) in [
        (1_024, Duration::from_millis(1), true),
        (64 << 20, hour, true),
        (1_023, Duration::from_micros(999), false),
        ((64 << 20) + 1, hour + Duration::from_nanos(1), false),
    ] {
        let options = RouteOptions::default().response_bytes(bytes).response_time(time);
        let built = crate::world::try_world(answering(|| "x".into_response()).options(options));
        let told = built.err().map_or_else(String::new, |error| error.to_string());
        assert_eq!(!told.contains("response_bytes"), fits, "{bytes}: {told}");
        assert_eq!(!told.contains("response_time"), fits, "{time:?}: {told}");
    }
}
