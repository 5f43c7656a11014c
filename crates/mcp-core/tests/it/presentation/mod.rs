//! Lists that are not whole, and the tools that find and call the rest.

mod generated;
mod search;
mod search_automatic;
mod search_bounds;
mod search_quality;
mod search_run;
mod toolboxes;
mod toolboxes_build;
mod toolboxes_cost;
mod toolboxes_parity;
mod toolboxes_proxy;
mod toolboxes_sessions;
mod toolboxes_tasks;
