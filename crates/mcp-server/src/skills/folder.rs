//! Every skill below a folder.

use super::{
    SkillFault, SkillFaults, SkillProblem, Skills,
    make::{SKILL_FILE, skill},
};
use crate::files::{FileFaults, FileProblem, Gathered, Gathering, HiddenFiles, MAX_FILE_BYTES};
use cap_std::{ambient_authority, fs::Dir};
use std::{collections::BTreeMap, path::PathBuf};

/// Begins to read the skills below a folder: every folder in it with a `SKILL.md` is one.
///
/// The skill in `skills/billing/refunds` is `skill://billing/refunds`. A skill may lie inside another; its files
/// belong to both. Files that are in no skill are left alone.
pub fn folder(root: impl Into<PathBuf>) -> SkillFolder {
    SkillFolder {
        root: root.into(),
        prefix: String::new(),
        max_files: 10_000,
        max_bytes: 64 * 1024 * 1024,
        max_file_bytes: MAX_FILE_BYTES,
        max_depth: 8,
        hidden: HiddenFiles::Refused,
    }
}

/// A folder of skills that is about to be read; made by [`folder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct SkillFolder {
    root: PathBuf,
    prefix: String,
    max_files: usize,
    max_bytes: u64,
    max_file_bytes: u64,
    max_depth: usize,
    hidden: HiddenFiles,
}

impl SkillFolder {
    /// Puts a path such as `acme/billing` before the paths of all skills.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets the largest file, in bytes, 1 to 1 GiB; [`MAX_FILE_BYTES`] by default.
    ///
    /// The bytes must also fit the server's `limits.output_bytes`, as escaped text or Base64.
    pub fn max_file_bytes(mut self, bytes: u64) -> Self {
        self.max_file_bytes = bytes;
        self
    }

    /// Sets the most bytes of all files together, which are kept in memory, 1 to 4 GiB; 64 MiB by default.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the most files of all skills together, 1 to 1,000,000; 10,000 by default.
    pub fn max_files(mut self, files: usize) -> Self {
        self.max_files = files;
        self
    }

    /// Sets how many folders deep a file may be, 0 to 64; 8 by default.
    pub fn max_depth(mut self, folders: usize) -> Self {
        self.max_depth = folders;
        self
    }

    /// Chooses what happens to hidden files: they are passed over, unless they are to be served.
    pub fn hidden(mut self, hidden: HiddenFiles) -> Self {
        self.hidden = hidden;
        self
    }

    /// Reads every file, and makes skills of them, in the order of their paths.
    ///
    /// # Errors
    /// [`SkillFaults`] with every file that cannot be served, and why. What skills have to be besides, such as
    /// named like their folders, is checked when the server is built.
    pub fn read(self) -> Result<Skills, SkillFaults> {
        let gathering = Gathering {
            files: self.max_files,
            bytes: self.max_bytes,
            file_bytes: self.max_file_bytes,
            depth: self.max_depth,
            hidden: self.hidden,
            wanted: |_| true,
        };
        let faults = gathering.out_of_range();
        if !faults.is_empty() {
            return Err(FileFaults(faults));
        }
        let root = match Dir::open_ambient_dir(&self.root, ambient_authority()) {
            Ok(root) => root,
            Err(error) => return Err(FileFaults(vec![self.fault(FileProblem::Unreadable(error))])),
        };
        let Gathered { files, faults, .. } = gathering.gather(&root);
        let mut faults: Vec<_> =
            faults.into_iter().map(|(path, problem)| SkillFault::new(path, problem)).collect();
        let mut skills = Skills::new();
        if faults.is_empty() {
            let folders: Vec<&str> = files.keys().filter_map(|path| path.strip_suffix(SKILL_FILE)).collect();
            if folders.is_empty() {
                faults.push(self.fault(SkillProblem::NoSkill));
            }
            for folder in folders {
                match self.skill(folder, &files) {
                    Some(Ok(skill)) => skills = skills.skill(skill),
                    Some(Err(fault)) => faults.push(fault),
                    None => {}
                }
            }
        }
        if faults.is_empty() { Ok(skills) } else { Err(FileFaults(faults)) }
    }

    /// The skill in a folder, which is given with `/` at its end; none where the name only ends like `SKILL.md`.
    fn skill(
        &self,
        folder: &str,
        files: &BTreeMap<String, Vec<u8>>,
    ) -> Option<Result<super::Skill, SkillFault>> {
        if folder.is_empty() {
            return Some(Err(self.fault(SkillProblem::SkillItself)));
        }
        let own = folder.strip_suffix('/')?;
        let path = if self.prefix.is_empty() { own.to_owned() } else { format!("{}/{own}", self.prefix) };
        let inside = files
            .range(folder.to_owned()..)
            .map_while(|(path, bytes)| Some((path.strip_prefix(folder)?, bytes)));
        Some(skill(&path, inside).map_err(|fault| fault.at(format!("{folder}{SKILL_FILE}"))))
    }

    fn fault(&self, problem: impl Into<SkillProblem>) -> SkillFault {
        SkillFault::new(self.root.to_string_lossy(), problem)
    }
}
