//! Lists in pages: how long a page is, where the next one goes on, and what clients may keep of it.
//!
//! Lists are whole unless [`Lists::page_size`] says otherwise. A cursor is sealed with the server's
//! [`StateKeys`](crate::ask::state::StateKeys): a client reads nothing in it, cannot make one, and any node of the
//! server takes it. It belongs to one list, one revision, and one caller.
//!
//! **When the lists change between two pages** the cursor still tells where to go on: entries keep their order and new
//! ones come last, so nothing that was there all the time is skipped or comes twice. That holds wherever what was
//! listed then is known: on every node that lists it now, and on those that have listed it before one of their last
//! [`EARLIER_CATALOGUES`] changes. Elsewhere the cursor is refused with `-32602`, and the
//! client lists again from the beginning, as the specification tells it to.
//!
//! Spec: 2026-07-28, server/utilities/pagination and server/utilities/caching.

mod budget;
mod collect;
mod cursor;
mod options;

#[doc(hidden)]
pub mod hostile;

pub use options::{EARLIER_CATALOGUES, Lists};

pub(crate) use collect::{NotListed, Page, Sight, collect, resources_seen};
pub(crate) use cursor::{Cursor, CursorBinding, Place};
