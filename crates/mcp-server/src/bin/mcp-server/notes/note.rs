//! What a note is, and the shapes it is shown in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of a note, such as `n12`.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(transparent)]
#[schemars(transparent)]
pub(super) struct NoteId(String);

impl NoteId {
    /// The id of the note that was added as the `number`-th.
    pub(super) fn numbered(number: u64) -> Self {
        Self(format!("n{number}"))
    }

    /// The number in the id; `None` when the text is no id of ours.
    pub(super) fn number(&self) -> Option<u64> {
        let number = self.0.strip_prefix('n')?.parse().ok()?;
        // `n07` and `n+7` are spellings that were never given out.
        (Self::numbered(number) == *self).then_some(number)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The URI of the note as a resource.
    pub(super) fn uri(&self) -> String {
        format!("notes://{self}")
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A note that is to be added.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct NewNote {
    /// A title of one line.
    #[schemars(length(min = 1, max = 120))]
    pub(super) title: String,
    /// The text, as Markdown.
    #[schemars(length(max = 65536))]
    pub(super) text: String,
    /// Words to find the note by: lower-case letters, digits and `-`.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub(super) tags: Vec<String>,
}

/// What is to change in a note; what is left out stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Edit {
    pub(super) title: Option<String>,
    pub(super) text: Option<String>,
    pub(super) tags: Option<Vec<String>>,
    /// Refuses the change when the note is at another revision.
    pub(super) expected_revision: Option<u32>,
}

/// A note.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub(super) struct Note {
    /// The id that get_note, update_note and delete_note take.
    pub(super) id: NoteId,
    /// The title.
    pub(super) title: String,
    /// The text, as Markdown.
    pub(super) text: String,
    /// The words the note is found by.
    pub(super) tags: Vec<String>,
    /// How often the note was written: 1 when it is new.
    pub(super) revision: u32,
}

impl Note {
    pub(super) fn summary(&self) -> Summary {
        Summary {
            id: self.id.clone(),
            title: self.title.clone(),
            tags: self.tags.clone(),
            revision: self.revision,
            bytes: self.text.len(),
        }
    }
}

/// A note without its text.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub(super) struct Summary {
    /// The id that get_note, update_note and delete_note take.
    pub(super) id: NoteId,
    /// The title.
    pub(super) title: String,
    /// The words the note is found by.
    pub(super) tags: Vec<String>,
    /// How often the note was written: 1 when it is new.
    pub(super) revision: u32,
    /// The size of the text in bytes.
    pub(super) bytes: usize,
}
