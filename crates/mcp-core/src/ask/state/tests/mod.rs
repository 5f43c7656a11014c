//! Tests of sealed state.

mod arguments;
mod record;
mod seal;

use super::{Binding, Remembered, RoundState, StateKey, StateKeys, arguments_digest};
use crate::{
    json::{Document, JsonLimits, RawJson},
    ports::Owner,
    protocol::Method,
    version::ProtocolVersion,
};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The digest of arguments as the client wrote them.
fn digest(text: &str) -> [u8; 32] {
    let document = Document::parse(text.to_owned().into(), &JsonLimits::widest()).unwrap();
    arguments_digest(Some(document.root()))
}

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn after_epoch(seconds: u64, nanoseconds: u32) -> SystemTime {
    UNIX_EPOCH + Duration::new(seconds, nanoseconds)
}

fn key(byte: u8) -> StateKey {
    StateKey::from_bytes([byte; 32])
}

fn ring() -> StateKeys {
    StateKeys::new(key(1))
}

fn ada() -> Owner {
    Owner::Principal { issuer: Some("https://id.example".into()), subject: "ada".into(), client: None }
}

fn binding(owner: &Owner) -> Binding<'_> {
    Binding {
        server: "shop",
        version: ProtocolVersion::V2026_07_28,
        method: Method::CallTool,
        target: "book",
        arguments: digest(r#"{"a":1}"#),
        owner,
    }
}

/// A state with something in every part.
fn state() -> RoundState {
    let answer = RawJson::parse(r#"{"action":"decline"}"#).unwrap();
    RoundState {
        operation_id: "op-1".into(),
        round: 2,
        issued: [("seat".into(), [3; 32]), ("meal".into(), [4; 32])].into(),
        clashes: [].into(),
        answers: [("name".into(), Remembered { digest: [9; 32], answer })].into(),
        values: [("hold".into(), RawJson::parse("[1e400]").unwrap())].into(),
        expires_at: after_epoch(1_800_000_000, 5),
    }
}
