//! What the fuzzer reaches of the reading of sealed state: public items only.

use super::{
    binding::Binding, canonical, key::StateKey, record::RoundState, ring::StateKeys, seal::StateFault,
};
use crate::{json::Node, ports::Owner, protocol::Method, version::ProtocolVersion};
use std::time::UNIX_EPOCH;

/// Tells whether a token opens that nobody has sealed.
#[must_use]
pub fn opens(token: &str) -> bool {
    match keys().open(token, &binding(), UNIX_EPOCH) {
        Ok(_) | Err(StateFault::Expired) => true,
        Err(StateFault::Malformed | StateFault::UnknownKey | StateFault::Forged) => false,
    }
}

/// Tells whether a state stays what it is when it is written, sealed and opened; `None` where the bytes are no state.
#[must_use]
pub fn survives(plaintext: &[u8]) -> Option<bool> {
    let state = RoundState::decode(plaintext)?;
    let token = keys().seal(&state, &binding(), [7; 24]);
    let expected = if state.expires_at > UNIX_EPOCH { Ok(state.clone()) } else { Err(StateFault::Expired) };
    Some(state.encode() == plaintext && keys().open(&token, &binding(), UNIX_EPOCH) == expected)
}

/// The digest of a call's arguments.
#[must_use]
pub fn digest(arguments: Node<'_>) -> [u8; 32] {
    canonical::arguments_digest(Some(arguments))
}

fn keys() -> StateKeys {
    StateKeys::new(StateKey::from_bytes([7; StateKey::BYTES]))
}

fn binding() -> Binding<'static> {
    Binding {
        server: "fuzz",
        version: ProtocolVersion::LATEST,
        method: Method::CallTool,
        target: "tool",
        arguments: canonical::arguments_digest(None),
        owner: &Owner::Anonymous,
    }
}
