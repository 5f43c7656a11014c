//! Sessions of handshake clients over HTTP, on a virtual clock; each module is one subject.

mod batches;
mod calls;
mod changes;
mod faults;
mod ids;
mod lifetime;
mod limits;
pub(crate) mod moody;
mod order;
mod random;
mod resumption;
mod tools;
mod visibility;
pub(crate) mod world;
