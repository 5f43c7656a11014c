//! Settings of HTTP+SSE.

use crate::options::{NO_PATH, is_path};
use mcp_core::{server::Server, setting::SettingFaults, version::Era};
use std::time::Duration;

/// HTTP+SSE of 2024-11-05 beside an endpoint; every setting has a default.
///
/// It carries the handshake era: a client that speaks it may agree on any handshake revision. Host, origin, media
/// type, size and identity are checked as on the endpoint itself. How many sessions there may be, in all and of one
/// principal, and how long one may take to shake hands, say the server's
/// [`SessionLimits`](mcp_core::ports::SessionLimits); its streams count among
/// [`HttpOptions::max_streams`](crate::HttpOptions::max_streams). A session lives in the process that opened its
/// stream.
///
/// Spec: 2024-11-05, basic/transports#http-with-sse.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "settings are written with `..LegacySse::default()`")]
pub struct LegacySse {
    /// Where the stream is opened and where messages are posted; `/sse` and `/messages` by default.
    pub paths: LegacyPaths,
    /// Messages that wait for the client to read them, 1 to 65,536; 64 by default. While there is no room calls are
    /// not driven, and a POST that is refused waits.
    pub queue: usize,
    /// How long messages may wait while the client takes none of them, 1 s to 1 hour; 30 s by default. Then the
    /// session ends.
    pub stall_timeout: Duration,
}

/// Where HTTP+SSE is served.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the wires share a path or they do not")]
pub enum LegacyPaths {
    /// On paths of its own, each with and without a trailing slash.
    Separate {
        /// The path of the stream.
        stream: String,
        /// The path that messages are posted to.
        messages: String,
    },
    /// On the path of the endpoint itself: a GET without `Mcp-Session-Id` and `MCP-Protocol-Version` opens a
    /// stream, and a POST that names one with `session_id` in its query goes there. Needs a server with sessions,
    /// whose clients name theirs with every GET.
    Combined,
}

impl Default for LegacyPaths {
    fn default() -> Self {
        Self::Separate { stream: "/sse".to_owned(), messages: "/messages".to_owned() }
    }
}

impl Default for LegacySse {
    fn default() -> Self {
        Self { paths: LegacyPaths::default(), queue: 64, stall_timeout: Duration::from_secs(30) }
    }
}

impl LegacySse {
    /// The paths of the stream and of messages, where they are separate.
    pub(crate) fn separate(&self) -> Option<(&str, &str)> {
        match &self.paths {
            LegacyPaths::Separate { stream, messages } => Some((stream, messages)),
            LegacyPaths::Combined => None,
        }
    }

    /// Adds a fault for every setting that cannot be used beside an endpoint at `endpoint`.
    pub(crate) fn check(&self, endpoint: &str, server: &Server, faults: &mut SettingFaults) {
        if server.versions().of(Era::Handshake).next().is_none() {
            faults.add("legacy_sse", "carries the handshake era, and the server serves no version of it");
        }
        match &self.paths {
            LegacyPaths::Separate { stream, messages } => {
                for path in [stream, messages] {
                    if !is_path(path) {
                        faults.add("legacy_sse.paths", format_args!("`{path}` {NO_PATH}"));
                    }
                }
                let plain = |path: &str| path.trim_end_matches('/').to_owned();
                let all = [plain(endpoint), plain(stream), plain(messages)];
                if all[0] == all[1] || all[0] == all[2] || all[1] == all[2] {
                    let problem =
                        "the stream, its messages and the endpoint need a path each; `Combined` shares one";
                    faults.add("legacy_sse.paths", problem);
                }
            }
            LegacyPaths::Combined if !server.has_sessions() => faults.add(
                "legacy_sse.paths",
                "`Combined` needs a server with sessions: without, a GET of either wire looks the same",
            ),
            LegacyPaths::Combined => {}
        }
        faults.within("legacy_sse.queue", self.queue, &(1..=65_536));
        let stall = Duration::from_secs(1)..=Duration::from_secs(3_600);
        faults.within("legacy_sse.stall_timeout", self.stall_timeout, &stall);
    }
}
