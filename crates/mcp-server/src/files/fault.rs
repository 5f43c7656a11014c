//! Why a folder cannot be served.

use std::{error::Error, io, path::PathBuf};

/// Why a folder cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderFault {
    /// The folder is not there, is no folder, or may not be read.
    #[error("the folder {} cannot be opened", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the operating system says.
        #[source]
        source: io::Error,
    },
    /// The prefix of the URIs is no beginning of an absolute URI.
    #[error("`{prefix}` cannot begin the URIs of a folder; write something like `docs://`")]
    Prefix {
        /// The prefix.
        prefix: String,
        /// What is wrong with the URIs that it leads to.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}
