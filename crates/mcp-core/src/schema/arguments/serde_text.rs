//! What serde says about arguments that fit the schema, in the same words as the schema's check.

use super::{
    got,
    names::{Known, Names},
    path,
};
use serde_path_to_error::{Path, Segment};

/// The most bytes of the whole text.
const BYTES: usize = 600;

/// Words serde's refusal of arguments for the model.
///
/// Names the argument and leaves out positions in the text and names of Rust types. `argument` is the
/// one that was read, empty when all were read together.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "the refusal ends here; callers use it in map_err")]
pub fn serde_message(argument: &str, error: serde_path_to_error::Error<serde_json::Error>) -> String {
    message(written(argument, error.path()), &error)
}

/// What serde refuses, as far as the caller may know of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SerdeFault {
    /// A text for the model.
    Told(String),
    /// An argument that callers know nothing of does not fit; this is its name, for the log.
    Hidden(String),
}

/// Words serde's refusal for the model like [`serde_message`], by the names that the caller knows.
pub(crate) fn serde_fault(
    argument: &str,
    error: &serde_path_to_error::Error<serde_json::Error>,
    names: &Names,
) -> SerdeFault {
    let first = match error.path().iter().next() {
        _ if !argument.is_empty() => Some(argument),
        Some(Segment::Map { key }) => Some(key.as_str()),
        _ => None,
    };
    let whole = error.inner().to_string();
    // A field that is missing is named in the text only.
    let missing = quoted_after(&whole, "missing field ");
    match first.or(missing) {
        None => SerdeFault::Told(message(written(argument, error.path()), error)),
        Some(first) => match names.known(first) {
            Known::Hidden => SerdeFault::Hidden(first.to_owned()),
            Known::As(known) if error.path().iter().next().is_none() && argument.is_empty() => {
                let mut place = String::new();
                path::push_name(&mut place, known);
                SerdeFault::Told(format!("missing required argument `{place}`"))
            }
            Known::As(known) => {
                let mut place = String::new();
                path::push_name(&mut place, known);
                let within = error.path().iter().skip(usize::from(argument.is_empty()));
                push(&mut place, within);
                SerdeFault::Told(message(place, error))
            }
        },
    }
}

/// Words a refusal of what is at `place`.
fn message(mut place: String, error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let whole = error.inner().to_string();
    let message = without_position(&whole);
    if let Some(name) = quoted_after(message, "missing field ") {
        path::push_name(&mut place, name);
        return format!("missing required argument `{place}`");
    }
    if let Some(name) = quoted_after(message, "unknown field ") {
        // The path often ends with the unknown name already.
        if place != name && !place.ends_with(&format!(".{name}")) {
            path::push_name(&mut place, name);
        }
        return format!("unknown argument `{place}`");
    }
    let label = if place.is_empty() { "the arguments".to_owned() } else { format!("argument `{place}`") };
    got::clip_bytes(format!("{label}: {}", reworded(message)), BYTES)
}

/// The name that stands in quotes after `start`.
fn quoted_after<'m>(message: &'m str, start: &str) -> Option<&'m str> {
    message.strip_prefix(start)?.strip_prefix('`')?.split('`').next()
}

fn written(argument: &str, path: &Path) -> String {
    let mut place = argument.to_owned();
    push(&mut place, path.iter());
    place
}

fn push<'p>(place: &mut String, segments: impl Iterator<Item = &'p Segment>) {
    for segment in segments {
        match segment {
            Segment::Seq { index } => path::push_index(place, *index),
            Segment::Map { key } => path::push_name(place, key),
            // A variant's name is part of the type, and an unknown segment has no name.
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
}

/// Cuts off " at line 1 column 5".
fn without_position(text: &str) -> &str {
    let Some((message, position)) = text.rsplit_once(" at line ") else { return text };
    let numbers = position.split(" column ");
    let is_position =
        numbers.clone().count() == 2 && numbers.into_iter().all(|part| part.parse::<u64>().is_ok());
    if is_position { message } else { text }
}

fn reworded(text: &str) -> String {
    for start in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some(rest) = text.strip_prefix(start) {
            return match rest.rsplit_once(", expected ") {
                Some((came, wanted)) => format!("expected {}, got {}", expected(wanted), given(came)),
                None => format!("{}{}", start, got::clip(rest)),
            };
        }
    }
    if text.contains("did not match any variant of untagged enum") || text.starts_with("no variant of enum ")
    {
        return "fits none of the allowed forms".to_owned();
    }
    clipped_quotes(&without_types(text))
}

/// Words what serde expected.
fn expected(wanted: &str) -> String {
    let first = |prefixes: &[&str]| prefixes.iter().any(|prefix| wanted.starts_with(prefix));
    if first(&[
        "struct variant ",
        "struct ",
        "internally tagged enum ",
        "adjacently tagged enum ",
        "a map",
        "map",
    ]) {
        return "object".to_owned();
    }
    if first(&["tuple struct ", "tuple variant ", "a tuple ", "a sequence", "sequence"]) {
        let size =
            wanted.rsplit_once(" with ").or_else(|| wanted.rsplit_once(" of size ")).map(|(_, size)| size);
        let count = size.and_then(|size| size.split(' ').next());
        return count.map_or_else(|| "array".to_owned(), |count| format!("array of {count}"));
    }
    if first(&["enum ", "variant identifier", "variant of enum "]) {
        return "one of the allowed forms".to_owned();
    }
    if first(&["unit struct ", "unit variant ", "unit"]) {
        return "null".to_owned();
    }
    if first(&["newtype struct ", "newtype variant "]) {
        return "a value of another form".to_owned();
    }
    match wanted {
        "a string" | "a borrowed string" | "string" | "str" => "string".to_owned(),
        "a boolean" | "bool" => "boolean".to_owned(),
        other => clipped_quotes(&without_types(other)),
    }
}

/// Words what came, from serde's description of it.
fn given(came: &str) -> String {
    let value = |start: &str| {
        let quoted = came.strip_prefix(start)?.strip_prefix(" `")?;
        Some(got::clip(quoted.strip_suffix('`').unwrap_or(quoted)))
    };
    if let Some(value) = value("integer") {
        return format!("integer {value}");
    }
    if let Some(value) = value("floating point") {
        return format!("number {value}");
    }
    if let Some(value) = value("boolean") {
        return format!("boolean {value}");
    }
    if let Some(text) = came.strip_prefix("string \"") {
        return format!("string \"{}\"", got::clip(text.strip_suffix('"').unwrap_or(text)));
    }
    match came {
        "null" | "unit value" | "Option value" => "null".to_owned(),
        "map" => "object".to_owned(),
        "sequence" => "array".to_owned(),
        other => got::clip(other),
    }
}

/// Replaces the names of Rust's number types.
fn without_types(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for letter in text.chars().chain(std::iter::once(' ')) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        out.push_str(match word.as_str() {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
            | "isize" => "an integer in range",
            "f32" | "f64" => "a number",
            other => other,
        });
        word.clear();
        out.push(letter);
    }
    out.pop();
    out.replace("a nonzero an integer in range", "an integer in range other than 0")
}

/// Cuts each quoted part short.
fn clipped_quotes(text: &str) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { got::clip(part) } else { part.to_owned() })
        .collect();
    parts.join("`")
}
