//! Versions of a tool, and which of two is higher.

use std::{cmp::Ordering, fmt};

/// The longest version, in bytes.
pub(crate) const MAX_VERSION_BYTES: usize = 64;

/// A version of a tool as its author wrote it; labels are compared, not texts.
///
/// Numbers separated by dots are compared one by one, as numbers of any length; a missing one is zero. Of two that
/// agree the one with a suffix (`-rc.1`) is lower, and suffixes are compared as semantic versioning compares them:
/// part by part, numbers as numbers and below words. What follows a `+` counts for nothing. A label that does not
/// begin with numbers, such as `latest`, is lower than every one that does, and such labels are compared as text.
#[derive(Clone, Debug)]
pub(crate) struct VersionLabel(Box<str>);

/// A label taken apart.
struct Parts<'a> {
    /// The numbers, without leading zeros; `None` when the label has none.
    numbers: Option<Vec<&'a str>>,
    suffix: Option<&'a str>,
}

impl VersionLabel {
    pub(crate) fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// What is wrong with the label, if something is.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.0.is_empty() || self.0.len() > MAX_VERSION_BYTES {
            return Some(format!("a version has 1 to {MAX_VERSION_BYTES} bytes"));
        }
        let bad = |character: char| character.is_control() || character.is_whitespace();
        self.0.contains(bad).then(|| "a version has no spaces and no control characters".to_owned())
    }

    fn parts(&self) -> Parts<'_> {
        let precedence = self.0.split('+').next().unwrap_or_default();
        let (stem, suffix) = match precedence.split_once('-') {
            Some((stem, suffix)) => (stem, Some(suffix)),
            None => (precedence, None),
        };
        let stem = stem.strip_prefix(['v', 'V']).unwrap_or(stem);
        let numeric = !stem.is_empty() && stem.split('.').all(is_number);
        let numbers = numeric.then(|| {
            let mut numbers: Vec<_> = stem.split('.').map(|number| number.trim_start_matches('0')).collect();
            while numbers.last().is_some_and(|last| last.is_empty()) {
                numbers.pop();
            }
            numbers
        });
        Parts { numbers, suffix }
    }
}

impl Ord for VersionLabel {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two) = (self.parts(), other.parts());
        match (one.numbers, two.numbers) {
            (None, None) => self.0.cmp(&other.0),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(numbers), Some(others)) => {
                by_numbers(&numbers, &others).then_with(|| by_suffix(one.suffix, two.suffix))
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Compares numbers without leading zeros, as many digits as they have.
fn by_value(one: &str, other: &str) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

fn by_numbers(one: &[&str], other: &[&str]) -> Ordering {
    (0..one.len().max(other.len()))
        .map(|place| {
            let number = |all: &[&str]| all.get(place).map_or(String::new(), ToString::to_string);
            by_value(&number(one), &number(other))
        })
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn by_suffix(one: Option<&str>, other: Option<&str>) -> Ordering {
    let (one, other) = match (one, other) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Greater,
        (Some(_), None) => return Ordering::Less,
        (Some(one), Some(other)) => (one, other),
    };
    let (mut one, mut other) = (one.split('.'), other.split('.'));
    loop {
        let order = match (one.next(), other.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(other)) => match (is_number(one), is_number(other)) {
                (true, true) => by_value(one.trim_start_matches('0'), other.trim_start_matches('0')),
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => one.cmp(other),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

impl PartialOrd for VersionLabel {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for VersionLabel {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for VersionLabel {}

impl fmt::Display for VersionLabel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str) -> VersionLabel {
        VersionLabel::new(text)
    }

    #[test]
    fn each_is_lower_than_the_next() {
        let ascending = [
            "beta",
            "latest",
            "next",
            "0.9",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-rc.2",
            "1.0.0-rc.10",
            "1.0.0",
            "1.0.1",
            "1.2",
            "1.10",
            "2.0.0-rc",
            "2",
            "10.0",
            "2024-01",
            "99999999999999999999999999",
        ];
        for (position, one) in ascending.iter().enumerate() {
            for (place, other) in ascending.iter().enumerate() {
                assert_eq!(label(one).cmp(&label(other)), position.cmp(&place), "{one} and {other}");
            }
        }
    }

    #[test]
    fn what_means_the_same_is_equal_however_it_is_written() {
        for (one, other) in [
            ("1", "1.0.0"),
            ("1.0", "01.00"),
            ("v2.1", "2.1"),
            ("1.0+a", "1.0+b"),
            ("1-rc.01", "1.0-rc.1"),
            ("0", "0.0.0"),
        ] {
            assert_eq!(label(one), label(other), "{one} and {other}");
        }
        assert_ne!(label("a"), label("A"));
    }

    #[test]
    fn labels_that_cannot_be_written_in_a_request_are_refused() {
        for text in ["", "1 0", "1\n", "\u{7f}", &"9".repeat(65)] {
            assert!(label(text).problem().is_some(), "{text:?}");
        }
        for text in ["1", "2026-07-28", "ß", &"9".repeat(64)] {
            assert!(label(text).problem().is_none(), "{text:?}");
        }
    }
}
