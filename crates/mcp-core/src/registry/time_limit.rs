//! How long one tool, prompt or resource may take, where that differs from the rest of the server.

use super::Faults;
use crate::setting::SettingFaults;
use std::{ops::RangeInclusive, time::Duration};

/// What a call timeout may be.
pub(crate) const CALL_TIMEOUT: RangeInclusive<Duration> =
    Duration::from_millis(1)..=Duration::from_secs(24 * 3_600);

/// How long calls of one registration may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TimeLimit {
    /// As long as `limits.call_timeout` says.
    #[default]
    Server,
    /// As long as the registration says.
    Own(Duration),
    /// As long as they like.
    Never,
}

impl TimeLimit {
    /// Adds a fault when the time cannot be used.
    pub(crate) fn check(self, subject: &str, faults: &mut Faults) {
        let Self::Own(timeout) = self else { return };
        let mut own = SettingFaults::default();
        own.within("timeout", timeout, &CALL_TIMEOUT);
        own.iter().for_each(|fault| faults.add(subject, fault));
    }
}
