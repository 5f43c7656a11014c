//! Whether a resource's URI names just what its route's path does.

use crate::{
    describe::Place,
    operation::{PathTemplate, Resolved},
};
use mcp_core::{schema::Presence, uri::UriTemplate};
use std::collections::BTreeSet;

/// Notes variables that the path does not have, and parameters that the URI does not give.
pub(crate) fn check_variables(
    uri: &str,
    template: &PathTemplate,
    bound: &[Box<str>],
    resolved: &Resolved,
    problems: &mut Vec<String>,
) {
    // What is wrong with the URI itself is found when the server is built.
    let variables: BTreeSet<Box<str>> = match UriTemplate::parse(uri) {
        Ok(template) => template.variable_names().map(Box::from).collect(),
        Err(_) => BTreeSet::new(),
    };
    let is_query = |name: &str| resolved.slot(name).is_some_and(|slot| slot.place == Place::Query);
    for name in &variables {
        if !template.parameters().any(|known| known == &**name) && !is_query(name) {
            problems.push(format!("its variable `{name}` is no parameter of the path `{template}`"));
        }
    }
    for name in template.parameters() {
        if !variables.iter().any(|known| **known == *name) && !bound.iter().any(|known| **known == *name) {
            problems.push(format!(
                "it does not give the path parameter `{name}` of `{template}`; add `{{{name}}}` to it"
            ));
        }
    }
    for slot in &resolved.slots {
        if slot.place != Place::Path && slot.presence == Presence::Required && !variables.contains(&slot.name)
        {
            problems.push(format!("its route needs `{}`, which no URI gives", slot.name));
        }
    }
}
