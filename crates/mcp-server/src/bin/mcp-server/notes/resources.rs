//! Notes as resources: the index, every note by id, and the list of them.

use super::{Notes, note::Summary, store::StoreError};
use mcp_server::{Annotations, App, Completion, ProtocolError, Resource, Role, Typed, Vars};
use std::fmt::Write as _;

/// The media type of a note and of the index.
pub(super) const MARKDOWN: &str = "text/markdown";

/// `notes://index`: a line per note.
pub(super) async fn index(App(notes): App<Notes>) -> Result<String, ProtocolError> {
    let notes = notes.list().await?;
    let mut text = format!("# Notes ({})\n", notes.len());
    for note in &notes {
        let _ = write!(text, "\n- [{}]({})", note.title, note.id.uri());
        for tag in &note.tags {
            let _ = write!(text, " #{tag}");
        }
    }
    Ok(text)
}

/// `notes://{id}`: a note as Markdown, its title as the heading.
pub(super) async fn note(
    App(notes): App<Notes>,
    Vars(id): Vars<super::note::NoteId>,
) -> Result<String, ProtocolError> {
    match notes.get(&id).await {
        Ok(note) => Ok(format!("# {}\n\n{}", note.title, note.text)),
        Err(StoreError::Unknown(_)) => Err(ProtocolError::resource_not_found(id.uri())),
        Err(error) => Err(error.into()),
    }
}

/// The resource of every note, oldest first.
pub(super) async fn listed(App(notes): App<Notes>) -> Result<Vec<Resource>, ProtocolError> {
    Ok(notes.list().await?.iter().map(as_resource).collect())
}

/// A note as it appears in the list, and in links.
pub(super) fn as_resource(note: &Summary) -> Resource {
    Resource::new(note.id.uri(), note.id.as_str())
        .title(note.title.as_str())
        .mime_type(MARKDOWN)
        .annotate(Annotations::new().audience([Role::User, Role::Assistant]))
}

/// Suggests ids: those that begin with what is typed, and those whose title holds it.
pub(super) async fn complete_id(
    App(notes): App<Notes>,
    Typed(typed): Typed,
) -> Result<Completion, ProtocolError> {
    let wanted = typed.to_lowercase();
    let notes = notes.list().await?;
    let fits = |note: &&Summary| {
        note.id.as_str().starts_with(&wanted) || note.title.to_lowercase().contains(&wanted)
    };
    Ok(Completion::new(notes.iter().filter(fits).map(|note| note.id.as_str())))
}
