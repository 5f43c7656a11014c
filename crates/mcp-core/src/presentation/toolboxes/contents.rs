//! What is in the toolboxes, as one caller sees it.

use crate::{
    context::Context,
    handler::ProtocolError,
    lower::ListKind,
    page::Sight,
    registry::{PromptEntry, ToolEntry, Toolbox},
    view::Listed,
};
use std::collections::HashMap;

/// A toolbox with what is in it for a caller, beside what is always listed.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    pub(super) toolbox: &'a Toolbox,
    pub(super) tools: Vec<&'a ToolEntry>,
    pub(super) prompts: Vec<&'a PromptEntry>,
}

/// The toolboxes, or the one of a name, that have something in them for the caller: what its lists would show if the
/// toolbox were open, but for tools that models may not call.
///
/// # Errors
/// When a policy cannot tell what the caller sees.
pub(super) async fn offered<'a>(
    context: &'a Context,
    only: Option<&str>,
) -> Result<Vec<Contents<'a>>, ProtocolError> {
    let catalogue = &*context.0.catalogue;
    let wanted =
        catalogue.toolboxes().iter().filter(|toolbox| only.is_none_or(|name| *toolbox.name == *name));
    let mut all: Vec<_> =
        wanted.map(|toolbox| Contents { toolbox, tools: Vec::new(), prompts: Vec::new() }).collect();
    let places: HashMap<&str, usize> =
        all.iter().enumerate().map(|(place, contents)| (&*contents.toolbox.name, place)).collect();
    let place_of = |listed: &Listed| {
        let inside = listed.toolbox().filter(|_| !listed.is_root());
        inside.and_then(|toolbox| places.get(toolbox).copied())
    };
    let sight = Sight::of(context, ListKind::Tools);
    for (number, tool) in catalogue.listed_tools().iter().enumerate() {
        let Some(listed) = Listed::at(catalogue, ListKind::Tools, number) else { break };
        let place = place_of(&listed).filter(|_| tool.definition.visibility.includes_model());
        if let Some(contents) = place.and_then(|place| all.get_mut(place))
            && sight.may_see(listed).await?
        {
            contents.tools.push(tool);
        }
    }
    let sight = Sight::of(context, ListKind::Prompts);
    for (number, prompt) in catalogue.prompts().iter().enumerate() {
        let Some(listed) = Listed::at(catalogue, ListKind::Prompts, number) else { break };
        if let Some(contents) = place_of(&listed).and_then(|place| all.get_mut(place))
            && sight.may_see(listed).await?
        {
            contents.prompts.push(prompt);
        }
    }
    all.retain(|contents| !contents.tools.is_empty() || !contents.prompts.is_empty());
    Ok(all)
}
