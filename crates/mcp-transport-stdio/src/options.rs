//! Settings of the byte-stream transport, and why it may fail.

use mcp_core::{principal::Principal, setting::SettingFaults};
use std::{io, time::Duration};
use thiserror::Error;

/// The settings of a byte-stream connection; all have defaults.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "settings are written with `..StdioOptions::default()`")]
pub struct StdioOptions {
    /// The bytes of one incoming line, 1,024 to 1,073,741,824; 16 MiB by default.
    ///
    /// A longer line is answered with one parse error and skipped. The server bounds the text of a message once
    /// more (`limits.message`), so the lower of the two holds.
    pub line_bytes: usize,
    /// How long requests in flight may go on after the end, 0 to 1 hour; 5 s by default.
    pub grace: Duration,
    /// Whom the requests are made for: a stream carries no credentials of its own.
    pub principal: Option<Principal>,
    /// The connections of a socket that are open at once, 1 to 1,000,000; 1,024 by default.
    pub connections: usize,
}

impl Default for StdioOptions {
    fn default() -> Self {
        Self {
            line_bytes: 16 * 1024 * 1024,
            grace: Duration::from_secs(5),
            principal: None,
            connections: 1_024,
        }
    }
}

impl StdioOptions {
    /// Checks that every setting lies in its range.
    ///
    /// # Errors
    /// [`SettingFaults`] with every setting outside of it.
    pub fn check(&self) -> Result<(), SettingFaults> {
        let mut faults = SettingFaults::default();
        faults.within("line_bytes", self.line_bytes, &(1_024..=1 << 30));
        faults.within("grace", self.grace, &(Duration::ZERO..=Duration::from_secs(3_600)));
        faults.within("connections", self.connections, &(1..=1_000_000));
        faults.finish()
    }
}

/// Why a byte stream could not be served.
///
/// Neither the end of the input nor a reader that went away is an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StdioError {
    /// Settings are outside their ranges.
    #[error(transparent)]
    Options(#[from] SettingFaults),
    /// The standard streams could not be taken over.
    #[error("the standard streams cannot be taken over")]
    Streams(#[source] io::Error),
    /// Reading failed with something other than the end; what was in flight has been finished.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp_core::setting::SettingFault;

    #[test]
    fn the_defaults_are_acceptable_and_every_setting_out_of_range_is_named() {
        assert_eq!(StdioOptions::default().check(), Ok(()));
        let wrong =
            StdioOptions { line_bytes: 10, grace: Duration::from_secs(3_601), ..StdioOptions::default() };
        let faults = wrong.check().unwrap_err();
        assert_eq!(faults.iter().map(SettingFault::setting).collect::<Vec<_>>(), ["line_bytes", "grace"]);
    }
}
