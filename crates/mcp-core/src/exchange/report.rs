//! One line in the log per request, however it ended.

use crate::{
    context::Transport,
    json::Node,
    jsonrpc::IncomingRequest,
    version::{Era, ProtocolVersion},
};
use std::time::Duration;

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Completed,
    /// A tool's own failure, which the model reads.
    Failed,
    /// A JSON-RPC error.
    Refused,
    /// The client has to answer first, and then repeats the request.
    Asked,
    /// The handler took too long.
    TimedOut,
    /// The call goes on as a task.
    TaskBegun,
    Panicked,
    Cancelled,
}

impl Outcome {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Asked => "asked",
            Self::TimedOut => "timed_out",
            Self::TaskBegun => "task",
            Self::Panicked => "panicked",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Who asked, as far as it was known when the request ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) request: &'a IncomingRequest,
    /// `None` when the request was refused before its version was known.
    pub(crate) version: Option<ProtocolVersion>,
    pub(crate) transport: Transport,
}

impl Asked<'_> {
    /// Writes the line; requests that are answered at once take no time.
    pub(crate) fn report(self, outcome: Outcome, elapsed: Duration) {
        if !tracing::enabled!(target: "mcp::call", tracing::Level::INFO) {
            return;
        }
        let era = self.version.map(|version| match version.era() {
            Era::Handshake => "handshake",
            Era::Modern => "modern",
        });
        tracing::info!(
            target: "mcp::call",
            method = clip(self.request.method()).as_deref(),
            target = self.target().as_deref(),
            era,
            version = self.version.map(ProtocolVersion::as_str),
            transport = self.transport.as_str(),
            outcome = outcome.as_str(),
            ms = elapsed.as_micros() as f64 / 1_000.0,
        );
    }

    /// The tool, prompt or resource the request is about.
    fn target(self) -> Option<String> {
        let params = self.request.params()?;
        clip(params.get("name").or_else(|| params.get("uri"))?)
    }
}

/// Text of the peer, cut to a length that a log line can bear.
fn clip(node: Node<'_>) -> Option<String> {
    node.as_str().map(|text| text.chars().take(200).collect())
}
