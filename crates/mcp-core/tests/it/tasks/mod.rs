//! Calls that go on as tasks, in both dialects.

mod asking;
mod beginning;
mod core_dialect;
mod extension;
mod http;
mod life;
mod limits;
mod listening;
mod owners;
mod world;
