//! Types and checks that the tests share.

use crate::schema::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;

pub(super) fn input<T: JsonSchema>() -> Value {
    input_in::<T>(SchemaDialect::Standard)
}

pub(super) fn input_in<T: JsonSchema>(dialect: SchemaDialect) -> Value {
    built::<T>(dialect).unwrap()
}

pub(super) fn built<T: JsonSchema>(dialect: SchemaDialect) -> Result<Value, Vec<SchemaFault>> {
    Ok(input_of::<T>(dialect, SchemaBounds::default())?.value().clone())
}

pub(super) fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

#[track_caller]
pub(super) fn closed_but_satisfiable<T: JsonSchema>(valid: &[Value]) {
    let schema = input::<T>();
    assert!(jsonschema::meta::is_valid(&schema), "{schema}");
    assert_eq!(schema["type"], "object", "{schema}");
    assert!(schema["properties"].is_object(), "{schema}");
    for valid in valid {
        assert!(accepts(&schema, valid), "{valid} is refused by {schema}");
        let mut stray = valid.clone();
        stray["stray"] = json!(1);
        assert!(!accepts(&schema, &stray), "{stray} is accepted by {schema}");
    }
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Inner {
    pub(super) x: u8,
    pub(super) y: Option<f64>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(tag = "kind")]
pub(super) enum Tagged {
    A { v: u32 },
    B { w: String },
    C,
    D(Inner),
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(tag = "kind", content = "body")]
pub(super) enum Adjacent {
    A { v: u32 },
    B(String),
    C,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) enum External {
    A { v: u32 },
    B(String),
    C,
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum Untagged {
    A { v: u32 },
    B { w: String },
    I(Inner),
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct FlatStruct {
    pub(super) base: String,
    #[serde(flatten)]
    pub(super) inner: Inner,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Flat<T> {
    pub(super) base: String,
    #[serde(flatten)]
    pub(super) part: T,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct OnlyFlat<T> {
    #[serde(flatten)]
    pub(super) part: T,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct FlatTwice {
    #[serde(flatten)]
    pub(super) one: Untagged,
    #[serde(flatten)]
    pub(super) two: Adjacent,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Holder {
    pub(super) one: Tagged,
    pub(super) many: Vec<Untagged>,
    pub(super) flat: FlatStruct,
    pub(super) map: HashMap<String, Inner>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Node {
    pub(super) value: i64,
    pub(super) children: Vec<Self>,
    pub(super) parent: Option<Box<Self>>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Wrapped(Inner);

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Unit;

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Empty {}

#[derive(JsonSchema, Deserialize, Serialize, Default)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sort {
    #[default]
    Asc,
    Desc,
}

/// How to colour.
#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Colour {
    /// Warm.
    Red,
    /// Cold.
    Blue,
}

pub(super) fn twenty() -> u32 {
    20
}

/// A page, for readers of the code.
#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Page {
    /// What to look for.
    pub(super) q: String,
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: u32,
    #[serde(default)]
    pub(super) sort: Sort,
    #[serde(default)]
    pub(super) tags: Vec<String>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Everything {
    pub(super) small: u8,
    pub(super) signed: i32,
    pub(super) medium: u32,
    pub(super) long: u64,
    pub(super) whole: i64,
    pub(super) real: f64,
    pub(super) maybe: Option<u32>,
    pub(super) maybe_sort: Option<Sort>,
    pub(super) colour: Colour,
    pub(super) maybe_colour: Option<Colour>,
    pub(super) tagged: Tagged,
    pub(super) pairs: Vec<(String, i32)>,
    pub(super) counts: HashMap<String, u8>,
    pub(super) wait: std::time::Duration,
    pub(super) address: std::net::IpAddr,
    pub(super) any: Value,
}

#[derive(JsonSchema, Deserialize, Serialize)]
pub(super) struct Flat2 {
    pub(super) second: u8,
    #[serde(flatten)]
    pub(super) tagged: Tagged,
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(tag = "tag", rename_all = "lowercase")]
pub(super) enum Tagged2 {
    One { n: u8 },
    Two { text: String },
}
