//! `Last-Event-ID`: what a client says of where its stream broke.

use mcp_core::ports::{EventId, SessionId, StreamId};

/// Reads `input` as the id of an event, of a stream and of a session.
///
/// # Panics
/// Where an id is read that would be written in another way, or is longer than ids are.
pub fn resume(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Some(id) = EventId::parse(text) {
        assert_eq!(id.to_string(), text, "an event has one id");
        assert!(id.stream.as_str().len() <= StreamId::MAX_BYTES);
        assert_eq!(StreamId::parse(id.stream.as_str()), Some(id.stream));
    }
    if let Some(id) = StreamId::parse(text) {
        assert_eq!(id.as_str(), text);
    }
    if let Some(id) = SessionId::parse(text) {
        assert_eq!(id.as_str(), text);
        assert!(text.len() <= SessionId::MAX_BYTES && text.bytes().all(|byte| byte.is_ascii_graphic()));
    }
}

#[cfg(test)]
mod tests {
    use super::resume;

    #[test]
    fn ids_and_their_fragments_pass_the_target() {
        for text in ["get.0", "AbCdEfGhIjKlMnOp.18446744073709551615", "a.01", "a.+1", "a.b.1", "\u{e9}.1"] {
            for (end, _) in text.char_indices() {
                resume(&text.as_bytes()[..end]);
            }
            resume(text.as_bytes());
        }
        resume("a".repeat(65).as_bytes());
        resume("a".repeat(129).as_bytes());
    }
}
