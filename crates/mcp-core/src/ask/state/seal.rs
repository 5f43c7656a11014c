//! Sealing the state of a call, and opening what a client brought back.

use super::{
    binding::Binding,
    record::RoundState,
    ring::StateKeys,
    token::{NONCE_BYTES, Token, encode},
};
use chacha20poly1305::aead::{Aead as _, Payload};
use std::time::SystemTime;
use thiserror::Error;

/// Why a `requestState` is not taken.
///
/// It is for the log: a client is told the same whatever the reason, so that it learns nothing about the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum StateFault {
    /// The text is no token, or what it seals is no state of a known layout.
    #[error("the state is not in the format of this server")]
    Malformed,
    /// No key of the ring has the id in the token.
    #[error("the state is sealed with a key that this server does not have")]
    UnknownKey,
    /// The token was changed, or belongs to another call, caller, revision or server.
    #[error("the state was changed or belongs elsewhere")]
    Forged,
    /// The state is genuine and its time is over.
    #[error("the state has expired")]
    Expired,
}

impl StateKeys {
    /// Seals a state with the newest key, for the given binding only.
    ///
    /// The nonce must be fresh from a random generator each time: two states under one nonce reveal each other, and
    /// whoever has both can forge. 24 random bytes never repeat in practice.
    ///
    /// The token's length is about 4/3 of the state's, and not bounded here.
    pub(crate) fn seal(&self, state: &RoundState, binding: &Binding<'_>, nonce: [u8; NONCE_BYTES]) -> String {
        let key = self.newest();
        let plaintext = state.encode();
        let payload = Payload { msg: &plaintext, aad: &binding.encode() };
        // The cipher refuses only plaintext of 256 GiB and more; the token would be one that nothing opens.
        let ciphertext = key.cipher.encrypt(&nonce.into(), payload).unwrap_or_default();
        encode(key.id, nonce, &ciphertext)
    }

    /// Opens a token that was sealed for the same binding and has not expired.
    ///
    /// Nothing in the token is believed before the seal has proved to be unbroken, and a token of an unknown key
    /// is not even decoded.
    ///
    /// # Errors
    /// The first [`StateFault`] found. A state expires at its `expires_at`, not after it.
    pub(crate) fn open(
        &self,
        token: &str,
        binding: &Binding<'_>,
        now: SystemTime,
    ) -> Result<RoundState, StateFault> {
        let token = Token::parse(token).ok_or(StateFault::Malformed)?;
        let mut keys = self.of_id(token.key).peekable();
        keys.peek().ok_or(StateFault::UnknownKey)?;
        let (nonce, ciphertext) = token.decode().ok_or(StateFault::Malformed)?;
        let bound = binding.encode();
        let plaintext = keys
            .find_map(|key| key.cipher.decrypt(&nonce.into(), Payload { msg: &ciphertext, aad: &bound }).ok())
            .ok_or(StateFault::Forged)?;
        let state = RoundState::decode(&plaintext).ok_or(StateFault::Malformed)?;
        if state.expires_at <= now { Err(StateFault::Expired) } else { Ok(state) }
    }
}
