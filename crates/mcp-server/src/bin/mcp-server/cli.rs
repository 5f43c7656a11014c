//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum, error::ErrorKind};
use std::{ffi::OsString, net::SocketAddr, path::PathBuf, time::Duration};

const EXAMPLES: &str = "\
Examples:
  mcp-server                                 serve http://127.0.0.1:8080/mcp for this machine
  mcp-server --listen 127.0.0.1:9000         the same elsewhere; `serve --help` has every option
  mcp-server stdio                           serve the client that started this process
  mcp-server --listen 0.0.0.0:8080 --allow-host notes.example.com --tokens tokens.txt

Connect a client:
  claude mcp add --transport http notes http://127.0.0.1:8080/mcp
  claude mcp add notes -- mcp-server stdio

Exit status:
  0  ended as asked: by a signal, or because the client closed stdin
  1  failed while running, or could not listen on the address
  2  the command line or a file it names cannot be used; nothing was served
  130, 143  ended at once by a second SIGINT or SIGTERM

Logs go to stderr, one line per call. RUST_LOG chooses what is logged unless -v or
--log-level does; NO_COLOR turns colours off. No other environment variable is read.";

const SERVE_EXAMPLES: &str = "\
Token file: one token a line, then the subject it speaks for and its scopes; # begins
a comment.
  3c9e1f0a7b5d4e2f8a6b ada notes:read notes:write

Who may call: on a loopback address everyone on this machine. On any other address
callers need a token (--tokens), unless --insecure-no-auth says that nobody checks them.
Requests must name a loopback host, the host of --public-url or an --allow-host: that
keeps web pages from reaching the server through a name of their own. Pages of other
origins need --allow-origin.

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
    /// Reads the process's command line; where it cannot be used, says why and ends with status 2.
    pub(crate) fn from_command_line() -> Self {
        Self::read(std::env::args_os().collect()).unwrap_or_else(|error| error.exit())
    }

    /// Reads a command line. Options of `serve` need no `serve` before them.
    fn read(mut arguments: Vec<OsString>) -> Result<Self, clap::Error> {
        let first = match Self::try_parse_from(&arguments) {
            Err(error) if error.kind() == ErrorKind::UnknownArgument => error,
            outcome => return outcome,
        };
        arguments.insert(1.min(arguments.len()), "serve".into());
        match Self::try_parse_from(arguments) {
            Err(second) if second.kind() == ErrorKind::UnknownArgument => Err(first),
            outcome => outcome,
        }
    }

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
#[command(next_help_heading = "Logging")]
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
    #[arg(long, value_name = "ADDR", value_parser = listen, default_value_t = Serve::default().listen)]
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
    /// Serve HTTP+SSE of 2024-11-05, too: its stream at /sse, its messages at /messages
    #[arg(long)]
    pub(crate) legacy_sse: bool,
    /// Seconds that running calls may take after the first signal, up to 3600
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "8")]
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
            legacy_sse: false,
            grace: Duration::from_secs(8),
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

/// Reads an address with its port, and says what one looks like.
fn listen(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "give an IP address and a port, such as 127.0.0.1:9000 or [::1]:9000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Cli, clap::Error> {
        Cli::read(line.split(' ').map(OsString::from).collect())
    }

    fn serve(line: &str) -> Serve {
        match read(line).unwrap().command() {
            Command::Serve(serve) => serve,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn no_command_is_serve_with_the_defaults_that_its_help_shows() {
        assert_eq!(format!("{:?}", serve("mcp-server")), format!("{:?}", serve("mcp-server serve")));
    }

    #[test]
    fn options_of_serve_need_no_command_before_them() {
        for line in [
            "mcp-server --listen 127.0.0.1:9 -v",
            "mcp-server -v --listen=127.0.0.1:9",
            "mcp-server serve --listen 127.0.0.1:9",
        ] {
            assert_eq!(serve(line).listen.port(), 9, "{line}");
        }
        assert!(matches!(read("mcp-server -v stdio").unwrap().command(), Command::Stdio(_)));
    }

    #[test]
    fn a_refusal_is_about_what_was_written() {
        let told = |line: &str| read(line).unwrap_err().to_string();
        assert!(told("mcp-server --listen 9").contains("invalid value '9' for '--listen <ADDR>'"));
        assert!(told("mcp-server --lisn 9").contains("'--lisn'"));
        assert!(told("mcp-server stdio --listen 127.0.0.1:9").contains("'--listen'"));
        assert!(told("mcp-server --tokens a --insecure-no-auth").contains("cannot be used with"));
        assert!(told("mcp-server --grace 3601").contains("0 to 3600"));
        assert!(told("mcp-server -v --log-level info").contains("cannot be used with"));
    }
}
