//! A file that waits even when somebody else has put it into non-blocking mode.

use rustix::event::{PollFd, PollFlags, poll};
use std::{
    fs::File,
    io::{self, ErrorKind, Read, Write},
    os::fd::OwnedFd,
};

/// A stream for a thread that has nothing else to do.
#[derive(Debug)]
pub(super) struct Waiting(File);

impl Waiting {
    pub(super) fn new(stream: OwnedFd) -> Self {
        Self(File::from(stream))
    }

    /// Repeats an operation, waiting each time it would block.
    fn repeat(
        &mut self,
        flags: PollFlags,
        mut operation: impl FnMut(&mut File) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match operation(&mut self.0) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    match poll(&mut [PollFd::new(&self.0, flags)], None) {
                        Ok(_) | Err(rustix::io::Errno::INTR) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                outcome => return outcome,
            }
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.repeat(PollFlags::IN, |file| file.read(buffer))
    }
}

impl Write for Waiting {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.repeat(PollFlags::OUT, |file| file.write(buffer))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
