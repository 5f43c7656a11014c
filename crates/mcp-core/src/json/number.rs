//! Numbers as written: their extent in the text and their exact decimal value.

/// Where a number ends, and whether it has neither fraction nor exponent.
pub(super) struct Extent {
    pub(super) end: usize,
    pub(super) whole: bool,
}

impl Extent {
    /// The distance of the number's decimal exponent from zero.
    pub(super) fn scale(&self, text: &[u8], start: usize) -> u64 {
        Decimal::read(text.get(start..self.end).unwrap_or_default()).exponent.unsigned_abs()
    }
}

/// Finds the end of the number that begins at `start`; a fault is the offset of the wrong byte.
pub(super) fn measure_number(text: &[u8], start: usize) -> Result<Extent, usize> {
    let mut at = start;
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    at = match text.get(at) {
        // Nothing but a fraction or an exponent continues a leading zero.
        Some(b'0') if matches!(text.get(at + 1), Some(b'0'..=b'9')) => return Err(at + 1),
        Some(b'0') => at + 1,
        _ => some_digits(text, at)?,
    };
    let mut whole = true;
    if text.get(at) == Some(&b'.') {
        whole = false;
        at = some_digits(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        whole = false;
        at += 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = some_digits(text, at)?;
    }
    Ok(Extent { end: at, whole })
}

/// Moves past at least one digit.
fn some_digits(text: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    while matches!(text.get(at), Some(b'0'..=b'9')) {
        at += 1;
    }
    if at == start { Err(at) } else { Ok(at) }
}

/// The exact value of a number of JSON text that fits 64 bits; `None` for every other one.
pub(crate) fn integer_from_text(number: &str) -> Option<i64> {
    Decimal::read(number.as_bytes()).to_i64()
}

/// The exact value of a number: `digits * 10^exponent`, with no zero at either end of the digits.
///
/// Two numbers are equal exactly when their decimals are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    /// The digits before and after the point, outer zeros removed.
    before: &'a [u8],
    after: &'a [u8],
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Reads a number that the scan has accepted.
    pub(crate) fn read(number: &'a [u8]) -> Self {
        let (negative, rest) = match number {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, number),
        };
        let (mantissa, written) = split_at_any(rest, b"eE");
        let (mut before, mut after) = split_at_any(mantissa, b".");
        let mut exponent = read_exponent(written).saturating_sub(length(after));
        let zeros = after.iter().rev().take_while(|&&digit| digit == b'0').count();
        after = after.get(..after.len() - zeros).unwrap_or_default();
        exponent = exponent.saturating_add(length_of(zeros));
        if after.is_empty() {
            let zeros = before.iter().rev().take_while(|&&digit| digit == b'0').count();
            before = before.get(..before.len() - zeros).unwrap_or_default();
            exponent = exponent.saturating_add(length_of(zeros));
        }
        before = without_leading_zeros(before);
        if before.is_empty() {
            after = without_leading_zeros(after);
        }
        if before.is_empty() && after.is_empty() {
            return Self { negative: false, before, after, exponent: 0 };
        }
        Self { negative, before, after, exponent }
    }

    /// The digits from the most significant on; none for zero.
    pub(super) fn digits(self) -> impl Iterator<Item = u8> + 'a {
        self.before.iter().chain(self.after).copied()
    }

    /// The digits before and after the point; where the point is does not tell numbers apart.
    pub(crate) fn digit_runs(self) -> [&'a [u8]; 2] {
        [self.before, self.after]
    }

    /// Tells whether the value has no fraction.
    pub(crate) fn is_integer(self) -> bool {
        self.exponent >= 0
    }

    /// The value, when it is an integer from 0 to 2^64 - 1.
    pub(super) fn to_u64(self) -> Option<u64> {
        if self.negative { None } else { self.magnitude() }
    }

    /// The value, when it is an integer from -2^63 to 2^63 - 1.
    pub(super) fn to_i64(self) -> Option<i64> {
        let magnitude = self.magnitude()?;
        if self.negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    }

    fn magnitude(self) -> Option<u64> {
        let zeros = usize::try_from(self.exponent).ok().filter(|&zeros| zeros <= 20)?;
        self.digits()
            .chain(std::iter::repeat_n(b'0', zeros))
            .try_fold(0_u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
    }

    /// What equal decimals have in common, for hashing.
    pub(crate) fn sign_and_exponent(self) -> (bool, i64) {
        (self.negative, self.exponent)
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.sign_and_exponent() == other.sign_and_exponent() && self.digits().eq(other.digits())
    }
}

impl Eq for Decimal<'_> {}

/// Splits at the first of `separators`, which is dropped.
fn split_at_any<'a>(bytes: &'a [u8], separators: &[u8]) -> (&'a [u8], &'a [u8]) {
    let position = bytes.iter().position(|byte| separators.contains(byte));
    position
        .and_then(|position| Some((bytes.get(..position)?, bytes.get(position + 1..)?)))
        .unwrap_or((bytes, &[]))
}

/// Reads an exponent as written, staying at the extreme where it does not fit.
fn read_exponent(written: &[u8]) -> i64 {
    let (negative, digits) = match written {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let magnitude = digits.iter().fold(0_i64, |value, digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')))
    });
    if negative { -magnitude } else { magnitude }
}

fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

fn length(digits: &[u8]) -> i64 {
    length_of(digits.len())
}

fn length_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
