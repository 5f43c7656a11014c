//! What an exchange yields.

use crate::lower::Reply;
use bytes::Bytes;

/// A message of an exchange, or a wish about how it is carried.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever carries an exchange has to deal with each kind")]
pub enum Outgoing {
    /// A notification, one line of compact JSON.
    Notification(Bytes),
    /// A request to the client, one line of compact JSON; its response comes in as a message of the session.
    Request(Bytes),
    /// The handler's wish about the event stream that carries the call; nothing to send.
    Stream(StreamControl),
    /// The reply; nothing follows it.
    Reply(Reply),
}

/// What becomes of the event stream of a call; only Streamable HTTP has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a stream begins or ends")]
pub enum StreamControl {
    /// Answer as an event stream from the start, so that the client can resume it.
    Open,
    /// End the response; the client comes back for the rest.
    Close,
}
