//! What an entry of the lists of allowed origins and hosts must look like to match anything, and what to write instead.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Checks that browsers can send an origin in exactly this form.
///
/// # Errors
/// What keeps the entry from ever matching, with the entry itself and what to write instead.
///
/// RFC 6454, section 6.2; URL standard, "host serializing"; Fetch standard, "`Origin` header".
pub(crate) fn check_origin(entry: &str) -> Result<(), String> {
    let Some(problem) = origin_problem(entry) else { return Ok(()) };
    let instead = serialised_origin(entry).filter(|instead| origin_problem(instead).is_none());
    Err(match instead {
        Some(instead) => format!("`{}` can never match: {problem}; write `{instead}`", entry.escape_debug()),
        None => format!("`{}` can never match: {problem}", entry.escape_debug()),
    })
}

/// The origin of a URL as browsers send it: scheme, host, and a port that is not the default one; `None` for what
/// has no scheme or no host.
pub(crate) fn serialised_origin(url: &str) -> Option<String> {
    let url = url.trim().to_ascii_lowercase();
    let (scheme, rest) = match url.split_once("://") {
        Some(("ws", rest)) => ("http", rest),
        Some(("wss", rest)) => ("https", rest),
        Some(split) => split,
        None => ("https", &*url),
    };
    let (authority, _) = split_authority(rest);
    let authority = authority.rsplit_once('@').map_or(authority, |(_, authority)| authority);
    let (host, port) = split_port(authority);
    if scheme.is_empty() || host.is_empty() || url == "null" {
        return None;
    }
    let host = match ipv6(host) {
        Some(address) => serialised_ipv6(address),
        None => host.to_owned(),
    };
    Some(match port.map(str::parse::<u16>) {
        Some(Ok(port)) if Some(port) != default_port(scheme) => format!("{scheme}://{host}:{port}"),
        _ => format!("{scheme}://{host}"),
    })
}

fn origin_problem(entry: &str) -> Option<&'static str> {
    if entry.eq_ignore_ascii_case("null") {
        return Some(
            "`null` is what every sandboxed page and every file sends, and is never allowed; serve the page from an origin of its own",
        );
    }
    if entry.contains('*') {
        return Some(
            "entries are compared as they stand, there are no wildcards; list each origin, or say `origin_policy: OriginPolicy::Any`",
        );
    }
    if entry.contains(|character: char| character.is_whitespace() || character.is_control()) {
        return Some("it has white space or control characters");
    }
    if !entry.is_ascii() {
        return Some("browsers send the host in ASCII; write it in its `xn--` form");
    }
    let Some((scheme, rest)) = entry.split_once("://") else { return Some("it has no scheme") };
    if entry.contains(|character: char| character.is_ascii_uppercase()) {
        return Some("browsers send scheme and host in lower case");
    }
    match scheme {
        "file" | "data" | "blob" | "about" | "javascript" => {
            return Some("pages of this scheme have the origin `null`, which is never allowed");
        }
        "ws" | "wss" => return Some("a page is not served by a web socket"),
        _ if !is_scheme(scheme) => return Some("it has no scheme"),
        _ => {}
    }
    let (authority, after) = split_authority(rest);
    match after.chars().next() {
        Some('/') if after.len() == 1 => return Some("an origin has no slash at its end"),
        Some('/') => return Some("an origin has no path"),
        Some(_) => return Some("an origin has no query and no fragment"),
        None => {}
    }
    if authority.contains('@') {
        return Some("an origin has no user");
    }
    let (host, port) = split_port(authority);
    host_problem(host).or_else(|| port_problem(port?, default_port(scheme)))
}

/// Checks that a request can name a host in this form, which may have a port.
///
/// # Errors
/// As [`check_origin`].
pub(crate) fn check_host(entry: &str) -> Result<(), String> {
    let Some(problem) = allowed_host_problem(entry) else { return Ok(()) };
    let instead = serialised_origin(entry).and_then(|origin| Some(origin.split_once("://")?.1.to_owned()));
    Err(match instead.filter(|instead| allowed_host_problem(instead).is_none()) {
        Some(instead) => format!("`{}` can never match: {problem}; write `{instead}`", entry.escape_debug()),
        None => format!("`{}` can never match: {problem}", entry.escape_debug()),
    })
}

fn allowed_host_problem(entry: &str) -> Option<&'static str> {
    if entry.contains('*') {
        return Some("there are no wildcards; list each host");
    }
    if entry.contains(|character: char| character.is_whitespace() || character.is_control()) {
        return Some("it has white space or control characters");
    }
    if !entry.is_ascii() {
        return Some("clients send the host in ASCII; write it in its `xn--` form");
    }
    if entry.contains("://") {
        return Some("a host has no scheme");
    }
    if entry.contains(['/', '?', '#']) {
        return Some("a host has no path");
    }
    if entry.contains('@') {
        return Some("a host has no user");
    }
    if entry.parse::<Ipv6Addr>().is_ok() {
        return Some("an IPv6 address stands in brackets");
    }
    let (host, port) = split_port(entry);
    // Names of hosts are compared without regard to their case.
    host_problem(&host.to_ascii_lowercase()).or_else(|| port_problem(port?, None))
}

/// What keeps a host, in lower case, from being one that clients send.
fn host_problem(host: &str) -> Option<&'static str> {
    if host.is_empty() {
        return Some("it has no host");
    }
    if host.starts_with('[') {
        return match ipv6(host) {
            Some(address) if serialised_ipv6(address) == host => None,
            Some(_) => Some("an IPv6 address is sent in its shortest form"),
            None => Some("it has no IPv6 address in its brackets"),
        };
    }
    if !host.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)) {
        return Some("its host has a character that hosts do not have");
    }
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let number =
        last.starts_with("0x") || (!last.is_empty() && last.bytes().all(|octet| octet.is_ascii_digit()));
    let canonical = host.parse::<Ipv4Addr>().is_ok_and(|address| address.to_string() == host);
    (number && !canonical).then_some("an IPv4 address is sent as four decimal numbers")
}

fn port_problem(port: &str, default: Option<u16>) -> Option<&'static str> {
    match port.parse::<u16>() {
        Ok(0) => Some("there is no port 0"),
        Ok(number) if number.to_string() != port => Some("a port is sent without leading zeros"),
        Ok(number) if Some(number) == default => Some("browsers leave the default port out"),
        Ok(_) => None,
        Err(_) => Some("its port is no number from 1 to 65535"),
    }
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_lowercase())
        && scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
}

const fn default_port(scheme: &str) -> Option<u16> {
    match scheme.as_bytes() {
        b"http" => Some(80),
        b"https" => Some(443),
        _ => None,
    }
}

/// Splits what follows the scheme into the authority and what comes after it.
fn split_authority(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()))
}

/// Splits an authority into host and port; the colons of an IPv6 address belong to the host.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    let name = authority.rfind(']').unwrap_or(0);
    match authority.get(name..).and_then(|rest| rest.find(':')) {
        Some(colon) => {
            let (host, port) = authority.split_at(name + colon);
            (host, port.strip_prefix(':'))
        }
        None => (authority, None),
    }
}

fn ipv6(host: &str) -> Option<Ipv6Addr> {
    host.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// An address as browsers write it: they know no dotted form.
fn serialised_ipv6(address: Ipv6Addr) -> String {
    match address.to_ipv4_mapped() {
        Some(_) => {
            let [.., high, low] = address.segments();
            format!("[::ffff:{high:x}:{low:x}]")
        }
        None => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_browsers_send_is_taken() {
        for origin in [
            "https://app.example.com",
            "http://localhost:8080",
            "http://app.example.com:443",
            "https://xn--gre-6ka8l.example",
            "http://127.0.0.1:3000",
            "http://[::1]:3000",
            "http://[::ffff:7f00:1]",
            "https://a_b.example",
            "https://4.example",
            "chrome-extension://abcdefghijklmnop",
            "tauri://localhost",
        ] {
            assert_eq!(check_origin(origin), Ok(()), "{origin}");
        }
    }

    #[test]
    fn what_can_never_match_is_named_with_what_to_write() {
        for (entry, instead) in [
            ("https://app.example.com/", Some("https://app.example.com")),
            ("https://app.example.com/mcp", Some("https://app.example.com")),
            ("https://app.example.com?x", Some("https://app.example.com")),
            ("https://app.example.com#x", Some("https://app.example.com")),
            ("https://app.example.com:443", Some("https://app.example.com")),
            ("http://app.example.com:80", Some("http://app.example.com")),
            ("http://app.example.com:08080", Some("http://app.example.com:8080")),
            ("https://APP.example.com", Some("https://app.example.com")),
            ("HTTPS://app.example.com", Some("https://app.example.com")),
            ("https://user@app.example.com", Some("https://app.example.com")),
            ("https://user:secret@app.example.com:8443/x", Some("https://app.example.com:8443")),
            ("app.example.com", Some("https://app.example.com")),
            ("app.example.com:8443", Some("https://app.example.com:8443")),
            (" https://app.example.com", Some("https://app.example.com")),
            ("wss://app.example.com", Some("https://app.example.com")),
            ("http://[0:0:0:0:0:0:0:1]:3000", Some("http://[::1]:3000")),
            ("http://[::ffff:127.0.0.1]", Some("http://[::ffff:7f00:1]")),
            ("https://app.example.com:99999", Some("https://app.example.com")),
            ("https://app.example.com:", Some("https://app.example.com")),
            ("*", None),
            ("https://*.example.com", None),
            ("null", None),
            ("NULL", None),
            ("file:///home", None),
            ("data://x", None),
            ("https://", None),
            ("://app.example.com", None),
            ("", None),
            ("https://größe.example", None),
            ("https://127.1", None),
            ("https://2130706433", None),
            ("https://0x7f000001", None),
            ("https://a%2eb", None),
            ("https://[::1", None),
            ("https://a,https://b", None),
        ] {
            let fault = check_origin(entry).unwrap_err();
            assert!(fault.contains(&*entry.escape_debug().to_string()), "{entry}: {fault}");
            let told = fault.rsplit_once("; write `").and_then(|(_, told)| told.strip_suffix('`'));
            let told = told.filter(|told| told.contains("://"));
            assert_eq!(told, instead, "{entry}: {fault}");
        }
    }

    #[test]
    fn hosts_are_names_or_addresses_with_or_without_port() {
        for host in [
            "mcp.example.com",
            "MCP.example.com.",
            "mcp.example.com:443",
            "192.0.2.1:80",
            "[2001:db8::1]",
            "[::1]:1",
        ] {
            assert_eq!(check_host(host), Ok(()), "{host}");
        }
        for (entry, instead) in [
            ("https://mcp.example.com/mcp", Some("mcp.example.com")),
            ("mcp.example.com/mcp", Some("mcp.example.com")),
            ("user@mcp.example.com", Some("mcp.example.com")),
            ("mcp.example.com:99999", Some("mcp.example.com")),
            ("mcp.example.com:x", Some("mcp.example.com")),
            ("mcp.example.com:", Some("mcp.example.com")),
            ("[0:0::1]", Some("[::1]")),
            ("2001:db8::1", None),
            ("*.example.com", None),
            ("größe.example", None),
            ("a b", None),
            ("", None),
            (":80", None),
            ("127.1", None),
        ] {
            let fault = check_host(entry).unwrap_err();
            assert!(fault.contains(&*entry.escape_debug().to_string()), "{entry}: {fault}");
            let told = fault.rsplit_once("; write `").and_then(|(_, told)| told.strip_suffix('`'));
            assert_eq!(told, instead, "{entry}: {fault}");
        }
    }
}
