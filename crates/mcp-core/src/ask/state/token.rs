//! The text of a sealed state: `v1.<key id>.<nonce and ciphertext>`, both parts unpadded base64url.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use std::fmt;

const PREFIX: &str = "v1.";

/// The length of a nonce, in bytes: that of XChaCha20.
pub(super) const NONCE_BYTES: usize = 24;

/// Tells the keys of a ring apart. It is no secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyId([u8; 4]);

impl KeyId {
    /// The length of an id as it is written.
    const CHARS: usize = 6;

    /// The id of a key, from bytes that are derived from it for this purpose.
    pub(super) fn of([a, b, c, d, ..]: [u8; 32]) -> Self {
        Self([a, b, c, d])
    }

    fn parse(text: &str) -> Option<Self> {
        // The length is looked at first so that text of any length costs nothing.
        if text.len() != Self::CHARS {
            return None;
        }
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

/// A token taken apart, its last part not yet decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) key: KeyId,
    sealed: &'a str,
}

impl<'a> Token<'a> {
    /// Reads the parts before the ciphertext; in constant time but for the memory the text is in.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let (key, sealed) = rest.split_at_checked(KeyId::CHARS)?;
        Some(Self { key: KeyId::parse(key)?, sealed: sealed.strip_prefix('.')? })
    }

    /// Decodes nonce and ciphertext; each has one spelling, everything else is refused.
    pub(super) fn decode(self) -> Option<([u8; NONCE_BYTES], Vec<u8>)> {
        let mut nonce = URL_SAFE_NO_PAD.decode(self.sealed).ok()?;
        if nonce.len() < NONCE_BYTES {
            return None;
        }
        let ciphertext = nonce.split_off(NONCE_BYTES);
        Some((nonce.try_into().ok()?, ciphertext))
    }
}

/// Writes a token.
pub(super) fn encode(key: KeyId, nonce: [u8; NONCE_BYTES], ciphertext: &[u8]) -> String {
    let mut sealed = Vec::with_capacity(nonce.len() + ciphertext.len());
    sealed.extend_from_slice(&nonce);
    sealed.extend_from_slice(ciphertext);
    let mut text = format!("{PREFIX}{key:?}.");
    URL_SAFE_NO_PAD.encode_string(sealed, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: KeyId = KeyId([1, 2, 3, 0xFF]);

    #[test]
    fn a_token_is_read_as_it_was_written() {
        for length in 0..40 {
            let text = encode(ID, [9; 24], &vec![7; length]);
            let token = Token::parse(&text).unwrap();
            assert_eq!(token.key, ID);
            assert_eq!(token.decode().unwrap(), ([9; 24], vec![7; length]));
            assert!(text.starts_with("v1.AQID_w.CQkJ"), "{text}");
            assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        }
    }

    #[test]
    fn what_is_not_a_token_is_refused() {
        let good = encode(ID, [9; 24], &[7; 17]);
        assert!(Token::parse(&good).unwrap().decode().is_some());
        for text in [
            "",
            "5",
            "v1",
            "v1.",
            "v1..",
            "v1.AQID_w",
            "v1.AQID_w.",
            "v1.AQID_w.CQkJ",
            &good.replace("v1", "v2"),
            &good.replace("v1", "V1"),
            &good.replace("AQID_w", "AQID_x"),
            &good.replace("AQID_w", "AQID/w"),
            &good.replace("AQID_w", "AQIDé"),
            &good.replace("AQID_w.", "AQID_w"),
            &good.replace("AQID_w", "AQID_w=="),
            &good.replace("AQID_w", "AQIDAQID"),
            &good.replace("CQkJ", "CQ.J"),
            &good.replace("CQkJ", "CQ+J"),
            &good.replace("CQkJ", " CQkJ"),
            &format!("{good}="),
            &format!(" {good}"),
            &format!("{good}\n"),
            &format!("{good}.AAAA"),
        ] {
            assert!(Token::parse(text).and_then(Token::decode).is_none(), "{text}");
        }
    }

    #[test]
    fn bits_that_stand_for_nothing_must_be_zero() {
        let good = encode(ID, [9; 24], &[0; 17]);
        assert!(good.ends_with("AA"));
        for last in ["AB", "AC", "AP"] {
            let other = format!("{}{last}", &good[..good.len() - 2]);
            assert!(Token::parse(&other).unwrap().decode().is_none(), "{other}");
        }
    }
}
