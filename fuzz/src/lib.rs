//! The bodies of the fuzz targets, as plain functions, so that stable tests can run them too.

mod admit;
mod decode;

pub use admit::admit;
pub use decode::decode;
