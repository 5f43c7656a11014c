//! A peer on a byte stream: both eras on one connection.

mod peer;
mod session;

pub use peer::Connection;
