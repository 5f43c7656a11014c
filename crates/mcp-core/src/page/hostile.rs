//! What the fuzzer reaches of the reading of cursors: public items only.

use super::{Cursor, CursorBinding};
use crate::{
    ask::state::{StateKey, StateKeys},
    lower::ListKind,
    ports::Owner,
    version::ProtocolVersion,
};

/// Tells whether a cursor opens that nobody has sealed.
#[must_use]
pub fn opens(text: &str) -> bool {
    Cursor::open(text, &keys(), &binding()).is_some()
}

/// Tells whether a place stays what it is when it is written, sealed and opened; `None` where the bytes are no place.
#[must_use]
pub fn survives(plaintext: &[u8]) -> Option<bool> {
    let cursor = Cursor::decode(plaintext)?;
    let text = cursor.seal(&keys(), &binding());
    Some(cursor.encode() == plaintext && Cursor::open(&text, &keys(), &binding()) == Some(cursor))
}

fn keys() -> StateKeys {
    StateKeys::new(StateKey::from_bytes([7; StateKey::BYTES]))
}

fn binding() -> CursorBinding<'static> {
    CursorBinding {
        server: "fuzz",
        version: ProtocolVersion::LATEST,
        kind: ListKind::Tools,
        owner: &Owner::Anonymous,
        session: None,
    }
}
