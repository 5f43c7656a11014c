//! Why the client could not be asked, or gave no usable answer.

use crate::{
    handler::{ProtocolError, ToolError},
    protocol::{FormFault, NotAccepted, RequiredUrl},
};
use std::{error::Error, fmt};

/// Why an ask failed. What the user decided is no failure: see
/// [`Elicitation`](crate::protocol::Elicitation).
///
/// Converts with `?` into [`ToolError`] and [`ProtocolError`] with a text that says what to do, and implements
/// no `Error` for that reason.
#[derive(Debug)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not declare the capability, or there is no channel to it.
    MissingCapability(&'static str),
    /// The client can open pages for its user, and there is no channel to ask it to: the request is answered
    /// with the page instead.
    UrlElicitationRequired(Box<RequiredUrl>),
    /// Only tools, prompts and resource reads may ask.
    Unsupported,
    /// The ask was polled elsewhere than in its handler: in a task of its own, or in a blocking function.
    OutsideHandler,
    /// Another ask with this key is open in the same call, or was answered and asked something else.
    DuplicateKey(Box<str>),
    /// A key has 1 to 128 bytes.
    InvalidKey,
    /// The type asked for is no form.
    Form(FormFault),
    /// This server has no tool of the name that a run is to offer.
    UnknownTool(Box<str>),
    /// The tool that a run is to offer is for cards only.
    CardsOnly(Box<str>),
    /// A sampling request that no client can act on.
    InvalidRequest(Box<str>),
    /// The client answered with an error: the user or the client said no.
    ClientError {
        /// The JSON-RPC code.
        code: i64,
        /// The client's words, cut to a bounded length.
        message: Box<str>,
    },
    /// The client answered with something that does not fit what was asked.
    InvalidAnswer(Box<str>),
    /// The client did not answer within `limits.ask_timeout`.
    TimedOut,
    /// The client is gone, or its session has ended.
    Closed,
    /// A limit is reached, such as that on open asks or on what is remembered: the setting that governs it.
    Limit(&'static str),
    /// A value to be remembered does not serialise, or what was remembered cannot be read as its type.
    Value(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for AskError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingCapability(path) => write!(
                formatter,
                "the client cannot be asked: it did not declare the capability `{path}`, or there is no channel to it"
            ),
            Self::UrlElicitationRequired(required) => {
                write!(formatter, "the user has to open {} first", required.url)
            }
            Self::Unsupported => {
                formatter.write_str("only tools, prompts and resource reads may ask the client")
            }
            Self::OutsideHandler => formatter.write_str(
                "the client can be asked within the handler only, not from another task or a blocking function",
            ),
            Self::DuplicateKey(key) => write!(formatter, "the key `{key}` is another ask's in this call: each question needs a key of its own"),
            Self::InvalidKey => formatter.write_str("the key of an ask has 1 to 128 bytes"),
            Self::Form(fault) => write!(formatter, "the form cannot be shown: {fault}"),
            Self::UnknownTool(name) => write!(formatter, "this server has no tool `{name}` to offer to the client's model"),
            Self::CardsOnly(name) => write!(formatter, "the tool `{name}` is for cards only: no model may be offered it"),
            Self::InvalidRequest(reason) => write!(formatter, "the request to the client is not valid: {reason}"),
            Self::ClientError { code, message } => {
                write!(formatter, "the client refused: {message} (code {code})")
            }
            Self::InvalidAnswer(reason) => write!(formatter, "the client's answer does not fit: {reason}"),
            Self::TimedOut => {
                formatter.write_str("the client did not answer in time (setting: limits.ask_timeout)")
            }
            Self::Closed => formatter.write_str("the client went away before it answered"),
            Self::Limit(setting) => {
                write!(formatter, "the call asks or remembers more than it may (setting: {setting})")
            }
            Self::Value(_) => formatter.write_str("a value that was to be remembered is not usable"),
        }
    }
}

impl From<AskError> for ProtocolError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::MissingCapability(path) => Self::unaskable(path),
            AskError::UrlElicitationRequired(required) => Self::url_elicitation_required(*required),
            AskError::Value(cause) => Self::internal().caused_by(cause),
            other => Self::internal_because(other.to_string()),
        }
    }
}

impl From<AskError> for ToolError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::MissingCapability(_) | AskError::UrlElicitationRequired(_) => {
                ProtocolError::from(error).into()
            }
            AskError::Value(cause) => {
                Self::new("a value that was to be remembered is not usable").caused_by(cause)
            }
            other => Self::new(other.to_string()),
        }
    }
}

impl From<NotAccepted> for ProtocolError {
    fn from(reason: NotAccepted) -> Self {
        Self::internal_because(reason.to_string())
    }
}

impl From<NotAccepted> for ToolError {
    fn from(reason: NotAccepted) -> Self {
        Self::new(reason.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_and_not_accepted_becomes_a_text_for_the_model() {
        for (reason, word) in [(NotAccepted::Declined, "declined"), (NotAccepted::Cancelled, "no answer")] {
            assert!(ToolError::from(reason).to_string().contains(word));
            assert!(ProtocolError::from(reason).to_string().contains(word));
        }
    }
}
