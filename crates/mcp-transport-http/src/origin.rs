//! The web pages that may call.

use crate::{
    allowed::check_origin,
    host::{is_host_and_port, is_loopback},
    options::OriginPolicy,
};
use http::{HeaderMap, HeaderValue, header, uri::Authority};

/// Origins that may call beside the same host and loopback pages.
#[derive(Debug)]
pub(crate) struct AllowedOrigins {
    policy: OriginPolicy,
    exact: Vec<Box<str>>,
}

/// What the `Origin` header of a request means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'a> {
    /// No web page calls.
    None,
    /// This page may call and may read the answer.
    Allowed(&'a HeaderValue),
    /// This page may not call.
    Refused(&'a [u8]),
}

impl AllowedOrigins {
    pub(crate) fn new(policy: OriginPolicy) -> Self {
        if policy == OriginPolicy::Any {
            tracing::warn!("any web page may call this endpoint: origins are not checked (origin_policy)");
        }
        Self { policy, exact: Vec::new() }
    }

    /// Allows an origin in the exact form browsers send: scheme, host, and a port that is not the default one.
    pub(crate) fn allow(&mut self, origin: &str) -> Result<(), String> {
        check_origin(origin)?;
        self.exact.push(origin.into());
        Ok(())
    }

    /// Judges the origin of a request whose host is allowed already.
    pub(crate) fn judge<'a>(&self, headers: &'a HeaderMap) -> Verdict<'a> {
        let mut values = headers.get_all(header::ORIGIN).iter();
        let Some(value) = values.next() else { return Verdict::None };
        if values.next().is_some() {
            return Verdict::Refused(b"(several)");
        }
        // Every sandboxed page and every file is `null`: to allow it would be to allow them all.
        if value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"null") {
            return Verdict::Refused(value.as_bytes());
        }
        if self.policy == OriginPolicy::Any {
            return Verdict::Allowed(value);
        }
        let Ok(origin) = value.to_str() else { return Verdict::Refused(value.as_bytes()) };
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        if self.exact.iter().any(|exact| &**exact == origin) || is_near(origin, host) {
            Verdict::Allowed(value)
        } else {
            Verdict::Refused(value.as_bytes())
        }
    }
}

/// A page from the same host as the endpoint, or from this machine.
fn is_near(origin: &str, host: Option<&str>) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    // An origin ends with its host or port, so nothing that a URL may have after them parses.
    let Some(authority) = rest.and_then(|rest| rest.parse::<Authority>().ok()) else { return false };
    is_host_and_port(&authority)
        && (is_loopback(authority.host())
            || host.is_some_and(|host| host.eq_ignore_ascii_case(authority.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    fn allowed(origins: &AllowedOrigins, origin: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "mcp.example.com".parse().unwrap());
        headers.insert(header::ORIGIN, origin.parse().unwrap());
        matches!(origins.judge(&headers), Verdict::Allowed(_))
    }

    #[test]
    fn the_same_host_and_loopback_pages_may_call() {
        let origins = AllowedOrigins::new(OriginPolicy::Checked);
        for origin in
            ["http://mcp.example.com", "https://mcp.example.com", "http://localhost:6274", "http://[::1]:1"]
        {
            assert!(allowed(&origins, origin), "{origin}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost.evil.example",
            "ftp://localhost",
            "http://mcp.example.com:1",
            "http://evil@localhost",
            "http://localhost/",
            "http://localhost/page",
            "http://localhost?query",
            "http://localhost#part",
            "http://localhost:-1",
            "http://localhost:99999",
            "http://[localhost]",
            "x",
        ] {
            assert!(!allowed(&origins, origin), "{origin}");
        }
    }

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn letting_every_page_call_is_told_as_a_warning() {
        let log = Log::default();
        let writer = log.clone();
        let lines = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(lines, || {
            AllowedOrigins::new(OriginPolicy::Checked);
            assert!(log.0.lock().unwrap().is_empty());
            AllowedOrigins::new(OriginPolicy::Any);
        });
        let told = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert!(told.contains("WARN") && told.contains("origin_policy"), "{told}");
    }

    #[test]
    fn listed_origins_are_exact() {
        let mut origins = AllowedOrigins::new(OriginPolicy::Checked);
        origins.allow("https://app.example.com").unwrap();
        assert!(allowed(&origins, "https://app.example.com"));
        assert!(
            !allowed(&origins, "http://app.example.com")
                && !allowed(&origins, "https://app.example.com:8443")
        );
        for bad in ["app.example.com", "https://app.example.com/", "*", "null"] {
            assert!(origins.allow(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_null_origin_may_not_call_even_where_every_page_may() {
        let origins = AllowedOrigins::new(OriginPolicy::Any);
        assert!(allowed(&origins, "http://evil.example"));
        for null in ["null", "NULL", " null"] {
            assert!(!allowed(&origins, null), "{null}");
        }
    }
}
