//! What tests of whole programs share: the fixture server, and a client that hides nothing.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what goes wrong here fails the test that asked for it"
)]

pub mod fixture;
pub mod http_client;
pub mod legacy_client;
pub mod message;
pub mod peer;
pub mod process;
pub mod schemas;
pub mod session;
pub mod stdio_client;
