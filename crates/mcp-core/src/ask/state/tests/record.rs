//! A state as bytes: it comes back whole, and nothing else is read as one.

use super::{RoundState, after_epoch, state};
use crate::{ask::state::Remembered, json::RawJson};
use proptest::prelude::*;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn text() -> impl Strategy<Value = Box<str>> {
    prop_oneof!["[a-z]{0,3}", "(?s).{0,12}"].prop_map(Into::into)
}

fn json() -> impl Strategy<Value = RawJson> {
    let scalar = prop_oneof![
        text().prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just("1e400".to_owned()),
        Just("0.10000000000000000001".to_owned()),
        Just("null".to_owned()),
        Just(r#"{"a":1, "a":[ ]}"#.to_owned()),
    ];
    prop_oneof![
        scalar.clone(),
        prop::collection::vec(scalar, 0..4).prop_map(|elements| format!("[{}]", elements.join(" , "))),
    ]
    .prop_map(RawJson::from_checked)
}

pub(super) fn any_state() -> impl Strategy<Value = RoundState> {
    let answer = (any::<[u8; 32]>(), json()).prop_map(|(digest, answer)| Remembered { digest, answer });
    (
        text(),
        any::<u32>(),
        prop::collection::btree_map(text(), any::<[u8; 32]>(), 0..4),
        prop::collection::btree_set(text(), 0..3),
        prop::collection::btree_map(text(), answer, 0..4),
        prop::collection::btree_map(text(), json(), 0..4),
        (0..1_u64 << 40, 0..1_000_000_000_u32),
    )
        .prop_map(|(operation_id, round, issued, clashes, answers, values, (seconds, nanoseconds))| {
            RoundState {
                operation_id,
                round,
                issued,
                clashes,
                answers,
                values,
                expires_at: after_epoch(seconds, nanoseconds),
            }
        })
}

#[test]
fn bytes_that_end_early_or_late_are_no_state() {
    let bytes = state().encode();
    assert_eq!(RoundState::decode(&bytes), Some(state()));
    for end in 0..bytes.len() {
        assert_eq!(RoundState::decode(&bytes[..end]), None, "{end}");
    }
    assert_eq!(RoundState::decode(&[&bytes[..], &[0]].concat()), None);
}

#[test]
fn an_unknown_layout_is_no_state() {
    let mut bytes = state().encode();
    for layout in (0..=u8::MAX).filter(|&layout| layout != 1) {
        bytes[0] = layout;
        assert_eq!(RoundState::decode(&bytes), None, "{layout}");
    }
}

#[test]
fn a_time_that_does_not_exist_is_no_state() {
    let with = |seconds: u64, nanoseconds: u32| {
        let mut bytes = state().encode();
        bytes[5..13].copy_from_slice(&seconds.to_be_bytes());
        bytes[13..17].copy_from_slice(&nanoseconds.to_be_bytes());
        RoundState::decode(&bytes).map(|state| state.expires_at)
    };
    assert_eq!(with(7, 999_999_999), Some(after_epoch(7, 999_999_999)));
    assert_eq!(with(7, 1_000_000_000), None);
    assert_eq!(with(u64::MAX, 0), None);
}

#[test]
fn a_count_beyond_the_bytes_costs_nothing() {
    let mut bytes = state().encode();
    let length = bytes.len();
    for at in 17..=length - 4 {
        let kept = bytes[at..at + 4].to_vec();
        bytes[at..at + 4].copy_from_slice(&[0xFF; 4]);
        let read = RoundState::decode(&bytes);
        // The first bytes that may be anything are those of the first digest.
        assert!(read.is_none() || at >= 37, "{at}");
        bytes[at..at + 4].copy_from_slice(&kept);
    }
}

#[test]
fn keys_that_repeat_or_do_not_ascend_are_no_state() {
    let empty = || RoundState {
        operation_id: "".into(),
        issued: [].into(),
        clashes: ["a".into(), "b".into()].into(),
        answers: [].into(),
        values: [].into(),
        ..state()
    };
    let bytes = empty().encode();
    let (one, other) = (bytes.len() - 14, bytes.len() - 9);
    assert_eq!((bytes[one], bytes[other]), (b'a', b'b'));
    for (first, second, readable) in [(b'a', b'b', true), (b'a', b'a', false), (b'b', b'a', false)] {
        let mut changed = bytes.clone();
        (changed[one], changed[other]) = (first, second);
        assert_eq!(RoundState::decode(&changed).is_some(), readable);
    }
}

#[test]
fn text_that_is_not_utf_8_or_not_json_is_no_state() {
    let bytes = state().encode();
    let at = bytes.windows(6).position(|window| window == b"action").unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        RoundState::decode(&bytes)
    };
    assert!(changed(at, b'A').is_some());
    assert_eq!(changed(at, 0xFF), None);
    assert_eq!(changed(at, b'"'), None);
    assert_eq!(changed(at - 2, b'['), None);
}

#[test]
fn an_expiry_before_1970_is_kept_as_1970() {
    let before = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
    let read = RoundState::decode(&RoundState { expires_at: before, ..state() }.encode());
    assert_eq!(read, Some(RoundState { expires_at: UNIX_EPOCH, ..state() }));
}

proptest! {
    #[test]
    fn a_state_is_read_as_it_was_written(state in any_state()) {
        prop_assert_eq!(RoundState::decode(&state.encode()), Some(state));
    }

    #[test]
    fn what_is_read_has_no_other_encoding(state in any_state(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = state.encode();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Some(read) = RoundState::decode(&bytes) {
            prop_assert_eq!(read.encode(), bytes);
        }
    }

    #[test]
    fn any_bytes_are_a_state_or_not(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = RoundState::decode(&bytes);
    }
}
