//! What is listed, to whom, in which pages, and for how long.

mod cache;
mod changes;
mod filters;
mod namespaces;
mod pages;
mod subscriptions;
mod versions;
mod visibility;
mod walk;

pub(crate) use visibility::router as visible;
