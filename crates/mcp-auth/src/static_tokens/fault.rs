//! Why a token cannot be added, by itself or in a file.

use thiserror::Error;

/// Why a token cannot be added to a list.
///
/// None of the texts repeats a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TokenFault {
    /// The token is empty.
    #[error("the token is empty")]
    EmptyToken,
    /// The token is longer than [`MAX_TOKEN_BYTES`](crate::MAX_TOKEN_BYTES): no request could carry it.
    #[error("the token is longer than {} bytes", crate::MAX_TOKEN_BYTES)]
    TooLong,
    /// The token holds a character that no request could carry: letters, digits, `-._~+/` and `=` at the
    /// end may be used.
    #[error("the token holds a character other than letters, digits, -._~+/ and = at its end")]
    IllegalToken,
    /// The token is on the list already.
    #[error("the token is on the list already")]
    DuplicateToken,
    /// There is no subject.
    #[error("the token has no subject; write who it speaks for after it")]
    EmptySubject,
    /// The subject holds a control character.
    #[error("the subject holds a control character")]
    IllegalSubject,
    /// A scope is empty or holds a character that no scope has: visible ASCII without `"` and `\` may be
    /// used.
    #[error("a scope is empty or holds a character other than visible ASCII without \" and \\")]
    IllegalScope,
}

/// The line of a token file that cannot be used, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the token file")]
pub struct TokenFileFault {
    /// The number of the line; the first is 1.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub fault: TokenFault,
}
