//! The bodies of the fuzz targets, as plain functions, so that stable tests can run them too.

mod decode;

pub use decode::decode;
