//! Splits a URI's body among the parts of a template without going back.
//!
//! From the last part to the first it is noted at which offsets the rest of the template can begin. Each part costs
//! one pass over the text, so the work is the length of the text times the number of parts (a literal part: times
//! its length), whatever the text holds. Walking forward then picks the shortest stretch for each variable.

use super::part::{Hole, Part, Span};
use std::ops::Range;

/// Counts the work that matching does.
pub(super) trait Meter {
    /// Notes that an octet was looked at once more.
    fn step(&mut self);
}

/// Counts nothing and costs nothing.
#[derive(Debug)]
pub(super) struct Unmetered;

impl Meter for Unmetered {
    fn step(&mut self) {}
}

/// Gives the stretch of the text that each variable takes, in order; nothing when the text does not fit.
///
/// The text must be normalised: escapes are whole.
pub(super) fn split(parts: &[Part], text: &str, meter: &mut impl Meter) -> Option<Vec<(Hole, Range<usize>)>> {
    let (parts, begin, end) = trim(parts, text)?;
    match parts {
        [] => (begin == end).then(Vec::new),
        [Part::Hole(hole)] => {
            let fits = fits(*hole, text.as_bytes().get(begin..end)?, meter);
            fits.then(|| vec![(*hole, begin..end)])
        }
        _ => {
            let ranges = Reach::of(parts, text.get(begin..end)?.as_bytes(), meter).walk(parts, meter)?;
            Some(
                ranges
                    .into_iter()
                    .map(|(hole, range)| (hole, range.start + begin..range.end + begin))
                    .collect(),
            )
        }
    }
}

/// Takes off the literals at both ends, which most URIs of other templates fail at.
fn trim<'a>(mut parts: &'a [Part], text: &str) -> Option<(&'a [Part], usize, usize)> {
    let (mut begin, mut end) = (0, text.len());
    if let [Part::Literal(literal), rest @ ..] = parts {
        text.strip_prefix(&**literal)?;
        begin = literal.len();
        parts = rest;
    }
    if let [rest @ .., Part::Literal(literal)] = parts {
        text.get(begin..)?.strip_suffix(&**literal)?;
        end -= literal.len();
        parts = rest;
    }
    if splits_escape(text.as_bytes(), end) {
        return None;
    }
    Some((parts, begin, end))
}

fn fits(hole: Hole, text: &[u8], meter: &mut impl Meter) -> bool {
    let Span::Repeated(separator) = hole.span else {
        return !text.is_empty()
            && text.iter().all(|octet| {
                meter.step();
                hole.takes(*octet)
            });
    };
    // Every item begins with its separator and has at least one character.
    let mut before = None;
    for octet in text {
        meter.step();
        let fits = match before {
            None => *octet == separator,
            Some(before) if before == separator => *octet != separator && hole.takes(*octet),
            Some(_) => *octet == separator || hole.takes(*octet),
        };
        if !fits {
            return false;
        }
        before = Some(*octet);
    }
    before.is_some_and(|last| last != separator)
}

/// For each part, the offsets at which it and all that follows can match.
struct Reach<'a> {
    text: &'a [u8],
    rows: Vec<Offsets>,
}

impl<'a> Reach<'a> {
    fn of(parts: &[Part], text: &'a [u8], meter: &mut impl Meter) -> Self {
        let mut next = Offsets::none(text.len());
        next.add(text.len());
        let mut rows = vec![next];
        for part in parts.iter().rev() {
            let Some(next) = rows.last() else { break };
            let row = match part {
                Part::Literal(literal) => literal_row(literal.as_bytes(), text, next, meter),
                Part::Hole(hole) => match hole.span {
                    Span::Repeated(separator) => repeated_row(*hole, separator, text, next, meter),
                    _ => hole_row(*hole, text, next, meter),
                },
            };
            rows.push(row);
        }
        rows.reverse();
        Self { text, rows }
    }

    fn walk(&self, parts: &[Part], meter: &mut impl Meter) -> Option<Vec<(Hole, Range<usize>)>> {
        let mut at = 0;
        if !self.rows.first()?.has(at) {
            return None;
        }
        let mut ranges = Vec::with_capacity(parts.len());
        for (part, next) in parts.iter().zip(self.rows.iter().skip(1)) {
            match part {
                Part::Literal(literal) => at += literal.len(),
                Part::Hole(hole) => {
                    let end = (at + 1..=self.text.len()).find(|end| {
                        meter.step();
                        next.has(*end) && self.may_end(*hole, *end)
                    })?;
                    ranges.push((*hole, at..end));
                    at = end;
                }
            }
        }
        Some(ranges)
    }

    /// Whether a variable whose stretch is known to go on at least this far may end here.
    fn may_end(&self, hole: Hole, end: usize) -> bool {
        match hole.span {
            Span::Repeated(separator) => {
                end.checked_sub(1).and_then(|last| self.text.get(last)) != Some(&separator)
            }
            _ => true,
        }
    }
}

fn literal_row(literal: &[u8], text: &[u8], next: &Offsets, meter: &mut impl Meter) -> Offsets {
    let mut row = Offsets::none(text.len());
    for begin in 0..=text.len().saturating_sub(literal.len()) {
        meter.step();
        let end = begin + literal.len();
        if next.has(end) && text.get(begin..end) == Some(literal) && !splits_escape(text, begin) {
            row.add(begin);
        }
    }
    row
}

fn hole_row(hole: Hole, text: &[u8], next: &Offsets, meter: &mut impl Meter) -> Offsets {
    let mut row = Offsets::none(text.len());
    // Whether some end lies to the right with nothing but takeable octets in between.
    let mut open = false;
    for (at, octet) in text.iter().enumerate().rev() {
        meter.step();
        open = hole.takes(*octet) && (open || next.has(at + 1));
        if open {
            row.add(at);
        }
    }
    row
}

fn repeated_row(hole: Hole, separator: u8, text: &[u8], next: &Offsets, meter: &mut impl Meter) -> Offsets {
    let mut row = Offsets::none(text.len());
    // Whether an item, and perhaps more of them, can begin one octet further right and come to an end.
    let mut item = false;
    for (at, octet) in text.iter().enumerate().rev() {
        meter.step();
        if *octet == separator {
            if item {
                row.add(at);
            }
            item = false;
        } else {
            item = hole.takes(*octet) && (item || next.has(at + 1) || row.has(at + 1));
        }
    }
    row
}

/// Whether the offset lies within `%41`, where no literal may begin; variables touch literals or separators only.
fn splits_escape(text: &[u8], at: usize) -> bool {
    let is_percent = |back| at.checked_sub(back).and_then(|before| text.get(before)) == Some(&b'%');
    is_percent(1) || is_percent(2)
}

/// A set of offsets into a text.
struct Offsets {
    words: Vec<u64>,
}

impl Offsets {
    fn none(length: usize) -> Self {
        Self { words: vec![0; length / 64 + 1] }
    }

    fn add(&mut self, offset: usize) {
        if let Some(word) = self.words.get_mut(offset / 64) {
            *word |= 1 << (offset % 64);
        }
    }

    fn has(&self, offset: usize) -> bool {
        self.words.get(offset / 64).is_some_and(|word| word & (1 << (offset % 64)) != 0)
    }
}
