//! From the command line to a running server: the only place where the parts are chosen.

use crate::{
    cli::{Cli, Command, LogFormat, Serve, Stdio},
    fault::Fault,
    greeting::{self, Callers},
    notes,
};
use mcp_server::{
    RunError,
    auth::{StaticTokens, Verifier},
    http::{Endpoint, Exposure, HttpOptions, LegacySse, ServeOptions},
    run_endpoint, run_stdio_with,
    stdio::StdioOptions,
};
use std::{path::Path, sync::Arc};
use tokio::net::TcpListener;

/// Does what the command line says, until it is over.
pub(crate) async fn run(cli: Cli) -> Result<(), Fault> {
    let format = cli.telemetry.format;
    match cli.command() {
        Command::Serve(options) => serve(options, format).await,
        Command::Stdio(options) => stdio(options).await,
    }
}

async fn serve(serve: Serve, format: LogFormat) -> Result<(), Fault> {
    let server = notes::in_memory()?;
    let tokens = serve.tokens.as_deref().map(tokens).transpose()?;
    let callers = callers(&serve, tokens.as_ref())?;
    let options = HttpOptions {
        path: serve.path.clone(),
        allowed_hosts: serve.allow_host.clone(),
        allowed_origins: serve.allow_origin.clone(),
        public_url: serve.public_url.clone(),
        verifier: tokens.map(|tokens| Arc::new(tokens) as Arc<dyn Verifier>),
        legacy_sse: serve.legacy_sse.then(LegacySse::default),
        ..HttpOptions::default()
    };
    let serving = ServeOptions {
        grace: serve.grace,
        exposure: if serve.insecure_no_auth { Exposure::Open } else { Exposure::Guarded },
        ..ServeOptions::default()
    };
    let endpoint = Endpoint::new(server, options).map_err(|faults| RunError::Settings(Box::new(faults)))?;
    let listener = TcpListener::bind(serve.listen)
        .await
        .map_err(|source| RunError::Bind { address: serve.listen.to_string(), source })?;
    let address = listener.local_addr().map_err(|source| RunError::Transport(Box::new(source)))?;
    greeting::http(endpoint.server(), &serve, address, callers, format);
    Ok(run_endpoint(listener, &endpoint, endpoint.routes(), serving).await?)
}

async fn stdio(Stdio { grace }: Stdio) -> Result<(), Fault> {
    let server = notes::in_memory()?;
    greeting::stdio();
    Ok(run_stdio_with(server, StdioOptions { grace, ..StdioOptions::default() }).await?)
}

/// Whom the endpoint will serve; decided before anything listens.
fn callers(serve: &Serve, tokens: Option<&StaticTokens>) -> Result<Callers, Fault> {
    match tokens {
        Some(tokens) => Ok(Callers::Tokens(tokens.len())),
        None if serve.listen.ip().is_loopback() => Ok(Callers::ThisMachine),
        None if serve.insecure_no_auth => Ok(Callers::Everyone),
        None => Err(Fault::Unguarded(serve.listen)),
    }
}

fn tokens(path: &Path) -> Result<StaticTokens, Fault> {
    let text =
        std::fs::read_to_string(path).map_err(|source| Fault::TokenFile { path: path.to_owned(), source })?;
    let tokens =
        StaticTokens::parse(&text).map_err(|source| Fault::Tokens { path: path.to_owned(), source })?;
    if tokens.is_empty() { Err(Fault::NoTokens(path.to_owned())) } else { Ok(tokens) }
}
