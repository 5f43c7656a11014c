//! Every wanted file below a folder, read at once, within bounds; what does not belong there is told.

use super::{FileFault, FileProblem, HiddenFiles, ReadFault, is_plain_name, read_within};
use cap_std::fs::{Dir, DirEntry};
use mcp_core::setting::{SettingFault, SettingFaults};
use std::collections::BTreeMap;

/// How much is read, and which files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathering {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    pub(crate) file_bytes: u64,
    pub(crate) depth: usize,
    pub(crate) hidden: HiddenFiles,
    /// Which files are wanted, by name; others are not looked at.
    pub(crate) wanted: fn(&str) -> bool,
}

/// The files that were read, by their paths below the folder, with `/` between parts, and what is wrong.
#[derive(Debug)]
pub(crate) struct Gathered {
    bounds: Gathering,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// The paths of what cannot be read, and why.
    pub(crate) faults: Vec<(Box<str>, FileProblem)>,
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

impl Gathering {
    /// A fault for every bound that lies outside its range.
    ///
    /// A folder is read by recursion, so that its depth must not be anything.
    pub(crate) fn out_of_range<P: From<FileProblem>>(&self) -> Vec<FileFault<P>> {
        let mut faults = SettingFaults::default();
        faults.within("max_files", self.files, &(1..=1_000_000));
        faults.within("max_bytes", self.bytes, &(1..=4 << 30));
        faults.within("max_file_bytes", self.file_bytes, &(1..=1 << 30));
        faults.within("max_depth", self.depth, &(0..=64));
        let told = |fault: &SettingFault| FileProblem::OutOfRange(fault.problem().into());
        faults.iter().map(|fault| FileFault::new(fault.setting(), told(fault))).collect()
    }

    /// Reads everything below a folder.
    pub(crate) fn gather(self, root: &Dir) -> Gathered {
        let (files, faults) = (BTreeMap::new(), Vec::new());
        let mut gathered = Gathered { bounds: self, files, faults, bytes: 0, looked: 0, end: End::Open };
        gathered.folder(root, "", 0);
        gathered
    }
}

impl Gathered {
    /// Reads everything below a folder; the prefix is its own path, with `/` at its end unless it is empty.
    fn folder(&mut self, folder: &Dir, prefix: &str, depth: usize) {
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(error) => return self.fault(prefix.trim_end_matches('/'), FileProblem::Unreadable(error)),
        };
        // In order, so that every machine tells the same of the same files.
        let mut names = BTreeMap::new();
        for entry in entries {
            self.looked += 1;
            // Folders count too: a thousand empty ones cost as much as a thousand files.
            if self.looked > self.bounds.files.saturating_mul(2) {
                self.end = End::Reached;
                let most = self.bounds.files;
                return self.fault(prefix.trim_end_matches('/'), FileProblem::TooManyFiles { most });
            }
            match entry {
                Ok(entry) => drop(names.insert(entry.file_name(), entry)),
                Err(error) => self.fault(prefix.trim_end_matches('/'), FileProblem::Unreadable(error)),
            }
        }
        for (name, entry) in names {
            if self.end == End::Reached {
                return;
            }
            let shown = name.to_string_lossy();
            if self.bounds.hidden == HiddenFiles::Refused && shown.starts_with('.') {
                continue;
            }
            let path = format!("{prefix}{shown}");
            let is_plain = name.to_str().is_some_and(|name| is_plain_name(name, HiddenFiles::Served));
            self.entry(folder, &entry, (&shown, is_plain), path, depth);
        }
    }

    fn entry(
        &mut self,
        folder: &Dir,
        entry: &DirEntry,
        (name, is_plain): (&str, bool),
        path: String,
        depth: usize,
    ) {
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return self.fault(&path, FileProblem::Unreadable(error)),
        };
        // A folder is looked into whatever its name, and a link to one is as good as no folder.
        if !kind.is_dir() && !(self.bounds.wanted)(name) {
            return;
        }
        if !is_plain {
            self.fault(&path, FileProblem::Name);
        } else if kind.is_symlink() {
            self.fault(&path, FileProblem::Link);
        } else if kind.is_dir() {
            if depth >= self.bounds.depth {
                return self.fault(&path, FileProblem::TooDeep { most: self.bounds.depth });
            }
            // Should a link have taken the folder's place meanwhile, the handle keeps it inside.
            match folder.open_dir(name) {
                Ok(inner) => self.folder(&inner, &format!("{path}/"), depth + 1),
                Err(error) => self.fault(&path, FileProblem::Unreadable(error)),
            }
        } else if kind.is_file() {
            self.file(folder, name, path);
        } else {
            self.fault(&path, FileProblem::Special);
        }
    }

    fn file(&mut self, folder: &Dir, name: &str, path: String) {
        if self.files.len() >= self.bounds.files {
            self.end = End::Reached;
            return self.fault(&path, FileProblem::TooManyFiles { most: self.bounds.files });
        }
        match read(folder, name, self.bounds.file_bytes) {
            Ok(bytes) => {
                self.bytes += bytes.len() as u64;
                if self.bytes > self.bounds.bytes {
                    self.end = End::Reached;
                    return self.fault(&path, FileProblem::TooManyBytes { most: self.bounds.bytes });
                }
                self.files.insert(path, bytes);
            }
            Err(problem) => self.fault(&path, problem),
        }
    }

    fn fault(&mut self, path: &str, problem: FileProblem) {
        let path = if path.is_empty() { "." } else { path };
        self.faults.push((path.into(), problem));
    }
}

/// Reads a file; a link that has taken its place meanwhile leads nowhere but inside the folder.
fn read(folder: &Dir, name: &str, most: u64) -> Result<Vec<u8>, FileProblem> {
    let unreadable = FileProblem::Unreadable;
    let file = folder.open(name).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    read_within(file, length, most).map_err(|fault| match fault {
        ReadFault::Missing(error) => FileProblem::Unreadable(error),
        ReadFault::TooLarge { most } => FileProblem::FileTooLarge { most },
    })
}
