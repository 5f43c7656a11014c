//! The keys of a server: the newest seals, all of them open.

use super::{
    key::StateKey,
    token::{KeyId, NONCE_BYTES},
};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use sha2::{Digest as _, Sha256};
use std::fmt;
use zeroize::Zeroizing;

/// The keys that the state of calls is sealed and opened with, the same on every node of a server.
///
/// To change the key, give every node the new one as an older key first, then make it the newest everywhere and the
/// former one older, and drop that when the last state it sealed has expired.
///
/// ```
/// use mcp_core::ask::state::{StateKey, StateKeys};
/// let keys = StateKeys::new(StateKey::from_bytes([2; 32])).with_older(StateKey::from_bytes([1; 32]));
/// # let _ = keys;
/// ```
#[derive(Clone)]
pub struct StateKeys {
    newest: SealingKey,
    older: Vec<SealingKey>,
}

impl StateKeys {
    /// A ring of one key, which seals and opens.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a key is handed over: no copy of it stays with the caller"
    )]
    pub fn new(newest: StateKey) -> Self {
        Self { newest: SealingKey::of(&newest), older: Vec::new() }
    }

    /// Adds a key that opens only.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a key is handed over: no copy of it stays with the caller"
    )]
    pub fn with_older(mut self, key: StateKey) -> Self {
        self.older.push(SealingKey::of(&key));
        self
    }

    /// The key that seals.
    pub(super) fn newest(&self) -> &SealingKey {
        &self.newest
    }

    /// The keys of an id: more than one only if two keys happen to share their id.
    pub(super) fn of_id(&self, id: KeyId) -> impl Iterator<Item = &SealingKey> {
        std::iter::once(&self.newest).chain(&self.older).filter(move |key| key.id == id)
    }
}

impl fmt::Debug for StateKeys {
    /// Shows the ids only, which every token shows too.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let older: Vec<_> = self.older.iter().map(|key| key.id).collect();
        formatter.debug_struct("StateKeys").field("newest", &self.newest.id).field("older", &older).finish()
    }
}

/// What sealing and opening need of one key.
#[derive(Clone)]
pub(super) struct SealingKey {
    pub(super) id: KeyId,
    pub(super) cipher: XChaCha20Poly1305,
    /// The key of list cursors, which are sealed in another way.
    pub(super) cursors: XChaCha20Poly1305,
    nonces: Zeroizing<[u8; 32]>,
}

impl SealingKey {
    fn of(key: &StateKey) -> Self {
        let secret = key.derive("mcp requestState encryption");
        Self {
            id: KeyId::of(*key.derive("mcp requestState key id")),
            cipher: XChaCha20Poly1305::new((&*secret).into()),
            cursors: XChaCha20Poly1305::new((&*key.derive("mcp list cursor encryption")).into()),
            nonces: key.derive("mcp list cursor nonce"),
        }
    }

    /// The nonce for a text and what it is bound to: the same for the same, and for nothing else.
    pub(super) fn nonce_of(&self, plaintext: &[u8], bound: &[u8]) -> [u8; NONCE_BYTES] {
        let length = u64::try_from(bound.len()).unwrap_or(u64::MAX);
        let inner = Sha256::new()
            .chain_update(length.to_be_bytes())
            .chain_update(bound)
            .chain_update(plaintext)
            .finalize();
        let outer: [u8; 32] =
            Sha256::new().chain_update(&self.nonces[..]).chain_update(inner).finalize().into();
        let mut nonce = [0; NONCE_BYTES];
        nonce.iter_mut().zip(outer).for_each(|(place, byte)| *place = byte);
        nonce
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_ids_and_nothing_secret() {
        let ring = StateKeys::new(StateKey::from_bytes([7; 32])).with_older(StateKey::from_bytes([8; 32]));
        let shown = format!("{ring:?}");
        assert_eq!(
            shown,
            format!("StateKeys {{ newest: {:?}, older: [{:?}] }}", ring.newest.id, ring.older[0].id)
        );
        assert!(shown.len() < 60, "{shown}");
    }

    #[test]
    fn a_key_is_found_by_its_id_wherever_it_stands() {
        let key = |byte| StateKey::from_bytes([byte; 32]);
        let ring = StateKeys::new(key(1)).with_older(key(2)).with_older(key(3)).with_older(key(3));
        let found = |byte| ring.of_id(SealingKey::of(&key(byte)).id).count();
        assert_eq!([found(1), found(2), found(3), found(4)], [1, 1, 2, 0]);
    }
}
