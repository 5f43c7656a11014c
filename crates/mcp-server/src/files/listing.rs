//! Which files are below a folder, in the order of their paths and within bounds.

use super::{HiddenFiles, path::is_plain_name, resolve::resolve};
use cap_std::fs::{Dir, DirEntry};
use std::collections::BTreeMap;

/// The most bytes of paths in one list: with everything around them a list of this size fits a reply.
const PATH_BYTES: usize = 256 * 1024;

/// The most names looked at for one list, so that a folder of any size costs a bounded time.
const LOOKS: usize = 100_000;

/// How much is listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The most files.
    pub(super) entries: usize,
    /// The most folders deep.
    pub(super) depth: usize,
}

/// A file that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The path below the folder, with `/`.
    pub(super) path: String,
    /// The size in bytes.
    pub(super) bytes: u64,
}

impl Bounds {
    /// Finds files. What cannot be read is left out: a list of the rest serves better than none.
    pub(super) fn walk(self, root: &Dir, hidden: HiddenFiles) -> Vec<Found> {
        let mut walk = Walk {
            root,
            bounds: self,
            hidden,
            found: Vec::new(),
            path_bytes: 0,
            looked: 0,
            end: End::Complete,
        };
        walk.folder(root, "", self.depth);
        if walk.end == End::Cut {
            tracing::warn!(
                listed = walk.found.len(),
                "a folder has more files than are listed; the others can be read all the same"
            );
        }
        walk.found
    }
}

/// Whether a walk saw everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Complete,
    Cut,
}

/// What a name in a folder is.
enum Kind {
    File { bytes: u64 },
    Folder,
}

struct Walk<'a> {
    root: &'a Dir,
    bounds: Bounds,
    hidden: HiddenFiles,
    found: Vec<Found>,
    path_bytes: usize,
    looked: usize,
    end: End,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Dir, prefix: &str, depth: usize) {
        for (name, kind) in self.names(folder, prefix) {
            if self.end == End::Cut {
                return;
            }
            let path = format!("{prefix}{name}");
            match kind {
                Kind::File { bytes } => self.file(path, bytes),
                Kind::Folder if depth > 1 => {
                    if let Ok(inner) = folder.open_dir(&name) {
                        self.folder(&inner, &format!("{path}/"), depth - 1);
                    }
                }
                Kind::Folder => {}
            }
        }
    }

    fn file(&mut self, path: String, bytes: u64) {
        self.path_bytes += path.len();
        if self.found.len() >= self.bounds.entries || self.path_bytes > PATH_BYTES {
            self.end = End::Cut;
            return;
        }
        self.found.push(Found { path, bytes });
    }

    /// The names in a folder, in order.
    fn names(&mut self, folder: &Dir, prefix: &str) -> BTreeMap<String, Kind> {
        let mut names = BTreeMap::new();
        let Ok(entries) = folder.entries() else { return names };
        for entry in entries.flatten() {
            self.looked += 1;
            if self.looked > LOOKS {
                self.end = End::Cut;
                break;
            }
            // A name that is not Unicode has no URI.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if is_plain_name(&name, self.hidden)
                && let Some(kind) = self.kind(&entry, &format!("{prefix}{name}"))
            {
                names.insert(name, kind);
            }
        }
        names
    }

    /// What an entry is, when it is listed. Folders behind links are not, so that no walk goes in circles.
    fn kind(&self, entry: &DirEntry, path: &str) -> Option<Kind> {
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            return Some(Kind::Folder);
        }
        let metadata = if kind.is_symlink() {
            resolve(self.root, path, self.hidden).ok()?.1
        } else {
            entry.metadata().ok()?
        };
        metadata.is_file().then(|| Kind::File { bytes: metadata.len() })
    }
}
