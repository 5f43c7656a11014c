//! Equality of values as JSON Schema means it: numbers by value, objects without order.

use super::{
    document::{Kind, Node},
    number::Decimal,
};
use serde_json::{Number, Value};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Compares a value with one of a schema's `const` or `enum`.
///
/// Recursion goes no deeper than the schema's value.
pub(super) fn equals_value(node: Node<'_>, expected: &Value) -> bool {
    match expected {
        Value::Null => node.is_null(),
        Value::Bool(expected) => node.as_bool() == Some(*expected),
        Value::Number(expected) => number_equals(node, expected),
        Value::String(expected) => node.str_eq(expected),
        Value::Array(expected) => {
            node.kind() == Kind::Array
                && node.len() == expected.len()
                && node.elements().zip(expected).all(|(element, expected)| equals_value(element, expected))
        }
        // Both have as many members and neither repeats a name, so one direction is enough.
        Value::Object(expected) => {
            node.kind() == Kind::Object
                && node.len() == expected.len()
                && node.members().all(|(name, value)| {
                    expected.get(&*name.text()).is_some_and(|expected| equals_value(value, expected))
                })
        }
    }
}

fn number_equals(node: Node<'_>, expected: &Number) -> bool {
    if let Some(expected) = expected.as_i64() {
        return node.as_i64() == Some(expected);
    }
    if let Some(expected) = expected.as_u64() {
        return node.as_u64() == Some(expected);
    }
    // A schema's fraction is already rounded to a float, so the instance is rounded likewise:
    // otherwise `0.10000000000000001` would not equal itself.
    node.kind() == Kind::Number && node.as_f64() == expected.as_f64()
}

/// Tells whether no two elements of an array are equal.
///
/// Elements are told apart by hash first, so the time is not quadratic in their number.
pub(super) fn all_distinct(array: Node<'_>) -> bool {
    let mut hashed: Vec<(u64, Node<'_>)> = array.elements().map(|node| (hash_of(node), node)).collect();
    hashed.sort_unstable_by_key(|(hash, _)| *hash);
    hashed.chunk_by(|(one, _), (other, _)| one == other).all(|same_hash| {
        same_hash
            .iter()
            .enumerate()
            .all(|(index, (_, one))| same_hash.iter().skip(index + 1).all(|(_, other)| !equal(*one, *other)))
    })
}

/// Compares two values. Recursion goes no deeper than the limit on nesting.
pub(crate) fn equal(one: Node<'_>, other: Node<'_>) -> bool {
    if one.kind() != other.kind() || one.len() != other.len() {
        return false;
    }
    match one.kind() {
        Kind::Null => true,
        Kind::Bool => one.as_bool() == other.as_bool(),
        Kind::Number => Decimal::read(one.raw_slice()) == Decimal::read(other.raw_slice()),
        Kind::String => one.raw_slice() == other.raw_slice() || one.as_str() == other.as_str(),
        Kind::Array => one.elements().zip(other.elements()).all(|(one, other)| equal(one, other)),
        Kind::Object => members_equal(one, other),
    }
}

/// Compares objects of equal length, sorting their members so that large ones stay cheap.
fn members_equal(one: Node<'_>, other: Node<'_>) -> bool {
    let sorted = |object: Node<'_>| {
        let mut members: Vec<_> =
            object.members().map(|(name, value)| (name.text().into_owned(), value.id())).collect();
        members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        members
    };
    sorted(one).into_iter().zip(sorted(other)).all(|((name, value), (other_name, other_value))| {
        name == other_name && equal(one.document().node(value), other.document().node(other_value))
    })
}

/// Hashes a value so that equal values have equal hashes.
fn hash_of(node: Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match node.kind() {
        Kind::Null => 0_u8.hash(&mut hasher),
        Kind::Bool => node.as_bool().hash(&mut hasher),
        Kind::Number => {
            let decimal = Decimal::read(node.raw_slice());
            decimal.sign_and_exponent().hash(&mut hasher);
            decimal.digits().for_each(|digit| digit.hash(&mut hasher));
        }
        Kind::String => node.as_str().hash(&mut hasher),
        Kind::Array => {
            1_u8.hash(&mut hasher);
            node.elements().for_each(|element| hash_of(element).hash(&mut hasher));
        }
        Kind::Object => {
            // A sum does not depend on the order of the members.
            let sum = node.members().fold(2_u64, |sum, (name, value)| {
                let mut member = DefaultHasher::new();
                name.text().hash(&mut member);
                hash_of(value).hash(&mut member);
                sum.wrapping_add(member.finish())
            });
            sum.hash(&mut hasher);
        }
    }
    hasher.finish()
}
