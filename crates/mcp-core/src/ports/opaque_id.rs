//! What the ids have in common that clients are given and bring back.

use std::fmt;

/// How much of an id is shown in logs, in bytes: enough to tell ids apart, too little to use one.
const SHOWN_BYTES: usize = 6;

/// Whether a text that a client sent can be an id: 1 to `most` bytes of visible ASCII (0x21 to 0x7E).
pub(super) fn is_readable(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Shows the beginning of an id.
pub(super) fn show_beginning(id: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "{}…", id.get(..SHOWN_BYTES).unwrap_or_default())
}
