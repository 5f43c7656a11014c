//! The bodies of the fuzz targets, as plain functions, so that stable tests can run them too.

mod admit;
mod decode;
mod state;

pub use admit::admit;
pub use decode::decode;
pub use state::state;
