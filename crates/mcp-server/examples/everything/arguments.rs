//! The command line.

use crate::bounds::Bounds;
use clap::{ArgGroup, Parser};
use mcp_server::StateKey;
use std::{net::SocketAddr, path::PathBuf, time::Duration};

/// A server with one example of everything, for conformance tests and black-box checks.
#[derive(Debug, Parser)]
#[command(name = "everything", group(ArgGroup::new("transport").required(true)))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Arguments {
    /// Serve streamable HTTP on this address, or on this port of 127.0.0.1.
    #[arg(long, value_name = "ADDRESS|PORT", value_parser = address, group = "transport")]
    pub(crate) http: Option<SocketAddr>,

    /// Serve stdin and stdout.
    #[arg(long, group = "transport")]
    pub(crate) stdio: bool,

    /// Add the probes after the catalogue of the conformance suite.
    #[arg(long)]
    pub(crate) probe: bool,

    /// Add this many generated tools.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) many: usize,

    /// Take commands from outside MCP on this address.
    #[arg(long, value_name = "ADDRESS|PORT", value_parser = address)]
    pub(crate) control: Option<SocketAddr>,

    /// Require one of the bearer tokens in this file; a line is `token subject scope…`.
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) tokens: Option<PathBuf>,

    /// Let web pages of this origin call; may be repeated.
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(crate) cors: Vec<String>,

    /// Answer to this name, too; may be repeated.
    #[arg(long, value_name = "HOST", requires = "http")]
    pub(crate) allow_host: Vec<String>,

    /// Serve PATH/mcp in place of /mcp.
    #[arg(long, value_name = "PATH", default_value = "", requires = "http", value_parser = prefix)]
    pub(crate) prefix: String,

    /// Serve HTTP+SSE of 2024-11-05, too: PATH/sse and PATH/messages.
    #[arg(long, requires = "http")]
    pub(crate) legacy_sse: bool,

    /// Answer with an event stream where plain JSON would do.
    #[arg(long, requires = "http")]
    pub(crate) event_streams: bool,

    /// Hold handshake clients to the order of the handshake.
    #[arg(long)]
    pub(crate) enforce_lifecycle: bool,

    /// Serve the handshake eras over HTTP without sessions.
    #[arg(long)]
    pub(crate) stateless: bool,

    /// Wait this long for a client to answer what it is asked, one second or more.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) ask_timeout: Option<Duration>,

    /// Seal what clients carry between rounds with this key of 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = StateKey::parse_hex)]
    pub(crate) state_key: Option<StateKey>,

    #[command(flatten)]
    pub(crate) bounds: Bounds,
}

/// Reads an address, or a port of the loopback interface.
fn address(text: &str) -> Result<SocketAddr, String> {
    match text.parse::<u16>() {
        Ok(port) => Ok(SocketAddr::from(([127, 0, 0, 1], port))),
        Err(_) => text.parse().map_err(|_| "neither an address such as 127.0.0.1:8000 nor a port".to_owned()),
    }
}

/// Reads a time; whether the server takes it is for the server to say.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads the path before `/mcp`.
fn prefix(text: &str) -> Result<String, String> {
    let path = text.trim_end_matches('/');
    if path.is_empty() || path.starts_with('/') {
        Ok(path.to_owned())
    } else {
        Err("a path begins with /".to_owned())
    }
}
