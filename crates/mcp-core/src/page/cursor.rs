//! Where a walk through a list has come to, and how a client carries that.

use crate::{
    ask::state::{StateKeys, bind_optional, bind_owner, bind_part},
    lower::ListKind,
    ports::Owner,
    version::ProtocolVersion,
};
use sha2::{Digest as _, Sha256};

/// Names the format of what is sealed, so that a key's other uses can never be taken for it.
const FORMAT: &str = "mcp list cursor 1";
/// The longest cursor that is looked at, in bytes; those of this server are much shorter.
const MOST_BYTES: usize = 2_048;
/// How much of a digest a cursor carries, in bytes.
const DIGEST_BYTES: usize = 16;
/// How many of the last entries of a callback a cursor remembers: one of them must still be there.
const TRAIL: usize = 8;

/// Where a walk goes on, and what was listed when it came there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The beginning of the catalogue's digest.
    digest: [u8; DIGEST_BYTES],
    pub(crate) place: Place,
}

/// Where a walk goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// After so many of the entries that are registered.
    Entries(usize),
    /// In what a callback lists.
    Callback {
        /// Which callback.
        number: usize,
        /// How far in what it lists.
        trail: Trail,
    },
}

/// How far a walk has come in what a callback lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trail {
    passed: usize,
    /// The last entries that were passed, oldest first, by digests of their URIs.
    last: Vec<u64>,
}

impl Trail {
    pub(crate) fn push(&mut self, uri: &str) {
        if self.last.len() >= TRAIL {
            self.last.remove(0);
        }
        self.last.push(short(uri));
        self.passed += 1;
    }

    /// Goes to where the walk goes on in what the callback lists now, and gives how many entries that is after the
    /// first; `None` when none of those that are remembered is there any more.
    pub(crate) fn take_up<'a>(&mut self, uris: impl Iterator<Item = &'a str>) -> Option<usize> {
        if let Some(newest) = self.last.last() {
            let now: Vec<u64> = uris.map(short).collect();
            // Where nothing has changed the place is sure, even if a URI is listed twice.
            let unchanged = self.passed.checked_sub(1).and_then(|place| now.get(place)) == Some(newest);
            if !unchanged {
                let mut known = self.last.iter().rev();
                self.passed = known.find_map(|known| now.iter().rposition(|there| there == known))? + 1;
            }
        }
        Some(self.passed)
    }
}

/// The first 64 bits of the SHA-256 of a URI.
fn short(uri: &str) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(Sha256::digest(uri));
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// Whom and what a cursor belongs to: the seal covers it, and it opens nowhere else.
#[derive(Debug)]
pub(crate) struct CursorBinding<'a> {
    /// The server's name.
    pub(crate) server: &'a str,
    pub(crate) version: ProtocolVersion,
    pub(crate) kind: ListKind,
    pub(crate) owner: &'a Owner,
    /// The session, for callers who have one: what it hides is its own.
    pub(crate) session: Option<&'a str>,
}

impl CursorBinding<'_> {
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        bind_part(&mut out, FORMAT);
        bind_part(&mut out, self.server);
        bind_part(&mut out, self.version.as_str());
        bind_part(&mut out, self.kind.member());
        bind_owner(&mut out, self.owner);
        bind_optional(&mut out, self.session);
        out
    }
}

impl Cursor {
    pub(crate) fn new(digest: &[u8; 32], place: Place) -> Self {
        let mut short = [0; DIGEST_BYTES];
        short.iter_mut().zip(digest).for_each(|(place, byte)| *place = *byte);
        Self { digest: short, place }
    }

    /// The beginning of the digest of the catalogue that the place is one of.
    pub(crate) fn digest(&self) -> &[u8] {
        &self.digest
    }

    pub(crate) fn seal(&self, keys: &StateKeys, binding: &CursorBinding<'_>) -> String {
        keys.seal_cursor(&self.encode(), &binding.encode())
    }

    /// Reads what a client sent; `None` for anything but a cursor that was sealed for the same binding.
    pub(crate) fn open(text: &str, keys: &StateKeys, binding: &CursorBinding<'_>) -> Option<Self> {
        if text.len() > MOST_BYTES {
            return None;
        }
        match keys.open_cursor(text, &binding.encode()) {
            Ok(plaintext) => Self::decode(&plaintext),
            Err(fault) => {
                tracing::debug!(%fault, "a cursor is refused");
                None
            }
        }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = self.digest.to_vec();
        let mut number = |tag: u8, number: usize| {
            out.push(tag);
            out.extend_from_slice(&u64::try_from(number).unwrap_or(u64::MAX).to_be_bytes());
        };
        match &self.place {
            Place::Entries(passed) => number(0, *passed),
            Place::Callback { number: callback, trail } => {
                number(1, *callback);
                out.extend_from_slice(&u64::try_from(trail.passed).unwrap_or(u64::MAX).to_be_bytes());
                trail.last.iter().for_each(|known| out.extend_from_slice(&known.to_be_bytes()));
            }
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (digest, rest) = bytes.split_first_chunk::<DIGEST_BYTES>()?;
        let (tag, rest) = rest.split_first()?;
        let (number, rest) = rest.split_first_chunk::<8>()?;
        let number = usize::try_from(u64::from_be_bytes(*number)).ok()?;
        let place = match tag {
            0 if rest.is_empty() => Place::Entries(number),
            1 => {
                let (passed, rest) = rest.split_first_chunk::<8>()?;
                let passed = usize::try_from(u64::from_be_bytes(*passed)).ok()?;
                let (last, over) = rest.as_chunks::<8>();
                if !over.is_empty() || last.len() > TRAIL {
                    return None;
                }
                let last = last.iter().map(|bytes| u64::from_be_bytes(*bytes)).collect();
                Place::Callback { number, trail: Trail { passed, last } }
            }
            _ => return None,
        };
        Some(Self { digest: *digest, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::state::StateKey;

    fn binding<'a>(kind: ListKind, owner: &'a Owner, session: Option<&'a str>) -> CursorBinding<'a> {
        CursorBinding { server: "s", version: ProtocolVersion::LATEST, kind, owner, session }
    }

    fn long_trail() -> Trail {
        let mut trail = Trail::default();
        (0..100).for_each(|number| trail.push(&format!("a:{number}")));
        trail
    }

    #[test]
    fn a_place_is_read_as_it_was_written_and_stays_short() {
        let keys = StateKeys::new(StateKey::from_bytes([1; 32]));
        let nobody = Owner::Anonymous;
        for place in [
            Place::Entries(0),
            Place::Entries(usize::MAX),
            Place::Callback { number: 0, trail: Trail::default() },
            Place::Callback { number: 7, trail: long_trail() },
        ] {
            let cursor = Cursor::new(&[9; 32], place);
            let text = cursor.seal(&keys, &binding(ListKind::Tools, &nobody, None));
            assert!(text.len() < 256, "{}", text.len());
            assert_eq!(Cursor::open(&text, &keys, &binding(ListKind::Tools, &nobody, None)), Some(cursor));
            let somebody = Owner::Principal { issuer: None, subject: "a".into(), client: None };
            for other in [
                binding(ListKind::Prompts, &nobody, None),
                binding(ListKind::Tools, &somebody, None),
                binding(ListKind::Tools, &nobody, Some("")),
                CursorBinding { server: "t", ..binding(ListKind::Tools, &nobody, None) },
                CursorBinding {
                    version: ProtocolVersion::LATEST_HANDSHAKE,
                    ..binding(ListKind::Tools, &nobody, None)
                },
            ] {
                assert_eq!(Cursor::open(&text, &keys, &other), None, "{other:?}");
            }
        }
    }

    #[test]
    fn what_is_too_long_is_not_even_looked_at_and_what_is_no_place_is_none() {
        let keys = StateKeys::new(StateKey::from_bytes([1; 32]));
        let nobody = Owner::Anonymous;
        let bound = binding(ListKind::Tools, &nobody, None);
        let sealed = |plaintext: &[u8]| keys.seal_cursor(plaintext, &bound.encode());
        let place = Cursor::new(&[9; 32], Place::Entries(3)).encode();
        for plaintext in
            [&[][..], &place[1..], &[&place[..], &[0]].concat(), &[&place[..], &[0; 8]].concat(), &[2; 25]]
        {
            assert_eq!(Cursor::open(&sealed(plaintext), &keys, &bound), None, "{plaintext:?}");
        }
        let long = Cursor::new(&[9; 32], Place::Callback { number: 1, trail: long_trail() }).encode();
        assert!(Cursor::decode(&long).is_some());
        assert_eq!(Cursor::decode(&[&long[..], &[0; 8]].concat()), None, "no walk leaves so long a trail");
        assert!(sealed(&[0; 2_000]).len() > MOST_BYTES);
    }

    #[test]
    fn a_callback_goes_on_behind_the_last_entry_that_is_still_there() {
        let mut trail = Trail::default();
        assert_eq!(trail.take_up(["x"].into_iter()), Some(0));
        ["a", "b", "c"].into_iter().for_each(|uri| trail.push(uri));
        for (now, passed) in [
            (&["a", "b", "c", "d"][..], Some(3)),
            (&["new", "a", "b", "c"], Some(4)),
            (&["a", "b", "d"], Some(2)),
            (&["a", "d"], Some(1)),
            (&["a", "a", "c", "c"], Some(3)),
            (&["c", "b"], Some(1)),
            (&["d"], None),
            (&[], None),
        ] {
            assert_eq!(trail.clone().take_up(now.iter().copied()), passed, "{now:?}");
        }
    }
}
