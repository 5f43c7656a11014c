//! A client in the same process, for tests.

mod client;

pub use client::{Answer, TestClient};
