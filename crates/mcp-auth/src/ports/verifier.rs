//! Who a bearer token belongs to.

use async_trait::async_trait;
use mcp_core::principal::Principal;
use std::{error::Error, fmt};
use thiserror::Error as ThisError;

/// Decides whom a bearer token speaks for.
///
/// Asked once for each request that carries a token, on sessions too: a session id is no proof of anything.
/// May be asked many times at once, and its future may be dropped before it is done.
///
/// # Security
/// Everything the server hides is behind this answer.
///
/// * One that accepts a token it should not lets whoever holds it act as the principal it returns.
/// * A token must be meant for this server. One that accepts tokens issued for another service lets that
///   service, and everybody it forwards tokens to, call this one.
/// * Expiry and revocation are the verifier's to judge; nothing after it looks at the token again.
/// * Issuer, subject and client name the owner of sessions, streams and sealed state. Returning one principal
///   for two people hands each the state of the other.
/// * One that compares secrets byte by byte and stops at the first difference tells an attacker, by its
///   timing, how much of a guess was right.
/// * A failure to decide must be [`VerifyError::Unavailable`], never a principal.
/// * The token is a secret: neither it nor a part of it belongs into a log, an error or a cache key.
///
/// Spec: 2026-07-28, basic/authorization#token-handling; RFC 6750 section 5.
#[async_trait]
pub trait Verifier: fmt::Debug + Send + Sync {
    /// Returns the principal that `token` speaks for.
    ///
    /// `token` is what follows the scheme in the header field: one to 8,192 bytes of the characters RFC 6750
    /// permits when it comes from [`BearerCredentials`](crate::BearerCredentials), not checked any further.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`] when the token speaks for nobody here: unknown, expired, revoked, meant for
    /// another server, or not a token at all. [`VerifyError::Unavailable`] when that could not be found out.
    async fn verify(&self, token: &str) -> Result<Principal, VerifyError>;
}

/// Why a token gave no principal.
#[derive(Debug, ThisError)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a client learns one of two things: get a new token, or try later"
)]
pub enum VerifyError {
    /// The token speaks for nobody here; a client is told `invalid_token`, without the reason.
    #[error("the token is not valid")]
    Invalid,
    /// Whether the token is valid could not be found out; a client is told to come back later.
    #[error("the token could not be verified")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}
