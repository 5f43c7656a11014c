//! What a process of its own costs, as the system tells it.

use std::{fs, path::PathBuf};

/// A running process; where the system has no `/proc` nothing is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Process(u32);

impl Process {
    /// The process with this id.
    #[must_use]
    pub fn new(id: u32) -> Self {
        Self(id)
    }

    /// KiB of memory that it occupies now.
    #[must_use]
    pub fn resident(self) -> Option<u64> {
        self.status("VmRSS:")
    }

    /// KiB of memory that it has occupied at most.
    #[must_use]
    pub fn peak(self) -> Option<u64> {
        self.status("VmHWM:")
    }

    /// How many files and sockets it has open.
    #[must_use]
    pub fn open_files(self) -> Option<usize> {
        Some(fs::read_dir(self.folder().join("fd")).ok()?.count())
    }

    fn status(self, field: &str) -> Option<u64> {
        let status = fs::read_to_string(self.folder().join("status")).ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix(field))?;
        value.trim().strip_suffix("kB")?.trim().parse().ok()
    }

    fn folder(self) -> PathBuf {
        PathBuf::from(format!("/proc/{}", self.0))
    }
}
