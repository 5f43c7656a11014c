//! A list of tokens in the making.

use super::{
    StaticTokens, TokenFault,
    digest::{Digest, position_of},
};
use crate::{
    MAX_TOKEN_BYTES,
    syntax::{is_b64token, is_scope_token},
};
use mcp_core::principal::Principal;
use std::fmt;

/// Collects tokens with their principals; see [`StaticTokens::builder`].
#[derive(Default)]
#[must_use]
pub struct StaticTokensBuilder {
    digests: Vec<Digest>,
    principals: Vec<Principal>,
}

impl StaticTokensBuilder {
    /// From this length on, in bytes, a random token is beyond guessing; shorter ones are accepted with a
    /// warning.
    pub const STRONG_TOKEN_BYTES: usize = 16;

    /// Adds a token and the principal it speaks for; the token is digested at once and not kept.
    ///
    /// Two tokens may speak for one principal, so that one can replace the other without a pause.
    ///
    /// # Errors
    /// [`TokenFault`] when no request could carry the token, when it is on the list already, when the
    /// principal's subject is blank or holds control characters, or when one of its scopes is none by RFC
    /// 6749 section 3.3.
    pub fn token(mut self, token: &str, principal: Principal) -> Result<Self, TokenFault> {
        self.add(token, principal)?;
        if is_short(token) {
            tracing::warn!(
                subject = principal_subject(&self.principals),
                "a static token is shorter than {} bytes and may be guessed",
                Self::STRONG_TOKEN_BYTES
            );
        }
        Ok(self)
    }

    /// Finishes the list.
    #[must_use]
    pub fn build(self) -> StaticTokens {
        StaticTokens {
            digests: self.digests.into_boxed_slice(),
            principals: self.principals.into_boxed_slice(),
        }
    }

    pub(super) fn add(&mut self, token: &str, principal: Principal) -> Result<(), TokenFault> {
        check_token(token)?;
        check_principal(&principal)?;
        let digest = Digest::of(token);
        if position_of(&digest, &self.digests).is_some() {
            return Err(TokenFault::DuplicateToken);
        }
        self.digests.push(digest);
        self.principals.push(principal);
        Ok(())
    }
}

pub(super) const fn is_short(token: &str) -> bool {
    token.len() < StaticTokensBuilder::STRONG_TOKEN_BYTES
}

fn principal_subject(principals: &[Principal]) -> &str {
    principals.last().map_or("", Principal::subject)
}

fn check_token(token: &str) -> Result<(), TokenFault> {
    if token.is_empty() {
        Err(TokenFault::EmptyToken)
    } else if token.len() > MAX_TOKEN_BYTES {
        Err(TokenFault::TooLong)
    } else if !is_b64token(token.as_bytes()) {
        Err(TokenFault::IllegalToken)
    } else {
        Ok(())
    }
}

fn check_principal(principal: &Principal) -> Result<(), TokenFault> {
    if principal.subject().trim().is_empty() {
        Err(TokenFault::EmptySubject)
    } else if principal.subject().contains(char::is_control) {
        Err(TokenFault::IllegalSubject)
    } else if !principal.scopes().all(is_scope_token) {
        Err(TokenFault::IllegalScope)
    } else {
        Ok(())
    }
}

impl fmt::Debug for StaticTokensBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StaticTokensBuilder").field("tokens", &self.digests.len()).finish()
    }
}
