//! Completers: handlers that suggest values for an argument or a variable.

use super::Faults;
use crate::handler::{Binder, CompletionRequest, Erased};
use std::{fmt, sync::Arc};

/// Completers that wait for their state, by argument.
pub(crate) struct Unbound<S>(Vec<(Box<str>, Binder<CompletionRequest, S>)>);

/// Completers by argument.
#[derive(Default)]
pub(crate) struct Completers(Vec<(Box<str>, Erased<CompletionRequest>)>);

impl<S: Send + Sync + 'static> Unbound<S> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn add(&mut self, argument: Box<str>, completer: Binder<CompletionRequest, S>) {
        self.0.push((argument, completer));
    }

    pub(crate) fn with_state(self, state: &Arc<S>) -> Unbound<()> {
        let bound = self.0.into_iter().map(|(argument, binder)| {
            let completer = binder(Arc::clone(state));
            let binder: Binder<CompletionRequest, ()> = Box::new(move |_| completer);
            (argument, binder)
        });
        Unbound(bound.collect())
    }
}

impl Unbound<()> {
    pub(crate) fn bind(self) -> Completers {
        let unit = Arc::new(());
        Completers(
            self.0.into_iter().map(|(argument, binder)| (argument, binder(Arc::clone(&unit)))).collect(),
        )
    }
}

impl<S> Default for Unbound<S> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Completers {
    pub(crate) fn get(&self, argument: &str) -> Option<&Erased<CompletionRequest>> {
        self.0.iter().find(|(name, _)| &**name == argument).map(|(_, completer)| completer)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes arguments that have more than one completer: only the first would ever be asked.
    pub(crate) fn note_repeated(&self, subject: &str, faults: &mut Faults) {
        for (position, name) in self.names().enumerate() {
            if self.names().take(position).any(|earlier| earlier == name) {
                faults.add(subject, format!("`{name}` has two completers; remove one"));
            }
        }
    }
}

impl fmt::Debug for Completers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.names()).finish()
    }
}

impl<S> fmt::Debug for Unbound<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}
