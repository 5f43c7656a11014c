//! A client in the same process, for tests.

mod asked;
mod client;

pub use asked::Asked;
pub use client::{Answer, TestClient};
