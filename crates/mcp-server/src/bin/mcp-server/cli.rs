//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::{net::SocketAddr, path::PathBuf, time::Duration};

const EXAMPLES: &str = "\
Examples:
  mcp-server                                 serve http://127.0.0.1:8080/mcp for this machine
  mcp-server stdio                           serve the client that started this process
  mcp-server serve --listen 127.0.0.1:9000 --path /notes
  mcp-server serve --listen 0.0.0.0:8080 --allow-host notes.example.com --tokens tokens.txt

Connect a client:
  claude mcp add --transport http notes http://127.0.0.1:8080/mcp
  claude mcp add notes -- mcp-server stdio
  npx @modelcontextprotocol/inspector --cli http://127.0.0.1:8080/mcp --transport http --method tools/list

Exit status:
  0  ended as asked: by a signal, or because the client closed stdin
  1  failed while running, or could not listen on the address
  2  the command line or a file it names cannot be used; nothing was served
  130, 143  ended at once by a second SIGINT or SIGTERM

Logs go to stderr, one line per call. RUST_LOG chooses what is logged unless -v or --log-level does;
NO_COLOR turns colours off. No other environment variable is read.";

const SERVE_EXAMPLES: &str = "\
Token file: one token a line, then the subject it speaks for and its scopes; # begins a comment.
  3c9e1f0a7b5d4e2f8a6b ada notes:read notes:write

Who may call: on a loopback address everyone on this machine. On any other address callers need a
token (--tokens), unless --insecure-no-auth says that nobody checks them. Requests must name a loopback
host, the host of --public-url or an --allow-host, which keeps web pages from reaching the server
through a name of their own; pages of other origins need --allow-origin.

Example, behind a proxy that ends TLS:
  mcp-server serve --public-url https://notes.example.com/mcp --tokens tokens.txt";

/// A Model Context Protocol server that keeps notes: an example of every primitive, over Streamable
/// HTTP and stdio, in every protocol version from 2024-11-05 to 2026-07-28.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    /// What to do; `serve` with its defaults when left out
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    pub(crate) telemetry: Telemetry,
}

impl Cli {
    /// The command that was given, or the one that stands for none.
    pub(crate) fn command(self) -> Command {
        self.command.unwrap_or_else(|| Command::Serve(Serve::default()))
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve over Streamable HTTP
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Serve),
    /// Serve one client over stdin and stdout, until it closes stdin
    Stdio(Stdio),
}

/// The options of every command.
#[derive(Args, Debug)]
pub(crate) struct Telemetry {
    /// How log lines are written
    #[arg(long = "log", global = true, value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub(crate) format: LogFormat,
    /// The least severe messages that are logged; `info` when nothing is said
    #[arg(long, global = true, value_enum, value_name = "LEVEL", conflicts_with = "verbose")]
    pub(crate) log_level: Option<Level>,
    /// Log more: -v what the server decides, -vv every step, -vvv the libraries as well
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

/// How severe a message must be to be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Nothing
    Off,
    /// What failed
    Error,
    /// What may need attention, too
    Warn,
    /// Each call and each change of state, too
    Info,
    /// What the server decides, too
    Debug,
    /// Every step
    Trace,
}

/// The options of `serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value_t = Serve::default().listen)]
    pub(crate) listen: SocketAddr,
    /// The endpoint's path
    #[arg(long, value_name = "PATH", default_value_t = Serve::default().path)]
    pub(crate) path: String,
    /// A host that requests may name, with or without a port; may be repeated
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose web pages may call, such as https://app.example.com; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// A file of bearer tokens; callers without one of them are refused
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: Option<PathBuf>,
    /// The URL that clients reach the endpoint by, when a proxy stands before it
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// Serve everyone who can reach the address, without authentication
    #[arg(long, conflicts_with = "tokens")]
    pub(crate) insecure_no_auth: bool,
    /// Seconds that running calls may take after the first signal, up to 3600
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub(crate) grace: Duration,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            path: "/mcp".to_owned(),
            allow_host: Vec::new(),
            allow_origin: Vec::new(),
            tokens: None,
            public_url: None,
            insecure_no_auth: false,
            grace: Duration::from_secs(10),
        }
    }
}

/// The options of `stdio`.
#[derive(Args, Debug)]
pub(crate) struct Stdio {
    /// Seconds that running calls may take after stdin was closed or a signal came, up to 3600
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5")]
    pub(crate) grace: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 0..=3_600) => Ok(Duration::from_secs(seconds)),
        _ => Err("a whole number of seconds from 0 to 3600 is needed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command_for_test().debug_assert();
    }

    impl Cli {
        fn command_for_test() -> clap::Command {
            <Self as clap::CommandFactory>::command()
        }
    }

    #[test]
    fn no_command_is_serve_with_the_defaults_that_its_help_shows() {
        let told = |cli: Cli| format!("{:?}", cli.command());
        let none = told(Cli::try_parse_from(["mcp-server"]).unwrap());
        assert_eq!(none, told(Cli::try_parse_from(["mcp-server", "serve"]).unwrap()));
    }
}
