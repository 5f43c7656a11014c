//! The port: where notes are kept.

use super::note::{Edit, NewNote, Note, NoteId, Summary};
use async_trait::async_trait;
use std::{error::Error, fmt::Debug};

/// Keeps notes; every operation is atomic.
///
/// Ids are never given out twice, not even after a deletion: a client that kept one must not meet another note.
#[async_trait]
pub(super) trait NoteStore: Debug + Send + Sync {
    /// Adds a note under an id of its own, at revision 1.
    async fn add(&self, new: NewNote) -> Result<Note, StoreError>;

    /// Finds a note.
    async fn get(&self, id: &NoteId) -> Result<Note, StoreError>;

    /// Changes a note and raises its revision by one; nothing changes when the edit is refused.
    async fn update(&self, id: &NoteId, edit: Edit) -> Result<Note, StoreError>;

    /// Removes a note and gives it back; refuses when it is at another revision.
    async fn delete(&self, id: &NoteId, revision: u32) -> Result<Note, StoreError>;

    /// Lists the notes in the order they were added.
    async fn list(&self) -> Result<Vec<Summary>, StoreError>;

    /// Finds notes that hold every word in title, text or tags, without regard to case; those with a match in
    /// the title come first. At most `most` are given.
    async fn search(&self, words: &[String], most: usize) -> Result<Vec<Note>, StoreError>;
}

/// Why the store refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    /// There is no note of this id.
    #[error("there is no note `{0}`")]
    Unknown(String),
    /// The note does not keep to the bounds; the text says which, and what they are.
    #[error("{0}")]
    Unfit(String),
    /// The note was changed since it was read.
    #[error("the note is at revision {is}, not {expected}")]
    Conflict {
        /// The revision the caller knew.
        expected: u32,
        /// The revision the note is at.
        is: u32,
    },
    /// No more notes can be kept.
    #[error("the store is full: it keeps {0} notes")]
    Full(usize),
    /// The store itself failed; a store in memory never does.
    #[error("the notes cannot be reached")]
    #[expect(dead_code, reason = "stores that do I/O need it, and handlers must be ready for it")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}
