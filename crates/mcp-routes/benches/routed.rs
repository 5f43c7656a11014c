//! What a routed call costs beside the same route over HTTP and beside a tool that is no route.
//!
//! In one process, without sockets: from a request to the end of its answer. Run:
//! `cargo bench -p mcp-routes --bench routed`. Its first lines are the ratios.
//!
//! On two cores of a shared machine: a GET 1.5 µs over HTTP and 7.4 µs routed (4.8 times as long), a POST 1.9 µs and
//! 7.2 µs (3.8 times); the same tool without a route 4.4 µs. So a routed call is a call, and the route, and a quarter of
//! both; and of its 71 to 73 allocations 21 to 23 belong to neither.

#[path = "../tests/measured/mod.rs"]
mod measured;

use axum::{Router, body::Body};
use divan::{AllocProfiler, Bencher};
use http::Request;
use measured::{answer, application, call, get_sum, post_sum, runtime, without_route};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn served(bencher: Bencher<'_, '_>, mut router: Router, request: impl Fn() -> Request<Body> + Sync) {
    let runtime = runtime();
    bencher.with_inputs(request).bench_local_values(|request| answer(&runtime, &mut router, request));
}

fn add() -> Request<Body> {
    call("add", r#"{"a":2,"b":40}"#)
}

fn keep() -> Request<Body> {
    call("keep", r#"{"body":{"sum":42}}"#)
}

#[divan::bench]
fn get_over_http(bencher: Bencher<'_, '_>) {
    served(bencher, application(), get_sum);
}

#[divan::bench]
fn get_routed(bencher: Bencher<'_, '_>) {
    served(bencher, application(), add);
}

#[divan::bench]
fn post_over_http(bencher: Bencher<'_, '_>) {
    served(bencher, application(), post_sum);
}

#[divan::bench]
fn post_routed(bencher: Bencher<'_, '_>) {
    served(bencher, application(), keep);
}

#[divan::bench]
fn tool_without_route(bencher: Bencher<'_, '_>) {
    served(bencher, without_route(), add);
}

/// How often each request of a comparison is made, in turns, so that what disturbs the machine disturbs both.
const TURNS: usize = 20_000;

/// The median time of a request.
fn medians(requests: [fn() -> Request<Body>; 2]) -> [Duration; 2] {
    let (runtime, mut router) = (runtime(), application());
    let mut times = requests.map(|_| Vec::with_capacity(TURNS));
    for _ in 0..TURNS {
        for (request, times) in requests.iter().zip(&mut times) {
            let request = request();
            let begin = Instant::now();
            divan::black_box(answer(&runtime, &mut router, request));
            times.push(begin.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times.get(TURNS / 2).copied().unwrap_or_default()
    })
}

#[expect(clippy::print_stdout, reason = "a bench prints what it finds")]
fn main() {
    for (method, requests) in [("GET", [get_sum as fn() -> Request<Body>, add]), ("POST", [post_sum, keep])] {
        let [plain, routed] = medians(requests);
        let ratio = routed.as_secs_f64() / plain.as_secs_f64();
        println!("{method}: over HTTP {plain:.1?}, routed {routed:.1?}: {ratio:.1} times as long");
    }
    divan::main();
}
