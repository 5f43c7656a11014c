//! The names of the three tools, which are taken.

pub(super) const SEARCH: &str = "search_tools";
pub(super) const DESCRIBE: &str = "describe_tools";
pub(super) const RUN: &str = "run_tools";

/// Tells whether a name is one of the three.
pub(super) fn is_name(name: &str) -> bool {
    [SEARCH, DESCRIBE, RUN].contains(&name)
}
