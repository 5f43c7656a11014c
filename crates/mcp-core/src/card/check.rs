//! Whether the cards that tools name are there, and whether hosts can read them.

use super::CARD_MIME_TYPE;
use crate::registry::{Catalogue, Faults, Found};

/// Notes every tool whose card is not there, or is none, and every card that no reply has room for.
pub(crate) fn check_cards(catalogue: &Catalogue, output_bytes: usize, faults: &mut Faults) {
    for entry in catalogue.static_resources().iter().filter(|entry| entry.card.is_some()) {
        // Escapes make the text longer, never shorter, so one that is a little below may still find no room.
        let most = u64::try_from(output_bytes).unwrap_or(u64::MAX);
        if let Some(size) = entry.resource.size.filter(|size| *size > most) {
            faults.add(
                format!("resource `{}`", entry.resource.uri),
                format!(
                    "the card has {size} bytes, and a reply at most {most}, so no host could read it; make it \
                     smaller, or raise `limits.output_bytes`"
                ),
            );
        }
    }
    for tool in catalogue.every_tool() {
        let Some(uri) = tool.definition.card.as_deref() else { continue };
        let subject = format!("tool `{}`", tool.name);
        let declared = match catalogue.resource(uri) {
            Some(Found::Static(entry)) => entry.resource.mime_type.clone(),
            Some(Found::Template(entry, _)) => entry.definition.mime_type.clone(),
            None => {
                faults.add(
                    subject,
                    format!("there is no card `{uri}`; put the file into the folder of cards, or register a resource of this URI"),
                );
                continue;
            }
        };
        if declared.as_deref() != Some(CARD_MIME_TYPE) {
            faults.add(
                subject,
                format!("the resource `{uri}` is no card; register it with `.card(CardSettings::new())`"),
            );
        }
    }
}
