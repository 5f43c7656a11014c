//! Tests of form schemas.

use super::{FieldShape, FormFault, FormParts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(JsonSchema, Deserialize)]
enum Plain {
    Red,
    #[serde(rename = "light green")]
    Green,
}

/// How to travel.
#[derive(JsonSchema, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// By
    /// train
    Train,
    #[schemars(title = "By air")]
    /// Not for short ways.
    Plane,
    Bus,
}

fn blue() -> String {
    "blue".to_owned()
}

fn of<T: JsonSchema>() -> Value {
    FormParts::of::<T>().unwrap().schema
}

fn refused<T: JsonSchema>() -> FormFault {
    FormParts::of::<T>().unwrap_err()
}

#[test]
fn every_kind_of_field_is_made_of_a_struct() {
    /// Text for readers of the code.
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Everything {
        /// Your name
        #[schemars(length(min = 1, max = 40))]
        name: String,
        #[schemars(email, title = "E-mail")]
        mail: String,
        #[serde(default = "blue")]
        colour: String,
        age: u8,
        big: u64,
        share: f64,
        sure: Option<bool>,
        #[serde(default)]
        news: bool,
        plain: Plain,
        /// How?
        titled: Option<Titled>,
        #[schemars(length(min = 1, max = 2))]
        many: Vec<Plain>,
        set: Option<BTreeSet<Titled>>,
    }
    let titles = json!([
        { "const": "bus", "title": "bus" },
        { "const": "train", "title": "By train" },
        { "const": "plane", "title": "By air" },
    ]);
    let wanted = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "Your name", "minLength": 1, "maxLength": 40 },
            "mail": { "type": "string", "title": "E-mail", "format": "email" },
            "colour": { "type": "string", "default": "blue" },
            "age": { "type": "integer", "minimum": 0, "maximum": 255 },
            "big": { "type": "integer", "minimum": 0 },
            "share": { "type": "number" },
            "sure": { "type": "boolean" },
            "news": { "type": "boolean", "default": false },
            "plain": { "type": "string", "enum": ["Red", "light green"] },
            "titled": { "type": "string", "description": "How?", "oneOf": titles },
            "many": {
                "type": "array", "items": { "type": "string", "enum": ["Red", "light green"] },
                "minItems": 1, "maxItems": 2,
            },
            "set": { "type": "array", "items": { "anyOf": titles } },
        },
        "required": ["name", "mail", "age", "big", "share", "plain", "many"],
    });
    assert_eq!(of::<Everything>().to_string(), wanted.to_string());
}

#[test]
fn an_enum_s_own_text_and_default_reach_the_field() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Trip {
        #[serde(default = "bus")]
        how: Titled,
    }
    fn bus() -> Titled {
        Titled::Bus
    }
    let schema = of::<Trip>();
    let field = &schema["properties"]["how"];
    assert_eq!(field["description"], "How to travel.");
    assert_eq!(field["default"], "bus");
    assert_eq!(schema.get("required"), None);
}

#[test]
fn a_struct_without_fields_asks_for_nothing_but_consent() {
    #[derive(JsonSchema, Deserialize)]
    struct Consent {}
    assert_eq!(of::<Consent>().to_string(), r#"{"type":"object","properties":{}}"#);
}

#[test]
fn flattened_fields_stand_in_the_form_itself() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Inner {
        city: String,
    }
    #[derive(JsonSchema, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Strict {
        city: String,
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
        zip: u32,
    }
    let names: Vec<String> =
        of::<Outer>()["properties"].as_object().unwrap().keys().map(String::clone).collect();
    assert_eq!(
        names.iter().collect::<BTreeSet<_>>(),
        BTreeSet::from([&"city".to_owned(), &"zip".to_owned()])
    );
    assert_eq!(of::<Strict>()["properties"]["city"]["type"], "string");
}

#[test]
fn types_that_a_form_cannot_hold_are_named_with_what_to_write() {
    macro_rules! shape {
        ($kind:ty, $shape:ident) => {{
            #[derive(JsonSchema, Deserialize)]
            #[expect(dead_code, reason = "only the schema is looked at")]
            struct Holder {
                odd: $kind,
            }
            let fault = refused::<Holder>();
            assert_eq!(fault, FormFault::Shape { field: "odd".into(), shape: FieldShape::$shape });
            assert!(fault.to_string().contains("`odd`"), "{fault}");
        }};
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Nested {
        name: String,
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    enum WithData {
        Nothing,
        Text(String),
    }
    #[derive(JsonSchema, Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    enum Either {
        Number(i64),
        Text(String),
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Endless {
        more: Option<Box<Self>>,
    }
    shape!(Nested, Object);
    shape!(Option<Nested>, Object);
    shape!(std::collections::BTreeMap<String, String>, Object);
    shape!(Vec<String>, List);
    shape!(Vec<Nested>, List);
    shape!((u8, u8), List);
    shape!(WithData, Variants);
    shape!(Either, Variants);
    shape!(Value, Anything);
    shape!((), Nothing);
    assert!(matches!(refused::<Endless>(), FormFault::Shape { shape: FieldShape::Object, .. }));
    for fault in [refused::<String>(), refused::<Vec<Nested>>(), refused::<()>(), refused::<Titled>()] {
        assert_eq!(fault, FormFault::NotAnObject);
    }
}

#[test]
fn constraints_that_a_form_cannot_state_are_refused() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Pattern {
        #[schemars(regex(pattern = "^a"))]
        code: String,
    }
    let fault = FormFault::FieldKeyword { field: "code".into(), keyword: "pattern".into() };
    assert_eq!(refused::<Pattern>(), fault);
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Open {
        #[serde(flatten)]
        rest: std::collections::BTreeMap<String, String>,
    }
    assert!(matches!(refused::<Open>(), FormFault::Keyword { .. }));
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Misfit {
        #[serde(default)]
        #[schemars(length(min = 1))]
        name: String,
    }
    assert_eq!(refused::<Misfit>(), FormFault::Default { field: "name".into() });
}

/// Every kind of field, in an order and with blanks that no generator would choose.
const BY_HAND: &str = r#"{"required":["titled"],"properties":{
    "z":{"default":"John Doe","type":"string","title":"Z\u2028"},"mail":{"type":"string","format":"email"},
    "n":{"type":"number","minimum":0.5,"maximum":1e2,"default":95.5},"i":{"type":"integer","default":30},
    "b":{"description":"B","type":"boolean","default":true},
    "choice":{"type":"string","enum":["b","a"],"default":"a"},
    "titled":{"oneOf":[{"const":"x","title":"X"},{"title":"Y","const":"y"}],"type":"string","default":"y"},
    "legacy":{"type":"string","enum":["p","q"],"enumNames":["P","Q"]},
    "many":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"default":["b"]},
    "manyTitled":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]},"maxItems":1}
},"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#;

#[test]
fn a_form_written_by_hand_goes_out_as_it_is() {
    let parts = FormParts::from_schema(serde_json::from_str(BY_HAND).unwrap()).unwrap();
    let written: String = BY_HAND.split("\n").map(str::trim_start).collect();
    assert_eq!(&*parts.text, written.replace("1e2", "100.0"));
    assert!(parts.multiple_choice);
}

#[test]
fn the_first_revision_with_forms_gets_what_it_knows() {
    let mut schema: Value = serde_json::from_str(BY_HAND).unwrap();
    schema["required"] = json!(["many", "titled", "manyTitled"]);
    let parts = FormParts::from_schema(schema).unwrap();
    let wanted = concat!(
        r#"{"required":["titled"],"properties":{"z":{"type":"string","title":"Z\u2028"},"#,
        r#""mail":{"type":"string","format":"email"},"n":{"type":"number","minimum":0.5,"maximum":100.0},"#,
        r#""i":{"type":"integer"},"b":{"description":"B","type":"boolean","default":true},"#,
        r#""choice":{"type":"string","enum":["b","a"]},"#,
        r#""titled":{"enum":["x","y"],"enumNames":["X","Y"],"type":"string"},"#,
        r#""legacy":{"type":"string","enum":["p","q"],"enumNames":["P","Q"]}},"type":"object"}"#
    );
    assert_eq!(&*parts.earlier, wanted);
}

#[test]
fn what_is_wrong_in_a_form_written_by_hand_is_named() {
    let fault = |schema| FormParts::from_schema(schema).unwrap_err().to_string();
    for schema in [json!(true), json!({}), json!({"type":"object"}), json!({"properties":{}}), json!([])] {
        assert!(fault(schema).starts_with("a form is an object"));
    }
    let root = json!({"type":"object","properties":{},"additionalProperties":false});
    assert_eq!(fault(root), "a form lists its fields and nothing else: remove `additionalProperties`");
    let root = json!({"type":"object","properties":{},"required":["x"]});
    assert!(fault(root).starts_with("the field `x` is required but not in"));
    for (field, says) in [
        (json!({}), "any JSON value"),
        (json!(true), "any JSON value"),
        (json!({"type":["string","null"]}), "several types"),
        (json!({"anyOf":[{"type":"string"},{"type":"integer"}]}), "several types"),
        (json!({"$ref":"#/$defs/x"}), "may not have `$ref`"),
        (json!({"type":"object"}), "an object"),
        (json!({"type":"null"}), "always null"),
        (json!({"type":"array"}), "a list"),
        (json!({"type":"array","items":{"type":"string"}}), "a list"),
        (json!({"type":"array","items":{"type":"string","enum":["a"],"title":"t"}}), "may not have `title`"),
        (json!({"type":"array","items":{"type":"string","enum":["a"]},"uniqueItems":true}), "`uniqueItems`"),
        (json!({"type":"string","pattern":"a"}), "may not have `pattern`"),
        (json!({"type":"string","enum":["a"],"minLength":1}), "may not have `minLength`"),
        (json!({"type":"string","enum":[]}), "at least one choice"),
        (json!({"type":"string","enum":["a","a"]}), "at least one choice"),
        (json!({"type":"string","enum":[1]}), "`enum` of the field `f` must be a list of strings"),
        (json!({"type":"string","enum":["a"],"enumNames":[]}), "one name for each choice"),
        (json!({"type":"string","oneOf":[{"const":"a"}]}), "`const` and `title`"),
        (json!({"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"a","title":"B"}]}), "once"),
        (json!({"type":"string","format":"uuid"}), "the format `uuid`"),
        (json!({"type":"string","minLength":-1}), "a whole number from 0"),
        (json!({"type":"string","minLength":3,"maxLength":2}), "`minLength` is above `maxLength`"),
        (json!({"type":"number","minimum":"1"}), "must be a number"),
        (json!({"type":"integer","minimum":2,"maximum":1}), "`minimum` is above `maximum`"),
        (json!({"type":"integer","default":1.5}), "the default"),
        (json!({"type":"boolean","default":"yes"}), "the default"),
        (json!({"type":"string","enum":["a"],"default":"b"}), "the default"),
        (json!({"type":"string","title":1}), "`title` of the field `f` must be a string"),
    ] {
        let text = fault(json!({ "type": "object", "properties": { "f": field } }));
        assert!(text.contains(says), "{field}: {text}");
        assert!(text.contains("`f`"), "{text}");
    }
}

#[test]
fn secrets_are_not_asked_for_in_forms() {
    for name in ["password", "apiKey", "API-KEY", "credit_card_number"] {
        let schema = json!({ "type": "object", "properties": { name: { "type": "string" } } });
        assert_eq!(FormParts::from_schema(schema).unwrap_err(), FormFault::Secret { field: name.into() });
    }
    let schema = json!({ "type": "object", "properties": { "token_count": { "type": "integer" } } });
    assert!(FormParts::from_schema(schema).is_ok());
}
