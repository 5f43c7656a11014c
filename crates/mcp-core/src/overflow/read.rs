//! `resources/read` of what was too large.

use super::{
    range::{Range, split},
    store::{Holder, Kind},
};
use crate::{
    context::Context,
    protocol::{Meta, ResourceContents},
    refusal::Refusal,
};
use serde_json::json;

/// The `_meta` entry that says what of a text was read.
const RANGE: &str = "overflow/range";

/// Reads a part of a text that this caller may read; `None` when the URI names none.
///
/// # Errors
/// [`Refusal::InvalidParams`] for a query that names no range.
pub(crate) fn read(context: &Context, uri: &str) -> Result<Option<ResourceContents>, Refusal> {
    let Some((id, query)) = split(uri) else { return Ok(None) };
    let store = context.0.server.overflow();
    let Some(kept) = store.get(id, &Holder::of(context), context.runtime().now()) else { return Ok(None) };
    let range = Range::parse(query).map_err(|fault| Refusal::InvalidParams(fault.to_string().into()))?;
    // Escapes take room, up to six times that of the text.
    let most = store.settings.range_bytes.min(context.limits().output_bytes / 8);
    let (start, end) = range.place(&kept.text, most);
    let part = kept.text.get(start..end).unwrap_or_default();
    let mut about = json!({ "offset": start, "length": part.len(), "total": kept.text.len() });
    if end < kept.text.len() {
        let base = uri.split('?').next().unwrap_or(uri);
        let next = format!("{base}?offset={end}&length={most}");
        if let Some(about) = about.as_object_mut() {
            about.insert("next".to_owned(), next.into());
        }
    }
    // A part of JSON is text.
    let mime_type = match kept.kind {
        Kind::Json if part.len() == kept.text.len() => "application/json",
        _ => "text/plain",
    };
    let meta = Meta::from_iter([(RANGE.to_owned(), about)]);
    Ok(Some(ResourceContents::text(part).mime_type(mime_type).meta(meta)))
}
