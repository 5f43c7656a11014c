//! What a listening client wants to hear.

use crate::{
    json::{Kind, Node},
    ports::TaskId,
};
use std::collections::BTreeSet;

/// The kinds of change a `subscriptions/listen` stream carries.
///
/// Spec: 2026-07-28, basic/patterns/subscriptions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionFilter {
    /// Changes of the tool list.
    pub tools_list_changed: bool,
    /// Changes of the prompt list.
    pub prompts_list_changed: bool,
    /// Changes of the resource list.
    pub resources_list_changed: bool,
    /// Updates of these resources.
    pub resource_subscriptions: BTreeSet<Box<str>>,
    /// Changes of these tasks; part of the extension `io.modelcontextprotocol/tasks`.
    pub task_ids: BTreeSet<TaskId>,
}

impl SubscriptionFilter {
    /// Reads a filter; unknown members are ignored, `false` and absent are the same.
    ///
    /// # Errors
    /// What is wrong, for the client.
    pub(crate) fn from_node(node: Node<'_>, most_uris: usize) -> Result<Self, &'static str> {
        let mut filter = Self::default();
        for (name, value) in node.members() {
            let switch = if name.eq_str("toolsListChanged") {
                &mut filter.tools_list_changed
            } else if name.eq_str("promptsListChanged") {
                &mut filter.prompts_list_changed
            } else if name.eq_str("resourcesListChanged") {
                &mut filter.resources_list_changed
            } else {
                if name.eq_str("resourceSubscriptions") {
                    filter.resource_subscriptions = uris(value, most_uris)?;
                } else if name.eq_str("taskIds") {
                    filter.task_ids = task_ids(value, most_uris)?;
                }
                continue;
            };
            *switch = match value.kind() {
                Kind::Null => false,
                _ => {
                    value.as_bool().ok_or("a list-changed switch in `notifications` must be true or false")?
                }
            };
        }
        Ok(filter)
    }
}

/// What no id looks like names no task, as an unknown id does not.
fn task_ids(value: Node<'_>, most: usize) -> Result<BTreeSet<TaskId>, &'static str> {
    const SHAPE: &str = "`notifications.taskIds` must be an array of task ids";
    match value.kind() {
        Kind::Null => return Ok(BTreeSet::new()),
        Kind::Array => {}
        _ => return Err(SHAPE),
    }
    if value.len() > most {
        return Err("`notifications.taskIds` names more tasks than `limits.subscription_uris` allows");
    }
    let ids: Result<Vec<_>, _> = value.elements().map(|id| id.as_str().ok_or(SHAPE)).collect();
    Ok(ids?.iter().filter_map(|id| TaskId::parse(id)).collect())
}

fn uris(value: Node<'_>, most: usize) -> Result<BTreeSet<Box<str>>, &'static str> {
    const SHAPE: &str = "`notifications.resourceSubscriptions` must be an array of URIs";
    match value.kind() {
        Kind::Null => return Ok(BTreeSet::new()),
        Kind::Array => {}
        _ => return Err(SHAPE),
    }
    if value.len() > most {
        return Err(
            "`notifications.resourceSubscriptions` names more URIs than `limits.subscription_uris` allows",
        );
    }
    value.elements().map(|uri| uri.as_str().map(|text| Box::from(&*text)).ok_or(SHAPE)).collect()
}
