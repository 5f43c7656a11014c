//! One file as a resource.

use super::{
    MAX_FILE_BYTES,
    media::{contents, media_type},
    read::{ReadFault, read_within, refused},
};
use mcp_core::{
    context::Context,
    handler::{ProtocolError, blocking},
    protocol::ResourceContents,
    registry::{ResourceBuilder, resource},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
};

/// One file as a resource, up to [`MAX_FILE_BYTES`]; its media type comes from its extension.
///
/// ```
/// use mcp_server::{McpRouter, files};
/// let router: McpRouter = McpRouter::new()
///     .resource("config://app", files::file("app.toml").title("The settings"));
/// ```
///
/// The file need not be there yet: it is looked for at each read, and its absence is a resource that is not
/// found. Text is text where it is UTF-8, anything else a blob.
pub fn file<S: Send + Sync + 'static>(path: impl Into<PathBuf>) -> ResourceBuilder<S> {
    file_within(path, MAX_FILE_BYTES)
}

/// One file as a resource, up to `most` bytes.
///
/// The bytes must also fit the server's `limits.output_bytes`, as escaped text or Base64.
pub fn file_within<S: Send + Sync + 'static>(path: impl Into<PathBuf>, most: u64) -> ResourceBuilder<S> {
    let path: Arc<Path> = path.into().into();
    let declared = media_type(&path);
    let read = move |context: Context| -> Result<ResourceContents, ProtocolError> {
        let bytes = read(&path, most).map_err(|fault| fault.told(context.target()))?;
        Ok(contents(&path, bytes))
    };
    let builder = resource(blocking(read));
    match declared {
        Some(declared) => builder.mime_type(declared),
        None => builder,
    }
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadFault> {
    // Opening a pipe would wait for its writer.
    if !fs::metadata(path)?.is_file() {
        return Err(refused("not a regular file"));
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    read_within(file, length, most)
}
