//! Entries in registration order, found by name.

use crate::{
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
}

/// An entry that has a name of its own.
pub(crate) trait Named {
    fn key(&self) -> &str;
}

/// Entries in order, with a table from their names.
#[derive(Debug)]
pub(crate) struct Index<T> {
    entries: Vec<Arc<T>>,
    by_name: HashMap<Box<str>, usize>,
}

impl<T: Named> Index<T> {
    /// Indexes the entries; the names that occur twice come back.
    pub(crate) fn new(entries: Vec<Arc<T>>) -> (Self, Vec<String>) {
        let mut by_name = HashMap::with_capacity(entries.len());
        let mut twice = Vec::new();
        for (position, entry) in entries.iter().enumerate() {
            if by_name.insert(Box::from(entry.key()), position).is_some() {
                twice.push(entry.key().to_owned());
            }
        }
        (Self { entries, by_name }, twice)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<T>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    pub(crate) fn entries(&self) -> &[Arc<T>] {
        &self.entries
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
