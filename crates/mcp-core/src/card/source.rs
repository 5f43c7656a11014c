//! Which origins a card may name, so that none of them says more than itself in a policy of its host.

/// The most bytes of an origin.
pub(super) const MAX_SOURCE_BYTES: usize = 300;

/// What an origin is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceUse {
    /// Requests: WebSockets have schemes of their own.
    Connect,
    /// Anything else.
    Load,
}

/// What keeps a text from being an origin that a card may name; `None` for one that is good.
///
/// A host joins origins with spaces into a header whose parts end with `;`, so nothing but a scheme, a host and a
/// port may be in one.
pub(super) fn source_problem(source: &str, wanted: SourceUse) -> Option<&'static str> {
    if source.len() > MAX_SOURCE_BYTES {
        return Some("an origin has at most 300 bytes");
    }
    if source.starts_with('\'') {
        return Some(
            "keywords of a policy are the host's to set; name an origin such as `https://cdn.example.com`",
        );
    }
    let Some((scheme, rest)) = source.split_once("://") else {
        return Some("write an origin such as `https://cdn.example.com`, with its scheme");
    };
    let (host, port) = match rest.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (rest, None),
    };
    let secure = match scheme {
        "https" => true,
        "wss" if wanted == SourceUse::Connect => true,
        "http" => false,
        "ws" if wanted == SourceUse::Connect => false,
        "ws" | "wss" => return Some("WebSockets belong to `connectDomains`"),
        _ => return Some("the scheme must be `https`, or `wss` in `connectDomains`"),
    };
    if rest.contains('/') {
        return Some("an origin ends after its host and port: leave out the path, and the `/` before it");
    }
    if port.is_some_and(|port| !is_port(port)) {
        return Some("a port is a number from 1 to 65535");
    }
    let (wildcard, name) = match host.strip_prefix("*.") {
        Some(name) => (true, name),
        None => (false, host),
    };
    if !is_host(name) {
        return Some(
            "the host must be a name in lower-case letters, digits, `-` and `.`, or an IPv4 address",
        );
    }
    if wildcard && !name.contains('.') {
        return Some("`*.` stands before a domain of its own, such as `*.example.com`");
    }
    if !secure && !matches!(name, "localhost" | "127.0.0.1") {
        return Some("without TLS only `localhost` and `127.0.0.1` are good, for development");
    }
    None
}

/// What keeps a text from being the dedicated domain of a card. Hosts differ in what it looks like, so all that is
/// asked is that it is one word.
pub(super) fn domain_problem(domain: &str) -> Option<&'static str> {
    let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'/');
    if domain.is_empty() || domain.len() > MAX_SOURCE_BYTES {
        return Some("a domain has 1 to 300 bytes");
    }
    (!domain.bytes().all(is_fine)).then_some("a domain is letters, digits, `.`, `-`, `_`, `:` and `/`")
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0') && port.parse::<u16>().is_ok()
}

/// RFC 1123, section 2.1, as a browser writes it.
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        let ends =
            |end: Option<char>| end.is_some_and(|end| end.is_ascii_lowercase() || end.is_ascii_digit());
        label.len() <= 63
            && ends(label.chars().next())
            && ends(label.chars().next_back())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    host.len() <= 253 && host.split('.').all(is_label)
}
