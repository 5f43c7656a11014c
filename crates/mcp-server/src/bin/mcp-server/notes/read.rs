//! The tools that change nothing: get_note, list_notes, search_notes.

use super::{
    Notes,
    note::{Note, NoteId, Summary},
    store::StoreError,
};
use mcp_server::{App, Args, Structured, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which note.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Which {
    /// The note's id, such as `n12`; list_notes and search_notes show ids.
    pub(super) id: NoteId,
}

/// Which part of the list.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ListNotes {
    /// Only notes with this tag.
    tag: Option<String>,
    /// Only notes after this one: the `next` of the page before.
    after: Option<NoteId>,
    /// How many notes to show at most.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    limit: usize,
}

fn fifty() -> usize {
    50
}

/// A part of the list.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Page {
    /// The notes, oldest first.
    notes: Vec<Summary>,
    /// How many notes fit the question in all.
    total: usize,
    /// Give this as `after` to see what follows; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NoteId>,
}

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SearchNotes {
    /// Words that must all occur, in any order, in title, text or tags.
    #[schemars(length(min = 1, max = 200))]
    query: String,
    /// How many notes to show at most.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

fn ten() -> usize {
    10
}

/// What was found.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Hits {
    /// The notes, those with a match in the title first.
    hits: Vec<Hit>,
}

/// A note that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Hit {
    /// The note without its text.
    #[serde(flatten)]
    note: Summary,
    /// The line of the text with the first match, or the first line.
    excerpt: String,
}

pub(super) async fn get_note(
    App(notes): App<Notes>,
    Args(Which { id }): Args<Which>,
) -> Result<Structured<Note>, ToolError> {
    Ok(Structured(notes.get(&id).await.map_err(told)?))
}

pub(super) async fn list_notes(
    App(notes): App<Notes>,
    Args(ListNotes { tag, after, limit }): Args<ListNotes>,
) -> Result<Structured<Page>, ToolError> {
    let after = match &after {
        None => 0,
        Some(id) => id.number().ok_or_else(|| {
            ToolError::new("`after` is no id of a note; give the `next` of the page before")
        })?,
    };
    let mut all = notes.list().await.map_err(told)?;
    all.retain(|note| tag.as_ref().is_none_or(|tag| note.tags.contains(tag)));
    let total = all.len();
    all.retain(|note| note.id.number() > Some(after));
    let more = all.len() > limit;
    all.truncate(limit);
    let next = all.last().filter(|_| more).map(|last| last.id.clone());
    Ok(Structured(Page { notes: all, total, next }))
}

pub(super) async fn search_notes(
    App(notes): App<Notes>,
    Args(SearchNotes { query, limit }): Args<SearchNotes>,
) -> Result<Structured<Hits>, ToolError> {
    let words: Vec<String> = query.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Err(ToolError::new("`query` holds no word; use list_notes to see every note"));
    }
    let found = notes.search(&words, limit).await.map_err(told)?;
    let hits = found.iter().map(|note| Hit { note: note.summary(), excerpt: excerpt(&note.text, &words) });
    Ok(Structured(Hits { hits: hits.collect() }))
}

/// The line with the first match, cut to 160 characters.
fn excerpt(text: &str, words: &[String]) -> String {
    let matches = |line: &&str| {
        let line = line.to_lowercase();
        words.iter().any(|word| line.contains(&word.to_lowercase()))
    };
    let line = text.lines().find(matches).or_else(|| text.lines().next()).unwrap_or_default();
    line.chars().take(160).collect()
}

/// The store's refusal as a text that says what to do next.
pub(super) fn told(error: StoreError) -> ToolError {
    match error {
        StoreError::Unknown(_) => ToolError::new(format!("{error}; list_notes shows the ids there are")),
        StoreError::Conflict { .. } => {
            ToolError::new(format!("{error}; read it with get_note and decide again"))
        }
        StoreError::Full(_) => ToolError::new(format!("{error}; delete some with delete_note first")),
        StoreError::Unfit(_) => ToolError::new(error.to_string()),
        StoreError::Unavailable(_) => {
            ToolError::new("the notes cannot be reached now; try again later").caused_by(error)
        }
    }
}
