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

/// What the lists of a filter may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilterBounds {
    /// URIs, and ids of tasks, at most.
    pub(crate) entries: usize,
    /// The bytes of one URI.
    pub(crate) uri_bytes: usize,
    /// The bytes of all URIs.
    pub(crate) text_bytes: usize,
}

impl SubscriptionFilter {
    /// Reads a filter; unknown members are ignored, `false` and absent are the same.
    ///
    /// # Errors
    /// What is wrong, for the client.
    pub(crate) fn from_node(node: Node<'_>, bounds: FilterBounds) -> Result<Self, &'static str> {
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
                    filter.resource_subscriptions = uris(value, bounds)?;
                } else if name.eq_str("taskIds") {
                    filter.task_ids = task_ids(value, bounds.entries)?;
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

fn uris(value: Node<'_>, bounds: FilterBounds) -> Result<BTreeSet<Box<str>>, &'static str> {
    const SHAPE: &str = "`notifications.resourceSubscriptions` must be an array of URIs";
    match value.kind() {
        Kind::Null => return Ok(BTreeSet::new()),
        Kind::Array => {}
        _ => return Err(SHAPE),
    }
    if value.len() > bounds.entries {
        return Err(
            "`notifications.resourceSubscriptions` names more URIs than `limits.subscription_uris` allows",
        );
    }
    let (mut uris, mut bytes) = (BTreeSet::new(), 0);
    for uri in value.elements() {
        let text = uri.as_str().ok_or(SHAPE)?;
        if text.len() > bounds.uri_bytes {
            return Err(
                "a URI of `notifications.resourceSubscriptions` is longer than `limits.uri_bytes` allows",
            );
        }
        bytes += text.len();
        if bytes > bounds.text_bytes {
            return Err(
                "`notifications.resourceSubscriptions` has more bytes than `limits.client_text_bytes` allows",
            );
        }
        uris.insert(Box::from(&*text));
    }
    Ok(uris)
}
