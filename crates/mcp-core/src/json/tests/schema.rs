//! Schema checks on the index.

use super::{
    super::{Validator, compile},
    oracle::any_value,
    parse,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn valid(schema: &Value, text: &str) -> bool {
    let document = parse(text).unwrap();
    let validator = compile(schema).unwrap();
    let valid = validator.is_valid(document.root());
    assert_eq!(validator.errors(document.root()).next().is_none(), valid, "{schema} on {text}");
    valid
}

#[test]
fn an_integer_is_a_matter_of_value_not_of_form() {
    let schema = json!({"type": "integer"});
    for text in ["3", "3.0", "30e-1", "1e2", "123456789012345678901234567890", "1e400", "-0.0"] {
        assert!(valid(&schema, text), "{text}");
    }
    for text in ["2.5", "1e-1", "9007199254740993.5", "\"3\"", "0.10000000000000001"] {
        assert!(!valid(&schema, text), "{text}");
    }
}

#[test]
fn bounds_hold_beyond_the_range_of_floats() {
    assert!(!valid(&json!({"maximum": 5}), "1e400"));
    assert!(valid(&json!({"maximum": 5}), "-1e400"));
    assert!(valid(&json!({"minimum": 5}), "1e400"));
    assert!(!valid(&json!({"maximum": 9_007_199_254_740_992_i64}), "9007199254740993"));
    assert!(!valid(&json!({"maximum": u64::MAX}), "18446744073709551617000"));
    assert!(valid(&json!({"exclusiveMinimum": u64::MAX - 1}), "18446744073709551615.0"));
    for text in ["1e400", "-1e400", "1e9999", "1e-9999", "5"] {
        valid(&json!({"multipleOf": 0.5, "exclusiveMinimum": 1e300}), text);
    }
}

#[test]
fn constants_are_compared_by_value() {
    assert!(valid(&json!({"const": 1}), "1.0"));
    assert!(valid(&json!({"const": 1.0}), "10e-1"));
    assert!(valid(&json!({"enum": [{"a": [1, "x"], "b": null}]}), r#"{"b":null,"\u0061":[1.0,"\u0078"]}"#));
    assert!(!valid(&json!({"enum": [[1], {"a": 1}, true]}), r#"{"b":1}"#));
    assert!(!valid(&json!({"const": 9_007_199_254_740_992_i64}), "9007199254740993"));
    assert!(!valid(&json!({"const": false}), "0"));
    let schema: Value = serde_json::from_str(r#"{"const":0.10000000000000001}"#).unwrap();
    assert!(valid(&schema, "0.10000000000000001"));
}

#[test]
fn repeated_elements_are_found_by_value() {
    let schema = json!({"uniqueItems": true});
    for text in [
        "[1,1.0]",
        "[0,-0.0]",
        r#"["a","\u0061"]"#,
        r#"[{"a":1,"b":[2]},{"b":[2.0],"a":1e0}]"#,
        "[[1],[10e-1]]",
        "[null,null]",
    ] {
        assert!(!valid(&schema, text), "{text}");
    }
    assert!(valid(
        &schema,
        r#"[1,true,"1",[1],{"1":1},null,false,0,[],{},"",[[]],9007199254740993,9007199254740992]"#
    ));
    assert!(valid(&schema, r#"[{"a":1},{"b":1},{"a":2},{"a":1,"b":1}]"#));
}

#[test]
fn many_elements_are_compared_in_reasonable_time() {
    let elements: Vec<_> = (0..20_000).map(|index| format!("{{\"a\":{index},\"b\":[{index}]}}")).collect();
    let text = format!("[{}]", elements.join(","));
    let document = super::parse_within(text, &super::super::JsonLimits::widest()).unwrap();
    assert!(compile(&json!({"uniqueItems": true})).unwrap().is_valid(document.root()));
}

#[test]
fn lengths_count_characters() {
    assert!(valid(&json!({"minLength": 2, "maxLength": 2}), r#""é\ud83d\ude00""#));
    assert!(!valid(&json!({"maxLength": 1}), r#""ab""#));
    assert!(!valid(&json!({"propertyNames": {"maxLength": 1}}), r#"{"a":1,"bc":2}"#));
    assert!(valid(
        &json!({"propertyNames": {"pattern": "^[a-z]+$", "enum": ["a", "bc"]}}),
        r#"{"a":1,"bc":2}"#
    ));
}

#[test]
fn recursive_schemas_end() {
    let tree = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]});
    assert!(!valid(&tree, r#"{"next":{"next":{}}}"#));
    let circular =
        json!({"propertyNames": {"$ref": "#/$defs/a"}, "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}});
    valid(&circular, r#"{"x":1,"":2}"#);
}

#[test]
fn a_value_too_deep_for_recursion_is_not_valid_where_the_schema_has_references() {
    let tree = json!({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": ["object", "array", "integer"],
        "properties": {"a": {"anyOf": [{"oneOf": [{"allOf": [{"$ref": "#/$defs/tree"}]}]}, {"type": "null"}]}},
        "items": {"$ref": "#/$defs/tree"}, "uniqueItems": true, "unevaluatedProperties": false}}});
    let objects = |depth: usize, leaf: &str| "{\"a\":".repeat(depth) + leaf + &"}".repeat(depth);
    let lists = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(valid(&tree, &objects(127, "1")));
    assert!(!valid(&tree, &objects(127, "1.5")));
    assert!(valid(&tree, &lists(127)));
    for depth in [128, 1_000] {
        assert!(!valid(&tree, &objects(depth, "1")), "{depth}");
        assert!(!valid(&tree, &lists(depth)), "{depth}");
    }
}

#[test]
fn depth_is_counted_from_the_value_that_is_checked() {
    let validator = compile(&json!({"$ref": "#/$defs/any", "$defs": {"any": true}})).unwrap();
    let text = format!(r#"{{"shallow":[[1],[2]],"deep":{}1{}}}"#, "[".repeat(127), "]".repeat(127));
    let document = parse(text).unwrap();
    assert!(!validator.is_valid(document.root()));
    assert!(validator.is_valid(document.root().get("deep").unwrap()));
    assert!(validator.is_valid(document.root().get("shallow").unwrap()));
}

#[test]
fn the_deepest_value_is_checked_where_the_schema_has_no_references() {
    let pair = "[".repeat(999) + "1" + &"]".repeat(999);
    let text = format!("[{pair},{}]", pair.replace('1', "1.0"));
    assert!(valid(&json!({"type": "array", "maxItems": 2}), &text));
    assert!(!valid(&json!({"uniqueItems": true}), &text));
    let objects = |leaf: &str| "{\"a\":".repeat(998) + leaf + &"}".repeat(998);
    assert!(!valid(&json!({"uniqueItems": true}), &format!("[{},{}]", objects("1"), objects("1.0"))));
}

#[test]
fn errors_carry_the_path_and_quote_little() {
    let validator = compile(&json!({"properties": {"a": {"items": {"type": "string"}}}})).unwrap();
    let text = format!(r#"{{"a":["x",[{}1]]}}"#, "1,".repeat(5_000));
    let document = parse(text).unwrap();
    let errors: Vec<_> = validator.errors(document.root()).collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].instance_path().as_str(), "/a/1");
    assert_eq!(errors[0].kind().keyword(), "type");
    assert!(errors[0].to_string().len() < 100);
}

#[test]
fn a_schema_that_cannot_be_used_is_refused() {
    for schema in [
        json!({"type": "text"}),
        json!({"$schema": "https://example.com/dialect"}),
        json!({"$ref": "https://example.com/other.json"}),
        json!({"$ref": "other.json"}),
        json!({"$ref": "#/$defs/missing"}),
        json!({"$ref": "file:///etc/hostname"}),
        json!({"pattern": "(a)\\1"}),
        json!({"pattern": "(?=a)b"}),
        json!(7),
    ] {
        assert!(compile(&schema).is_err(), "{schema}");
    }
    let fault = compile(&json!({"properties": {"a": {"minimum": "x"}}})).unwrap_err();
    assert_eq!(fault.pointer, "/properties/a/minimum");
    assert!(fault.to_string().ends_with(", at /properties/a/minimum"));
}

#[test]
fn the_dialect_follows_the_schema() {
    let tuple = |dialect: Option<&str>| {
        let mut schema = json!({"prefixItems": [{"type": "string"}]});
        if let Some(dialect) = dialect {
            schema["$schema"] = dialect.into();
        }
        valid(&schema, "[1]")
    };
    assert!(!tuple(None));
    assert!(!tuple(Some("https://json-schema.org/draft/2020-12/schema")));
    assert!(tuple(Some("http://json-schema.org/draft-07/schema#")));
    assert!(!valid(&json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}), "1.0"));
}

#[test]
fn a_pattern_that_would_backtrack_runs_in_linear_time() {
    let schema = json!({"pattern": "^(a+)+$"});
    assert!(!valid(&schema, &format!("\"{}!\"", "a".repeat(50_000))));
}

fn schemas() -> Vec<(Value, Validator, jsonschema::Validator)> {
    [
        json!({"type": ["object", "array", "integer"]}),
        json!({"items": {"type": ["number", "string"]}, "uniqueItems": true, "maxItems": 5}),
        json!({"properties": {"a": {"type": "integer"}, "b": {"type": "string", "minLength": 1}},
               "additionalProperties": {"type": ["number", "array"]}}),
        json!({"anyOf": [{"minimum": 3}, {"const": 1.5}, {"maxLength": 4, "type": "string"}, {"type": "null"}]}),
        json!({"enum": [0, 1, -1.5, "a", "", [], {}, null, true, [1], {"a": 1}]}),
        json!({"oneOf": [{"multipleOf": 2}, {"multipleOf": 1.5}], "not": {"type": "boolean"}}),
        json!({"propertyNames": {"pattern": "^[a-c ]*$"}, "minProperties": 1, "contains": {"type": "null"}}),
        json!({"$ref": "#/$defs/tree", "$defs": {"tree": {
            "properties": {"a": {"$ref": "#/$defs/tree"}}, "items": {"$ref": "#/$defs/tree"},
            "unevaluatedProperties": {"type": "number"}, "type": ["object", "array", "number"]}}}),
    ]
    .into_iter()
    .map(|schema| {
        let ours = compile(&schema).unwrap();
        let theirs = jsonschema::options().build(&schema).unwrap();
        (schema, ours, theirs)
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_index_and_a_tree_are_judged_alike(values in prop::collection::vec(any_value(), 12)) {
        for (schema, ours, theirs) in schemas() {
            for value in &values {
                let document = parse(value.to_string()).unwrap();
                let root = document.root();
                prop_assert_eq!(ours.is_valid(root), theirs.is_valid(value), "{} on {}", schema, value);
                let path = |error: jsonschema::ValidationError<'_>| {
                    (error.instance_path().to_string(), error.schema_path().to_string())
                };
                let mut found: Vec<_> = ours.errors(root).map(path).collect();
                let mut expected: Vec<_> = theirs.iter_errors(value).map(path).collect();
                found.sort();
                expected.sort();
                prop_assert_eq!(found, expected, "{} on {}", schema, value);
            }
        }
    }
}
