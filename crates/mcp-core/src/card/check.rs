//! Whether the cards that tools name are there.

use super::CARD_MIME_TYPE;
use crate::registry::{Catalogue, Faults, Found};

/// Notes every tool whose card is not there, or is none.
pub(crate) fn check_cards(catalogue: &Catalogue, faults: &mut Faults) {
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
