//! From a result that is too large to one that says how it begins and where the whole is.

use super::store::{Holder, Kind, NoPlace};
use crate::{
    context::Context,
    json::RawJson,
    protocol::{CallToolResult, Content, ContentKind, Resource},
};
use std::{fmt::Write as _, time::Duration};

/// Parts of fewer bytes stay where they are: what would be said instead is hardly less.
const LEAST: usize = 4 * 1024;

/// The bytes of a text that its summary shows.
const SHOWN: usize = 1_000;

/// Keeps the largest parts of a result apart until the rest is small enough, or nothing is left that can be.
///
/// `structure` has the number of values in the structured content, when that may be kept apart. What finds no place
/// stays, and is held back with the rest.
pub(crate) fn divert(context: &Context, result: &mut CallToolResult, structure: Option<usize>) {
    let limits = context.limits();
    let most = limits.output_bytes;
    let above = context.0.server.overflow().settings.above.map_or(most, |above| above.min(most));
    // What is written around the parts.
    let above = above - above / 16;
    let has_too_many_values = structure.is_some_and(|tokens| tokens > limits.output_json.tokens);
    if has_too_many_values {
        move_structure(context, result);
    }
    while size(result) > above {
        let text = largest_text(result);
        let structured = if structure.is_some() { structured_bytes(result) } else { 0 };
        let moved = match text {
            Some((at, bytes)) if bytes >= structured => move_text(context, result, at),
            _ if structured >= LEAST => move_structure(context, result),
            _ => return,
        };
        if !moved {
            return;
        }
    }
}

/// The bytes that a result is written in, but for what is around its parts; structured content without text of the
/// author's goes out as text, too.
fn size(result: &CallToolResult) -> usize {
    let parts: usize = result.content.iter().map(bytes_of).sum();
    let has_text = result.content.iter().any(|block| matches!(block.kind, ContentKind::Text(_)));
    let copy = result.structured.as_ref().filter(|_| !has_text).map_or(0, |json| written(json.get()));
    parts + structured_bytes(result) + copy
}

fn structured_bytes(result: &CallToolResult) -> usize {
    result.structured.as_ref().map_or(0, |structured| structured.get().len())
}

fn bytes_of(block: &Content) -> usize {
    match &block.kind {
        ContentKind::Text(text) => written(text),
        ContentKind::Image { data, .. } | ContentKind::Audio { data, .. } => data.len().div_ceil(3) * 4,
        ContentKind::ResourceLink(_) | ContentKind::Resource(_) => 256,
    }
}

/// The bytes of a text with its escapes.
fn written(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// The place and the bytes of the largest text that is worth keeping apart.
fn largest_text(result: &CallToolResult) -> Option<(usize, usize)> {
    let texts = result.content.iter().enumerate().filter_map(|(at, block)| match &block.kind {
        ContentKind::Text(text) if text.len() >= LEAST => Some((at, text.len())),
        _ => None,
    });
    texts.max_by_key(|&(at, bytes)| (bytes, std::cmp::Reverse(at)))
}

fn move_text(context: &Context, result: &mut CallToolResult, at: usize) -> bool {
    let Some(block) = result.content.get_mut(at) else { return false };
    let ContentKind::Text(text) = &mut block.kind else { return false };
    match keep(context, std::mem::take(text), Kind::Text) {
        Ok((summary, link)) => {
            *text = summary;
            result.content.insert(at + 1, link);
            true
        }
        Err(back) => {
            *text = back;
            false
        }
    }
}

fn move_structure(context: &Context, result: &mut CallToolResult) -> bool {
    let Some(structured) = result.structured.take().map(RawJson::into_text) else { return false };
    match keep(context, structured, Kind::Json) {
        Ok((summary, link)) => {
            result.content.extend([Content::text(summary), link]);
            true
        }
        Err(back) => {
            result.structured = Some(RawJson::from_checked(back));
            false
        }
    }
}

/// Keeps a text; gives what is said instead, and the link. A text that finds no place is given back.
fn keep(context: &Context, text: String, kind: Kind) -> Result<(String, Content), String> {
    let store = context.0.server.overflow();
    let settings = &store.settings;
    let (bytes, lines) = (text.len(), memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1);
    let beginning = text.get(..text.floor_char_boundary(SHOWN)).unwrap_or_default().to_owned();
    let mut random = [0; 16];
    context.runtime().fill_random(&mut random);
    let uri = match store.keep(Holder::of(context), text, kind, context.runtime().now(), random) {
        Ok(uri) => uri,
        Err((NoPlace(setting), text)) => {
            tracing::warn!(
                target = context.target(),
                bytes,
                setting,
                "a result that is too large finds no place"
            );
            return Err(text);
        }
    };
    let summary = summary(&uri, kind, bytes, lines, &beginning, settings.range_bytes, settings.ttl);
    let name = format!("{} result", context.target().as_deref().unwrap_or("tool"));
    let mime_type = match kind {
        Kind::Text => "text/plain",
        Kind::Json => "application/json",
    };
    let resource = Resource::new(uri, name)
        .mime_type(mime_type)
        .size(bytes as u64)
        .description(format!("The whole result, kept for {:?}; read it in parts.", settings.ttl));
    Ok((summary, Content::resource_link(resource)))
}

/// What a model reads in the place of a text.
fn summary(
    uri: &str,
    kind: Kind,
    bytes: usize,
    lines: usize,
    beginning: &str,
    range: usize,
    ttl: Duration,
) -> String {
    let what = match kind {
        Kind::Text => "text",
        Kind::Json => "JSON",
    };
    let mut summary = String::with_capacity(beginning.len() + 512);
    // Writing into memory does not fail.
    let _ = write!(
        summary,
        "This result is too large to be sent whole: {bytes} bytes of {what} in {lines} lines. It begins:\n\n{beginning}\n\n\
         The whole is kept for {ttl:?} as the resource {uri}\n\
         Read it in parts with `resources/read`: {uri}?offset=0&length={range} for bytes, {uri}?line=1&lines=200 for lines."
    );
    summary
}
