//! Prompts about notes.

use super::{Notes, note::NoteId, resources::MARKDOWN, store::StoreError};
use mcp_server::{
    App, Args, Completion, Content, GetPromptResult, PromptMessage, ProtocolError, ResourceContents,
    Siblings, Typed,
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Which note is summarised.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SummariseNote {
    /// The note's id, such as `n12`.
    id: NoteId,
}

/// What the plan is about.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PlanFromNotes {
    /// A word that the notes are found by, for example a tag.
    topic: String,
    /// How the plan is written.
    tone: Option<Tone>,
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Brief,
    Detailed,
    Friendly,
}

impl Tone {
    const NAMES: [&str; 3] = ["brief", "detailed", "friendly"];

    fn instruction(self) -> &'static str {
        match self {
            Self::Brief => "Use at most five lines.",
            Self::Detailed => "Give each step its reason and its first action.",
            Self::Friendly => "Write as to a friend.",
        }
    }
}

/// Asks for a summary of one note, which is embedded.
pub(super) async fn summarise_note(
    App(notes): App<Notes>,
    Args(SummariseNote { id }): Args<SummariseNote>,
) -> Result<GetPromptResult, ProtocolError> {
    let note = match notes.get(&id).await {
        Ok(note) => note,
        Err(error @ StoreError::Unknown(_)) => {
            return Err(ProtocolError::invalid_params(format!("{error}; completion of `id` suggests ids")));
        }
        Err(error) => return Err(error.into()),
    };
    let contents = ResourceContents::text(note.text).uri(id.uri()).mime_type(MARKDOWN);
    Ok(GetPromptResult::new([
        PromptMessage::user(format!("Summarise my note \"{}\" in three sentences.", note.title)),
        PromptMessage::user(Content::resource(contents)),
    ])
    .description(format!("A summary of {id}")))
}

/// Asks for a plan made of every note about a topic.
pub(super) async fn plan_from_notes(
    App(notes): App<Notes>,
    Args(PlanFromNotes { topic, tone }): Args<PlanFromNotes>,
) -> Result<Vec<PromptMessage>, ProtocolError> {
    const MOST: usize = 10;
    let words: Vec<String> = topic.split_whitespace().map(str::to_owned).collect();
    let found = notes.search(&words, MOST).await?;
    let how = tone.map_or("", Tone::instruction);
    let mut messages =
        vec![PromptMessage::user(format!("Make a plan about \"{topic}\" from my notes. {how}"))];
    for note in found {
        let contents = ResourceContents::text(note.text).uri(note.id.uri()).mime_type(MARKDOWN);
        messages.push(PromptMessage::user(Content::resource(contents)));
    }
    if messages.len() == 1 {
        messages.push(PromptMessage::user("I have no notes about it yet; ask me what you need to know."));
    }
    Ok(messages)
}

/// Suggests topics: the tags there are.
pub(super) async fn complete_topic(
    App(notes): App<Notes>,
    Typed(typed): Typed,
) -> Result<Completion, ProtocolError> {
    let notes = notes.list().await?;
    let tags: BTreeSet<String> = notes.into_iter().flat_map(|note| note.tags).collect();
    Ok(Completion::new(tags.into_iter().filter(|tag| tag.starts_with(&typed))))
}

/// Suggests tones; a topic that is empty needs the friendly one first.
pub(super) async fn complete_tone(Typed(typed): Typed, Siblings(siblings): Siblings) -> Vec<&'static str> {
    let mut tones: Vec<&str> = Tone::NAMES.into_iter().filter(|tone| tone.starts_with(&typed)).collect();
    if siblings.get("topic").is_some_and(|topic| topic.trim().is_empty()) {
        tones.reverse();
    }
    tones
}
