//! How tasks are kept.

use crate::{
    ports::{TaskLimits, TaskStore},
    registry::Faults,
    setting::SettingFaults,
};
use std::{sync::Arc, time::Duration};

/// Tasks of a server: where they are kept, how many and how long.
///
/// A server whose tools support tasks needs them; a server none of whose tools does advertises none.
#[derive(Clone, Debug)]
#[must_use]
pub struct Tasks {
    pub(crate) store: Arc<dyn TaskStore>,
    pub(crate) limits: TaskLimits,
    pub(crate) poll_interval: Duration,
    pub(crate) request_bytes: usize,
}

impl Tasks {
    /// How long a client is asked to wait between two looks at a task, unless that is set.
    pub const DEFAULT_POLL_INTERVAL: Duration = Duration::from_secs(1);

    /// The bytes of requests whose calls run as tasks, unless that is set.
    pub const DEFAULT_REQUEST_BYTES: usize = 256 * 1024 * 1024;

    /// Tasks in a store.
    pub fn new(store: Arc<dyn TaskStore>) -> Self {
        Self {
            store,
            limits: TaskLimits::default(),
            poll_interval: Self::DEFAULT_POLL_INTERVAL,
            request_bytes: Self::DEFAULT_REQUEST_BYTES,
        }
    }

    /// Sets how many tasks there may be, and how long they last.
    pub fn limits(mut self, limits: TaskLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how long a client is asked to wait between two looks at a task, 1 ms to 1 hour; 1 s by default.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll_interval = interval;
        self
    }

    /// Sets the bytes of all requests whose calls run as tasks in this process, 1,024 to 1,099,511,627,776; 256 MiB by
    /// default.
    ///
    /// A request stays in memory as long as its handler runs, since that may look at it.
    pub fn request_bytes(mut self, bytes: usize) -> Self {
        self.request_bytes = bytes;
        self
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(crate) fn check(&self, faults: &mut Faults) {
        faults.add_group("tasks.limits", self.limits.check());
        let mut own = SettingFaults::default();
        let interval = Duration::from_millis(1)..=Duration::from_secs(3_600);
        own.within("tasks.poll_interval", self.poll_interval, &interval);
        own.within("tasks.request_bytes", self.request_bytes, &(1_024..=1 << 40));
        faults.add_settings(&own);
    }
}
