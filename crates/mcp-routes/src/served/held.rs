//! What holds of an item where it is offered, the groups around it considered.

use crate::{
    expose::{Shared, Shown},
    routes::Placed,
};
use mcp_core::registry::{McpRouter, Toolbox};

/// Where an item is offered.
#[derive(Clone, Copy)]
pub(super) enum Offered<'a> {
    /// In the main server.
    Main,
    /// In the endpoint of a group, by number, whose URL binds these parameters.
    Endpoint(usize, &'a [Box<str>]),
}

/// What holds of an item, all groups around it considered.
pub(super) fn shared_of(
    own: &Shared,
    groups: &[Placed],
    number: usize,
    placed: &Placed,
    offered: Offered<'_>,
) -> Shared {
    let mut shared = own.clone();
    let around = placed.within.iter().rev().copied();
    for at in [number].into_iter().chain(around) {
        let Some(outer) = groups.get(at) else { continue };
        let mut outer_shared = outer.group.shared.clone();
        match offered {
            // A group that is an endpoint of its own is hidden from the main server, unless it says otherwise.
            Offered::Main if outer.group.endpoint.is_some() => {
                outer_shared.shown = outer_shared.shown.or(Some(Shown::No));
            }
            // In its own endpoint a group is not hidden by what it, or a group around it, says of the main server.
            Offered::Endpoint(own, _) if at <= own => outer_shared.shown = None,
            _ => {}
        }
        shared = shared.within(&outer_shared);
    }
    shared
}

pub(super) fn is_hidden(shared: &Shared) -> bool {
    shared.shown == Some(Shown::No)
}

/// Puts a group's items into a toolbox of their own.
pub(super) fn boxed(router: McpRouter, placed: &Placed) -> McpRouter {
    // A group whose name is empty puts its items among those outside of it.
    let name = placed.name.clone().filter(|name| !name.is_empty() && router.has_tools_or_prompts());
    let Some(name) = name else { return router };
    let description = placed.group.description.clone();
    let description = description.unwrap_or_else(|| format!("What is served below `{}`", placed.base).into());
    let toolbox = Toolbox::new(name, description);
    router.toolbox(placed.group.shared.icons.iter().cloned().fold(toolbox, Toolbox::icon))
}
