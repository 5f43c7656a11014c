//! Closing: what is described passes, anything else does not.

use super::shapes::*;
use crate::schema::*;
use schemars::JsonSchema;
use serde_json::json;
use std::collections::HashMap;

#[test]
fn flattened_structs_and_enums_are_closed_and_stay_satisfiable() {
    closed_but_satisfiable::<FlatStruct>(&[
        json!({"base": "a", "x": 1}),
        json!({"base": "a", "x": 1, "y": null}),
    ]);
    closed_but_satisfiable::<Flat<Tagged>>(&[
        json!({"base": "a", "kind": "A", "v": 1}),
        json!({"base": "a", "kind": "C"}),
        json!({"base": "a", "kind": "D", "x": 1, "y": 2.5}),
    ]);
    closed_but_satisfiable::<Flat<Adjacent>>(&[json!({"base": "a", "kind": "A", "body": {"v": 1}})]);
    closed_but_satisfiable::<Flat<External>>(&[
        json!({"base": "a", "A": {"v": 1}}),
        json!({"base": "a", "B": "b"}),
    ]);
    closed_but_satisfiable::<Flat<Untagged>>(&[json!({"base": "a", "w": "b"}), json!({"base": "a", "x": 1})]);
    closed_but_satisfiable::<Flat<Option<Inner>>>(&[json!({"base": "a"}), json!({"base": "a", "x": 1})]);
    closed_but_satisfiable::<Flat<Option<Tagged>>>(&[
        json!({"base": "a"}),
        json!({"base": "a", "kind": "C"}),
    ]);
    closed_but_satisfiable::<OnlyFlat<Option<Tagged>>>(&[json!({}), json!({"kind": "B", "w": "b"})]);
    closed_but_satisfiable::<OnlyFlat<Tagged>>(&[json!({"kind": "D", "x": 1})]);
    closed_but_satisfiable::<FlatTwice>(&[
        json!({"w": "b", "kind": "C"}),
        json!({"x": 3, "kind": "A", "body": {"v": 1}}),
    ]);
    closed_but_satisfiable::<Flat<Flat2>>(&[json!({"base": "a", "second": 1, "kind": "D", "x": 1})]);
}

#[test]
fn enums_as_roots_are_closed_branch_by_branch() {
    closed_but_satisfiable::<Tagged>(&[
        json!({"kind": "A", "v": 1}),
        json!({"kind": "C"}),
        json!({"kind": "D", "x": 1}),
    ]);
    closed_but_satisfiable::<Adjacent>(&[json!({"kind": "B", "body": "b"}), json!({"kind": "C"})]);
    closed_but_satisfiable::<Untagged>(&[json!({"v": 1}), json!({"w": "b"}), json!({"x": 1})]);
    closed_but_satisfiable::<External>(&[json!({"A": {"v": 1}}), json!({"B": "b"})]);
    assert_eq!(input::<External>()["oneOf"].as_array().unwrap().len(), 2, "the unit variant is no object");
}

#[test]
fn structs_newtypes_and_recursive_types_are_closed() {
    closed_but_satisfiable::<Inner>(&[json!({"x": 1})]);
    closed_but_satisfiable::<Wrapped>(&[json!({"x": 1})]);
    closed_but_satisfiable::<Node>(&[json!({"value": 1, "children": [{"value": 2, "children": []}]})]);
    let schema = input::<Node>();
    assert!(!accepts(&schema, &json!({"value": 1, "children": [{"value": 2, "children": [], "z": 1}]})));
}

#[test]
fn nested_objects_are_closed_and_maps_stay_open() {
    let good = json!({
        "one": {"kind": "D", "x": 1}, "many": [{"v": 1}, {"x": 2}],
        "flat": {"base": "a", "x": 1}, "map": {"anything": {"x": 1}},
    });
    closed_but_satisfiable::<Holder>(std::slice::from_ref(&good));
    let schema = input::<Holder>();
    for place in ["/one", "/many/0", "/many/1", "/flat", "/map/anything"] {
        let mut stray = good.clone();
        stray.pointer_mut(place).unwrap()["stray"] = json!(1);
        assert!(!accepts(&schema, &stray), "a stray member at {place} is accepted by {schema}");
    }
}

#[test]
fn no_arguments_are_the_empty_closed_object() {
    let wanted = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false}"#;
    assert_eq!(input::<()>().to_string(), wanted);
    assert_eq!(input::<Unit>().to_string(), wanted);
    assert_eq!(input::<Empty>().to_string(), wanted);
    let none = InputSchema::new(SchemaDialect::Standard, SchemaBounds::default());
    assert_eq!(none.build().unwrap().text(), wanted);
}

#[test]
fn a_type_that_states_what_else_it_takes_keeps_it() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Rest {
        base: String,
        #[serde(flatten)]
        tagged: Tagged,
        #[serde(flatten)]
        rest: HashMap<String, i32>,
    }
    let schema = input::<Rest>();
    assert!(accepts(&schema, &json!({"base": "a", "kind": "B", "w": "b", "other": 5})), "{schema}");
    assert!(accepts(&schema, &json!({"base": "a", "kind": "D", "x": 1, "other": 5})), "{schema}");
    assert!(!accepts(&schema, &json!({"base": "a", "kind": "B", "w": "b", "other": "text"})));

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Strict {
        base: String,
        #[serde(flatten)]
        tagged: Tagged,
    }
    closed_but_satisfiable::<Strict>(&[
        json!({"base": "a", "kind": "C"}),
        json!({"base": "a", "kind": "D", "x": 1}),
    ]);
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct StrictInner {
        x: u8,
    }
    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only the schema is used")]
    enum Newtypes {
        Strict(StrictInner),
        Nested(Tagged2),
        Open(HashMap<String, u8>),
    }
    let schema = input::<Newtypes>();
    assert!(accepts(&schema, &json!({"kind": "Nested", "tag": "one", "n": 1})), "{schema}");
    assert!(!accepts(&schema, &json!({"kind": "Nested", "tag": "one", "n": 1, "z": 1})), "{schema}");
    assert!(accepts(&schema, &json!({"kind": "Open", "a": 1})), "{schema}");
    assert!(accepts(&schema, &json!({"kind": "Strict", "x": 1})), "{schema}");
}

#[test]
fn allof_of_generated_parts_is_closed_and_stays_satisfiable() {
    struct Both;
    impl JsonSchema for Both {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Both".into()
        }
        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            let inner = generator.subschema_for::<Inner>();
            schemars::json_schema!({
                "type": "object",
                "properties": {"own": {"type": "string"}},
                "allOf": [inner, {"type": "object", "properties": {"z": {"type": "integer"}}}]
            })
        }
    }
    closed_but_satisfiable::<Both>(&[json!({"own": "a", "x": 1, "z": 2})]);
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Outer {
        both: Both,
        inner: Inner,
    }
    let schema = input::<Outer>();
    assert!(accepts(&schema, &json!({"both": {"x": 1}, "inner": {"x": 1}})));
    assert!(!accepts(&schema, &json!({"both": {"x": 1, "q": 1}, "inner": {"x": 1}})));
    assert!(!accepts(&schema, &json!({"both": {"x": 1}, "inner": {"x": 1, "own": "a"}})));
}
