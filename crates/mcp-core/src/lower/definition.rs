//! Tools, resources, templates and prompts as they are listed.

use super::{
    card::meta_with_cards,
    content::meta,
    identity::{annotations, icons},
};
use crate::{
    card::tool_meta,
    json::{JsonWriter, ObjectWriter},
    protocol::{Meta, Resource, ToolAnnotations},
    registry::{PromptEntry, TOOL_VERSION, TOOL_VERSIONS, TemplateEntry, ToolEntry},
    schema::root_is_object,
    task::TaskSupport,
    version::{Feature, ProtocolVersion},
};
use std::sync::Arc;

/// One entry of `tools/list`; `versions` are those of the tool that can be called, highest first, and `card` is the URI
/// of its card.
pub(crate) fn tool(
    writer: JsonWriter<'_>,
    entry: &ToolEntry,
    (versions, card): (&[Arc<ToolEntry>], Option<&str>),
    version: ProtocolVersion,
) {
    let definition = &entry.definition;
    writer.object(|object| {
        object.string("name", &entry.name);
        if version.has(Feature::Titles) {
            object.optional_string("title", definition.title.as_deref());
        }
        object.string("description", &definition.description);
        object.raw("inputSchema", entry.input.published().text());
        if let Some(output) = entry.output.as_ref().filter(|_| !entry.definition.overflow)
            && version.has(Feature::StructuredContent)
            && (version.has(Feature::AnyStructuredContent) || root_is_object(output.schema.value()))
        {
            object.raw("outputSchema", output.schema.text());
        }
        if version.has(Feature::ToolAnnotations) {
            hints(object, definition.annotations, definition.title.as_deref());
        }
        icons(object, &definition.icons, version);
        if definition.task.support != TaskSupport::Forbidden && version.has(Feature::CoreTasks) {
            let support = definition.task.support.as_str();
            object.object("execution", |execution| execution.string("taskSupport", support));
        }
        let mut own = tool_meta(definition, card);
        if let Some(label) = entry.version().filter(|_| version.has(Feature::Titles)) {
            own.insert(TOOL_VERSION.into(), label.into());
            // A copy of one version of another tool has no siblings here.
            if entry.derived.is_none() || versions.len() > 1 {
                let all: Vec<&str> = versions.iter().filter_map(|entry| entry.version()).collect();
                own.insert(TOOL_VERSIONS.into(), all.into());
            }
        }
        meta_with_cards(object, &definition.meta, &own, version);
    });
}

/// A tool as the answer of `open_toolbox` tells it; `proxy` is the tool that calls it for clients that do not list it.
///
/// The model reads it as text, whatever its client's revision.
pub(crate) fn boxed_tool(writer: JsonWriter<'_>, entry: &ToolEntry, proxy: Option<&str>) {
    writer.object(|object| {
        object.string("name", &entry.name);
        object.string("description", &entry.definition.description);
        object.raw("inputSchema", entry.input.published().text());
        hints(object, entry.definition.annotations, None);
        object.optional_string("proxy", proxy);
    });
}

/// A prompt as the answer of `open_toolbox` tells it.
pub(crate) fn boxed_prompt(writer: JsonWriter<'_>, entry: &PromptEntry) {
    writer.object(|object| {
        object.string("name", &entry.name);
        object.optional_string("description", entry.definition.description.as_deref());
        prompt_arguments(object, entry, ProtocolVersion::LATEST);
    });
}

/// Hints, with the title once more: 2025-03-26 knows a tool's title only here.
fn hints(object: &mut ObjectWriter<'_>, hints: ToolAnnotations, title: Option<&str>) {
    if hints.is_empty() && title.is_none() {
        return;
    }
    object.object("annotations", |object| {
        object.optional_string("title", title);
        for (name, hint) in [
            ("readOnlyHint", hints.read_only),
            ("destructiveHint", hints.destructive),
            ("idempotentHint", hints.idempotent),
            ("openWorldHint", hints.open_world),
        ] {
            if let Some(value) = hint {
                object.boolean(name, value);
            }
        }
    });
}

/// One entry of `resources/list`.
pub(crate) fn resource(writer: JsonWriter<'_>, resource: &Resource, version: ProtocolVersion) {
    writer.object(|object| resource_members(object, resource, version));
}

pub(super) fn resource_members(object: &mut ObjectWriter<'_>, resource: &Resource, version: ProtocolVersion) {
    object.string("uri", &resource.uri);
    object.string("name", &resource.name);
    if version.has(Feature::Titles) {
        object.optional_string("title", resource.title.as_deref());
    }
    object.optional_string("description", resource.description.as_deref());
    object.optional_string("mimeType", resource.mime_type.as_deref());
    if let Some(size) = resource.size {
        object.unsigned("size", size);
    }
    annotations(object, &resource.annotations, version);
    icons(object, &resource.icons, version);
    meta_with_cards(object, &resource.meta, &Meta::new(), version);
}

/// One entry of `resources/templates/list`.
pub(crate) fn template(writer: JsonWriter<'_>, entry: &TemplateEntry, version: ProtocolVersion) {
    let definition = &entry.definition;
    writer.object(|object| {
        object.string("uriTemplate", entry.template.as_str());
        object.string("name", &definition.name);
        if version.has(Feature::Titles) {
            object.optional_string("title", definition.title.as_deref());
        }
        object.optional_string("description", definition.description.as_deref());
        object.optional_string("mimeType", definition.mime_type.as_deref());
        annotations(object, &definition.annotations, version);
        icons(object, &definition.icons, version);
        meta_with_cards(object, &definition.meta, &Meta::new(), version);
    });
}

/// One entry of `prompts/list`.
pub(crate) fn prompt(writer: JsonWriter<'_>, entry: &PromptEntry, version: ProtocolVersion) {
    let definition = &entry.definition;
    writer.object(|object| {
        object.string("name", &entry.name);
        if version.has(Feature::Titles) {
            object.optional_string("title", definition.title.as_deref());
        }
        object.optional_string("description", definition.description.as_deref());
        prompt_arguments(object, entry, version);
        icons(object, &definition.icons, version);
        meta(object, &definition.meta, version);
    });
}

fn prompt_arguments(object: &mut ObjectWriter<'_>, entry: &PromptEntry, version: ProtocolVersion) {
    if entry.arguments.is_empty() {
        return;
    }
    object.array("arguments", |list| {
        for argument in &entry.arguments {
            list.object(|object| {
                object.string("name", &argument.name);
                if version.has(Feature::Titles) {
                    object.optional_string("title", argument.title.as_deref());
                }
                object.optional_string("description", argument.description.as_deref());
                object.boolean("required", argument.required);
            });
        }
    });
}
