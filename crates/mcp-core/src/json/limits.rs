//! What one JSON text may cost.

use crate::setting::SettingFaults;

/// Bounds how large and how intricate one JSON text may be.
///
/// [`Document::parse`](super::Document::parse) refuses a text at the first bound it exceeds, so
/// these are the most a peer can make the scan, the schema check and the typed decoding cost.
/// A value equal to its limit is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonLimits {
    /// The bytes of the whole text, 1 to 1,073,741,824; 4 MiB by default.
    pub document_bytes: usize,
    /// How many arrays and objects may be open at once, 1 to 1,000; 1,000 by default.
    pub depth: usize,
    /// How many values and member names together, 1,024 to 262,144; 65,536 by default.
    pub tokens: usize,
    /// The characters of one number as written, 20 to 10,000; 1,000 by default.
    pub number_chars: usize,
    /// The characters of one member name after unescaping, 64 to 1,000,000; 50,000 by default.
    pub name_chars: usize,
    /// The characters of one string value after unescaping, 64 to 1,000,000,000; 20,000,000 by default.
    pub string_chars: usize,
    /// The decimal exponent of one number, positive or negative, 400 to 99,999; 9,999 by default.
    ///
    /// The exponent is that of the number written as a whole coefficient without trailing zeros:
    /// `1.5e3` is 15 with exponent 2, and zero always has exponent 0.
    pub number_scale: usize,
}

impl Default for JsonLimits {
    fn default() -> Self {
        Self {
            document_bytes: 4 * 1024 * 1024,
            depth: 1_000,
            tokens: 65_536,
            number_chars: 1_000,
            name_chars: 50_000,
            string_chars: 20_000_000,
            number_scale: 9_999,
        }
    }
}

impl JsonLimits {
    /// Checks that every limit lies in its range.
    ///
    /// # Errors
    /// [`SettingFaults`] with every limit outside of it.
    pub fn check(&self) -> Result<(), SettingFaults> {
        let mut faults = SettingFaults::default();
        faults.within("document_bytes", self.document_bytes, &(1..=1 << 30));
        faults.within("depth", self.depth, &(1..=1_000));
        faults.within("tokens", self.tokens, &(1_024..=262_144));
        faults.within("number_chars", self.number_chars, &(20..=10_000));
        faults.within("name_chars", self.name_chars, &(64..=1_000_000));
        faults.within("string_chars", self.string_chars, &(64..=1_000_000_000));
        faults.within("number_scale", self.number_scale, &(400..=99_999));
        faults.finish()
    }

    /// The widest bounds, for text that is our own and only has to be well formed.
    pub(crate) fn widest() -> Self {
        Self {
            document_bytes: 1 << 30,
            depth: 1_000,
            tokens: 262_144,
            number_chars: 10_000,
            name_chars: 1_000_000,
            string_chars: 1_000_000_000,
            number_scale: 99_999,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_and_the_widest_limits_are_permitted() {
        assert_eq!(JsonLimits::default().check(), Ok(()));
        assert_eq!(JsonLimits::widest().check(), Ok(()));
    }

    #[test]
    fn a_limit_outside_its_range_is_named_with_its_range() {
        let fault = JsonLimits { tokens: 1_023, ..JsonLimits::default() }.check().unwrap_err();
        assert_eq!(fault.to_string(), "a setting cannot be used: tokens: 1023 is outside 1024 to 262144");
        assert!(JsonLimits { tokens: 1_024, ..JsonLimits::default() }.check().is_ok());
        assert!(JsonLimits { tokens: 262_145, ..JsonLimits::default() }.check().is_err());
    }
}
