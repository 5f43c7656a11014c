//! A resource that is a card: its settings, and the version under which hosts may keep it.

use super::{CARD_MIME_TYPE, CardSettings, UI, own_key};
use crate::{
    protocol::{CacheHints, Meta, ResourceContents},
    registry::Faults,
};
use serde_json::Value;
use std::{sync::Arc, time::Duration};

/// The most bytes of a version.
const MAX_CARD_VERSION_BYTES: usize = 64;

/// How long clients may keep what they read by its version: nothing else will be under that URI.
const VERSION_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// What an author says of a card.
#[derive(Clone, Debug, Default)]
pub(crate) struct CardDefinition {
    pub(crate) settings: CardSettings,
    pub(crate) version: Option<Box<str>>,
}

/// A card as it is served.
#[derive(Clone, Debug)]
pub(crate) struct CardEntry {
    /// What goes into the `_meta` of its contents.
    ui: Option<Arc<Value>>,
    version: Option<Box<str>>,
}

impl CardDefinition {
    /// Checks a card, and writes what it is into what is listed.
    pub(crate) fn compile(
        self,
        (subject, uri): (&str, &str),
        mime_type: &mut Option<Box<str>>,
        meta: &mut Meta,
        faults: &mut Faults,
    ) -> CardEntry {
        if !uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("ui://")) {
            faults.add(subject, "the URI of a card begins with `ui://`");
        }
        if mime_type.as_deref().is_some_and(|declared| declared != CARD_MIME_TYPE) {
            faults.add(subject, format!("a card has the media type `{CARD_MIME_TYPE}`; take out the other"));
        }
        *mime_type = Some(CARD_MIME_TYPE.into());
        if let Some(key) = own_key(meta) {
            faults.add(subject, format!("`_meta` has `{key}`, which `.card(…)` writes; take it out"));
        }
        for fault in self.settings.check().err().iter().flat_map(super::CardFaults::iter) {
            faults.add(subject, fault);
        }
        if let Some(version) = &self.version {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
            if version.is_empty() || version.len() > MAX_CARD_VERSION_BYTES || !version.bytes().all(fits) {
                faults
                    .add(subject, "the version of a card has 1 to 64 letters, digits, `-`, `.`, `_` or `~`");
            }
            if uri.contains(['?', '#', '{']) {
                faults.add(subject, "a card with a version has one URI, without a query of its own");
            }
        }
        let ui = self.settings.to_value();
        if let Some(ui) = &ui {
            meta.insert(UI.into(), ui.clone());
        }
        CardEntry { ui: ui.map(Arc::new), version: self.version }
    }
}

impl CardEntry {
    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Tells whether the query of a URI names the card in exactly the version that it has.
    pub(crate) fn is_named_by(&self, query: &str) -> bool {
        self.version.is_some() && query.strip_prefix("v=") == self.version()
    }

    /// How long what is read by this key may be kept, at least as long as the author says.
    pub(crate) fn cache(&self, key: &str, author: CacheHints) -> CacheHints {
        match key.split_once('?').is_some_and(|(_, query)| self.is_named_by(query)) {
            true => CacheHints { ttl: author.ttl.max(VERSION_TTL), ..author },
            false => author,
        }
    }

    /// Tells in the contents what the card asks of its host, unless its handler did: hosts believe the contents first.
    pub(crate) fn complete(&self, contents: &mut [ResourceContents]) {
        let Some(ui) = &self.ui else { return };
        for item in contents {
            item.meta.entry(UI).or_insert_with(|| (**ui).clone());
        }
    }
}
