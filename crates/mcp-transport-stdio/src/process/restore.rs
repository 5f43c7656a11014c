//! The blocking mode of a stream that others may share.

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::{io, os::fd::OwnedFd};

/// Puts a stream back into the mode it was found in.
///
/// The mode belongs to the open file description, so every process that inherited the stream sees it change.
#[derive(Debug)]
pub(super) struct Restore {
    stream: OwnedFd,
    found: OFlags,
}

impl Restore {
    /// Remembers the mode.
    pub(super) fn remember(stream: OwnedFd) -> io::Result<Self> {
        let found = fcntl_getfl(&stream)?;
        Ok(Self { stream, found })
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        // The stream may be gone by now, and then so is its mode.
        let _ = fcntl_setfl(&self.stream, self.found);
    }
}
