//! Entries in registration order, found by name.

use super::Origin;
use crate::{
    presentation::Presentation,
    registry::NameRule,
    schema::{SchemaBounds, SchemaDialect},
};
use std::{collections::HashMap, sync::Arc};

/// What entries are held to when they are built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) dialect: SchemaDialect,
    pub(crate) bounds: SchemaBounds,
    pub(crate) names: NameRule,
    /// How many earlier catalogues a cursor may come from; none where lists are not cut into pages.
    pub(crate) earlier: usize,
    /// The server keeps tasks, so that tools may run as such.
    pub(crate) tasks: bool,
    /// The bytes of one reply, `limits.output_bytes`.
    pub(crate) output_bytes: usize,
    /// How the catalogue is presented, which may take tools of the server's own.
    pub(crate) presentation: Presentation,
}

/// An entry that has a name of its own.
pub(crate) trait Named {
    fn key(&self) -> &str;

    /// Where it was registered.
    fn origin(&self) -> &Origin;
}

/// An entry with its place in the order of registration.
#[derive(Debug)]
pub(crate) struct Placed<T> {
    /// Grows with every registration and is never given again: what is removed and added anew is another entry.
    pub(crate) born: u64,
    pub(crate) entry: Arc<T>,
}

impl<T> Clone for Placed<T> {
    fn clone(&self) -> Self {
        Self { born: self.born, entry: Arc::clone(&self.entry) }
    }
}

/// Pairs of entries that have one name.
type SameName<T> = Vec<(Arc<T>, Arc<T>)>;

/// Entries in order, with a table from their names.
#[derive(Debug)]
pub(crate) struct Index<T> {
    entries: Vec<Arc<T>>,
    born: Arc<[u64]>,
    by_name: HashMap<Box<str>, usize>,
}

impl<T: Named> Index<T> {
    /// Indexes the entries; those whose name was there already come back, each with the first of its name.
    pub(crate) fn new(placed: Vec<Placed<T>>) -> (Self, SameName<T>) {
        let mut by_name = HashMap::with_capacity(placed.len());
        let mut twice = Vec::new();
        let born = placed.iter().map(|placed| placed.born).collect();
        let entries: Vec<Arc<T>> = placed.into_iter().map(|placed| placed.entry).collect();
        for (position, entry) in entries.iter().enumerate() {
            let first = *by_name.entry(Box::from(entry.key())).or_insert(position);
            if first != position
                && let Some(first) = entries.get(first)
            {
                twice.push((Arc::clone(first), Arc::clone(entry)));
            }
        }
        (Self { entries, born, by_name }, twice)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<T>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    pub(crate) fn entries(&self) -> &[Arc<T>] {
        &self.entries
    }

    /// When each entry was registered, in the order of the entries: growing numbers.
    pub(crate) fn born(&self) -> &Arc<[u64]> {
        &self.born
    }

    pub(crate) fn placed(&self) -> Vec<Placed<T>> {
        let places = self.born.iter().zip(&self.entries);
        places.map(|(born, entry)| Placed { born: *born, entry: Arc::clone(entry) }).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Tells whether both hold the very same entries in the same order.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.entries.len() == other.entries.len()
            && self.entries.iter().zip(&other.entries).all(|(one, other)| Arc::ptr_eq(one, other))
    }
}
