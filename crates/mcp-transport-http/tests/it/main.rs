//! The endpoint as HTTP clients, browsers, proxies and embedding applications meet it.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    reason = "a test that meets anything unexpected has failed"
)]

mod admission;
mod answer;
mod application;
mod authentication;
mod cache;
mod eras;
mod heads;
mod legacy_sse;
mod request;
mod serving;
mod streams;
mod wire;
