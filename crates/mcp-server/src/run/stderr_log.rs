//! A log on stderr that nobody has to read.

use std::{
    collections::VecDeque,
    fmt,
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// How many bytes of lines wait for a reader of stderr.
const WAITING_BYTES: usize = 1024 * 1024;

/// Writes log lines to stderr without ever waiting for its reader.
///
/// A client that starts a server over stdio may leave the server's stderr unread. The pipe is then full after some
/// hundred lines, and a server that logs the plain way stands still. Here a thread of its own writes; up to
/// 1 MiB of lines wait for it, later ones are dropped. How many were lost is logged once the reader is back.
///
/// Clones write to the same log. With `tracing-subscriber`:
///
/// ```
/// # fn main() {
/// let log = mcp_server::StderrLog::start();
/// let lines = log.clone();
/// tracing_subscriber::fmt().with_writer(move || lines.clone()).init();
/// // The server runs.
/// log.drain(std::time::Duration::from_secs(1));
/// # }
/// ```
///
/// Spec: stdio, a client "MAY capture, forward, or ignore" what a server writes to stderr.
#[derive(Clone)]
pub struct StderrLog(Arc<Shared>);

struct Shared {
    waiting: Mutex<Waiting>,
    /// Something is to be written, or all is.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    lost: u64,
    /// The thread holds lines that it has not written yet.
    is_writing: bool,
    /// No thread could be started: lines are written at once.
    is_direct: bool,
}

impl StderrLog {
    /// Starts the thread that writes to stderr.
    ///
    /// Where the system has no thread to give, lines are written at once as without this type.
    #[must_use]
    pub fn start() -> Self {
        Self::over(io::stderr())
    }

    fn over(out: impl Write + Send + 'static) -> Self {
        let shared = Arc::new(Shared { waiting: Mutex::default(), changed: Condvar::new() });
        let writer = Arc::clone(&shared);
        let started = thread::Builder::new().name("stderr-log".into()).spawn(move || writer.write_on(out));
        if started.is_err() {
            shared.lock().is_direct = true;
        }
        Self(shared)
    }

    /// Waits until every line is written, for this long at most.
    ///
    /// For the end of the process, whose threads are not waited for.
    pub fn drain(&self, at_most: Duration) {
        let is_busy = |waiting: &mut Waiting| waiting.is_writing || !waiting.lines.is_empty();
        // Whether the lines are out or the time is up, the process ends now.
        drop(self.0.changed.wait_timeout_while(self.0.lock(), at_most, is_busy));
    }
}

impl Write for StderrLog {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut waiting = self.0.lock();
        if waiting.is_direct {
            drop(waiting);
            return io::stderr().write(line);
        }
        if waiting.bytes + line.len() > WAITING_BYTES {
            waiting.lost += 1;
        } else {
            waiting.bytes += line.len();
            waiting.lines.push_back(line.to_vec());
            self.0.changed.notify_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Debug for StderrLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StderrLog").finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_on(&self, mut out: impl Write) {
        loop {
            let (line, lost) = self.next();
            // A closed stderr ends nothing: its lines go nowhere.
            let _closed = out.write_all(&line);
            // Logged the common way, so that the line has the form of all others.
            if lost > 0 {
                tracing::warn!(lost, "log lines were lost: stderr was not read");
            }
        }
    }

    /// The next line, and how many were lost since the last time.
    fn next(&self) -> (Vec<u8>, u64) {
        let mut waiting = self.lock();
        waiting.is_writing = false;
        self.changed.notify_all();
        loop {
            if let Some(line) = waiting.lines.pop_front() {
                waiting.bytes -= line.len();
                waiting.is_writing = true;
                return (line, std::mem::take(&mut waiting.lost));
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// A stderr that takes a line when its reader lets it.
    struct Pipe {
        reads: Receiver<()>,
        written: Sender<Vec<u8>>,
    }

    impl Write for Pipe {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.reads.recv().map_err(io::Error::other)?;
            self.written.send(line.to_vec()).map_err(io::Error::other)?;
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn log() -> (StderrLog, Sender<()>, Receiver<Vec<u8>>) {
        let ((read, reads), (written, lines)) = (channel(), channel());
        (StderrLog::over(Pipe { reads, written }), read, lines)
    }

    #[test]
    fn a_reader_that_stands_still_holds_up_nobody_and_finds_the_first_lines_later() {
        let (mut log, read, lines) = log();
        for number in 0..3_000_u32 {
            log.write_all(&[&number.to_be_bytes()[..], &[b'x'; 1_020]].concat()).unwrap();
        }
        assert!(log.0.lock().lost > 1_900, "what does not fit is dropped");
        assert!(log.0.lock().bytes <= WAITING_BYTES);
        for number in 0..1_000_u32 {
            read.send(()).unwrap();
            assert_eq!(lines.recv().unwrap()[..4], number.to_be_bytes());
        }
    }

    #[test]
    fn draining_waits_for_the_last_line_and_not_for_a_reader_that_stands_still() {
        let (mut log, read, lines) = log();
        log.write_all(b"stuck").unwrap();
        log.drain(Duration::from_millis(1));
        assert!(lines.try_recv().is_err());
        read.send(()).unwrap();
        log.drain(Duration::from_secs(60));
        assert_eq!(lines.try_recv().unwrap(), b"stuck");
    }
}
