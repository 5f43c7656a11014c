//! What is written to the log while a test looks.

use std::{
    fmt::{Debug, Write as _},
    sync::{Arc, Mutex},
};
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::DefaultGuard,
};

/// The lines of a log, each with its fields in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    /// What was written so far.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Keeps what is written on this thread at exactly this level until the guard is dropped.
pub(crate) fn capture(level: Level) -> (Lines, DefaultGuard) {
    let lines = Lines::default();
    let guard = tracing::subscriber::set_default(Capturing { level, lines: lines.clone() });
    (lines, guard)
}

struct Capturing {
    level: Level,
    lines: Lines,
}

impl Subscriber for Capturing {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == self.level
    }

    fn event(&self, event: &Event<'_>) {
        struct Fields(String);

        impl Visit for Fields {
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                write!(self.0, "{}={value:?} ", field.name()).unwrap();
            }
        }

        let mut fields = Fields(String::new());
        event.record(&mut fields);
        self.lines.0.lock().unwrap().push(fields.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
