//! Formats and number ranges: registered formats stay, Rust's number names become exact bounds.

use super::walk;
use serde_json::{Map, Value, json};

/// The formats that JSON Schema 2020-12 registers.
const REGISTERED: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Removes a format that is not registered, and states the range that a number format stood for.
///
/// Integers of up to 32 bits get both bounds, wider unsigned ones the lower bound; bounds that stand stay.
pub(super) fn normalise(schema: &mut Map<String, Value>) {
    let Some(Value::String(format)) = schema.get("format") else { return };
    if REGISTERED.contains(&format.as_str()) {
        return;
    }
    let (least, most) = range(format);
    schema.shift_remove("format");
    if walk::has_type(schema, "integer") {
        bound(schema, ["minimum", "exclusiveMinimum"], least);
        bound(schema, ["maximum", "exclusiveMaximum"], most);
    }
}

/// Adds `limit` under the first of `names` unless either name is there.
fn bound(schema: &mut Map<String, Value>, names: [&str; 2], limit: Option<i64>) {
    let [inclusive, exclusive] = names;
    if let Some(limit) = limit
        && !schema.contains_key(inclusive)
        && !schema.contains_key(exclusive)
    {
        schema.insert(inclusive.to_owned(), json!(limit));
    }
}

fn range(format: &str) -> (Option<i64>, Option<i64>) {
    match format {
        "int8" => (Some(i64::from(i8::MIN)), Some(i64::from(i8::MAX))),
        "int16" => (Some(i64::from(i16::MIN)), Some(i64::from(i16::MAX))),
        "int32" => (Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX))),
        "uint8" => (Some(0), Some(i64::from(u8::MAX))),
        "uint16" => (Some(0), Some(i64::from(u16::MAX))),
        "uint32" => (Some(0), Some(i64::from(u32::MAX))),
        "uint" | "uint64" | "uint128" => (Some(0), None),
        _ => (None, None),
    }
}
