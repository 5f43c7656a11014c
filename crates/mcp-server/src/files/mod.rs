//! Files and folders as resources, and files as icons.
//!
//! [`file()`] makes a resource of one file, [`folder`] a template, a list and a completion of everything below a
//! folder. Contents are read anew each time, on blocking threads.
//!
//! A path from a client never leaves its folder: the folder is opened once, and every path is resolved beneath
//! that handle, so that neither `..` nor a symbolic link, not even one put there between a check and its use,
//! leads out. Links that stay inside are followed.

mod fault;
mod faults;
mod file;
mod folder;
#[cfg(any(feature = "apps", feature = "skills"))]
mod gather;
mod icon;
mod listing;
mod media;
mod path;
mod problem;
mod read;
mod resolve;
#[cfg(test)]
mod tests;

pub use fault::FolderFault;
pub use faults::{FileFault, FileFaults, Problem};
pub use file::{file, file_within};
pub use folder::{Folder, HiddenFiles, folder};
pub use icon::{IconFault, MAX_ICON_BYTES, icon};
pub use problem::FileProblem;

#[cfg(any(feature = "apps", feature = "skills"))]
pub(crate) use gather::{Gathered, Gathering};
#[cfg(feature = "skills")]
pub(crate) use media::contents;
#[cfg(any(feature = "apps", feature = "skills"))]
pub(crate) use path::is_plain_name;
#[cfg(any(feature = "apps", feature = "skills"))]
pub(crate) use read::{ReadFault, read_within};
#[cfg(feature = "apps")]
pub(crate) use resolve::resolve;

/// The largest file that is served by default, in bytes: 1 MiB, which fits the default limit of a reply as Base64.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;
