//! A range of a text, as a URI names it.

use std::{fmt, str::FromStr};

/// The scheme, with what follows it in every URI.
pub(super) const PREFIX: &str = "overflow://";

/// Lines that are read when it is not said how many.
const LINES: usize = 200;

/// What is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// Bytes from an offset.
    Bytes { offset: usize, length: usize },
    /// Lines, counted from 1.
    Lines { first: usize, count: usize },
}

/// Why a query names no range.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RangeFault;

impl fmt::Display for RangeFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "a range is `?offset=…&length=…` in bytes or `?line=…&lines=…` counted from 1, in whole numbers",
        )
    }
}

/// The id in a URI, and its query.
pub(super) fn split(uri: &str) -> Option<(&str, &str)> {
    let rest = uri.strip_prefix(PREFIX)?;
    let (id, query) = rest.split_once('?').unwrap_or((rest, ""));
    Some((id.trim_end_matches('/'), query))
}

impl Range {
    /// Reads a query; what is left out is the beginning, and as much as may be.
    pub(super) fn parse(query: &str) -> Result<Self, RangeFault> {
        let (mut offset, mut length, mut line, mut lines) = (None, None, None, None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').ok_or(RangeFault)?;
            let slot = match name {
                "offset" => &mut offset,
                "length" => &mut length,
                "line" => &mut line,
                "lines" => &mut lines,
                _ => return Err(RangeFault),
            };
            let number = usize::from_str(value).map_err(|_| RangeFault)?;
            if slot.replace(number).is_some() {
                return Err(RangeFault);
            }
        }
        match (offset.or(length), line.or(lines)) {
            (Some(_), Some(_)) => Err(RangeFault),
            (None, Some(_)) => {
                let first = line.unwrap_or(1);
                let count = lines.unwrap_or(LINES);
                if first == 0 || count == 0 { Err(RangeFault) } else { Ok(Self::Lines { first, count }) }
            }
            _ if length == Some(0) => Err(RangeFault),
            _ => Ok(Self::Bytes { offset: offset.unwrap_or(0), length: length.unwrap_or(usize::MAX) }),
        }
    }

    /// Where the range begins and ends in a text, between characters; it has at most `most` bytes, and at least one
    /// character where the text goes on.
    pub(super) fn place(self, text: &str, most: usize) -> (usize, usize) {
        let (start, end) = match self {
            Self::Bytes { offset, length } => (offset, offset.saturating_add(length)),
            Self::Lines { first, count } => {
                let start = after_lines(text, 0, first - 1);
                (start, after_lines(text, start, count))
            }
        };
        let start = text.floor_char_boundary(start);
        let end = text.floor_char_boundary(end.min(start.saturating_add(most)));
        if end > start {
            return (start, end);
        }
        let first = text.get(start..).and_then(|rest| rest.chars().next());
        (start, start + first.map_or(0, char::len_utf8))
    }
}

/// Where the text goes on after so many lines.
fn after_lines(text: &str, from: usize, lines: usize) -> usize {
    let Some(before) = lines.checked_sub(1) else { return from };
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memchr::memchr_iter(b'\n', rest).nth(before).map_or(text.len(), |at| from + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_name_bytes_or_lines_and_nothing_else() {
        let bytes = |offset, length| Ok(Range::Bytes { offset, length });
        assert_eq!(Range::parse(""), bytes(0, usize::MAX));
        assert_eq!(Range::parse("offset=5"), bytes(5, usize::MAX));
        assert_eq!(Range::parse("length=7&offset=5"), bytes(5, 7));
        assert_eq!(Range::parse("line=3"), Ok(Range::Lines { first: 3, count: LINES }));
        assert_eq!(Range::parse("lines=4"), Ok(Range::Lines { first: 1, count: 4 }));
        for query in [
            "offset",
            "offset=-1",
            "offset=x",
            "offset=1&line=2",
            "page=1",
            "length=0",
            "line=0",
            "offset=1&offset=2",
        ] {
            assert_eq!(Range::parse(query), Err(RangeFault), "{query}");
        }
    }

    #[test]
    fn ranges_that_follow_each_other_give_the_whole_text() {
        let text = "a\u{e9}\u{20ac}\u{1f600}z".repeat(5);
        for length in 1..12 {
            let (mut whole, mut offset) = (String::new(), 0);
            while offset < text.len() {
                let (start, end) = Range::Bytes { offset, length }.place(&text, usize::MAX);
                assert!(end > start);
                whole.push_str(text.get(start..end).unwrap());
                offset = end;
            }
            assert_eq!(whole, text, "{length}");
        }
        // Whoever counts by itself gets every character once as well, unless its ranges are shorter than one.
        let pieces =
            (0..text.len()).step_by(7).map(|offset| Range::Bytes { offset, length: 7 }.place(&text, 100));
        let whole: String = pieces.map(|(start, end)| text.get(start..end).unwrap()).collect();
        assert_eq!(whole, text);
    }

    #[test]
    fn lines_are_counted_from_one_and_bounded_in_bytes() {
        let text = "one\ntwo\n\nfour";
        let lines = |first, count, most| {
            let (start, end) = Range::Lines { first, count }.place(text, most);
            text.get(start..end).unwrap()
        };
        assert_eq!(lines(1, 2, 100), "one\ntwo\n");
        assert_eq!(lines(3, 1, 100), "\n");
        assert_eq!(lines(4, 9, 100), "four");
        assert_eq!(lines(5, 1, 100), "");
        assert_eq!(lines(1, 4, 5), "one\nt");
    }
}
