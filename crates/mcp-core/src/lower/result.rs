//! Results of the feature methods.

use super::{
    Reply, ResultFrame,
    content::{content, resource_contents, text},
};
use crate::{
    protocol::{
        CacheHints, CallToolResult, Completion, ContentKind, GetPromptResult, Meta, ResourceContents,
    },
    version::Feature,
};

/// Which list a reply carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    Tools,
    Resources,
    Templates,
    Prompts,
}

impl ListKind {
    /// The member that holds the entries.
    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }
}

/// The empty result, which in the handshake era is exactly `{}`.
pub(crate) fn empty(frame: ResultFrame<'_>) -> Reply {
    frame.reply(frame.write(0, &Meta::new(), None, |_| {}))
}

/// A list, or a page of one, whose entries are encoded already, commas between them.
pub(crate) fn list(
    frame: ResultFrame<'_>,
    kind: ListKind,
    entries: &[u8],
    next: Option<&str>,
    cache: CacheHints,
    meta: &Meta,
) -> Vec<u8> {
    let capacity = entries.len() + next.map_or(0, str::len) + 64;
    frame.write(capacity, meta, Some(cache), |result| {
        result.array(kind.member(), |array| {
            // The entries carry their own commas, so all of them go in as one element.
            if !entries.is_empty() {
                array.raw(entries);
            }
        });
        result.optional_string("nextCursor", next);
    })
}

/// The result of `tools/call`.
///
/// Structured content without text of the author's gets its JSON as text, too. A structured value
/// that is no object stays away from revisions that do not allow it; its text remains.
pub(crate) fn call_tool(frame: ResultFrame<'_>, result: &CallToolResult, meta: &Meta) -> Vec<u8> {
    let structured = result.structured.as_ref().map(|value| value.get());
    let has_text = result.content.iter().any(|block| matches!(block.kind, ContentKind::Text(_)));
    let capacity = size_of_content(result) + structured.map_or(0, |json| 2 * json.len() + 64);
    frame.write(capacity, meta, None, |object| {
        object.array("content", |list| {
            for block in &result.content {
                content(list.element(), block, frame.version);
            }
            if let Some(json) = structured.filter(|_| !has_text) {
                list.object(|block| text(block, json));
            }
        });
        if let Some(json) = structured.filter(|json| allows_structured(frame, json)) {
            object.raw("structuredContent", json);
        }
        if result.is_error {
            object.boolean("isError", true);
        }
    })
}

fn allows_structured(frame: ResultFrame<'_>, json: &str) -> bool {
    frame.version.has(Feature::AnyStructuredContent)
        || (frame.version.has(Feature::StructuredContent) && json.starts_with('{'))
}

fn size_of_content(result: &CallToolResult) -> usize {
    let size = |kind: &ContentKind| match kind {
        ContentKind::Text(text) => text.len(),
        ContentKind::Image { data, .. } | ContentKind::Audio { data, .. } => data.len() / 3 * 4,
        ContentKind::ResourceLink(_) | ContentKind::Resource(_) => 256,
    };
    result.content.iter().map(|block| 48 + size(&block.kind)).sum()
}

/// The result of `resources/read`.
pub(crate) fn read_resource(
    frame: ResultFrame<'_>,
    contents: &[ResourceContents],
    uri: &str,
    declared_type: Option<&str>,
    cache: CacheHints,
    meta: &Meta,
) -> Vec<u8> {
    frame.write(256, meta, Some(cache), |result| {
        result.array("contents", |list| {
            for item in contents {
                resource_contents(list.element(), item, uri, declared_type, frame.version);
            }
        });
    })
}

/// The result of `prompts/get`.
pub(crate) fn prompt_result(
    frame: ResultFrame<'_>,
    result: &GetPromptResult,
    description: Option<&str>,
    meta: &Meta,
) -> Vec<u8> {
    frame.write(256, meta, None, |object| {
        object.optional_string("description", result.description.as_deref().or(description));
        object.array("messages", |list| {
            for message in &result.messages {
                list.object(|object| {
                    object.string("role", message.role.as_str());
                    content(object.member("content"), &message.content, frame.version);
                });
            }
        });
    })
}

/// The result of `completion/complete`.
pub(crate) fn completion(frame: ResultFrame<'_>, completion: &Completion, meta: &Meta) -> Vec<u8> {
    frame.write(256, meta, None, |result| {
        result.object("completion", |object| {
            object.array("values", |list| completion.values.iter().for_each(|value| list.string(value)));
            if let Some(total) = completion.total {
                object.unsigned("total", total);
            }
            object.boolean("hasMore", completion.has_more);
        });
    })
}
