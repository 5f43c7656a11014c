//! The notes service in process.

mod asking;
mod clients;
mod service;
