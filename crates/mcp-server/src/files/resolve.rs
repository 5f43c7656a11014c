//! From a path to the file it leads to, by way of links that stay inside.

use super::{
    HiddenFiles,
    path::is_plain,
    read::{ReadFault, refused},
};
use cap_std::fs::{Dir, Metadata};
use std::path::PathBuf;

/// Finds the regular file behind a path below the root.
///
/// A link may lead to a hidden file inside, so where it leads is held to the same rule as its name.
pub(crate) fn resolve(root: &Dir, path: &str, hidden: HiddenFiles) -> Result<(PathBuf, Metadata), ReadFault> {
    let plain = |path: &str| is_plain(path, hidden);
    if !plain(path) {
        return Err(refused("not a plain path"));
    }
    let target = root.canonicalize(path)?;
    if !target.to_str().is_some_and(|target| plain(&target.replace(std::path::MAIN_SEPARATOR, "/"))) {
        return Err(refused("a link to something that is not served"));
    }
    // Opening a pipe would wait for its writer, so it is looked at before it is opened.
    let metadata = root.metadata(&target)?;
    if metadata.is_file() { Ok((target, metadata)) } else { Err(refused("not a regular file")) }
}
