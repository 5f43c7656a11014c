//! Decimal numbers compared by their digits, so that no size is too large.

/// A number in JSON's notation as sign, significant digits and the power of ten of the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    negative: bool,
    /// The digits before and after the point, together without zeros at either end.
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Reads a number; nothing for other text, or an exponent that no number in use has.
    ///
    /// RFC 8259, section 6.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, power(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) if is_digits(fraction) => (whole, fraction),
            Some(_) => return None,
            None => (mantissa, ""),
        };
        if !is_digits(whole) || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        Some(Self { negative, whole: whole.as_bytes(), fraction: fraction.as_bytes(), exponent }.reduced())
    }

    fn reduced(self) -> Self {
        let Self { negative, mut whole, mut fraction, mut exponent } = self;
        exponent -= length(fraction);
        while let [rest @ .., b'0'] = fraction {
            (fraction, exponent) = (rest, exponent + 1);
        }
        while let ([], [rest @ .., b'0']) = (fraction, whole) {
            (whole, exponent) = (rest, exponent + 1);
        }
        while let [b'0', rest @ ..] = whole {
            whole = rest;
        }
        while let ([], [b'0', rest @ ..]) = (whole, fraction) {
            fraction = rest;
        }
        if whole.is_empty() && fraction.is_empty() {
            return Self { negative: false, whole, fraction, exponent: 0 };
        }
        Self { negative, whole, fraction, exponent }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).copied()
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative && self.exponent == other.exponent && self.digits().eq(other.digits())
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit())
}

/// An exponent of at most nine digits, which leaves room for the adjustments.
fn power(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !is_digits(digits) || digits.len() > 9 {
        return None;
    }
    text.parse().ok()
}

fn length(digits: &[u8]) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn equal(one: &str, other: &str) -> bool {
        Decimal::parse(one).unwrap() == Decimal::parse(other).unwrap()
    }

    #[test]
    fn numbers_are_equal_however_they_are_written() {
        for (one, other) in [
            ("42", "42.0"),
            ("42", "4.2e1"),
            ("42", "420E-1"),
            ("4200", "42e+2"),
            ("0.0042", "42e-4"),
            ("10.10", "10.1"),
            ("-7", "-7.00"),
            ("0", "-0"),
            ("0", "0.00e5"),
            ("9007199254740993", "9007199254740993.0"),
            ("100", "1e2"),
        ] {
            assert!(equal(one, other) && equal(other, one), "{one} {other}");
        }
    }

    #[test]
    fn numbers_that_differ_in_any_digit_are_not_equal() {
        for (one, other) in [
            ("9007199254740993", "9007199254740992"),
            ("1", "-1"),
            ("1", "10"),
            ("0.1", "0.01"),
            ("1e5", "1e6"),
            ("101", "11"),
            ("1.01", "1.1"),
        ] {
            assert!(!equal(one, other), "{one} {other}");
        }
    }

    #[test]
    fn other_notations_are_no_numbers() {
        for text in [
            "",
            "-",
            "+1",
            "01",
            "1.",
            ".5",
            "1e",
            "1e+",
            "0x10",
            "1_0",
            " 1",
            "NaN",
            "1e9999999999",
            "1.e2",
            "--1",
        ] {
            assert!(Decimal::parse(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn moving_the_point_keeps_the_number(number in any::<i64>(), places in 0_u32..30) {
            let moved = format!("{number}{}e-{places}", "0".repeat(places as usize));
            prop_assert!(equal(&number.to_string(), &moved));
            prop_assert!(!equal(&number.to_string(), &(i128::from(number) + 1).to_string()));
        }

        #[test]
        fn any_text_is_a_number_or_not(text in "[-+0-9.eE]{0,11}") {
            prop_assert_eq!(Decimal::parse(&text).is_some(), serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok());
        }
    }
}
