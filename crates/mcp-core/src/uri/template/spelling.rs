//! Which octets of a value are encoded, so that the variable ends where it should when the URI is read.

use super::part::{Part, Span};
use percent_encoding::{AsciiSet, percent_encode, percent_encode_byte, utf8_percent_encode};

/// How much of a value is encoded beyond what must be; each is tried when the one before is read as something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Nothing more.
    Plain,
    /// What the next part of the template could begin with or go on with: `{x}.{y}` with `a.b` becomes `a%2Eb.…`.
    Guarded,
    /// Every octet: nothing in a value is taken for a part of the scheme, either.
    Full,
}

impl Spelling {
    pub(super) const EACH: [Self; 3] = [Self::Plain, Self::Guarded, Self::Full];

    /// Writes a text in front of the next part of the template.
    pub(super) fn push(self, uri: &mut String, text: &str, encoded: &'static AsciiSet, next: Option<&Part>) {
        if self == Self::Plain {
            uri.extend(utf8_percent_encode(text, encoded));
            return;
        }
        for octet in text.bytes() {
            if self == Self::Full || next.is_some_and(|next| may_hold(next, octet)) {
                uri.push_str(percent_encode_byte(octet));
            } else {
                uri.extend(percent_encode(&[octet], encoded));
            }
        }
    }
}

/// Whether what the template demands of this part may hold the octet.
fn may_hold(part: &Part, octet: u8) -> bool {
    match part {
        Part::Literal(literal) => literal.as_bytes().contains(&octet),
        Part::Hole(hole) => matches!(hole.span, Span::Repeated(separator) if separator == octet),
    }
}
