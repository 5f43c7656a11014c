//! Sources of arguments and roots.

use super::shapes::*;
use crate::schema::*;
use schemars::JsonSchema;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

#[test]
fn a_map_is_an_object_with_a_schema_for_its_values() {
    assert_eq!(
        input::<HashMap<String, String>>().to_string(),
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":{"type":"string"}}"#
    );
    assert!(accepts(&input::<BTreeMap<u16, u8>>(), &json!({"7": 1})));
}

#[test]
fn types_without_an_object_root_are_refused_with_advice() {
    #[track_caller]
    fn refused<T: JsonSchema>(kind: RootKind) {
        let faults = built::<T>(SchemaDialect::Standard).unwrap_err();
        assert_eq!(faults, [SchemaFault::NotAnObject { found: kind }]);
        assert!(faults[0].to_string().contains("use "), "{}", faults[0]);
    }
    refused::<String>(RootKind::Text);
    refused::<u8>(RootKind::Number);
    refused::<bool>(RootKind::Boolean);
    refused::<Vec<u8>>(RootKind::List);
    refused::<(u8, String)>(RootKind::List);
    refused::<Value>(RootKind::Anything);
    refused::<Option<Inner>>(RootKind::Optional);
    refused::<Option<HashMap<String, u8>>>(RootKind::Optional);
    refused::<Sort>(RootKind::Variants);
    refused::<Colour>(RootKind::Variants);
}

#[test]
fn named_arguments_and_types_share_one_object() {
    let mut schema = InputSchema::new(SchemaDialect::Standard, SchemaBounds::default());
    schema
        .add_argument_of::<i64>("a")
        .add_argument_of::<Option<Sort>>("sort")
        .add_argument("b", |generator| generator.subschema_for::<u8>(), Presence::Optional)
        .add_type::<Inner>()
        .add_type::<Tagged2>()
        .describe("a", "The first number.");
    let schema = schema.build().unwrap().value().clone();
    assert_eq!(schema["properties"]["a"], json!({"description": "The first number.", "type": "integer"}));
    assert_eq!(schema["required"], json!(["a", "x"]));
    let good = json!({"a": 1, "x": 2, "tag": "one", "n": 5});
    assert!(accepts(&schema, &good), "{schema}");
    for (name, value) in [("stray", json!(1)), ("tag", json!("two"))] {
        let mut bad = good.clone();
        bad[name] = value;
        assert!(!accepts(&schema, &bad), "{bad}");
    }
}

#[test]
fn clashes_between_sources_name_the_argument() {
    let mut schema = InputSchema::new(SchemaDialect::Standard, SchemaBounds::default());
    schema.add_type::<Inner>().add_argument_of::<u8>("x").add_argument_of::<u8>("tag").add_type::<Tagged2>();
    schema.add_argument_of::<u8>("").describe("nobody", "text");
    let duplicate = |name: &str| SchemaFault::DuplicateArgument { name: name.to_owned() };
    assert_eq!(
        schema.build().unwrap_err(),
        [
            duplicate("x"),
            duplicate("tag"),
            SchemaFault::UnnamedArgument,
            SchemaFault::UnknownArgument { name: "nobody".to_owned() }
        ]
    );
}

#[test]
fn a_type_that_collects_unknown_fields_must_stand_alone() {
    let mut schema = InputSchema::new(SchemaDialect::Standard, SchemaBounds::default());
    schema.add_type::<HashMap<String, u8>>().add_argument_of::<u8>("x");
    assert_eq!(schema.build().unwrap_err(), [SchemaFault::NotShareable]);

    let mut schema = InputSchema::new(SchemaDialect::Standard, SchemaBounds::default());
    schema.add_type::<()>().add_type::<HashMap<String, u8>>().add_type::<Empty>();
    let schema = schema.build().unwrap();
    assert_eq!(schema.value(), &input::<HashMap<String, u8>>(), "types without members add nothing");
}
