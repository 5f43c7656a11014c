//! Notes in memory: gone when the process ends, and never more than the bounds allow.

use super::{
    note::{Edit, NewNote, Note, NoteId, Summary},
    store::{NoteStore, StoreError},
};
use async_trait::async_trait;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The most notes kept by default: with the text of each at its bound they take 64 MiB.
const MOST_NOTES: usize = 1_000;
/// The most bytes of one note's text.
const TEXT_BYTES: usize = 64 * 1024;
/// The most characters of a title.
const TITLE_CHARS: usize = 120;
/// The most tags of one note.
const TAGS: usize = 8;
/// The most characters of a tag.
const TAG_CHARS: usize = 32;

/// Notes in memory.
#[derive(Debug)]
pub(super) struct MemoryNotes {
    most: usize,
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    notes: BTreeMap<u64, Note>,
    last_number: u64,
}

impl MemoryNotes {
    /// An empty store of at most 1,000 notes.
    pub(super) fn new() -> Self {
        Self::bounded(MOST_NOTES)
    }

    /// An empty store of at most `most` notes.
    pub(super) fn bounded(most: usize) -> Self {
        Self { most, shelf: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn find(&mut self, id: &NoteId) -> Result<&mut Note, StoreError> {
        let found = id.number().and_then(|number| self.notes.get_mut(&number));
        found.ok_or_else(|| unknown(id))
    }
}

fn unknown(id: &NoteId) -> StoreError {
    StoreError::Unknown(id.as_str().chars().take(40).collect())
}

#[async_trait]
impl NoteStore for MemoryNotes {
    async fn add(&self, new: NewNote) -> Result<Note, StoreError> {
        check_title(&new.title)?;
        check_text(&new.text)?;
        check_tags(&new.tags)?;
        let mut shelf = self.lock();
        if shelf.notes.len() >= self.most {
            return Err(StoreError::Full(self.most));
        }
        shelf.last_number += 1;
        let number = shelf.last_number;
        let NewNote { title, text, tags } = new;
        let note = Note { id: NoteId::numbered(number), title, text, tags, revision: 1 };
        shelf.notes.insert(number, note.clone());
        Ok(note)
    }

    async fn get(&self, id: &NoteId) -> Result<Note, StoreError> {
        self.lock().find(id).cloned()
    }

    async fn update(&self, id: &NoteId, edit: Edit) -> Result<Note, StoreError> {
        edit.title.as_deref().map_or(Ok(()), check_title)?;
        edit.text.as_deref().map_or(Ok(()), check_text)?;
        edit.tags.as_deref().map_or(Ok(()), check_tags)?;
        let mut shelf = self.lock();
        let note = shelf.find(id)?;
        if let Some(expected) = edit.expected_revision.filter(|expected| *expected != note.revision) {
            return Err(StoreError::Conflict { expected, is: note.revision });
        }
        note.title = edit.title.unwrap_or(std::mem::take(&mut note.title));
        note.text = edit.text.unwrap_or(std::mem::take(&mut note.text));
        note.tags = edit.tags.unwrap_or(std::mem::take(&mut note.tags));
        note.revision = note.revision.saturating_add(1);
        Ok(note.clone())
    }

    async fn delete(&self, id: &NoteId, revision: u32) -> Result<Note, StoreError> {
        let mut shelf = self.lock();
        let note = shelf.find(id)?;
        if note.revision != revision {
            return Err(StoreError::Conflict { expected: revision, is: note.revision });
        }
        id.number().and_then(|number| shelf.notes.remove(&number)).ok_or_else(|| unknown(id))
    }

    async fn list(&self) -> Result<Vec<Summary>, StoreError> {
        Ok(self.lock().notes.values().map(Note::summary).collect())
    }

    async fn search(&self, words: &[String], most: usize) -> Result<Vec<Note>, StoreError> {
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let shelf = self.lock();
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for note in shelf.notes.values() {
            let (title, text) = (note.title.to_lowercase(), note.text.to_lowercase());
            let in_title = |word: &String| title.contains(word);
            let anywhere = |word: &String| {
                in_title(word) || text.contains(word) || note.tags.iter().any(|tag| tag.contains(word))
            };
            if words.iter().all(anywhere) {
                if words.iter().any(in_title) { first.push(note) } else { rest.push(note) }
            }
        }
        Ok(first.into_iter().chain(rest).take(most).cloned().collect())
    }
}

fn check_title(title: &str) -> Result<(), StoreError> {
    let fits = !title.trim().is_empty()
        && title.chars().count() <= TITLE_CHARS
        && !title.chars().any(char::is_control);
    fits.then_some(()).ok_or_else(|| {
        StoreError::Unfit(format!(
            "a title is one line of 1 to {TITLE_CHARS} characters; shorten it or fill it in"
        ))
    })
}

fn check_text(text: &str) -> Result<(), StoreError> {
    (text.len() <= TEXT_BYTES).then_some(()).ok_or_else(|| {
        let bytes = text.len();
        StoreError::Unfit(format!(
            "the text has {bytes} bytes and a note takes {TEXT_BYTES}; divide it into several notes"
        ))
    })
}

fn check_tags(tags: &[String]) -> Result<(), StoreError> {
    let allowed = |character: char| matches!(character, 'a'..='z' | '0'..='9' | '-');
    let fits = |tag: &String| !tag.is_empty() && tag.len() <= TAG_CHARS && tag.chars().all(allowed);
    (tags.len() <= TAGS && tags.iter().all(fits)).then_some(()).ok_or_else(|| {
        StoreError::Unfit(format!(
            "a note has at most {TAGS} tags, each of 1 to {TAG_CHARS} lower-case letters, digits and `-`"
        ))
    })
}
