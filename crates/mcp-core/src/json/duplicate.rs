//! Finding a member name that an object has twice.

use super::{
    escape::unescape,
    token::{Form, Token},
};
use std::borrow::Cow;

/// Up to this many members, comparing each with each is cheaper than sorting.
const FEW: usize = 8;

/// Returns the offset of the first name in the object at `index` that repeats an earlier one.
///
/// Names are compared after unescaping: `"a"` and `"\u0061"` are the same name.
pub(super) fn find_duplicate(text: &[u8], tokens: &[Token], index: u32, object: Token) -> Option<u32> {
    let names = || Names { tokens, at: index + 1, end: object.next };
    if object.count() as usize > FEW {
        return find_by_sorting(text, names());
    }
    // Most objects are small and their names differ at a glance.
    let mut glances = [0; FEW];
    let alike = names().zip(0..FEW).any(|(name, position)| {
        let glance = glance(text, name);
        let earlier = glances.get(..position).unwrap_or_default();
        let alike = name.form() == Form::Escaped || earlier.contains(&glance);
        if let Some(slot) = glances.get_mut(position) {
            *slot = glance;
        }
        alike
    });
    if !alike {
        return None;
    }
    let repeats = |name: &Token| {
        names().take_while(|earlier| earlier.start < name.start).any(|earlier| same(text, earlier, *name))
    };
    names().find(repeats).map(|name| name.start)
}

/// Packs the length and three bytes of a name: equal for equal names that have no escapes.
fn glance(text: &[u8], name: Token) -> u32 {
    // In an empty name the quotes stand in for its bytes.
    let byte = |position: u32| text.get(position as usize).copied().unwrap_or_default();
    let (first, last) = (name.start + 1, name.end.saturating_sub(2));
    let length = name.end.wrapping_sub(name.start);
    u32::from_le_bytes([byte(first), byte(last), byte(first.midpoint(last)), length.to_le_bytes()[0]])
}

fn same(text: &[u8], one: Token, other: Token) -> bool {
    if one.form() == Form::Plain && other.form() == Form::Plain {
        // Lengths tell most names apart without reading them.
        return one.end - one.start == other.end - other.start
            && one.inside_quotes(text) == other.inside_quotes(text);
    }
    value(text, one) == value(text, other)
}

/// Sorts the names, so that a large object costs no more than `n log n` comparisons.
fn find_by_sorting(text: &[u8], names: Names<'_>) -> Option<u32> {
    let mut sorted: Vec<(Cow<'_, [u8]>, u32)> = names.map(|name| (value(text, name), name.start)).collect();
    sorted.sort_unstable();
    sorted
        .windows(2)
        .filter_map(|pair| match pair {
            [(one, _), (other, position)] if one == other => Some(*position),
            _ => None,
        })
        .min()
}

fn value(text: &[u8], name: Token) -> Cow<'_, [u8]> {
    let inside = name.inside_quotes(text);
    if name.form() == Form::Escaped { Cow::Owned(unescape(inside)) } else { Cow::Borrowed(inside) }
}

/// The name tokens of one object.
struct Names<'a> {
    tokens: &'a [Token],
    at: u32,
    end: u32,
}

impl Iterator for Names<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.at >= self.end {
            return None;
        }
        let name = *self.tokens.get(self.at as usize)?;
        self.at = self.tokens.get(self.at as usize + 1)?.next;
        Some(name)
    }
}
