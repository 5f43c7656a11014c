//! Icons from files.

use super::{
    media::media_type,
    read::{ReadFault, read_within},
};
use mcp_core::protocol::Icon;
use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// The largest file that becomes an icon, in bytes: 64 KiB, because every list carries it anew.
pub const MAX_ICON_BYTES: u64 = 64 * 1024;

/// Reads an icon from a file, once, and carries it as a `data:` URI.
///
/// ```no_run
/// use mcp_server::{files, tool_args};
/// async fn add(a: i64, b: i64) -> i64 { a + b }
/// let icon = files::icon("icons/plus.svg")?.sizes(["any"]);
/// let add = tool_args::<2, (), _, _>(["a", "b"], add).describe("Adds two integers").icon(icon);
/// # Ok::<(), files::IconFault>(())
/// ```
///
/// The media type comes from the file's extension; every client shows PNG and JPEG, most show SVG and WebP.
/// Blocks while it reads, so it belongs to the start of a program.
///
/// # Errors
/// [`IconFault`] when the file cannot be read, is larger than [`MAX_ICON_BYTES`], or is no image by its extension.
///
/// Spec: 2026-07-28, basic#icons.
pub fn icon(path: impl AsRef<Path>) -> Result<Icon, IconFault> {
    let path = path.as_ref();
    let media_type = media_type(path).filter(|media_type| media_type.starts_with("image/"));
    let Some(media_type) = media_type else { return Err(IconFault::NoImage { path: path.to_owned() }) };
    match read(path) {
        Ok(bytes) => Ok(Icon::embedded(&media_type, &bytes)),
        Err(ReadFault::Missing(source)) => Err(IconFault::Unreadable { path: path.to_owned(), source }),
        Err(ReadFault::TooLarge { .. }) => Err(IconFault::TooLarge { path: path.to_owned() }),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ReadFault> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    read_within(file, length, MAX_ICON_BYTES)
}

/// Why a file does not become an icon.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IconFault {
    /// The file's extension is none of an image.
    #[error("the icon {} has no extension of an image, such as .png or .svg", path.display())]
    NoImage {
        /// The file.
        path: PathBuf,
    },
    /// The file is not there, or may not be read.
    #[error("the icon {} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        #[source]
        source: io::Error,
    },
    /// The file is too large.
    #[error("the icon {} is larger than {MAX_ICON_BYTES} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
}
