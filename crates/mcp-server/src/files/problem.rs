//! Why a file of a folder that is read at once cannot be read.

use std::io;

/// Why a file or folder cannot be read with the folder that it is in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// It is not there, or may not be read.
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
    /// It is a setting, whose value is outside of its range.
    #[error("{0}")]
    OutOfRange(Box<str>),
    /// It is a symbolic link.
    #[error("it is a symbolic link; put the file itself here")]
    Link,
    /// It is neither a file nor a folder.
    #[error("it is neither a file nor a folder")]
    Special,
    /// Its name is not Unicode, or has a character that steers.
    #[error("its name cannot be part of a URI")]
    Name,
    /// The file is too large.
    #[error("it has more than {most} bytes (setting: max_file_bytes)")]
    FileTooLarge {
        /// The most bytes of a file.
        most: u64,
    },
    /// With this file there are too many.
    #[error("with it there are more than {most} files (setting: max_files)")]
    TooManyFiles {
        /// The most files.
        most: usize,
    },
    /// With this file they are too large together.
    #[error("with it the files have more than {most} bytes together (setting: max_bytes)")]
    TooManyBytes {
        /// The most bytes of all files together.
        most: u64,
    },
    /// The folder is too deep.
    #[error("it is more than {most} folders deep (setting: max_depth)")]
    TooDeep {
        /// The most folders.
        most: usize,
    },
}
