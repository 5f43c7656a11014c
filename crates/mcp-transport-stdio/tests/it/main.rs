//! The transport as a client meets it.

mod fixture;
mod framing;
mod requests;
