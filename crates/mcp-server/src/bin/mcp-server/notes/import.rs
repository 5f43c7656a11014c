//! The tool that takes a while: import_notes, with progress and log messages.

use super::{
    Notes,
    announce::{Change, announce},
    note::{NewNote, NoteId},
    read::told,
    store::StoreError,
};
use mcp_server::{App, Args, Context, Log, Progress, Structured, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Many notes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ImportNotes {
    /// The notes to add, in order.
    #[schemars(length(min = 1, max = 200))]
    notes: Vec<NewNote>,
}

/// What became of them.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Imported {
    /// The ids of the notes that were added, in order.
    added: Vec<NoteId>,
    /// The notes that were not.
    refused: Vec<Refused>,
}

/// A note that was not added.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Refused {
    /// Its place in `notes`, from 0.
    position: usize,
    /// Why, and what to do about it.
    reason: String,
}

pub(super) async fn import_notes(
    App(notes): App<Notes>,
    context: Context,
    progress: Progress,
    log: Log,
    Args(import): Args<ImportNotes>,
) -> Result<Structured<Imported>, ToolError> {
    let total = import.notes.len();
    let (mut added, mut refused) = (Vec::new(), Vec::new());
    for (position, new) in import.notes.into_iter().enumerate() {
        let title: String = new.title.chars().take(60).collect();
        match notes.add(new).await {
            Ok(note) => {
                added.push(note.id);
                announce(context.server(), Change::Added);
            }
            Err(error @ (StoreError::Unfit(_) | StoreError::Full(_))) => {
                log.warning(&format!("note {position} was refused: {error}"));
                refused.push(Refused { position, reason: told(error).to_string() });
            }
            Err(error) => return Err(told(error)),
        }
        progress.report_with(count(position + 1), count(total), &title);
        // Lets the report go out, and lets a cancellation take effect between two notes.
        tokio::task::yield_now().await;
    }
    log.info(&format!("{} of {total} notes were added", added.len()));
    Ok(Structured(Imported { added, refused }))
}

/// At most 200, so nothing is lost.
fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
