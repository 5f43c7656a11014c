//! The log: stderr, as text or JSON.

use crate::cli::{Level, LogFormat, Telemetry};
use mcp_server::StderrLog;
use std::io::{self, IsTerminal as _};
use tracing_subscriber::EnvFilter;

/// What is logged when nobody says anything: each call, each change of state, and what is severer.
const DEFAULT: &str = "info";

/// Sends the process's log to stderr: stdout may be the wire, and a client may leave stderr unread.
pub(crate) fn install(telemetry: &Telemetry) -> StderrLog {
    let log = StderrLog::start();
    let writer = log.clone();
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter(telemetry))
        .log_internal_errors(false) // a closed stderr must not end the server
        .with_writer(move || writer.clone());
    match telemetry.format {
        // The fields stay in an object of their own: one of them may be called as a member of the line is.
        LogFormat::Json => lines.json().with_current_span(false).with_span_list(false).init(),
        // Where stderr is a terminal, NO_COLOR decides.
        LogFormat::Text if io::stderr().is_terminal() => lines.init(),
        LogFormat::Text => lines.with_ansi(false).init(),
    }
    log
}

/// The command line decides, then RUST_LOG, then the default.
fn filter(telemetry: &Telemetry) -> EnvFilter {
    match chosen(telemetry) {
        Some(directives) => EnvFilter::new(directives),
        None => EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT)),
    }
}

fn chosen(telemetry: &Telemetry) -> Option<&'static str> {
    if let Some(level) = telemetry.log_level {
        return Some(match level {
            Level::Off => "off",
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        });
    }
    match telemetry.verbose {
        0 => None,
        1 => Some(
            "info,mcp=debug,mcp_core=debug,mcp_server=debug,mcp_transport_http=debug,mcp_transport_stdio=debug,mcp_auth=debug",
        ),
        2 => Some(
            "info,mcp=trace,mcp_core=trace,mcp_server=trace,mcp_transport_http=trace,mcp_transport_stdio=trace,mcp_auth=trace",
        ),
        _ => Some("trace"),
    }
}
