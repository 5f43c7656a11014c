//! What came of a step.

use super::{fault::StepFault, room::Room};
use crate::{
    ask::Kept,
    json::{Document, write_string},
    protocol::{CallToolResult, Content, ContentKind},
};

/// What came of a step.
#[derive(Debug)]
pub(super) enum Outcome {
    Done {
        /// The structured content, or else the text as a JSON string.
        value: Document,
        /// The blocks that are no text.
        attachments: Vec<Content>,
    },
    Failed(String),
}

impl Outcome {
    pub(super) fn is_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    /// Reads what was kept of a result.
    pub(super) fn of(kept: Kept, room: &mut Room) -> Self {
        let result = kept.into_call_result();
        if result.is_error {
            let text = text_of(&result.content);
            return Self::Failed(if text.is_empty() { "the tool failed".to_owned() } else { text });
        }
        let text = match &result.structured {
            Some(structured) => structured.get().to_owned(),
            None => quoted(&text_of(&result.content)),
        };
        let is_text = |block: &Content| matches!(block.kind, ContentKind::Text(_));
        let attachments = result.content.into_iter().filter(|block| !is_text(block)).collect();
        match room.read(text) {
            Ok(value) => Self::Done { value, attachments },
            Err(fault) => fault.into(),
        }
    }
}

impl From<StepFault> for Outcome {
    fn from(fault: StepFault) -> Self {
        Self::Failed(fault.to_string())
    }
}

/// What is kept of a result: text beside structured content says the same once more.
pub(super) fn kept(mut result: CallToolResult) -> Kept {
    if result.structured.is_some() && !result.is_error {
        result.content.retain(|block| !matches!(block.kind, ContentKind::Text(_)));
    }
    Kept::exactly(result)
}

/// The texts of a result, one below the other.
fn text_of(content: &[Content]) -> String {
    let texts = content.iter().filter_map(|block| match &block.kind {
        ContentKind::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn quoted(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    write_string(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
}
