//! Books: found, listed, added, withdrawn.

use super::Library;
use crate::problem::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A book of the library.
#[derive(Clone, Debug, Serialize, JsonSchema, ToSchema)]
pub(crate) struct Book {
    /// The number on its back
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) author: String,
    /// When it was first published
    pub(crate) year: u16,
}

/// A book that is about to be added.
#[derive(Debug, Deserialize, JsonSchema, ToSchema)]
pub(crate) struct NewBook {
    pub(crate) title: String,
    pub(crate) author: String,
    /// When it was first published
    pub(crate) year: u16,
}

/// The books that are there in the morning.
pub(super) fn bring(library: &Library) {
    for (title, author, year) in [
        ("Middlemarch", "George Eliot", 1871),
        ("Moby-Dick", "Herman Melville", 1851),
        ("The Time Machine", "H. G. Wells", 1895),
        ("The War of the Worlds", "H. G. Wells", 1898),
    ] {
        let book = NewBook { title: title.into(), author: author.into(), year };
        // An empty library has none of them yet.
        let _ = library.add(book);
    }
}

impl Library {
    /// The book with this number.
    pub(crate) fn book(&self, id: u32) -> Result<Book, Problem> {
        self.lock().books.get(&id).cloned().ok_or(Problem::NoBook(id))
    }

    /// All books, in the order of their numbers.
    pub(crate) fn books(&self) -> Vec<Book> {
        self.lock().books.values().cloned().collect()
    }

    /// Adds a book and gives it a number.
    pub(crate) fn add(&self, book: NewBook) -> Result<Book, Problem> {
        let NewBook { title, author, year } = book;
        let mut inventory = self.lock();
        if let Some(known) = inventory.books.values().find(|it| it.title == title && it.author == author) {
            return Err(Problem::Doubled(known.id));
        }
        let id = inventory.books.last_key_value().map_or(1, |(last, _)| last.saturating_add(1));
        let book = Book { id, title, author, year };
        inventory.books.insert(id, book.clone());
        Ok(book)
    }

    /// Takes a book out of the library, with its loan if it is lent.
    pub(crate) fn withdraw(&self, id: u32) -> Result<(), Problem> {
        let mut inventory = self.lock();
        inventory.loans.remove(&id);
        inventory.books.remove(&id).map(drop).ok_or(Problem::NoBook(id))
    }
}
