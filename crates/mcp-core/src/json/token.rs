//! One entry of the index.

/// The form in which a value or member name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Null,
    False,
    True,
    /// Digits with perhaps a minus sign.
    Integer,
    /// A number with a fraction or an exponent.
    Decimal,
    /// A string or member name without escapes.
    Plain,
    /// A string or member name with escapes.
    Escaped,
    Array,
    Object,
}

/// One value or member name: its bytes, and for an array or object where its subtree ends.
///
/// Tokens stand in document order: an object is followed by its first name, that name by its
/// value, and so on. Sixteen bytes, because their number is what indexing costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// The first byte of the JSON text; a string's is its quote.
    pub(super) start: u32,
    /// The byte after the JSON text.
    pub(super) end: u32,
    /// The token after this value's subtree. While a container is open, its parent instead.
    pub(super) next: u32,
    /// How many members or elements, above four bits of [`Form`].
    packed: u32,
}

/// The most tokens an index can hold, so that every count fits beside its form.
pub(super) const MOST_TOKENS: usize = (1 << 28) - 1;

impl Token {
    pub(super) fn new(form: Form, start: u32, end: u32, next: u32) -> Self {
        Self { start, end, next, packed: form as u32 }
    }

    pub(super) fn form(self) -> Form {
        match self.packed & 0xF {
            0 => Form::Null,
            1 => Form::False,
            2 => Form::True,
            3 => Form::Integer,
            4 => Form::Decimal,
            5 => Form::Plain,
            6 => Form::Escaped,
            7 => Form::Array,
            _ => Form::Object,
        }
    }

    /// The members of an object or elements of an array.
    pub(super) fn count(self) -> u32 {
        self.packed >> 4
    }

    pub(super) fn add_child(&mut self) {
        self.packed = self.packed.wrapping_add(1 << 4);
    }

    /// The bytes of `text` between a string's quotes.
    pub(super) fn inside_quotes(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize + 1..(self.end as usize).saturating_sub(1)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stays_sixteen_bytes_and_keeps_its_form_while_counting() {
        assert_eq!(size_of::<Token>(), 16);
        for form in [
            Form::Null,
            Form::False,
            Form::True,
            Form::Integer,
            Form::Decimal,
            Form::Plain,
            Form::Escaped,
            Form::Array,
            Form::Object,
        ] {
            let mut token = Token::new(form, 0, 0, 0);
            token.add_child();
            token.add_child();
            assert_eq!((token.form(), token.count()), (form, 2));
        }
    }
}
