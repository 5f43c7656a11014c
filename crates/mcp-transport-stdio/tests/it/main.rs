//! The transport as a client meets it.

mod endings;
mod fixture;
mod framing;
#[cfg(unix)]
mod process;
mod requests;
mod slow_reader;
#[cfg(unix)]
mod socket;
