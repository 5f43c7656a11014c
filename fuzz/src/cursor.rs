//! Cursors: texts nobody sealed, places nobody came to.

use mcp_core::page::hostile::{opens, survives};

/// Reads `input` as a cursor, and as what a cursor seals.
///
/// # Panics
/// Where the cursor opens, or a place changes when it is sealed and opened.
pub fn cursor(input: &[u8]) {
    assert_ne!(survives(input), Some(false), "a place changes on its way");
    if let Ok(text) = std::str::from_utf8(input) {
        assert!(!opens(text), "nobody sealed this");
    }
}

#[cfg(test)]
mod tests {
    use super::{cursor, survives};

    #[test]
    fn places_and_their_fragments_pass_the_target() {
        let entries = [&[7; 16][..], &[0], &5_u64.to_be_bytes()].concat();
        let callback = [&[7; 16][..], &[1], &1_u64.to_be_bytes(), &9_u64.to_be_bytes(), &[3; 64]].concat();
        for place in [entries, callback] {
            assert_eq!(survives(&place), Some(true));
            for at in 0..place.len() {
                cursor(&place[..at]);
                for flip in [0x01, 0x80, 0xFF] {
                    let mut changed = place.clone();
                    changed[at] ^= flip;
                    cursor(&changed);
                }
            }
        }
    }

    #[test]
    fn texts_that_look_like_cursors_pass_the_target() {
        for text in
            ["", "garbage", "-1", "v1.", "v1.AAAAAA.AAAA", "v1.rk_jRg.ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7C2MT"]
        {
            cursor(text.as_bytes());
        }
        cursor("x".repeat(5_000).as_bytes());
    }
}
