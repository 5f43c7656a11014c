//! Tokens that the operator wrote down, each with the principal it speaks for.

mod builder;
mod digest;
mod fault;
mod file;

pub use builder::StaticTokensBuilder;
pub use fault::{TokenFault, TokenFileFault};

use crate::ports::{Verifier, VerifyError};
use async_trait::async_trait;
use digest::{Digest, position_of};
use mcp_core::principal::Principal;
use std::fmt;

/// A verifier for a fixed list of tokens.
///
/// Holds digests, never tokens, and compares a digest with every entry whether or not one has matched, so
/// that neither a memory dump nor the time of an answer gives a token away. The time grows with the number
/// of entries: it is meant for some hundreds.
///
/// ```
/// use mcp_auth::{Principal, StaticTokens};
///
/// let tokens = StaticTokens::builder()
///     .token("8e5a4c9d0f7b2e61", Principal::new("ada").with_scopes(["read"]))?
///     .build();
/// assert_eq!(tokens.len(), 1);
/// # Ok::<(), mcp_auth::TokenFault>(())
/// ```
pub struct StaticTokens {
    digests: Box<[Digest]>,
    principals: Box<[Principal]>,
}

impl StaticTokens {
    /// A builder without tokens.
    pub fn builder() -> StaticTokensBuilder {
        StaticTokensBuilder::default()
    }

    /// Reads the text of a token file.
    ///
    /// Each line is `token subject scope scope …`, separated by blanks; there may be no scope. Blank lines
    /// and lines that begin with `#` are skipped. Tokens shorter than
    /// [`StaticTokensBuilder::STRONG_TOKEN_BYTES`] are accepted and logged as a warning that names the
    /// line.
    ///
    /// # Errors
    /// [`TokenFileFault`] names the first line that cannot be used, never what stands in it.
    pub fn parse(text: &str) -> Result<Self, TokenFileFault> {
        file::parse(text)
    }

    /// How many tokens there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Tells whether there is no token, which refuses everybody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The principal a token speaks for.
    #[must_use]
    pub fn principal(&self, token: &str) -> Option<&Principal> {
        position_of(&Digest::of(token), &self.digests).and_then(|position| self.principals.get(position))
    }
}

#[async_trait]
impl Verifier for StaticTokens {
    async fn verify(&self, token: &str) -> Result<Principal, VerifyError> {
        self.principal(token).cloned().ok_or(VerifyError::Invalid)
    }
}

impl fmt::Debug for StaticTokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StaticTokens").field("tokens", &self.len()).finish()
    }
}

#[cfg(test)]
mod tests;
