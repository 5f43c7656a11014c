//! Digests of tokens, and a search that takes the same time wherever the match is.

use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Keeps these digests apart from any other use of SHA-256 on the same token.
const DOMAIN: &[u8] = b"mcp static token\0";

/// The SHA-256 digest of a token; deliberately neither printable nor comparable with `==`.
pub(super) struct Digest([u8; 32]);

impl Digest {
    pub(super) fn of(token: &str) -> Self {
        Self(Sha256::new().chain_update(DOMAIN).chain_update(token).finalize().into())
    }
}

impl ConstantTimeEq for Digest {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

/// Finds the last entry that equals `wanted`.
///
/// Compares with every entry and branches on none of the comparisons, only on their sum at the end.
pub(super) fn position_of<T: ConstantTimeEq>(wanted: &T, entries: &[T]) -> Option<usize> {
    let mut found = Choice::from(0);
    let mut position = 0_u64;
    for (index, entry) in (0_u64..).zip(entries) {
        let equal = wanted.ct_eq(entry);
        position.conditional_assign(&index, equal);
        found |= equal;
    }
    if bool::from(found) { usize::try_from(position).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Counts how often it is compared.
    struct Counted<'a>(u8, &'a Cell<usize>);

    impl ConstantTimeEq for Counted<'_> {
        fn ct_eq(&self, other: &Self) -> Choice {
            self.1.set(self.1.get() + 1);
            self.0.ct_eq(&other.0)
        }
    }

    #[test]
    fn every_entry_is_compared_wherever_the_match_is() {
        let count = Cell::new(0);
        let entries: Vec<_> = (0..7).map(|value| Counted(value, &count)).collect();
        for (wanted, position) in [(0, Some(0)), (3, Some(3)), (6, Some(6)), (7, None)] {
            count.set(0);
            assert_eq!(position_of(&Counted(wanted, &count), &entries), position);
            assert_eq!(count.get(), entries.len(), "looking for {wanted}");
        }
    }

    #[test]
    fn nothing_is_found_among_no_entries() {
        assert_eq!(position_of(&Digest::of("a"), &[]), None);
    }
}
