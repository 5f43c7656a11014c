//! Who hears of changes: subscribers with their filters, and the changes that wait for each.

mod subscriber;
mod table;

pub(crate) use subscriber::{ListKindChanged, Pending, Room, Subscriber};
pub(crate) use table::{Registration, Subscribers, TableFull};
