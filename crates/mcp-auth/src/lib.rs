//! Authorization for the Model Context Protocol: who is calling, and how a refusal is told.
//!
//! Everything here is pure: text in, decision out. A transport reads the `Authorization` fields with
//! [`BearerCredentials`], asks a [`Verifier`] who the token belongs to, and answers with a [`Challenge`]
//! when the answer is no.
//!
//! | module | what is in it |
//! |---|---|
//! | [`bearer`] | the token in an `Authorization` header field |
//! | [`challenge`] | the `WWW-Authenticate` header field, and the status that goes with it |
//! | [`ports`] | what authorization needs from outside |
//! | [`static_tokens`] | a verifier for tokens that the operator wrote down |

pub mod bearer;
pub mod challenge;
pub mod ports;
pub mod static_tokens;

mod syntax;

pub use bearer::{BearerCredentials, BearerToken, MAX_TOKEN_BYTES, MalformedCredentials};
pub use challenge::{Challenge, ChallengeError};
pub use mcp_core::principal::Principal;
pub use ports::{Verifier, VerifyError};
pub use static_tokens::{StaticTokens, StaticTokensBuilder, TokenFault, TokenFileFault};
