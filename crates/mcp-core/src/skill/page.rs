//! One page of a list whose entries are encoded.

use super::cursor::{encode, position};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

/// Entries in order, and what a cursor into them is bound to.
#[derive(Debug)]
pub(super) struct Listing {
    entries: Vec<Bytes>,
    tag: [u8; 8],
}

/// Where a page ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageBounds {
    pub(super) entries: usize,
    pub(super) bytes: usize,
}

/// One page: the entries as text, commas between them, and where the next one begins.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) entries: Vec<u8>,
    pub(crate) next: Option<String>,
}

impl Listing {
    /// A list; `what` tells it from others with the same entries.
    pub(super) fn new(what: &str, entries: Vec<Bytes>) -> Self {
        let mut hash = Sha256::new();
        hash.update(what);
        for entry in &entries {
            hash.update((entry.len() as u64).to_be_bytes());
            hash.update(entry);
        }
        let mut tag = [0; 8];
        tag.iter_mut().zip(hash.finalize()).for_each(|(own, byte)| *own = byte);
        Self { entries, tag }
    }

    /// The page that a cursor leads to; `None` for a cursor that is not this list's.
    pub(super) fn page(&self, cursor: Option<&str>, bounds: PageBounds) -> Option<Page> {
        let begin = match cursor {
            None => 0,
            // The first page has no cursor, and there is none to a page that would be empty.
            Some(cursor) => position(cursor, self.tag).filter(|at| (1..self.entries.len()).contains(at))?,
        };
        let mut page = Page { entries: Vec::new(), next: None };
        for (at, entry) in self.entries.iter().enumerate().skip(begin) {
            let full = at - begin >= bounds.entries || page.entries.len() + entry.len() > bounds.bytes;
            if at > begin && full {
                page.next = Some(encode(at, self.tag));
                break;
            }
            if at > begin {
                page.entries.push(b',');
            }
            page.entries.extend_from_slice(entry);
        }
        Some(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(what: &str, sizes: &[usize]) -> Listing {
        Listing::new(what, sizes.iter().map(|size| Bytes::from(vec![b'1'; *size])).collect())
    }

    /// The sizes of the entries, page by page.
    fn walked(listing: &Listing, bounds: PageBounds) -> Vec<Vec<usize>> {
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let page = listing.page(cursor.as_deref(), bounds).unwrap();
            pages.push(page.entries.split(|byte| *byte == b',').map(<[u8]>::len).collect());
            cursor = page.next;
            if cursor.is_none() {
                return pages;
            }
        }
    }

    #[test]
    fn a_page_ends_with_its_entries_or_its_bytes_and_never_within_an_entry() {
        let list = listing("a", &[10, 10, 10, 500, 10]);
        let bounds = |entries, bytes| PageBounds { entries, bytes };
        assert_eq!(walked(&list, bounds(2, 10_000)), [vec![10, 10], vec![10, 500], vec![10]]);
        assert_eq!(walked(&list, bounds(9, 25)), [vec![10, 10], vec![10], vec![500], vec![10]]);
        assert_eq!(walked(&list, bounds(9, 10_000)), [vec![10, 10, 10, 500, 10]]);
        assert_eq!(walked(&listing("a", &[]), bounds(1, 1)), [vec![0]]);
    }

    #[test]
    fn a_cursor_of_another_list_or_of_nothing_leads_nowhere() {
        let bounds = PageBounds { entries: 1, bytes: 1_024 };
        let list = listing("a", &[1, 1, 1]);
        let cursor = list.page(None, bounds).unwrap().next.unwrap();
        assert!(list.page(Some(&cursor), bounds).is_some());
        for other in [listing("b", &[1, 1, 1]), listing("a", &[1, 1]), listing("a", &[1, 1, 2])] {
            assert!(other.page(Some(&cursor), bounds).is_none());
        }
        for forged in
            ["", "x", "AAAA", &cursor[1..], &format!("{cursor}A"), &encode(3, list.tag), &encode(0, list.tag)]
        {
            assert!(list.page(Some(forged), bounds).is_none(), "{forged}");
        }
    }
}
