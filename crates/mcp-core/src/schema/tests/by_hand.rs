//! Schemas written by hand, output schemas, and bounds.

use super::shapes::*;
use crate::schema::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[test]
fn output_schemas_follow_what_is_written_and_stay_open() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Answer {
        #[serde(rename(serialize = "written", deserialize = "read"))]
        value: u8,
        #[serde(skip_deserializing)]
        extra: u8,
    }
    let bounds = SchemaBounds::default();
    let output = output_of::<Answer>(SchemaDialect::Standard, &bounds).unwrap();
    assert!(root_is_object(output.value()));
    let written = serde_json::to_value(Answer { value: 1, extra: 2 }).unwrap();
    assert!(accepts(output.value(), &written));
    assert!(output.value()["properties"].get("written").is_some());
    assert_eq!(output.value().get("additionalProperties"), None);
    assert!(input::<Answer>()["properties"].get("read").is_some());

    let list = output_of::<Vec<Inner>>(SchemaDialect::Standard, &bounds).unwrap();
    assert!(!root_is_object(list.value()));
    assert!(
        list.text()
            .starts_with(r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array""#)
    );
    assert!(output_of::<Value>(SchemaDialect::Standard, &bounds).is_ok());
    assert!(output_of::<Node>(SchemaDialect::Standard, &bounds).is_ok());
}

#[test]
fn a_schema_written_by_hand_is_published_as_it_is() {
    let text = r##"{"type":"object","$anchor":"top","properties":{"z":{"$ref":"#top"},"a":{"$ref":"#/$defs/N"}},"if":{"required":["z"]},"then":{"required":["a"]},"allOf":[{"minProperties":0}],"$defs":{"N":{"type":"integer","format":"int32"},"unused":{}}}"##;
    let schema = authored_input(serde_json::from_str(text).unwrap(), &SchemaBounds::default()).unwrap();
    assert_eq!(schema.text(), text);
}

#[test]
fn schemas_written_by_hand_may_declare_an_older_dialect() {
    let text = r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"items":[{"type":"string"}]}}}"##;
    let schema = authored_input(serde_json::from_str(text).unwrap(), &SchemaBounds::default()).unwrap();
    assert_eq!(schema.text(), text);
}

#[test]
fn schemas_written_by_hand_are_checked() {
    let check = |schema: Value| authored_input(schema, &SchemaBounds::default()).map(drop).unwrap_err();
    assert_eq!(check(json!({"properties": {}})), SchemaFault::RootType);
    assert_eq!(check(json!({"type": ["object", "null"]})), SchemaFault::RootType);
    assert_eq!(check(json!(true)), SchemaFault::RootType);
    assert!(matches!(
        check(json!({"type": "object", "$schema": "http://json-schema.org/draft-04/schema#"})),
        SchemaFault::UnsupportedDialect { .. }
    ));
    assert!(matches!(
        check(json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}})),
        SchemaFault::ExternalReference { .. }
    ));
    assert!(matches!(
        check(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}})),
        SchemaFault::DanglingReference { .. }
    ));
    assert!(matches!(
        check(json!({"type": "object", "properties": {"a": {"type": "strong"}}})),
        SchemaFault::Invalid { .. }
    ));
    assert!(matches!(
        check(json!({"type": "object", "properties": {"a": {"pattern": "(a"}}})),
        SchemaFault::Invalid { .. }
    ));
}

#[test]
fn schemas_out_of_bounds_are_refused() {
    let check = |schema: Value, bounds: SchemaBounds| authored_input(schema, &bounds).map(drop).unwrap_err();
    let mut deep = json!({"type": "object"});
    for _ in 0..64 {
        deep = json!({"type": "object", "not": deep});
    }
    assert_eq!(check(deep, SchemaBounds::default()), SchemaFault::TooDeep { limit: 64 });
    let wide = json!({"type": "object", "properties": {"a": {}, "b": {}}});
    let bounds = SchemaBounds { subschemas: 2, ..SchemaBounds::default() };
    assert_eq!(check(wide.clone(), bounds), SchemaFault::TooManySubschemas { limit: 2 });
    let bounds = SchemaBounds { bytes: 20, ..SchemaBounds::default() };
    assert_eq!(check(wide, bounds), SchemaFault::TooLarge { limit: 20 });
}
