//! What is known of a call between its rounds, as a value and as bytes.

use crate::json::RawJson;
use serde_json::value::RawValue;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The first byte, so that a later layout can be told from this one.
const LAYOUT: u8 = 1;

/// What a call knows when its next round begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoundState {
    /// Names the call through all its rounds, for what the handler does elsewhere.
    pub(crate) operation_id: Box<str>,
    /// How many rounds have ended.
    pub(crate) round: u32,
    /// What the rounds asked: the digest of each request, by key.
    pub(crate) issued: BTreeMap<Box<str>, [u8; 32]>,
    /// Keys that two asks had at once.
    pub(crate) clashes: BTreeSet<Box<str>>,
    /// The answers of earlier rounds, by key.
    pub(crate) answers: BTreeMap<Box<str>, Remembered>,
    /// What the handler asked to remember, by key.
    pub(crate) values: BTreeMap<Box<str>, RawJson>,
    /// When the state lapses; at this very moment it has. Before 1970 is written as 1970.
    pub(crate) expires_at: SystemTime,
}

/// An answer of an earlier round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// The digest of the request that was answered.
    pub(crate) digest: [u8; 32],
    /// The client's result object.
    pub(crate) answer: RawJson,
}

impl RoundState {
    /// Writes the state: integers big-endian, each text with its length before it, each collection with its count.
    pub(super) fn encode(&self) -> Vec<u8> {
        let expiry = self.expires_at.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut out = vec![LAYOUT];
        out.extend_from_slice(&self.round.to_be_bytes());
        out.extend_from_slice(&expiry.as_secs().to_be_bytes());
        out.extend_from_slice(&expiry.subsec_nanos().to_be_bytes());
        text(&mut out, &self.operation_id);
        count(&mut out, self.issued.len());
        for (key, digest) in &self.issued {
            text(&mut out, key);
            out.extend_from_slice(digest);
        }
        count(&mut out, self.clashes.len());
        for key in &self.clashes {
            text(&mut out, key);
        }
        count(&mut out, self.answers.len());
        for (key, Remembered { digest, answer }) in &self.answers {
            text(&mut out, key);
            out.extend_from_slice(digest);
            text(&mut out, answer.get());
        }
        count(&mut out, self.values.len());
        for (key, value) in &self.values {
            text(&mut out, key);
            text(&mut out, value.get());
        }
        out
    }

    /// Reads what [`RoundState::encode`] wrote, and nothing else: each state has one encoding.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { rest: bytes };
        if reader.array()? != [LAYOUT] {
            return None;
        }
        let round = u32::from_be_bytes(reader.array()?);
        let seconds = u64::from_be_bytes(reader.array()?);
        let nanoseconds = u32::from_be_bytes(reader.array()?);
        if nanoseconds >= 1_000_000_000 {
            return None;
        }
        let expires_at = UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))?;
        let operation_id = reader.text()?.into();
        let issued = reader.sorted(Reader::array)?;
        let clashes = reader.sorted(|_| Some(()))?.into_keys().collect();
        let answers =
            reader.sorted(|reader| Some(Remembered { digest: reader.array()?, answer: reader.json()? }))?;
        let values = reader.sorted(Reader::json)?;
        let state = Self { operation_id, round, issued, clashes, answers, values, expires_at };
        reader.rest.is_empty().then_some(state)
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    count(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Writes a length. Whoever seals bounds the whole far below 4 GiB; what is not bounded cannot be read back.
fn count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes());
}

/// Takes values off the front of bytes. No count in them makes it reserve memory.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(u32::from_be_bytes(self.array()?)).ok()
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.count()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    /// Takes a JSON value. It was JSON when it was sealed, so a look at its grammar is enough.
    fn json(&mut self) -> Option<RawJson> {
        let text = self.text()?;
        serde_json::from_str::<&RawValue>(text).ok()?;
        Some(RawJson::from_checked(text.to_owned()))
    }

    /// Takes a count and as many entries, whose keys must ascend.
    fn sorted<T>(&mut self, entry: impl Fn(&mut Self) -> Option<T>) -> Option<BTreeMap<Box<str>, T>> {
        let mut entries = BTreeMap::<Box<str>, T>::new();
        for _ in 0..self.count()? {
            let key = self.text()?;
            if entries.last_key_value().is_some_and(|(last, _)| **last >= *key) {
                return None;
            }
            let value = entry(self)?;
            entries.insert(key.into(), value);
        }
        Some(entries)
    }
}
