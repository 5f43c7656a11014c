//! Cursors of lists that are the same for everyone: a position, bound to the list it is one in.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// A cursor as clients see it.
pub(super) fn encode(position: usize, tag: [u8; 8]) -> String {
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    URL_SAFE_NO_PAD.encode([&tag[..], &position.to_be_bytes()].concat())
}

/// The position that a cursor stands for; `None` when it is none of this list.
///
/// Nothing is hidden in such a list, so a cursor that someone made leads to nothing that the list would not tell.
pub(super) fn position(cursor: &str, tag: [u8; 8]) -> Option<usize> {
    // Longer ones cannot be of ours, and are not worth decoding.
    let bytes = (cursor.len() == 16).then(|| URL_SAFE_NO_PAD.decode(cursor).ok()).flatten()?;
    let (own, position) = bytes.split_at_checked(tag.len())?;
    let position = u32::from_be_bytes(position.try_into().ok()?);
    (own == tag).then(|| usize::try_from(position).ok()).flatten()
}
