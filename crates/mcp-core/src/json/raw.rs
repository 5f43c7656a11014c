//! Any JSON value, kept as its exact text.

use super::{
    Document, JsonFault, JsonLimits,
    to_text::{WriteFault, to_text},
};
use bytes::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, ser::Error as _};
use serde_json::{Value, value::RawValue};
use std::{borrow::Cow, fmt};

/// Holds any JSON value as its exact text, so that no digit of a number is lost.
///
/// It deserializes only straight from JSON text or from a [`Value`]: where serde has to buffer
/// (flattened, untagged and internally tagged types), the text is no longer there to keep.
#[derive(Clone)]
pub struct RawJson(Box<str>);

impl RawJson {
    /// Checks that `text` is one JSON value and keeps it; white space around it is dropped.
    ///
    /// # Errors
    /// A [`JsonFault`] when the text is not JSON, or repeats a member name.
    pub fn parse(text: &str) -> Result<Self, JsonFault> {
        let document = Document::parse(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::widest())?;
        Ok(Self::from_checked(document.root().raw().to_owned()))
    }

    /// Serialises a value and keeps its text.
    ///
    /// # Errors
    /// A [`WriteFault`] when the value holds NaN or an infinity, or refuses to be serialised.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, WriteFault> {
        Ok(Self::from_checked(to_text(value)?))
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn get(&self) -> &str {
        &self.0
    }

    /// Reads the text into a type.
    ///
    /// # Errors
    /// serde's error when the value does not fit the type.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    /// The JSON text, without a copy.
    pub(crate) fn into_text(self) -> String {
        self.0.into_string()
    }

    /// Keeps text that is known to be JSON.
    pub(crate) fn from_checked(text: String) -> Self {
        Self(text.into_boxed_str())
    }
}

impl From<Value> for RawJson {
    fn from(value: Value) -> Self {
        Self::from_checked(value.to_string())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawJson").field(&format_args!("{}", self.get())).finish()
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // serde carries raw text only as a value of its own, which looks the text over once more.
        serde_json::from_str::<&RawValue>(&self.0).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| Self(raw.into()))
    }
}

impl JsonSchema for RawJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RawJson".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_survive_in_and_out() {
        #[derive(Deserialize, Serialize)]
        struct Holder {
            any: RawJson,
        }
        let text = r#"{"any":{"n":[0.10000000000000001,9007199254740993,1e400]}}"#;
        let holder: Holder = serde_json::from_str(text).unwrap();
        assert_eq!(holder.any.get(), r#"{"n":[0.10000000000000001,9007199254740993,1e400]}"#);
        assert_eq!(serde_json::to_string(&holder).unwrap(), text);
        assert_eq!(to_text(&holder).unwrap(), text);
    }

    #[test]
    fn text_that_is_not_json_is_refused() {
        assert_eq!(RawJson::parse(" [1, 2] ").unwrap().get(), "[1, 2]");
        assert!(RawJson::parse("[1,").is_err());
        assert!(RawJson::parse(r#"{"a":1,"a":2}"#).unwrap_err().is_limit());
    }

    #[test]
    fn values_go_in_and_come_out() {
        let raw = RawJson::from_serialize(&vec![1, 2]).unwrap();
        assert_eq!(raw, RawJson::from(serde_json::json!([1, 2])));
        assert_eq!(raw.to::<Vec<u8>>().unwrap(), [1, 2]);
        assert!(RawJson::from_serialize(&f64::NAN).is_err());
        assert_eq!(RawJson::deserialize(serde_json::json!({"a": 1})).unwrap().get(), r#"{"a":1}"#);
    }

    #[test]
    fn its_schema_accepts_anything() {
        assert_eq!(schemars::schema_for!(RawJson).as_value().get("type"), None);
        assert_eq!(SchemaGenerator::default().subschema_for::<RawJson>(), Schema::from(true));
    }
}
