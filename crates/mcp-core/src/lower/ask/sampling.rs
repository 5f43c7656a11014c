//! The parameters of `sampling/createMessage`.

use super::super::content::{audio_as_text, content, media, meta, text};
use crate::{
    json::{ArrayWriter, JsonWriter, ObjectWriter, on_one_line},
    protocol::{
        ContentKind, ModelPreferences, SamplingContent, SamplingContentKind, SamplingMessage,
        SamplingRequest, SamplingTool, ToolResult, ToolUse,
    },
    version::{Feature, ProtocolVersion},
};

pub(super) fn sampling(params: &mut ObjectWriter<'_>, request: &SamplingRequest, version: ProtocolVersion) {
    params.array("messages", |list| {
        request.messages.iter().for_each(|message| write_message(list, message, version));
    });
    if let Some(wanted) = &request.preferences {
        params.object("modelPreferences", |object| preferences(object, wanted));
    }
    params.optional_string("systemPrompt", request.system_prompt.as_deref());
    params.optional_string("includeContext", request.include_context.map(|context| context.as_str()));
    if let Some(temperature) = request.temperature {
        // One that is not finite has been refused before; it is left out here.
        let _ = params.number("temperature", temperature);
    }
    params.unsigned("maxTokens", request.max_tokens);
    if !request.stop_sequences.is_empty() {
        params.array("stopSequences", |list| {
            request.stop_sequences.iter().for_each(|sequence| list.string(sequence));
        });
    }
    if let Some(metadata) = &request.metadata {
        params.object("metadata", |object| {
            metadata.iter().for_each(|(name, value)| object.raw(name, value.to_string()));
        });
    }
    if !version.has(Feature::SamplingTools) {
        return;
    }
    if !request.tools.is_empty() {
        params.array("tools", |list| request.tools.iter().for_each(|offered| tool(list, offered)));
    }
    if let Some(choice) = request.tool_choice {
        params.object("toolChoice", |object| object.string("mode", choice.as_str()));
    }
}

fn preferences(object: &mut ObjectWriter<'_>, wanted: &ModelPreferences) {
    if !wanted.hints.is_empty() {
        object.array("hints", |list| {
            wanted.hints.iter().for_each(|hint| list.object(|object| object.string("name", hint)));
        });
    }
    for (name, priority) in [
        ("costPriority", wanted.cost),
        ("speedPriority", wanted.speed),
        ("intelligencePriority", wanted.intelligence),
    ] {
        if let Some(priority) = priority {
            // Priorities are clamped when they are set, so they are finite.
            let _ = object.number(name, priority);
        }
    }
}

fn tool(list: &mut ArrayWriter<'_>, offered: &SamplingTool) {
    list.object(|object| {
        object.string("name", &offered.name);
        object.optional_string("title", offered.title.as_deref());
        object.optional_string("description", offered.description.as_deref());
        object.raw("inputSchema", offered.input.text());
    });
}

/// One message; several blocks become several messages where a message holds only one.
fn write_message(list: &mut ArrayWriter<'_>, message: &SamplingMessage, version: ProtocolVersion) {
    match message.content.as_slice() {
        [only] => framed(list, message, version, |writer| block(writer, only, version)),
        several if version.has(Feature::SamplingTools) => framed(list, message, version, |writer| {
            writer.array(|blocks| several.iter().for_each(|one| block(blocks.element(), one, version)));
        }),
        several => {
            for one in several {
                framed(list, message, version, |writer| block(writer, one, version));
            }
        }
    }
}

fn framed(
    list: &mut ArrayWriter<'_>,
    message: &SamplingMessage,
    version: ProtocolVersion,
    fill: impl FnOnce(JsonWriter<'_>),
) {
    list.object(|object| {
        object.string("role", message.role.as_str());
        fill(object.member("content"));
        if version.has(Feature::SamplingTools) {
            meta(object, &message.meta, version);
        }
    });
}

/// One block; a kind the revision does not know becomes text that says what it was.
fn block(writer: JsonWriter<'_>, block: &SamplingContent, version: ProtocolVersion) {
    let tools = version.has(Feature::SamplingTools);
    writer.object(|object| {
        match &block.kind {
            SamplingContentKind::Text(value) => text(object, value),
            SamplingContentKind::Image { data, mime_type } => media(object, "image", data, mime_type),
            SamplingContentKind::Audio { data, mime_type } if version.has(Feature::AudioContent) => {
                media(object, "audio", data, mime_type);
            }
            SamplingContentKind::Audio { data, mime_type } => audio_as_text(object, data, mime_type),
            SamplingContentKind::ToolUse(call) if tools => tool_use(object, call),
            SamplingContentKind::ToolUse(call) => {
                text(object, &format!("[call of the tool {}: {}]", call.name, call.input));
            }
            SamplingContentKind::ToolResult(result) if tools => tool_result(object, result, version),
            SamplingContentKind::ToolResult(result) => text(object, &result_as_text(result)),
        }
        meta(object, &block.meta, version);
    });
}

fn tool_use(object: &mut ObjectWriter<'_>, call: &ToolUse) {
    object.string("type", "tool_use");
    object.string("id", &call.id);
    object.string("name", &call.name);
    object.raw("input", on_one_line(call.input.get()).as_bytes());
}

fn tool_result(object: &mut ObjectWriter<'_>, result: &ToolResult, version: ProtocolVersion) {
    object.string("type", "tool_result");
    object.string("toolUseId", &result.id);
    object.array("content", |list| {
        result.content.iter().for_each(|block| content(list.element(), block, version));
    });
    let structured = result.structured.as_ref().map(|value| on_one_line(value.get()));
    let fits = |json: &str| version.has(Feature::AnyStructuredContent) || json.starts_with('{');
    if let Some(json) = structured.filter(|json| fits(json)) {
        object.raw("structuredContent", json.as_bytes());
    }
    if result.is_error {
        object.boolean("isError", true);
    }
}

fn result_as_text(result: &ToolResult) -> String {
    let texts = result.content.iter().filter_map(|block| match &block.kind {
        ContentKind::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let mut lines = vec![if result.is_error { "[the tool failed]" } else { "[result of the tool]" }];
    lines.extend(texts);
    lines.extend(result.structured.as_ref().map(|value| value.get()));
    lines.join("\n")
}
