//! What a server holds on to, seen from outside: memory, files, and what it counts itself.

use mcp_tests::{http_client::PATIENCE, process::Process};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// MiB that the process may have grown by from the end of one attack to the end of the same attack again.
///
/// The first time fills what is kept for good (threads, the allocator's arenas, tables that do not shrink); the
/// second finds it there. What remains is how differently the same work falls into the allocator's free lists, which
/// is more where single values have megabytes.
pub(super) const KEPT: u64 = 8;

/// Sockets that may be open beside, such as that of a look at the counters, which the server closes a little later.
const SPARE: usize = 4;

/// How long to wait between two looks at a counter.
const LOOK: Duration = Duration::from_millis(10);

/// What a server says is open, each by its name.
pub(super) type Counts = BTreeMap<String, u64>;

/// A server's process, and how it was before anybody attacked.
#[derive(Debug)]
pub(super) struct Watch {
    process: Process,
    counts: Counts,
    files: Option<usize>,
    memory: Vec<Option<u64>>,
}

impl Watch {
    /// Remembers how a server is that nobody attacks.
    pub(super) fn begin(process: Process, counts: Counts) -> Self {
        Self { process, counts, files: process.open_files(), memory: vec![process.resident()] }
    }

    /// Waits after an attack until as little is open as in the beginning.
    ///
    /// # Panics
    /// When something stays open.
    pub(super) async fn rests(&mut self, counts: impl AsyncFn() -> Counts) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let open = counts().await;
            let files = self.process.open_files();
            if open == self.counts && files <= self.files.map(|before| before + SPARE) {
                break;
            }
            assert!(Instant::now() < deadline, "still open: {open:?} and {files:?} files, before {self:?}");
            sleep(LOOK).await;
        }
        self.memory.push(self.process.resident());
    }

    /// Tells whether the last attack kept no more than these MiB of what those before had not, or nobody knows.
    pub(super) fn has_settled(&self, kept: u64) -> bool {
        match self.memory[..] {
            [.., Some(before), Some(last)] => last <= before + kept * 1024,
            _ => true,
        }
    }

    /// Judges the memory: how much the last attack kept of what those before had not, and the most there ever was.
    ///
    /// # Panics
    /// When it is more than these MiB: `kept`, and `peak` above the beginning.
    pub(super) fn judge(&self, peak: u64, kept: u64) {
        let memory: Option<Vec<u64>> = self.memory.iter().copied().collect();
        let (Some(memory), Some(most)) = (memory, self.process.peak()) else {
            eprintln!("SKIPPED: no /proc on this machine, so that the server's memory is not known");
            return;
        };
        eprintln!("KiB before and after each attack: {memory:?}, at most {most}");
        let [idle, .., _, _] = memory[..] else { panic!("two attacks are watched") };
        assert!(self.has_settled(kept), "{memory:?} KiB: something is kept");
        assert!(most <= idle + peak * 1024, "{most} KiB at most, {idle} without an attack");
    }
}

/// Waits until what is open is as it should be.
///
/// # Panics
/// When it does not become so.
pub(super) async fn until(counts: impl AsyncFn() -> Counts, holds: impl Fn(&Counts) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let open = counts().await;
        if holds(&open) {
            return;
        }
        assert!(Instant::now() < deadline, "still open: {open:?}");
        sleep(LOOK).await;
    }
}
