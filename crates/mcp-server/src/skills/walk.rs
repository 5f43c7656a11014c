//! Every file below a folder of skills, within bounds; what does not belong there is told.

use super::{SkillFault, SkillProblem};
use crate::files::{HiddenFiles, ReadFault, is_plain_name, read_within};
use cap_std::fs::{Dir, DirEntry};
use std::collections::BTreeMap;

/// How much is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) files: usize,
    pub(super) bytes: u64,
    pub(super) file_bytes: u64,
    pub(super) depth: usize,
}

/// The files by their paths below the folder, with `/` between parts, and what is wrong.
#[derive(Debug)]
pub(super) struct Walk {
    bounds: Bounds,
    hidden: HiddenFiles,
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) faults: Vec<SkillFault>,
    bytes: u64,
    looked: usize,
    end: End,
}

/// Whether there is more to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Open,
    Reached,
}

impl Walk {
    pub(super) fn new(bounds: Bounds, hidden: HiddenFiles) -> Self {
        let (files, faults) = (BTreeMap::new(), Vec::new());
        Self { bounds, hidden, files, faults, bytes: 0, looked: 0, end: End::Open }
    }

    /// Reads everything below a folder; the prefix is its own path, with `/` at its end unless it is empty.
    pub(super) fn folder(&mut self, folder: &Dir, prefix: &str, depth: usize) {
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(error) => return self.fault(prefix.trim_end_matches('/'), SkillProblem::Unreadable(error)),
        };
        // In order, so that every machine tells the same of the same files.
        let mut names = BTreeMap::new();
        for entry in entries {
            self.looked += 1;
            // Folders count too: a thousand empty ones cost as much as a thousand files.
            if self.looked > self.bounds.files.saturating_mul(2) {
                self.end = End::Reached;
                let most = self.bounds.files;
                return self.fault(prefix.trim_end_matches('/'), SkillProblem::TooManyFiles { most });
            }
            match entry {
                Ok(entry) => drop(names.insert(entry.file_name(), entry)),
                Err(error) => self.fault(prefix.trim_end_matches('/'), SkillProblem::Unreadable(error)),
            }
        }
        for (name, entry) in names {
            if self.end == End::Reached {
                return;
            }
            let shown = name.to_string_lossy();
            if self.hidden == HiddenFiles::Refused && shown.starts_with('.') {
                continue;
            }
            let path = format!("{prefix}{shown}");
            if name.to_str().is_some_and(|name| is_plain_name(name, HiddenFiles::Served)) {
                self.entry(folder, &entry, &shown, path, depth);
            } else {
                self.fault(&path, SkillProblem::Name);
            }
        }
    }

    fn entry(&mut self, folder: &Dir, entry: &DirEntry, name: &str, path: String, depth: usize) {
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return self.fault(&path, SkillProblem::Unreadable(error)),
        };
        if kind.is_symlink() {
            self.fault(&path, SkillProblem::Link);
        } else if kind.is_dir() {
            if depth >= self.bounds.depth {
                return self.fault(&path, SkillProblem::TooDeep { most: self.bounds.depth });
            }
            // Should a link have taken the folder's place meanwhile, the handle keeps it inside.
            match folder.open_dir(name) {
                Ok(inner) => self.folder(&inner, &format!("{path}/"), depth + 1),
                Err(error) => self.fault(&path, SkillProblem::Unreadable(error)),
            }
        } else if kind.is_file() {
            self.file(folder, name, path);
        } else {
            self.fault(&path, SkillProblem::Special);
        }
    }

    fn file(&mut self, folder: &Dir, name: &str, path: String) {
        if self.files.len() >= self.bounds.files {
            self.end = End::Reached;
            return self.fault(&path, SkillProblem::TooManyFiles { most: self.bounds.files });
        }
        match read(folder, name, self.bounds.file_bytes) {
            Ok(bytes) => {
                self.bytes += bytes.len() as u64;
                if self.bytes > self.bounds.bytes {
                    self.end = End::Reached;
                    return self.fault(&path, SkillProblem::TooManyBytes { most: self.bounds.bytes });
                }
                self.files.insert(path, bytes);
            }
            Err(problem) => self.fault(&path, problem),
        }
    }

    pub(super) fn fault(&mut self, path: &str, problem: SkillProblem) {
        let path = if path.is_empty() { "." } else { path };
        self.faults.push(SkillFault { path: path.into(), problem });
    }
}

/// Reads a file; a link that has taken its place meanwhile leads nowhere but inside the folder.
fn read(folder: &Dir, name: &str, most: u64) -> Result<Vec<u8>, SkillProblem> {
    let unreadable = SkillProblem::Unreadable;
    let file = folder.open(name).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    read_within(file, length, most).map_err(|fault| match fault {
        ReadFault::Missing(error) => SkillProblem::Unreadable(error),
        ReadFault::TooLarge { most } => SkillProblem::FileTooLarge { most },
    })
}
