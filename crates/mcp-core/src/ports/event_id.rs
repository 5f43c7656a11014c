//! The ids of streams and of the events on them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::{fmt, sync::Arc};

/// The id of one stream of a session: a response, or the stream a client opened with GET.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(Arc<str>);

impl StreamId {
    /// The longest id that is read from a client, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// A new id from 12 bytes of the [`Runtime`](super::Runtime) port's random generator: 16 letters, digits,
    /// `-` and `_`.
    #[must_use]
    pub fn from_random(bytes: [u8; 12]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(bytes).into())
    }

    /// The stream of a session that belongs to no request: the one a client opens with GET.
    #[must_use]
    pub fn standalone() -> Self {
        Self("get".into())
    }

    /// Reads an id; `None` unless it is 1 to 64 letters, digits, `-` and `_`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let permitted = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let readable = (1..=Self::MAX_BYTES).contains(&text.len()) && text.bytes().all(permitted);
        readable.then(|| Self(text.into()))
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The id of an event: which stream it is on, and its place there.
///
/// Written `STREAM.NUMBER`, so that a `Last-Event-ID` tells which stream was interrupted. The events of a
/// stream are numbered from 1; number 0 stands for the place before them, which a client holds that has
/// seen nothing but the opening of the stream.
///
/// Spec: 2025-11-25, basic/transports#resumability-and-redelivery.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "an event is on a stream, at a place")]
pub struct EventId {
    /// The stream.
    pub stream: StreamId,
    /// The place on it.
    pub number: u64,
}

impl EventId {
    /// The place before the first event of a stream.
    #[must_use]
    pub const fn opening(stream: StreamId) -> Self {
        Self { stream, number: 0 }
    }

    /// Reads an id as [`Display`](fmt::Display) writes it; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (stream, digits) = text.rsplit_once('.')?;
        let stream = StreamId::parse(stream)?;
        let number: u64 = digits.parse().ok()?;
        let id = Self { stream, number };
        // One event has one id: no sign and no leading zero.
        (id.number.to_string() == digits).then_some(id)
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.stream.0, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_id_tells_its_stream_and_its_place() {
        let stream = StreamId::from_random([7; 12]);
        for number in [0, 1, 42, u64::MAX] {
            let id = EventId { stream: stream.clone(), number };
            assert_eq!(EventId::parse(&id.to_string()), Some(id));
        }
        assert_eq!(EventId::opening(stream.clone()).to_string(), format!("{}.0", stream.as_str()));
    }

    #[test]
    fn any_other_text_is_no_event_id() {
        for text in ["", ".", "a", "a.", ".1", "a.b", "a.01", "a.+1", "a.-1", "a. 1", "a b.1", "a.b.1"] {
            assert_eq!(EventId::parse(text), None, "{text:?}");
        }
        assert_eq!(EventId::parse(&format!("{}.1", "a".repeat(65))), None);
        assert_eq!(EventId::parse(&format!("a.{}0", u64::MAX)), None);
    }
}
