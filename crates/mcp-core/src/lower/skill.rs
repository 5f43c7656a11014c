//! Results of the Skills extension, the same in every revision but for the frame.

use super::{Reply, ResultFrame};
use crate::{
    json::ObjectWriter,
    protocol::{CacheHints, Meta},
    skill::Page,
};

/// A page of `skills/list`.
pub(crate) fn skills(frame: ResultFrame<'_>, page: &Page, cache: CacheHints) -> Reply {
    framed(frame, page.entries.len(), Some(cache), |result| entries(result, "skills", page))
}

/// The result of `skills/get`.
pub(crate) fn skill(frame: ResultFrame<'_>, entry: &[u8], cache: CacheHints) -> Reply {
    framed(frame, entry.len(), Some(cache), |result| result.raw("skill", entry))
}

/// A page of `resources/directory/read`, which the specification gives no cache hints.
pub(crate) fn directory(frame: ResultFrame<'_>, page: &Page) -> Reply {
    framed(frame, page.entries.len(), None, |result| entries(result, "resources", page))
}

fn framed(
    frame: ResultFrame<'_>,
    capacity: usize,
    cache: Option<CacheHints>,
    fill: impl FnOnce(&mut ObjectWriter<'_>),
) -> Reply {
    frame.reply(frame.write(capacity + 64, &Meta::new(), cache, fill))
}

fn entries(result: &mut ObjectWriter<'_>, member: &str, page: &Page) {
    result.array(member, |array| {
        // The entries carry their own commas, so all of them go in as one element.
        if !page.entries.is_empty() {
            array.raw(&page.entries);
        }
    });
    result.optional_string("nextCursor", page.next.as_deref());
}
