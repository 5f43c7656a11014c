//! What a routed call costs in allocations, beside the same route over HTTP: the gate that keeps it as it is.
//!
//! Counts what is allocated between taking a request and giving its whole answer, in this process, without sockets.
//! Run `cargo test -p mcp-routes --test allocations -- --nocapture` to see the numbers.

mod measured;

use axum::{Router, body::Body};
use bytes::Bytes;
use http::Request;
use measured::{answer, application, call, get_sum, post_sum, runtime, without_route};

/// What a routed call may allocate beyond what a call of a tool and the route over HTTP allocate each.
const MOST_MORE: u64 = 24;

/// Allocations from taking a request to the end of its answer, which must hold a text.
fn allocations(router: &mut Router, request: impl Fn() -> Request<Body>, expected: &str) -> u64 {
    let runtime = runtime();
    let mut counted = 0;
    // The first calls fill what is made once.
    for _ in 0..5 {
        let request = request();
        let mut answered = Bytes::new();
        let info = allocation_counter::measure(|| answered = answer(&runtime, router, request));
        let text = String::from_utf8_lossy(&answered);
        assert!(text.contains(expected), "{text}");
        counted = info.count_total;
    }
    counted
}

/// A route as people ask for it, and the call of it.
struct Compared {
    method: &'static str,
    request: fn() -> Request<Body>,
    tool: &'static str,
    arguments: &'static str,
}

const COMPARED: [Compared; 2] = [
    Compared { method: "GET", request: get_sum, tool: "add", arguments: r#"{"a":2,"b":40}"# },
    Compared { method: "POST", request: post_sum, tool: "keep", arguments: r#"{"body":{"sum":42}}"# },
];

#[test]
fn a_routed_call_costs_little_more_than_a_call_and_the_route() {
    let (mut application, mut without_route) = (application(), without_route());
    let sum = r#""sum":42"#;
    let own = allocations(&mut without_route, || call("add", r#"{"a":2,"b":40}"#), sum);
    println!("a tool that is no route: {own} allocations");
    for Compared { method, request, tool, arguments } in COMPARED {
        let plain = allocations(&mut application, request, sum);
        let routed = allocations(&mut application, || call(tool, arguments), sum);
        let (more, ratio) = (routed.saturating_sub(own + plain), routed as f64 / plain as f64);
        println!(
            "{method} over HTTP: {plain}; routed: {routed}, {ratio:.1} times as many; beyond both: {more}"
        );
        assert!(more <= MOST_MORE, "{tool}: {more} allocations beyond a call and the route, not {MOST_MORE}");
    }
}
