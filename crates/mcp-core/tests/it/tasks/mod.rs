//! Calls that go on as tasks, in both dialects.

mod asking;
mod beginning;
mod core_dialect;
mod extension;
mod faults;
mod http;
mod life;
mod limits;
mod listening;
mod moody;
mod nodes;
mod owners;
mod posts;
mod random;
pub(crate) mod sent;
mod shutdown;
mod waiting;
mod within;
pub(crate) mod world;
