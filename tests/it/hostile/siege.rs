//! What every attack has in common: a client beside it is served, and nothing is left of it.

use super::{
    neighbour::Neighbour,
    watch::{self, Counts, KEPT, Watch},
};
use mcp_tests::fixture::Fixture;
use std::sync::Arc;
use tokio::task::JoinSet;

/// An attack on a process of its own.
#[derive(Debug)]
pub(super) struct Siege {
    arguments: Vec<&'static str>,
    peak: u64,
    kept: u64,
}

impl Siege {
    /// An attack on a server that was started with these arguments, beside `--probe`.
    pub(super) fn of(arguments: &[&'static str]) -> Self {
        let arguments = [&["--probe", "--control", "0"], arguments].concat();
        Self { arguments, peak: 64, kept: KEPT }
    }

    /// Sets the MiB by which the server may grow while it is attacked, 64 where it is not set.
    pub(super) fn peak(mut self, mebibytes: u64) -> Self {
        self.peak = mebibytes;
        self
    }

    /// Sets the MiB that one more attack may keep, [`KEPT`] where it is not set.
    pub(super) fn kept(mut self, mebibytes: u64) -> Self {
        self.kept = mebibytes;
        self
    }

    /// Attacks twice, and fails unless all of this holds each time: the client beside is served, everything that is
    /// counted returns to zero, every socket is closed, and no more memory is kept than [`Watch::judge`] allows.
    ///
    /// An allocator settles at some time or other, and what leaks never does: where the second attack kept too much,
    /// up to [`MORE`] follow until one keeps little.
    pub(super) async fn withstand(self, attack: impl AsyncFn(&Arc<Fixture>)) {
        let fixture = Arc::new(Fixture::start_with(&self.arguments));
        let idle = fixture.counts().await;
        assert!(idle.values().all(|count| *count == 0), "{idle:?}");
        Neighbour::begin(&fixture).await.end().await;
        let mut watch = Watch::begin(fixture.process(), idle);
        for round in 0..ROUNDS + MORE {
            if round >= ROUNDS && watch.has_settled(self.kept) {
                break;
            }
            let neighbour = Neighbour::begin(&fixture).await;
            attack(&fixture).await;
            assert!(neighbour.end().await > 0, "the client beside is served throughout");
            watch.rests(async || fixture.counts().await).await;
        }
        watch.judge(self.peak, self.kept);
    }
}

/// How often each attack is made.
const ROUNDS: usize = 2;

/// How often it is made again at most, until the server's memory has settled.
const MORE: usize = 3;

/// Waits until what is open at the fixture is as it should be.
pub(super) async fn until(fixture: &Fixture, holds: impl Fn(&Counts) -> bool) {
    watch::until(async || fixture.counts().await, holds).await;
}

/// Does something `count` times, `WIDTH` at once.
pub(super) async fn flood<F>(count: usize, act: impl Fn(usize) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    const WIDTH: usize = 16;
    let mut running = JoinSet::new();
    for number in 0..count {
        if running.len() == WIDTH {
            running.join_next().await.unwrap().unwrap();
        }
        running.spawn(act(number));
    }
    running.join_all().await;
}
