//! One key: 32 secret bytes, and what is derived from them.

use sha2::{Digest as _, Sha256};
use std::fmt;
use thiserror::Error;
use zeroize::Zeroizing;

/// A secret that the state of calls is sealed with.
///
/// Whoever knows it can read what users answered and can forge answers. Its bytes never serve as a key themselves:
/// each purpose derives its own from them, so the same secret may be used for other purposes too. They are
/// overwritten when the value is dropped, and `Debug` shows nothing of them.
#[derive(Clone)]
pub struct StateKey(Zeroizing<[u8; Self::BYTES]>);

impl StateKey {
    /// The length of a key, in bytes.
    pub const BYTES: usize = 32;

    /// A key of these bytes, which must come from a generator that is fit for cryptography.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Reads a key from 64 hexadecimal digits of either case, with nothing before, between or after them.
    ///
    /// ```
    /// use mcp_core::ask::state::StateKey;
    /// assert!(StateKey::parse_hex(&"0a".repeat(32)).is_ok());
    /// assert!(StateKey::parse_hex("0a").is_err());
    /// ```
    ///
    /// # Errors
    /// [`StateKeyFault`] for any other text; it does not repeat the text.
    pub fn parse_hex(text: &str) -> Result<Self, StateKeyFault> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != Self::BYTES || !rest.is_empty() {
            return Err(StateKeyFault);
        }
        let mut bytes = Zeroizing::new([0; Self::BYTES]);
        for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = hex_digit(high)? << 4 | hex_digit(low)?;
        }
        Ok(Self(bytes))
    }

    /// The bytes that belong to one purpose: the SHA-256 of the purpose's length, its name and the secret.
    ///
    /// No purpose's bytes tell anything about another's.
    pub(super) fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        let length = u64::try_from(purpose.len()).unwrap_or(u64::MAX);
        let hash = Sha256::new()
            .chain_update(length.to_be_bytes())
            .chain_update(purpose)
            .chain_update(self.0.as_slice());
        Zeroizing::new(hash.finalize().into())
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StateKey(***)")
    }
}

fn hex_digit(digit: u8) -> Result<u8, StateKeyFault> {
    let value = char::from(digit).to_digit(16).ok_or(StateKeyFault)?;
    u8::try_from(value).map_err(|_| StateKeyFault)
}

/// Says that a text is no [`StateKey`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a key is written as 64 hexadecimal digits")]
#[non_exhaustive]
pub struct StateKeyFault;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_from_64_hexadecimal_digits_of_either_case() {
        let text: String = (0..32).map(|byte| format!("{:02X}{:02x}", byte * 8, byte)).collect();
        let (one, other) = text.split_at(64);
        for text in [one, other] {
            let key = StateKey::parse_hex(text).unwrap();
            let again: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(again, text.to_lowercase());
        }
    }

    #[test]
    fn any_other_text_is_no_key() {
        let good = "5f".repeat(32);
        let replaced = |at: usize, with: &str| format!("{}{with}{}", &good[..at], &good[at + with.len()..]);
        for text in [
            "",
            &good[1..],
            &good[2..],
            &format!("{good}0"),
            &format!("{good}00"),
            &format!("{good}\n"),
            &replaced(0, "g"),
            &replaced(63, " "),
            &replaced(10, "0x"),
            &replaced(10, "+1"),
            &replaced(62, "é"),
        ] {
            assert_eq!(StateKey::parse_hex(text).unwrap_err(), StateKeyFault, "{text:?}");
        }
    }

    #[test]
    fn debug_shows_nothing_of_a_key() {
        assert_eq!(format!("{:?}", StateKey::from_bytes([7; 32])), "StateKey(***)");
    }

    #[test]
    fn each_purpose_and_each_key_derives_other_bytes() {
        let key = StateKey::from_bytes([7; 32]);
        assert_eq!(key.derive("a"), StateKey::from_bytes([7; 32]).derive("a"));
        assert_ne!(key.derive("a"), key.derive("b"));
        assert_ne!(key.derive("a"), StateKey::from_bytes([8; 32]).derive("a"));
        assert_ne!(*key.derive(""), [7; 32]);
    }
}
