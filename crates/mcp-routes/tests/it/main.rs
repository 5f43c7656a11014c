//! Routes as the applications that have them and the agents that use them meet them.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    reason = "a test that meets anything unexpected has failed"
)]

mod bounds;
mod calls;
mod documented;
mod extractors;
mod faults;
mod groups;
mod guards;
mod names;
mod other_routes;
mod refusals;
mod resources;
mod results;
mod schemas;
mod toolboxes;
mod troubles;
mod urls;
mod wires;
mod world;
