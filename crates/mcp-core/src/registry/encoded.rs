//! List entries as text, encoded at first use, per list and revision.

use super::Catalogue;
use crate::{
    json::JsonWriter,
    lower::{self, ListKind},
    version::ProtocolVersion,
};
use bytes::Bytes;
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

/// The entries of one list in one revision, one after the other with commas between them.
#[derive(Debug, Default)]
pub(crate) struct EncodedList {
    text: Bytes,
    /// Where each entry ends.
    ends: Vec<usize>,
}

/// The lists of a catalogue in every revision.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    lists: [[OnceLock<EncodedList>; ProtocolVersion::ALL.len()]; 4],
}

impl EncodedList {
    pub(super) fn of<T>(entries: &[Arc<T>], write: impl Fn(JsonWriter<'_>, &T)) -> Self {
        let (mut out, mut ends) = (Vec::new(), Vec::with_capacity(entries.len()));
        for entry in entries {
            if !out.is_empty() {
                out.push(b',');
            }
            write(JsonWriter::new(&mut out), entry);
            ends.push(out.len());
        }
        Self { text: Bytes::from(out), ends }
    }

    /// All entries, commas between them.
    pub(crate) fn text(&self) -> &Bytes {
        &self.text
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Some entries that follow each other, commas between them; those that are not there are left out.
    pub(crate) fn slice(&self, range: Range<usize>) -> &[u8] {
        let end_of = |count: usize| count.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        let end = end_of(range.end.min(self.len())).unwrap_or(0);
        // The comma after the entry before belongs to nobody.
        let start = end_of(range.start.min(self.len())).map_or(0, |end| end + 1);
        self.text.get(start..end).unwrap_or_default()
    }
}

impl Encoded {
    pub(super) fn list(&self, all: &Catalogue, kind: ListKind, version: ProtocolVersion) -> &EncodedList {
        static NOTHING: EncodedList = EncodedList { text: Bytes::new(), ends: Vec::new() };
        let [tools, resources, templates, prompts] = &self.lists;
        let slots = match kind {
            ListKind::Tools => tools,
            ListKind::Resources => resources,
            ListKind::Templates => templates,
            ListKind::Prompts => prompts,
        };
        slots.get(version.index()).map_or(&NOTHING, |slot| slot.get_or_init(|| encode(all, kind, version)))
    }
}

fn encode(all: &Catalogue, kind: ListKind, version: ProtocolVersion) -> EncodedList {
    match kind {
        ListKind::Tools => EncodedList::of(all.tools.listed().entries(), |writer, entry| {
            let card = all.card_uri(entry);
            lower::tool(writer, entry, (all.tools.versions_of(&entry.name), card.as_deref()), version);
        }),
        ListKind::Resources => EncodedList::of(all.resources.entries(), |writer, entry| {
            lower::resource(writer, &entry.resource, version);
        }),
        ListKind::Templates => EncodedList::of(all.templates.entries(), |writer, entry| {
            lower::template(writer, entry, version);
        }),
        ListKind::Prompts => EncodedList::of(all.prompts.entries(), |writer, entry| {
            lower::prompt(writer, entry, version);
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_run_of_entries_is_what_lies_between_their_commas() {
        let entries: Vec<Arc<&str>> = ["a", "bb", "", "d"].into_iter().map(Arc::new).collect();
        let list = EncodedList::of(&entries, |writer, text| writer.string(text));
        let texts = [r#""a""#, r#""bb""#, r#""""#, r#""d""#];
        for from in 0..=5 {
            for to in from..=6 {
                let (first, last) = (from.min(4), to.min(4));
                assert_eq!(list.slice(from..to), texts[first..last].join(",").as_bytes(), "{from}..{to}");
            }
        }
        assert_eq!((list.len(), &list.text()[..]), (4, texts.join(",").as_bytes()));
    }
}
