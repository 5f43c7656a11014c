//! Numbers with a fraction or exponent that are whole all the same.

/// The most digits written.
const DIGITS: usize = 40;

/// Writes a JSON number as plain digits if it is a whole number in another form.
///
/// Gives nothing for numbers that are plain already, have a fraction, or need more than 40 digits.
pub(super) fn plain(number: &str) -> Option<String> {
    if !number.contains(['.', 'e', 'E']) {
        return None;
    }
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", number),
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let shift = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let plain = if shift < 0 {
        // `1500e-2` is whole, `150e-2` is not.
        let zeros = usize::try_from(shift.unsigned_abs()).ok()?;
        let kept = digits.len().checked_sub(zeros).filter(|kept| *kept > 0)?;
        let (kept, rest) = digits.split_at_checked(kept)?;
        rest.bytes().all(|digit| digit == b'0').then(|| kept.to_owned())?
    } else {
        let zeros = usize::try_from(shift).ok().filter(|zeros| *zeros <= DIGITS)?;
        format!("{digits}{}", "0".repeat(zeros))
    };
    (plain.len() <= DIGITS).then(|| format!("{sign}{plain}"))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn whole_numbers_in_other_forms_become_digits() {
        for (number, wanted) in [
            ("3.0", "3"),
            ("1e2", "100"),
            ("1E+2", "100"),
            ("-2.50e1", "-25"),
            ("1500e-2", "15"),
            ("0.0", "0"),
            ("-0.0", "0"),
            ("0e999999999999999999999", "0"),
            ("12345678901234567890.0", "12345678901234567890"),
            ("1e39", "1000000000000000000000000000000000000000"),
        ] {
            assert_eq!(plain(number).as_deref(), Some(wanted), "{number}");
        }
    }

    #[test]
    fn fractions_plain_digits_and_huge_numbers_stay() {
        for number in
            ["3", "2.5", "1e-1", "150e-2", "1e40", "1e999999999999999999999", "1e9223372036854775807"]
        {
            assert_eq!(plain(number), None, "{number}");
        }
    }
}
