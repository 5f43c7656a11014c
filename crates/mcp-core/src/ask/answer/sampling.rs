//! Answers to `sampling/createMessage`.

use super::{
    fault::{AnswerFault, object, text},
    roots::read_meta,
};
use crate::{
    json::{Kind, Node, RawJson},
    protocol::{Role, SamplingContent, SamplingContentKind, SamplingResult, StopReason, ToolUse},
};
use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;

/// Base64 as clients write it, padded or not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads what the client's model said.
///
/// # Errors
/// [`AnswerFault::Member`] for an answer of another shape.
pub(crate) fn read_sampling(answer: Node<'_>) -> Result<SamplingResult, AnswerFault> {
    if !object(answer)?.get("role").is_some_and(|role| role.str_eq(Role::Assistant.as_str())) {
        return Err(AnswerFault::member("role", "`assistant`"));
    }
    let stop_reason = match answer.get("stopReason").filter(|reason| !reason.is_null()) {
        Some(reason) => Some(reason.as_str().ok_or(AnswerFault::member("stopReason", "a string"))?),
        None => None,
    };
    let content = answer.get("content").ok_or(CONTENT)?;
    Ok(SamplingResult {
        role: Role::Assistant,
        model: text(answer, "model")?.as_ref().into(),
        content: match content.kind() {
            Kind::Array => content.elements().map(block).collect::<Result<_, _>>()?,
            _ => vec![block(content)?],
        },
        stop_reason: stop_reason.map(|reason| StopReason::read(&reason)),
        meta: read_meta(answer),
    })
}

const CONTENT: AnswerFault = AnswerFault::member("content", "a block of text, image, audio or tool use");

fn block(node: Node<'_>) -> Result<SamplingContent, AnswerFault> {
    let kind = match node.get("type").and_then(Node::as_str).as_deref() {
        Some("text") => SamplingContentKind::Text(text(node, "text")?.into_owned()),
        Some("image") => {
            let (data, mime_type) = media(node)?;
            SamplingContentKind::Image { data, mime_type }
        }
        Some("audio") => {
            let (data, mime_type) = media(node)?;
            SamplingContentKind::Audio { data, mime_type }
        }
        Some("tool_use") => SamplingContentKind::ToolUse(tool_use(node)?),
        // Only the side that calls a tool has its results, and that is the server.
        _ => return Err(CONTENT),
    };
    Ok(SamplingContent { kind, meta: read_meta(node) })
}

fn media(node: Node<'_>) -> Result<(Bytes, Box<str>), AnswerFault> {
    let data = BASE64.decode(text(node, "data")?.as_bytes());
    let data = data.map_err(|_| AnswerFault::member("data", "Base64"))?;
    Ok((data.into(), text(node, "mimeType")?.as_ref().into()))
}

fn tool_use(node: Node<'_>) -> Result<ToolUse, AnswerFault> {
    let input = node.get("input").filter(|input| input.kind() == Kind::Object);
    let input = input.ok_or(AnswerFault::member("input", "an object"))?;
    Ok(ToolUse {
        id: text(node, "id")?.as_ref().into(),
        name: text(node, "name")?.as_ref().into(),
        input: RawJson::from_checked(input.raw().to_owned()),
    })
}
