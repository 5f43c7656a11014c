//! Who sees what in the lists: policies of the server, and what a connection hides.
//!
//! Both only narrow a list, and neither is access control: what is not listed can still be called, read and rendered.

mod change;
mod connected;
mod difference;
mod filter;
mod listed;
mod visibility;

pub use filter::{IntoVerdict, Verdict};
pub use listed::{Listed, ListedKind};
pub use visibility::{Visibility, VisibilityError};

pub(crate) use change::change_view;
pub(crate) use connected::View;
pub(crate) use difference::{Difference, differences};
pub(crate) use filter::{Filter, filter};
