//! The digest of a call's arguments, the same however they are written.

use crate::json::{Decimal, Kind, Node};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;

/// The digest of a call's arguments: equal for equal values, whatever their spelling.
///
/// Absent arguments, `null` and `{}` are the same. White space, the order of members and the escapes of strings do
/// not matter. Numbers are compared by their exact decimal value: `1`, `1.0` and `10e-1` are the same, `-0` is `0`,
/// `1e400` is a number like any other, and digits beyond what a float holds tell numbers apart.
///
/// The digest is the SHA-256 of the value written out with a tag for each kind, the length of each string and the
/// count of each container; members are in the order of their names' UTF-8 bytes. (RFC 8785 sorts by UTF-16 code
/// units and rounds numbers to floats; nobody but this server sees this form, so neither serves here.)
/// Time and memory are in proportion to the text, but for sorting: an exponent is never written out.
pub(crate) fn arguments_digest(arguments: Option<Node<'_>>) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"mcp arguments 1\n");
    match arguments {
        Some(node) if !node.is_null() => value(&mut hash, node),
        _ => tag(&mut hash, b'{', 0),
    }
    hash.finalize().into()
}

/// Hashes a value. Recursion goes no deeper than the limit on nesting.
fn value(hash: &mut Sha256, node: Node<'_>) {
    match node.kind() {
        Kind::Null => hash.update(b"n"),
        Kind::Bool => hash.update(if node.as_bool() == Some(true) { b"t" } else { b"f" }),
        Kind::Number => number(hash, node.number_text().unwrap_or_default()),
        Kind::String => string(hash, &node.as_str().unwrap_or_default()),
        Kind::Array => {
            tag(hash, b'[', node.len());
            node.elements().for_each(|element| value(hash, element));
        }
        Kind::Object => {
            tag(hash, b'{', node.len());
            for (name, member) in sorted_members(node) {
                string(hash, &name);
                value(hash, member);
            }
        }
    }
}

/// An object's members by their names, which the scan has found to be distinct.
fn sorted_members(object: Node<'_>) -> Vec<(Cow<'_, str>, Node<'_>)> {
    let mut members: Vec<_> = object.members().map(|(name, member)| (name.text(), member)).collect();
    members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    members
}

fn string(hash: &mut Sha256, text: &str) {
    tag(hash, b'"', text.len());
    hash.update(text);
}

/// Hashes a number as `digits * 10^exponent`, with no zero at either end of the digits.
///
/// Exponents stay far from the ends of their range: the limits of the scan see to it.
fn number(hash: &mut Sha256, text: &str) {
    let decimal = Decimal::read(text.as_bytes());
    let (negative, exponent) = decimal.sign_and_exponent();
    let [before, after] = decimal.digit_runs();
    tag(hash, if negative { b'-' } else { b'+' }, before.len() + after.len());
    hash.update(before);
    hash.update(after);
    hash.update(exponent.to_be_bytes());
}

fn tag(hash: &mut Sha256, kind: u8, count: usize) {
    hash.update([kind]);
    hash.update(u64::try_from(count).unwrap_or(u64::MAX).to_be_bytes());
}
