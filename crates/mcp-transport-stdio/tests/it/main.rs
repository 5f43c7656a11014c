//! The transport as a client meets it.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that meets anything unexpected has failed"
)]

mod endings;
mod fixture;
mod framing;
#[cfg(unix)]
mod process;
mod requests;
mod slow_reader;
#[cfg(unix)]
mod socket;
