//! Which kinds of value a schema can take.

use crate::schema::reference;
use serde_json::Value;

/// The most links and parts gone through.
const STEPS: usize = 16;

/// A set of kinds of JSON value; integers and other numbers apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(0x7f);
    pub(super) const STRING: Self = Self(0x01);
    pub(super) const ARRAY: Self = Self(0x02);
    pub(super) const OBJECT: Self = Self(0x04);
    pub(super) const NUMBER: Self = Self(0x18);
    const INTEGER: Self = Self(0x08);
    const FRACTION: Self = Self(0x10);
    const BOOLEAN: Self = Self(0x20);
    const NULL: Self = Self(0x40);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The kinds that `type` names.
    fn named(kind: &Value) -> Self {
        match kind {
            Value::String(name) => match name.as_str() {
                "string" => Self::STRING,
                "array" => Self::ARRAY,
                "object" => Self::OBJECT,
                "integer" => Self::INTEGER,
                "number" => Self::NUMBER,
                "boolean" => Self::BOOLEAN,
                "null" => Self::NULL,
                _ => Self::ALL,
            },
            Value::Array(names) => names.iter().map(Self::named).fold(Self::NONE, Self::or),
            _ => Self::ALL,
        }
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|n| n.fract() != 0.0) => {
                Self::FRACTION
            }
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The kinds that a schema can take at most; references lead into `document`.
    pub(super) fn of(schema: &Value, document: &Value) -> Self {
        Self::within(schema, document, STEPS)
    }

    fn within(schema: &Value, document: &Value, steps: usize) -> Self {
        let members = match schema {
            Value::Bool(false) => return Self::NONE,
            Value::Object(members) => members,
            _ => return Self::ALL,
        };
        let Some(steps) = steps.checked_sub(1) else { return Self::ALL };
        let mut kinds = Self::ALL;
        for (keyword, value) in members {
            let of_parts =
                || value.as_array().into_iter().flatten().map(|part| Self::within(part, document, steps));
            kinds = kinds.and(match keyword.as_str() {
                "type" => Self::named(value),
                "const" => Self::of_value(value),
                "enum" => {
                    value.as_array().into_iter().flatten().map(Self::of_value).fold(Self::NONE, Self::or)
                }
                "allOf" => of_parts().fold(Self::ALL, Self::and),
                "anyOf" | "oneOf" => of_parts().fold(Self::NONE, Self::or),
                "$ref" => value
                    .as_str()
                    .and_then(|link| reference::resolve(link, document))
                    .map_or(Self::ALL, |target| Self::within(target, document, steps)),
                _ => Self::ALL,
            });
        }
        kinds
    }

    /// The kinds as a reader of a fault knows them.
    pub(super) fn words(self) -> String {
        let names = [
            (Self::STRING, "string"),
            (Self::NUMBER, "number"),
            (Self::INTEGER, "integer"),
            (Self::BOOLEAN, "boolean"),
            (Self::ARRAY, "array"),
            (Self::OBJECT, "object"),
            (Self::NULL, "null"),
        ];
        let mut left = self;
        let mut words = Vec::new();
        for (kinds, word) in names {
            if kinds.is_within(left) {
                words.push(word);
                left = Self(left.0 & !kinds.0);
            }
        }
        if words.is_empty() { "nothing".to_owned() } else { words.join(" or ") }
    }
}
