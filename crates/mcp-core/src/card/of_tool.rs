//! What a tool says about its card and about who may call it.

use super::{LEGACY_RESOURCE_URI, UI, own_key};
use crate::{
    protocol::Meta,
    registry::{Faults, ToolDefinition, ToolVisibility},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

/// What stays as it is in a part of a path: the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URI of the card at a path, such as `ui://bookings/card.html` of `bookings/card.html`, percent-encoded.
#[must_use]
pub fn card_uri(path: &str) -> String {
    let parts: Vec<_> = path.split('/').map(|part| utf8_percent_encode(part, ENCODED).to_string()).collect();
    format!("ui://{}", parts.join("/"))
}

/// What keeps a text from being the path of a card: relative, of plain names, with `.html` at its end.
#[must_use]
pub fn card_path_problem(path: &str) -> Option<&'static str> {
    let steers = |part: &str| part.is_empty() || part.starts_with('.');
    let strange =
        |character: char| character.is_control() || matches!(character, '\\' | ':' | '?' | '#' | '%');
    if path.starts_with('/') {
        return Some("the path of a card is relative: leave out the `/` at its beginning");
    }
    if path.split('/').any(steers) {
        return Some("the parts of a card's path are plain names, neither empty nor beginning with a dot");
    }
    if path.contains(strange) {
        return Some("the path of a card has no backslash, colon, `?`, `#`, `%` or control character");
    }
    let is_card = path.strip_suffix(".html").is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'));
    (!is_card).then_some("a card is a file whose name ends with `.html`, or a URI that begins with `ui://`")
}

/// Notes what a tool says of its card that cannot be meant, and makes a URI of the path.
pub(crate) fn check_tool(subject: &str, definition: &mut ToolDefinition, faults: &mut Faults) {
    if let Some(written) = definition.card.take() {
        let is_uri = written.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("ui://"));
        match card_path_problem(&written).filter(|_| !is_uri) {
            Some(problem) => faults.add(subject, format!("the card `{written}`: {problem}")),
            None if is_uri => definition.card = Some(written),
            None => definition.card = Some(card_uri(&written).into()),
        }
    } else if definition.visibility == ToolVisibility::ModelAndApp {
        // Whatever `_meta` says then is the author's own.
        return;
    }
    if let Some(key) = own_key(&definition.meta) {
        faults.add(
            subject,
            format!("`_meta` has `{key}`, which `.card(…)` and `.visibility(…)` write; take it out"),
        );
    }
}

/// The members of a tool's `_meta` that tell of its card, by the URI that hosts read it by, and of who may call it.
pub(crate) fn tool_meta(definition: &ToolDefinition, card: Option<&str>) -> Meta {
    let mut ui = Map::new();
    if let Some(uri) = card {
        ui.insert("resourceUri".into(), Value::from(uri));
    }
    match definition.visibility {
        ToolVisibility::ModelAndApp => {}
        ToolVisibility::Model => drop(ui.insert("visibility".into(), json!(["model"]))),
        ToolVisibility::App => drop(ui.insert("visibility".into(), json!(["app"]))),
    }
    let mut meta = Meta::new();
    if !ui.is_empty() {
        meta.insert(UI.into(), Value::Object(ui));
    }
    if let Some(uri) = card {
        meta.insert(LEGACY_RESOURCE_URI.into(), Value::from(uri));
    }
    meta
}
