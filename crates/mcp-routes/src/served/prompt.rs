//! The arguments of prompts that routes make.

use crate::{describe::Place, expose::Expose, operation::Resolved};
use mcp_core::{
    protocol::PromptArgument,
    schema::{Contract, Presence, generator},
};

/// The arguments of a prompt: texts, from the path and the query string.
pub(super) fn prompt_arguments(
    resolved: &Resolved,
    bound: &[Box<str>],
    expose: &Expose,
) -> Vec<PromptArgument> {
    let taken = |place: Place| matches!(place, Place::Path | Place::Query);
    let open = resolved.slots.iter().filter(|slot| taken(slot.place) && !bound.contains(&slot.name));
    open.map(|slot| {
        let argument = match slot.presence {
            Presence::Required => PromptArgument::required(slot.name.clone()),
            Presence::Optional => PromptArgument::optional(slot.name.clone()),
        };
        let said =
            expose.texts.iter().rev().find(|(name, _)| *name == slot.name).map(|(_, text)| text.clone());
        let schema = slot.schema.make(&mut generator(Contract::Reads)).to_value();
        let typed = || schema.get("description").and_then(serde_json::Value::as_str).map(Box::from);
        match said.or_else(|| slot.description.clone()).or_else(typed) {
            Some(text) => argument.description(text),
            None => argument,
        }
    })
    .collect()
}
