//! Toolboxes: lists that begin lean, and tools that tell of the rest, list it and call it.
//!
//! | file | what it does |
//! |---|---|
//! | `options.rs` | the settings, and what models are told |
//! | `own.rs` | the five tools |
//! | `names.rs` | their names |
//! | `listing.rs` | what is listed, to whom |
//! | `contents.rs` | what is in the toolboxes, as one caller sees it |
//! | `open.rs` | the handlers that tell of toolboxes, open and close them |
//! | `proxy.rs` | calls of one tool through another |

mod contents;
mod listing;
mod names;
mod open;
mod options;
mod own;
mod proxy;

pub use options::{TOOLBOX_INSTRUCTIONS, Toolboxes};

pub(crate) use proxy::Redirected;

pub(super) use listing::{lists, opens};
