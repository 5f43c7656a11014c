//! Sealing what a client carries from one page of a list to the next.
//!
//! The same cursor is written for the same place, on every node and at any time, so that a list reads the same as long
//! as it is the same. The nonce is therefore made of what is sealed; two different texts never share one.

use super::{
    ring::StateKeys,
    seal::StateFault,
    token::{Token, encode},
};
use chacha20poly1305::aead::{Aead as _, Payload};

impl StateKeys {
    /// Seals a cursor with the newest key, for this binding only.
    pub(crate) fn seal_cursor(&self, plaintext: &[u8], bound: &[u8]) -> String {
        let key = self.newest();
        let nonce = key.nonce_of(plaintext, bound);
        let payload = Payload { msg: plaintext, aad: bound };
        // The cipher refuses only plaintext of 256 GiB and more; the token would be one that nothing opens.
        let ciphertext = key.cursors.encrypt(&nonce.into(), payload).unwrap_or_default();
        encode(key.id, nonce, &ciphertext)
    }

    /// Opens a cursor that was sealed for the same binding. It does not expire.
    ///
    /// # Errors
    /// The first [`StateFault`] found.
    pub(crate) fn open_cursor(&self, token: &str, bound: &[u8]) -> Result<Vec<u8>, StateFault> {
        let token = Token::parse(token).ok_or(StateFault::Malformed)?;
        let mut keys = self.of_id(token.key).peekable();
        keys.peek().ok_or(StateFault::UnknownKey)?;
        let (nonce, ciphertext) = token.decode().ok_or(StateFault::Malformed)?;
        let payload = || Payload { msg: &ciphertext, aad: bound };
        keys.find_map(|key| key.cursors.decrypt(&nonce.into(), payload()).ok()).ok_or(StateFault::Forged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::state::StateKey;

    fn key(byte: u8) -> StateKey {
        StateKey::from_bytes([byte; 32])
    }

    #[test]
    fn the_same_place_is_written_the_same_way_and_opens_with_any_key_of_the_ring() {
        let before = StateKeys::new(key(1));
        let after = StateKeys::new(key(2)).with_older(key(1));
        let cursor = before.seal_cursor(b"place", b"list");
        assert_eq!(cursor, StateKeys::new(key(1)).seal_cursor(b"place", b"list"));
        assert_eq!(after.open_cursor(&cursor, b"list").unwrap(), b"place");
        let others = [
            before.seal_cursor(b"places", b"list"),
            before.seal_cursor(b"place", b"lists"),
            before.seal_cursor(b"eplace", b"list"),
            after.seal_cursor(b"place", b"list"),
        ];
        for other in others {
            assert_ne!(other[..40], cursor[..40], "nonces differ");
        }
    }

    #[test]
    fn a_cursor_opens_for_nothing_else_and_with_no_other_key() {
        let keys = StateKeys::new(key(1));
        let cursor = keys.seal_cursor(b"place", b"list");
        assert_eq!(keys.open_cursor(&cursor, b"other").unwrap_err(), StateFault::Forged);
        assert_eq!(StateKeys::new(key(2)).open_cursor(&cursor, b"list").unwrap_err(), StateFault::UnknownKey);
        assert_eq!(keys.open_cursor("5", b"list").unwrap_err(), StateFault::Malformed);
        for position in 0..cursor.len() {
            let mut bytes = cursor.clone().into_bytes();
            bytes[position] = if bytes[position] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert!(keys.open_cursor(&changed, b"list").is_err(), "{position}");
        }
    }
}
