//! A server with one example of everything, which conformance suites and black-box checks talk to.
//!
//! `cargo run -p mcp-server --example everything -- --http 127.0.0.1:8000 --probe`
//!
//! When it is ready it writes `listening on http://ADDRESS/mcp` to stderr.

mod arguments;
mod bounds;
mod catalogue;
mod control;
mod serving;

use arguments::Arguments;
use bounds::Stores;
use catalogue::{RunsTasks, Ticks};
use clap::Parser as _;
use mcp_server::{
    Lifecycle, Limits, McpRouter, ServerBuilder, StateKeys, StderrLog, run_stdio,
    skills::{self, SkillFaults, Skills},
};
use std::{error::Error, process::ExitCode, time::Duration};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    // stdout is the wire of the stdio transport, and a client may leave stderr unread.
    let log = StderrLog::start();
    let lines = log.clone();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(move || lines.clone())
        .with_ansi(false)
        .init();
    let outcome = run(&arguments);
    log.drain(Duration::from_secs(1));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("everything: {}", with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

/// An error's text with those of everything that led to it.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[tokio::main]
async fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let ticks = Ticks::default();
    let server = catalogue::begin(router(arguments, ticks.clone())).skills(instructions()?);
    let stores = Stores::default();
    let server = configured(server, arguments, &stores).build()?;
    let endpoint = match arguments.http {
        Some(_) => Some(serving::endpoint(&server, arguments)?),
        None => None,
    };
    if let Some(address) = arguments.control {
        let listener = tokio::net::TcpListener::bind(address).await?;
        eprintln!("control on http://{}", listener.local_addr()?);
        let routes = control::routes(server.clone(), endpoint.clone(), stores, ticks);
        tokio::spawn(async move { axum::serve(listener, routes).await });
    }
    match arguments.http.zip(endpoint) {
        Some((address, endpoint)) => serving::http(endpoint, address, arguments).await,
        None => Ok(run_stdio(server).await?),
    }
}

/// What the command line asks for.
fn router(arguments: &Arguments, ticks: Ticks) -> McpRouter<()> {
    // Without sessions nobody would own the tasks of handshake clients.
    let tasks = if arguments.stateless { RunsTasks::No } else { RunsTasks::Yes };
    let mut router = catalogue::fixture(tasks);
    if arguments.probe {
        router = router.merge(catalogue::probes(ticks, tasks));
    }
    router.merge(catalogue::generated(arguments.many))
}

/// The skills in the folder beside this file; a page of their list holds fewer than there are.
fn instructions() -> Result<Skills, SkillFaults> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/everything/skills");
    Ok(skills::folder(folder).read()?.page_entries(2))
}

/// The server with the settings of the command line.
fn configured(mut server: ServerBuilder, arguments: &Arguments, stores: &Stores) -> ServerBuilder {
    let limits = catalogue::limits();
    let ask_timeout = arguments.ask_timeout.unwrap_or(limits.ask_timeout);
    server = arguments.bounds.on_server(server, Limits { ask_timeout, ..limits }, stores);
    if let Some(key) = &arguments.state_key {
        server = server.state_keys(StateKeys::new(key.clone()));
    }
    if arguments.enforce_lifecycle {
        server = server.lifecycle(Lifecycle::enforced());
    }
    if arguments.stateless {
        server = server.without_sessions();
    }
    server
}
