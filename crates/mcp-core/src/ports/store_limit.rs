//! The limits that stores hold to, by name.

use std::fmt;
use thiserror::Error;

/// A limit of stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreLimit {
    /// Sessions in all.
    Sessions,
    /// Sessions of one principal.
    SessionsOfPrincipal,
    /// Text that one session keeps.
    SessionText,
    /// Resources one session is subscribed to.
    Subscriptions,
    /// Streams in all.
    Streams,
    /// Open streams of one session.
    StreamsOfSession,
}

impl fmt::Display for StoreLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sessions => "sessions",
            Self::SessionsOfPrincipal => "sessions of one principal",
            Self::SessionText => "text of one session",
            Self::Subscriptions => "subscriptions of one session",
            Self::Streams => "streams",
            Self::StreamsOfSession => "open streams of one session",
        })
    }
}

/// A setting that lies outside its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("`{setting}` is {value}, it must be {least} to {most}")]
#[expect(
    clippy::exhaustive_structs,
    reason = "it names the setting and its range, and there is no more to say"
)]
pub struct LimitOutOfRange {
    /// The name of the field; one that holds a duration is measured in milliseconds here.
    pub setting: &'static str,
    /// What it is.
    pub value: u128,
    /// The least it may be.
    pub least: u128,
    /// The most it may be.
    pub most: u128,
}

/// Checks settings, each given as name, value, least and most; the first that lies outside its range is told.
pub(super) fn check(settings: &[(&'static str, u128, u128, u128)]) -> Result<(), LimitOutOfRange> {
    let outside = settings.iter().find(|(_, value, least, most)| !(least..=most).contains(&value));
    outside
        .map_or(Ok(()), |&(setting, value, least, most)| Err(LimitOutOfRange { setting, value, least, most }))
}
