//! What the library knows, in memory: its books, who has them, and its reading rooms.

mod books;
mod loans;
mod rooms;

pub(crate) use books::{Book, NewBook};
pub(crate) use loans::Loan;
pub(crate) use rooms::RoomState;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The state of the application; its clones are one and the same library.
#[derive(Clone, Debug)]
pub(crate) struct Library(Arc<Mutex<Inventory>>);

#[derive(Debug, Default)]
struct Inventory {
    books: BTreeMap<u32, Book>,
    /// Who has a book, by its number.
    loans: BTreeMap<u32, (Box<str>, Loan)>,
    rooms: BTreeMap<Box<str>, RoomState>,
}

impl Library {
    /// A library as it opens in the morning.
    pub(crate) fn with_a_few_books() -> Self {
        let library = Self(Arc::default());
        books::bring(&library);
        rooms::open(&library);
        library
    }

    fn lock(&self) -> MutexGuard<'_, Inventory> {
        // Nothing is left half done when a handler panics: each change is a single step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
