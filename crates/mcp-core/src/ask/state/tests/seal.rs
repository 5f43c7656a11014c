//! The seal: it opens for its own call, in time, and for nothing else.

use super::{
    Binding, Owner, RoundState, StateKeys, ada, after_epoch, binding, digest, key, record::any_state, ring,
    state,
};
use crate::{
    ask::state::{StateKey, seal::StateFault, token},
    protocol::Method,
    version::ProtocolVersion,
};
use chacha20poly1305::aead::{Aead as _, Payload};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const NONCE: [u8; 24] = [5; 24];

fn sealed() -> String {
    ring().seal(&state(), &binding(&ada()), NONCE)
}

fn opened(token: &str) -> Result<RoundState, StateFault> {
    ring().open(token, &binding(&ada()), after_epoch(0, 0))
}

/// Seals bytes that need not be a state.
fn sealed_bytes(bytes: &[u8]) -> String {
    let (ring, owner) = (ring(), ada());
    let aad = binding(&owner).encode();
    let ciphertext = ring.newest().cipher.encrypt(&NONCE.into(), Payload { msg: bytes, aad: &aad }).unwrap();
    token::encode(ring.newest().id, NONCE, &ciphertext)
}

#[test]
fn tokens_are_the_same_on_every_node_and_in_every_release() {
    let ring = StateKeys::new(StateKey::from_bytes(std::array::from_fn(|at| u8::try_from(at).unwrap())));
    let nonce = std::array::from_fn(|at| u8::try_from(at + 100).unwrap());
    assert_eq!(
        ring.seal(&state(), &binding(&ada()), nonce),
        "v1.owBS8g.ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7C2MTTekmccEIQzrapqohPO8FAcI6YXI25-IYSxOQ0iEw2xDjTL8OSnKTZf\
         xwble-mcNe87RoZ4fdU4cO67yYih1iHWO6iCZmx8UANzBhqKXwHztqGcEdoKoTLIV1XVuyC2ODeuL2sc4emQfY7rU73OoudJhXSY\
         GYJhboTmejeJJ6JZizNTTLqv_EgO-VXooYoske75b48Jxvad7BCPT1m84sOt2FkMIaO_UwZOXCG_Tuu2bHyIbLXunnR_flwa2iDm\
         okKygAUCi6Po27GYRw52_-XTJSU3wuAna53Q"
    );
}

#[test]
fn a_state_opens_for_the_call_it_was_sealed_for() {
    assert_eq!(opened(&sealed()), Ok(state()));
}

#[test]
fn a_token_shows_nothing_of_the_state() {
    let (_, ciphertext) = token::Token::parse(&sealed()).unwrap().decode().unwrap();
    for secret in [&b"op-1"[..], b"seat", b"decline"] {
        assert!(!ciphertext.windows(secret.len()).any(|window| window == secret));
    }
}

#[test]
fn a_token_with_any_byte_changed_does_not_open() {
    let token = sealed();
    for at in 0..token.len() {
        for byte in (0..128_u8).filter(|byte| *byte != token.as_bytes()[at]) {
            let mut changed = token.clone().into_bytes();
            changed[at] = byte;
            let changed = String::from_utf8(changed).unwrap();
            let fault = opened(&changed).unwrap_err();
            assert_ne!(fault, StateFault::Expired, "{changed}");
        }
    }
}

#[test]
fn a_token_that_is_cut_or_grown_does_not_open() {
    let token = sealed();
    for at in 0..token.len() {
        assert!(opened(&token[..at]).is_err(), "{at}");
        assert!(opened(&token[at + 1..]).is_err(), "{at}");
        for more in ["A", ".", "=", " ", "\n", "AAAA"] {
            let grown = format!("{}{more}{}", &token[..at], &token[at..]);
            assert!(opened(&grown).is_err(), "{grown}");
        }
    }
    for more in ["A", "AA", "AAA", "AAAA", "=", "==", "\n", "\0", ".v1", &token] {
        assert!(opened(&format!("{token}{more}")).is_err(), "{more:?}");
    }
    assert!(opened(&token.to_uppercase()).is_err());
}

#[test]
fn what_is_no_token_is_malformed() {
    for text in ["", "5", "{}", "v1", "v1.", "v1..", "é", "v1.éééé.", &sealed().replacen("v1", "v2", 1)]
    {
        assert_eq!(opened(text), Err(StateFault::Malformed), "{text}");
    }
}

#[test]
fn a_state_opens_for_no_other_call() {
    let token = sealed();
    let owner = ada();
    let good = binding(&owner);
    let subject = |issuer: Option<&str>, subject: &str, client: Option<&str>| Owner::Principal {
        issuer: issuer.map(Into::into),
        subject: subject.into(),
        client: client.map(Into::into),
    };
    let owners = [
        Owner::Anonymous,
        subject(Some("https://id.example"), "bob", None),
        subject(Some("https://other.example"), "ada", None),
        subject(None, "ada", None),
        subject(Some("https://id.example"), "ada", Some("cli")),
        subject(None, "https://id.example", Some("ada")),
    ];
    let mut others: Vec<Binding<'_>> = vec![
        Binding { server: "shop2", ..good },
        Binding { server: "", ..good },
        Binding { server: "shopb", target: "ook", ..good },
        Binding { version: ProtocolVersion::V2025_11_25, ..good },
        Binding { method: Method::GetPrompt, ..good },
        Binding { target: "Book", ..good },
        Binding { target: "book ", ..good },
        Binding { arguments: digest(r#"{"a":2}"#), ..good },
        Binding { arguments: digest("{}"), ..good },
    ];
    others.extend(owners.iter().map(|owner| Binding { owner, ..good }));
    for other in others {
        assert_eq!(ring().open(&token, &other, after_epoch(0, 0)), Err(StateFault::Forged), "{other:?}");
    }
    let respelled = Binding { arguments: digest(r#"{ "\u0061" : 10e-1 }"#), ..good };
    assert_eq!(ring().open(&token, &respelled, after_epoch(0, 0)), Ok(state()));
}

#[test]
fn a_state_without_an_owner_opens_for_no_principal() {
    let token = ring().seal(&state(), &binding(&Owner::Anonymous), NONCE);
    assert_eq!(ring().open(&token, &binding(&Owner::Anonymous), after_epoch(0, 0)), Ok(state()));
    assert_eq!(opened(&token), Err(StateFault::Forged));
}

#[test]
fn a_state_expires_at_its_expiry_to_the_nanosecond() {
    let owner = ada();
    let at =
        |seconds, nanoseconds| ring().open(&sealed(), &binding(&owner), after_epoch(seconds, nanoseconds));
    assert_eq!(at(1_800_000_000, 4), Ok(state()));
    assert_eq!(at(1_800_000_000, 5), Err(StateFault::Expired));
    assert_eq!(at(1_800_000_000, 6), Err(StateFault::Expired));
    assert_eq!(at(9_999_999_999, 0), Err(StateFault::Expired));
}

#[test]
fn what_is_forged_is_never_called_expired() {
    let other = Owner::Anonymous;
    let late = after_epoch(9_999_999_999, 0);
    assert_eq!(ring().open(&sealed(), &binding(&other), late), Err(StateFault::Forged));
}

#[test]
fn an_older_key_opens_and_a_missing_one_does_not() {
    let (owner, now) = (ada(), after_epoch(0, 0));
    let open = |ring: &StateKeys, token: &str| ring.open(token, &binding(&owner), now);
    let old = StateKeys::new(key(1));
    let rotated = StateKeys::new(key(2)).with_older(key(3)).with_older(key(1));
    let new = StateKeys::new(key(2));

    let token = old.seal(&state(), &binding(&owner), NONCE);
    assert_eq!(open(&rotated, &token), Ok(state()));
    assert_eq!(open(&new, &token), Err(StateFault::UnknownKey));

    let token = rotated.seal(&state(), &binding(&owner), NONCE);
    assert_eq!(open(&new, &token), Ok(state()), "the newest key seals");
    assert_eq!(open(&old, &token), Err(StateFault::UnknownKey));
}

#[test]
fn a_key_under_the_id_of_another_opens_nothing() {
    let token = sealed();
    let other = StateKeys::new(key(2)).seal(&state(), &binding(&ada()), NONCE);
    let swapped = format!("{}{}", &other[..9], &token[9..]);
    let both = StateKeys::new(key(1)).with_older(key(2));
    assert_eq!(both.open(&swapped, &binding(&ada()), after_epoch(0, 0)), Err(StateFault::Forged));
}

#[test]
fn genuine_bytes_that_are_no_state_of_this_layout_are_malformed() {
    let mut bytes = state().encode();
    assert_eq!(opened(&sealed_bytes(&bytes)), Ok(state()));
    bytes[0] = 2;
    assert_eq!(opened(&sealed_bytes(&bytes)), Err(StateFault::Malformed));
    assert_eq!(opened(&sealed_bytes(b"")), Err(StateFault::Malformed));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "what is tested is how long it takes")]
fn a_megabyte_of_junk_is_refused_quickly() {
    let head = &sealed()[..10];
    let junk = "A".repeat(1 << 20);
    let began = Instant::now();
    for (token, fault) in [
        (junk.clone(), StateFault::Malformed),
        (format!("v1.{junk}"), StateFault::Malformed),
        (format!("v1.AAAAAA.{junk}"), StateFault::UnknownKey),
        (format!("{head}{junk}="), StateFault::Malformed),
        (format!("{head}{junk}"), StateFault::Forged),
    ] {
        assert_eq!(opened(&token), Err(fault));
    }
    // Milliseconds where code is optimised; the bound leaves room for a busy machine and a slow build.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn faults_say_what_is_wrong_and_nothing_of_the_content() {
    for (fault, text) in [
        (StateFault::Malformed, "the state is not in the format of this server"),
        (StateFault::UnknownKey, "the state is sealed with a key that this server does not have"),
        (StateFault::Forged, "the state was changed or belongs elsewhere"),
        (StateFault::Expired, "the state has expired"),
    ] {
        assert_eq!(fault.to_string(), text);
    }
}

proptest! {
    #[test]
    fn any_state_opens_as_it_was_sealed(state in any_state(), nonce in any::<[u8; 24]>(), bytes in any::<[u8; 32]>()) {
        let keys = StateKeys::new(StateKey::from_bytes(bytes));
        let token = keys.seal(&state, &binding(&ada()), nonce);
        let expected = if state.expires_at > after_epoch(0, 0) { Ok(state) } else { Err(StateFault::Expired) };
        prop_assert_eq!(keys.open(&token, &binding(&ada()), after_epoch(0, 0)), expected);
    }

    #[test]
    fn any_text_is_refused(text in prop_oneof!["(?s).{0,80}", "v1\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{0,80}"]) {
        prop_assert!(opened(&text).is_err());
        let after_a_known_key = sealed()[..10].to_owned() + &text;
        prop_assert!(opened(&after_a_known_key).is_err());
    }
}
