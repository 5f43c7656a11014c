//! The hosts a request may name: the defence against DNS rebinding.

use crate::allowed::check_host;
use http::{HeaderMap, Uri, header, uri::Authority};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Hosts that may be named beside the loopback forms.
///
/// Spec: 2026-07-28, basic/transports/streamable-http#security-warning.
#[derive(Debug, Default)]
pub(crate) struct AllowedHosts {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    host: Box<str>,
    port: Option<u16>,
}

impl AllowedHosts {
    /// Allows a host, on every port unless one is given.
    pub(crate) fn allow(&mut self, host: &str) -> Result<(), String> {
        check_host(host)?;
        let authority: Authority =
            host.parse().map_err(|_| format!("`{host}` is not a host or host:port (IPv6 in brackets)"))?;
        let name = authority.host().trim_end_matches('.').to_ascii_lowercase().into_boxed_str();
        self.entries.push(Entry { host: name, port: authority.port_u16() });
        Ok(())
    }

    /// Checks every host a request names; the first one that is not allowed comes back.
    ///
    /// A request that names none (HTTP/1.0) passes: no browser sends such a request.
    pub(crate) fn check<'a>(&self, uri: &'a Uri, headers: &'a HeaderMap) -> Result<(), &'a str> {
        if let Some(authority) = uri.authority()
            && !self.allows(authority)
        {
            return Err(authority.as_str());
        }
        for value in headers.get_all(header::HOST) {
            let text = value.to_str().unwrap_or("?");
            if is_plain_loopback(text) {
                continue;
            }
            match text.parse::<Authority>() {
                Ok(authority) if self.allows(&authority) => {}
                _ => return Err(text),
            }
        }
        Ok(())
    }

    fn allows(&self, authority: &Authority) -> bool {
        if !is_host_and_port(authority) {
            return false;
        }
        let host = authority.host().trim_end_matches('.');
        is_loopback(host)
            || self.entries.iter().any(|entry| {
                entry.host.eq_ignore_ascii_case(host)
                    && entry.port.is_none_or(|port| authority.port_u16().is_none_or(|named| named == port))
            })
    }
}

/// Tells whether an authority is a host, and a port that exists where one is named: no user and nothing that
/// merely looks like a port.
///
/// RFC 9110 section 7.2; what is laxer than that is a request made by hand.
pub(crate) fn is_host_and_port(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host());
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
    })
}

/// The usual case, told without parsing.
fn is_plain_loopback(host: &str) -> bool {
    let port = ["localhost", "127.0.0.1", "[::1]"].iter().find_map(|form| host.strip_prefix(form));
    port.is_some_and(|port| {
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
    })
}

/// Tells whether a host, without port, names this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(bracketed) => bracketed.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback()),
        None => {
            host.eq_ignore_ascii_case("localhost")
                || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(hosts: &AllowedHosts, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        hosts.check(&Uri::from_static("/mcp"), &headers).is_ok()
    }

    #[test]
    fn loopback_forms_pass_with_and_without_port() {
        let hosts = AllowedHosts::default();
        for host in
            ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8080", "127.8.9.1", "[::1]", "[::1]:8080"]
        {
            assert!(allowed(&hosts, host), "{host}");
        }
        for host in
            ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "[::2]", "a b"]
        {
            assert!(!allowed(&hosts, host), "{host}");
        }
    }

    #[test]
    fn what_only_looks_like_a_loopback_host_does_not_pass() {
        let hosts = AllowedHosts::default();
        for host in [
            "user@localhost",
            "localhost@evil.example",
            "localhost:x",
            "localhost:65536",
            "localhost:80:80",
            "[localhost]",
            "[127.0.0.1]",
            "::1",
            "127.1",
            "2130706433",
            "0x7f000001",
        ] {
            assert!(!allowed(&hosts, host), "{host}");
        }
    }

    #[test]
    fn a_listed_host_passes_on_its_port_or_on_every_port() {
        let mut hosts = AllowedHosts::default();
        hosts.allow("mcp.example.com").unwrap();
        hosts.allow("tight.example.com:8443").unwrap();
        for host in ["tight.example.com:99999", "tight.example.com:x", "mcp.example.com:-1"] {
            assert!(!allowed(&hosts, host), "{host}");
        }
        assert!(allowed(&hosts, "MCP.example.com") && allowed(&hosts, "mcp.example.com:9"));
        assert!(allowed(&hosts, "tight.example.com:8443") && !allowed(&hosts, "tight.example.com:1"));
        assert!(
            hosts.allow("user@host").is_err() && hosts.allow("http://x").is_err() && hosts.allow("").is_err()
        );
    }

    #[test]
    fn every_host_that_is_named_must_be_allowed() {
        let hosts = AllowedHosts::default();
        let mut headers = HeaderMap::new();
        assert!(hosts.check(&Uri::from_static("/mcp"), &headers).is_ok());
        assert!(hosts.check(&Uri::from_static("http://evil.example/mcp"), &headers).is_err());
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "evil.example".parse().unwrap());
        assert_eq!(hosts.check(&Uri::from_static("/mcp"), &headers), Err("evil.example"));
    }
}
