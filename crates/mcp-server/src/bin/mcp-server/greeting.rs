//! What is said at the start, on stderr: where the server is, whom it serves, how to connect.

use crate::cli::{LogFormat, Serve};
use mcp_server::Server;
use std::{
    fmt::Write as _,
    io::{IsTerminal as _, Write as _},
    net::SocketAddr,
};

/// Whom an endpoint serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    /// Whoever presents one of so many tokens.
    Tokens(usize),
    /// Everyone on this machine.
    ThisMachine,
    /// Everyone who reaches the address.
    Everyone,
}

/// Says where an HTTP endpoint is and how to connect to it.
pub(crate) fn http(server: &Server, serve: &Serve, address: SocketAddr, callers: Callers, format: LogFormat) {
    if callers == Callers::Everyone {
        tracing::warn!(%address, "everyone who reaches this address may call: nobody is authenticated (--insecure-no-auth)");
    }
    if !address.ip().is_loopback() && serve.allow_host.is_empty() && serve.public_url.is_none() {
        tracing::warn!(
            "requests are served only when they name a loopback host; name yours with --allow-host or --public-url"
        );
    }
    let legacy = serve.legacy_sse.then(|| format!("http://{}/sse", reachable(address)));
    // Who reads JSON lines finds the URL in the first of them.
    if format == LogFormat::Text {
        let _ =
            write!(std::io::stderr(), "{}", told(server, &url(serve, address), legacy.as_deref(), callers));
    }
}

/// Says what is expected, to a person who started `stdio` by hand.
pub(crate) fn stdio() {
    if std::io::stdin().is_terminal() {
        eprintln!(
            "mcp-server waits for messages of the Model Context Protocol on stdin, one a line; Ctrl-D ends it.\n\
             Clients start it themselves:  claude mcp add notes -- mcp-server stdio"
        );
    }
}

fn url(serve: &Serve, address: SocketAddr) -> String {
    serve.public_url.clone().unwrap_or_else(|| format!("http://{}{}", reachable(address), serve.path))
}

/// The address, or this machine's own: one of "every interface" is none that a client could connect to.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() {
            [127, 0, 0, 1].into()
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        });
    }
    address
}

fn told(server: &Server, url: &str, legacy: Option<&str>, callers: Callers) -> String {
    let identity = server.identity();
    let versions: Vec<&str> = server.versions().newest_first().map(|version| version.as_str()).collect();
    let (whom, header) = match callers {
        Callers::Tokens(count) => (
            format!("holders of a bearer token, {count} in the file"),
            " --header \"Authorization: Bearer TOKEN\"",
        ),
        Callers::ThisMachine => ("everyone on this machine".to_owned(), ""),
        Callers::Everyone => ("EVERYONE who reaches the address".to_owned(), ""),
    };
    let mut text = format!("{} {} is served at\n\n    {url}\n\n", identity.name(), identity.version());
    if let Some(legacy) = legacy {
        let _ = writeln!(text, "  old wire  {legacy}, HTTP+SSE of 2024-11-05");
    }
    let _ = writeln!(text, "  callers   {whom}");
    let _ = writeln!(text, "  versions  {}", versions.join(", "));
    let _ = writeln!(text, "  connect   claude mcp add --transport http {} {url}{header}", identity.name());
    let _ = writeln!(
        text,
        "            npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list{header}"
    );
    let _ = writeln!(text, "  end       Ctrl-C\n");
    text
}
