//! Names of groups that tell them apart.

use crate::routes::{Placed, slug};
use std::collections::BTreeMap;

/// Gives groups that are mounted more than once under one name names by their paths.
///
/// `rooms` that is mounted at `/v1/rooms` and `/v2/rooms` becomes `v1_rooms` and `v2_rooms`. What stays the same
/// doubles the names of tools, which is a fault when the server is built.
pub(crate) fn distinct(mut groups: Vec<Placed>) -> Vec<Placed> {
    let mut counts: BTreeMap<Box<str>, usize> = BTreeMap::new();
    for placed in &groups {
        if let Some(name) = &placed.name {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    for placed in &mut groups {
        let Some(name) = &mut placed.name else { continue };
        if counts.get(name).is_some_and(|count| *count > 1) {
            *name = by_path(&placed.base, name);
        }
    }
    groups
}

/// The segments of a path that are no parameters, and the name unless the path ends with it.
fn by_path(base: &str, name: &str) -> Box<str> {
    let literal = |part: &&str| !part.is_empty() && !part.contains('{');
    let mut parts: Vec<Box<str>> = base.split('/').filter(literal).map(slug).collect();
    if parts.last().is_none_or(|last| **last != *name) {
        parts.push(name.into());
    }
    parts.join("_").into()
}

/// The name of an item in a group.
pub(crate) fn qualified(group: Option<&str>, item: &str) -> String {
    match group {
        Some(group) if !group.is_empty() => format!("{group}_{item}"),
        _ => item.to_owned(),
    }
}
