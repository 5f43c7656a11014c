//! The `WWW-Authenticate` header field: how a client learns what it needs.

use crate::syntax::is_scope_token;
use std::fmt::{self, Write};

/// The longest description that is sent, in characters.
const MAX_DESCRIPTION_CHARS: usize = 300;

/// Why access is refused, by the names of RFC 6750 section 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "RFC 6750 knows these three")]
pub enum ChallengeError {
    /// The request is malformed: status 400.
    InvalidRequest,
    /// The token is expired, revoked, unknown or meant for another server: status 401.
    InvalidToken,
    /// The token is valid and does not reach far enough: status 403.
    InsufficientScope,
}

impl ChallengeError {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
        }
    }

    /// The HTTP status that goes with it.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::InvalidToken => 401,
            Self::InsufficientScope => 403,
        }
    }
}

/// The one challenge of an answer that refuses access.
///
/// The value that [`Display`](fmt::Display) writes is ASCII and begins with the scheme. `scope` stands
/// before the free texts, because clients look for the first `scope=` they find.
///
/// ```
/// use mcp_auth::{Challenge, ChallengeError};
///
/// let refusal = Challenge::refused(ChallengeError::InsufficientScope).scopes(["read", "write"]);
/// assert_eq!(refusal.status(), 403);
/// assert_eq!(refusal.to_string(), r#"Bearer error="insufficient_scope", scope="read write""#);
/// ```
///
/// Spec: 2026-07-28, basic/authorization#error-handling; RFC 6750 section 3; RFC 9728 section 5.1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Challenge {
    error: Option<ChallengeError>,
    scopes: Vec<Box<str>>,
    resource_metadata: Option<Box<str>>,
    realm: Option<Box<str>>,
    description: Option<Box<str>>,
}

impl Challenge {
    /// The challenge to a request without credentials: status 401 and no `error`.
    pub const fn missing() -> Self {
        Self { error: None, scopes: Vec::new(), resource_metadata: None, realm: None, description: None }
    }

    /// The challenge to a request whose credentials do not suffice.
    pub fn refused(error: ChallengeError) -> Self {
        Self { error: Some(error), ..Self::missing() }
    }

    /// Names the scopes that are needed, all in one go, the ones the client already has included.
    ///
    /// Repetitions are left out, and so is text that is no scope by RFC 6749 section 3.3: no authorization
    /// server could grant it.
    pub fn scopes<'s>(mut self, scopes: impl IntoIterator<Item = &'s str>) -> Self {
        for scope in scopes {
            if is_scope_token(scope) && !self.scopes.iter().any(|known| **known == *scope) {
                self.scopes.push(scope.into());
            }
        }
        self
    }

    /// Names the URL of the protected resource metadata.
    pub fn resource_metadata(mut self, url: impl Into<Box<str>>) -> Self {
        self.resource_metadata = Some(url.into());
        self
    }

    /// Names the realm of protection.
    pub fn realm(mut self, realm: impl Into<Box<str>>) -> Self {
        self.realm = Some(realm.into());
        self
    }

    /// Explains the error to a developer, in a few words of ASCII and without anything secret.
    ///
    /// Sent only together with an error, at most 300 characters of it; characters that RFC 6750 forbids
    /// here are replaced.
    pub fn description(mut self, text: &str) -> Self {
        let kept = text.chars().take(MAX_DESCRIPTION_CHARS).map(|character| match character {
            '"' => '\'',
            '\\' => '/',
            ' '..='~' => character,
            _ => '?',
        });
        self.description = Some(kept.collect::<String>().into_boxed_str());
        self
    }

    /// The error; `None` when there were no credentials.
    #[must_use]
    pub const fn error(&self) -> Option<ChallengeError> {
        self.error
    }

    /// The explanation, as it is sent.
    #[must_use]
    pub fn error_description(&self) -> Option<&str> {
        self.error.and(self.description.as_deref())
    }

    /// The HTTP status of the answer: 400, 401 or 403.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self.error {
            Some(error) => error.status(),
            None => 401,
        }
    }
}

impl fmt::Display for Challenge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scopes = (!self.scopes.is_empty()).then(|| self.scopes.join(" "));
        let parameters = [
            ("error", self.error.map(ChallengeError::as_str)),
            ("scope", scopes.as_deref()),
            ("resource_metadata", self.resource_metadata.as_deref()),
            ("realm", self.realm.as_deref()),
            ("error_description", self.error_description()),
        ];
        formatter.write_str("Bearer")?;
        let mut separator = " ";
        for (name, value) in parameters {
            let Some(value) = value else { continue };
            write!(formatter, "{separator}{name}=")?;
            write_quoted(formatter, value)?;
            separator = ", ";
        }
        Ok(())
    }
}

/// Writes a quoted string; what is neither printable ASCII nor blank becomes `?`, so that no value can end
/// the header field or the string.
///
/// RFC 9110 section 5.6.4.
fn write_quoted(formatter: &mut fmt::Formatter<'_>, value: &str) -> fmt::Result {
    formatter.write_char('"')?;
    for character in value.chars() {
        match character {
            '"' | '\\' => write!(formatter, "\\{character}")?,
            ' '..='~' => formatter.write_char(character)?,
            _ => formatter.write_char('?')?,
        }
    }
    formatter.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads `Bearer name="value", …` strictly, quoting undone; `None` when it is anything else.
    fn read(value: &str) -> Option<Vec<(String, String)>> {
        let mut rest = value.strip_prefix("Bearer")?.chars().peekable();
        let mut parameters = Vec::new();
        let mut separator = " ";
        while rest.peek().is_some() {
            separator.chars().all(|expected| rest.next() == Some(expected)).then_some(())?;
            let name: String = rest.by_ref().take_while(|character| *character != '=').collect();
            (rest.next()? == '"').then_some(())?;
            let mut text = String::new();
            loop {
                match rest.next()? {
                    '"' => break,
                    '\\' => text.push(rest.next()?),
                    character @ ' '..='~' => text.push(character),
                    _ => return None,
                }
            }
            parameters.push((name, text));
            separator = ", ";
        }
        Some(parameters)
    }

    #[test]
    fn without_credentials_there_is_no_error_and_no_description() {
        assert_eq!(Challenge::missing().to_string(), "Bearer");
        let challenge = Challenge::missing()
            .description("unused")
            .scopes(["read"])
            .resource_metadata("https://mcp.example/.well-known/oauth-protected-resource/mcp");
        assert_eq!(
            challenge.to_string(),
            "Bearer scope=\"read\", \
             resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\""
        );
        assert_eq!((challenge.status(), challenge.error_description()), (401, None));
    }

    #[test]
    fn a_scope_that_is_missing_is_told_with_all_that_are_needed() {
        let challenge = Challenge::refused(ChallengeError::InsufficientScope)
            .description("danger needs \"write\"")
            .realm("a \"b\"")
            .scopes(["read", "write", "read", "no good", ""])
            .resource_metadata("https://mcp.example/m");
        assert_eq!(
            challenge.to_string(),
            "Bearer error=\"insufficient_scope\", scope=\"read write\", \
             resource_metadata=\"https://mcp.example/m\", realm=\"a \\\"b\\\"\", \
             error_description=\"danger needs 'write'\""
        );
        assert_eq!(challenge.status(), 403);
    }

    #[test]
    fn each_error_has_its_status() {
        for (error, name, status) in [
            (ChallengeError::InvalidRequest, "invalid_request", 400),
            (ChallengeError::InvalidToken, "invalid_token", 401),
            (ChallengeError::InsufficientScope, "insufficient_scope", 403),
        ] {
            let challenge = Challenge::refused(error);
            assert_eq!(
                (challenge.to_string(), challenge.status()),
                (format!("Bearer error=\"{name}\""), status)
            );
        }
    }

    proptest! {
        #[test]
        fn whatever_is_named_the_field_stays_one_well_formed_challenge(
            realm in any::<String>(),
            url in any::<String>(),
            text in any::<String>(),
            scopes in prop::collection::vec(any::<String>(), 0..4),
        ) {
            let value = Challenge::refused(ChallengeError::InvalidToken)
                .scopes(scopes.iter().map(String::as_str))
                .resource_metadata(url)
                .realm(realm.clone())
                .description(&text)
                .to_string();
            let parameters = read(&value).expect("a well-formed challenge");
            let sent = |name: &str| {
                parameters.iter().find(|(found, _)| found == name).map(|(_, text)| text.as_str())
            };
            let ascii = realm.replace(|character| !(' '..='~').contains(&character), "?");
            prop_assert_eq!(sent("error"), Some("invalid_token"));
            prop_assert_eq!(sent("realm"), Some(&*ascii));
            prop_assert!(sent("error_description").unwrap().chars().all(|c| c != '"' && c != '\\'));
        }
    }
}
