//! The `mcp-server` binary: a notes service over Streamable HTTP and stdio.
//!
//! | file | what it does |
//! |---|---|
//! | `cli` | the command line |
//! | `wire` | from the command line to a running server: the whole composition |
//! | `greeting` | what is said at the start: where, for whom, how to connect |
//! | `telemetry` | the log |
//! | `fault` | what can go wrong, and the status it ends the process with |
//! | `notes` | the service itself |

mod cli;
mod fault;
mod greeting;
mod notes;
mod telemetry;
mod wire;

use std::{process::ExitCode, time::Duration};

/// How long the end of the process waits for the log to be read.
const LAST_LINES: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let cli = cli::Cli::from_command_line();
    let log = telemetry::install(&cli.telemetry);
    mcp_server::log_panics();
    let outcome = run(cli);
    log.drain(LAST_LINES);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("mcp-server: {}", fault.told());
            fault.status()
        }
    }
}

fn run(cli: cli::Cli) -> Result<(), fault::Fault> {
    let runtime = tokio::runtime::Runtime::new().map_err(fault::Fault::Runtime)?;
    let outcome = runtime.block_on(wire::run(cli));
    // A thread that still waits, on stdin or in a handler past its grace, must not hold the end up.
    runtime.shutdown_background();
    outcome
}
