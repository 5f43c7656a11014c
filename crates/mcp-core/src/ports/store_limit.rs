//! The limits that stores hold to, by name.

use std::fmt;

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
    /// Selections that one session hides.
    Hidden,
    /// Toolboxes that one session has open.
    OpenToolboxes,
    /// Streams in all.
    Streams,
    /// Open streams of one session.
    StreamsOfSession,
    /// Tasks in all.
    Tasks,
    /// Tasks of one owner.
    TasksOfOwner,
}

impl fmt::Display for StoreLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sessions => "sessions",
            Self::SessionsOfPrincipal => "sessions of one principal",
            Self::SessionText => "text of one session",
            Self::Subscriptions => "subscriptions of one session",
            Self::Hidden => "hidden selections of one session",
            Self::OpenToolboxes => "open toolboxes of one session",
            Self::Streams => "streams",
            Self::StreamsOfSession => "open streams of one session",
            Self::Tasks => "tasks",
            Self::TasksOfOwner => "tasks of one owner",
        })
    }
}
