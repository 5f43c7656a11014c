//! What is kept, how much of it, and for how long.

use crate::{registry::Faults, setting::SettingFaults};
use std::time::Duration;

/// How results that are too large are kept as resources; see the [module](super).
///
/// Without it a tool may still opt in, by
/// [`overflow_to_resource`](crate::registry::ToolBuilder::overflow_to_resource), and the defaults hold.
#[derive(Clone, Debug)]
#[must_use]
pub struct Overflow {
    pub(super) all_tools: bool,
    pub(super) above: Option<usize>,
    pub(super) range_bytes: usize,
    pub(super) item_bytes: usize,
    pub(super) per_owner: usize,
    pub(super) entries: usize,
    pub(super) total_bytes: usize,
    pub(super) ttl: Duration,
}

impl Default for Overflow {
    fn default() -> Self {
        Self {
            all_tools: false,
            above: None,
            range_bytes: 64 * 1024,
            item_bytes: 16 * 1024 * 1024,
            per_owner: 32,
            entries: 1_000,
            total_bytes: 64 * 1024 * 1024,
            ttl: Duration::from_secs(600),
        }
    }
}

impl Overflow {
    /// For the tools that opt in.
    pub fn new() -> Self {
        Self::default()
    }

    /// Holds for every tool, but for the structured content of those that declare an output schema: their clients
    /// rely on it.
    pub fn all_tools(mut self) -> Self {
        self.all_tools = true;
        self
    }

    /// Sets the bytes of a result beyond which its largest parts are kept, 1,024 to 1,073,741,824;
    /// `limits.output_bytes` by default: only what could not go out.
    pub fn above(mut self, bytes: usize) -> Self {
        self.above = Some(bytes);
        self
    }

    /// Sets the bytes that one read gives at most, 1,024 to 16,777,216; 64 KiB by default, and never more than an
    /// eighth of `limits.output_bytes`, because escapes take room.
    pub fn range_bytes(mut self, bytes: usize) -> Self {
        self.range_bytes = bytes;
        self
    }

    /// Sets the bytes of one resource, 65,536 to 1,073,741,824; 16 MiB by default. What is larger is held back as
    /// without overflow.
    pub fn item_bytes(mut self, bytes: usize) -> Self {
        self.item_bytes = bytes;
        self
    }

    /// Sets how many resources one principal or session may have, 1 to 10,000; 32 by default. A new one takes the
    /// place of its owner's oldest. Callers without either share what there is.
    pub fn per_owner(mut self, entries: usize) -> Self {
        self.per_owner = entries;
        self
    }

    /// Sets how many resources there may be, 1 to 1,000,000; 1,000 by default. When all places are taken a caller can
    /// only take those of its own; a result that finds none is held back.
    pub fn entries(mut self, entries: usize) -> Self {
        self.entries = entries;
        self
    }

    /// Sets the bytes of all resources together, 65,536 to 1,099,511,627,776; 64 MiB by default. Counts like the
    /// places of [`entries`](Self::entries).
    pub fn total_bytes(mut self, bytes: usize) -> Self {
        self.total_bytes = bytes;
        self
    }

    /// Sets how long a resource is kept, 1 s to 24 hours; 10 minutes by default.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// Adds a fault for every setting that lies outside its range.
    pub(crate) fn check(&self, faults: &mut Faults) {
        let mut own = SettingFaults::default();
        if let Some(above) = self.above {
            own.within("overflow.above", above, &(1_024..=1 << 30));
        }
        own.within("overflow.range_bytes", self.range_bytes, &(1_024..=1 << 24));
        own.within("overflow.item_bytes", self.item_bytes, &(1 << 16..=1 << 30));
        own.within("overflow.per_owner", self.per_owner, &(1..=10_000));
        own.within("overflow.entries", self.entries, &(1..=1_000_000));
        own.within("overflow.total_bytes", self.total_bytes, &(1 << 16..=1 << 40));
        let day = Duration::from_secs(1)..=Duration::from_secs(24 * 3_600);
        own.within("overflow.ttl", self.ttl, &day);
        faults.add_settings(&own);
    }
}
