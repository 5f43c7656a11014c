//! Tests of the whole line from type to published schema.

use super::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

fn input<T: JsonSchema>() -> Value {
    input_in::<T>(SchemaDialect::Standard)
}

fn input_in<T: JsonSchema>(dialect: SchemaDialect) -> Value {
    built::<T>(dialect).unwrap()
}

fn built<T: JsonSchema>(dialect: SchemaDialect) -> Result<Value, Vec<SchemaFault>> {
    Ok(input_of::<T>(dialect, SchemaBounds::default())?.value().clone())
}

fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

#[track_caller]
fn closed_but_satisfiable<T: JsonSchema>(valid: &[Value]) {
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
struct Inner {
    x: u8,
    y: Option<f64>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(tag = "kind")]
enum Tagged {
    A { v: u32 },
    B { w: String },
    C,
    D(Inner),
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(tag = "kind", content = "body")]
enum Adjacent {
    A { v: u32 },
    B(String),
    C,
}

#[derive(JsonSchema, Deserialize, Serialize)]
enum External {
    A { v: u32 },
    B(String),
    C,
}

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(untagged)]
enum Untagged {
    A { v: u32 },
    B { w: String },
    I(Inner),
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct FlatStruct {
    base: String,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct Flat<T> {
    base: String,
    #[serde(flatten)]
    part: T,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct OnlyFlat<T> {
    #[serde(flatten)]
    part: T,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct FlatTwice {
    #[serde(flatten)]
    one: Untagged,
    #[serde(flatten)]
    two: Adjacent,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct Holder {
    one: Tagged,
    many: Vec<Untagged>,
    flat: FlatStruct,
    map: HashMap<String, Inner>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct Node {
    value: i64,
    children: Vec<Self>,
    parent: Option<Box<Self>>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct Wrapped(Inner);

#[derive(JsonSchema, Deserialize, Serialize)]
struct Unit;

#[derive(JsonSchema, Deserialize, Serialize)]
struct Empty {}

#[derive(JsonSchema, Deserialize, Serialize, Default)]
#[serde(rename_all = "lowercase")]
enum Sort {
    #[default]
    Asc,
    Desc,
}

/// How to colour.
#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Colour {
    /// Warm.
    Red,
    /// Cold.
    Blue,
}

fn twenty() -> u32 {
    20
}

/// A page, for readers of the code.
#[derive(JsonSchema, Deserialize, Serialize)]
struct Page {
    /// What to look for.
    q: String,
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    #[serde(default)]
    sort: Sort,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(JsonSchema, Deserialize, Serialize)]
struct Everything {
    small: u8,
    signed: i32,
    medium: u32,
    long: u64,
    whole: i64,
    real: f64,
    maybe: Option<u32>,
    maybe_sort: Option<Sort>,
    colour: Colour,
    maybe_colour: Option<Colour>,
    tagged: Tagged,
    pairs: Vec<(String, i32)>,
    counts: HashMap<String, u8>,
    wait: std::time::Duration,
    address: std::net::IpAddr,
    any: Value,
}

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

#[derive(JsonSchema, Deserialize, Serialize)]
struct Flat2 {
    second: u8,
    #[serde(flatten)]
    tagged: Tagged,
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
fn defaults_are_shown_and_their_properties_are_not_required() {
    assert_eq!(
        input::<Page>(),
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "q": {"description": "What to look for.", "type": "string"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                "sort": {"$ref": "#/$defs/Sort", "default": "asc"},
                "tags": {"type": "array", "items": {"type": "string"}, "default": []},
            },
            "required": ["q"],
            "additionalProperties": false,
            "$defs": {"Sort": {"type": "string", "enum": ["asc", "desc"]}},
        })
    );
}

#[test]
fn a_default_outside_its_own_schema_is_a_fault() {
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Wrong {
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 10))]
        limit: u32,
    }
    let fault = SchemaFault::DefaultDoesNotFit { path: "/properties/limit".to_owned() };
    assert_eq!(built::<Wrong>(SchemaDialect::Standard).unwrap_err(), [fault]);
}

#[test]
fn generated_schemas_use_only_words_that_clients_take() {
    let schema = input::<Everything>();
    assert!(jsonschema::meta::is_valid(&schema));
    let properties = &schema["properties"];
    assert_eq!(properties["small"], json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(
        properties["signed"],
        json!({"type": "integer", "minimum": -2_147_483_648_i64, "maximum": 2_147_483_647})
    );
    assert_eq!(properties["medium"], json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32}));
    assert_eq!(properties["long"], json!({"type": "integer", "minimum": 0}));
    assert_eq!(properties["whole"], json!({"type": "integer"}));
    assert_eq!(properties["real"], json!({"type": "number"}));
    assert_eq!(properties["maybe"]["type"], json!(["integer", "null"]));
    assert_eq!(properties["address"], json!({"type": "string"}));
    assert_eq!(properties["any"], json!({}));
    assert_eq!(properties["pairs"]["items"]["prefixItems"][0], json!({"type": "string"}));
    assert_eq!(properties["counts"]["additionalProperties"]["maximum"], 255);
    assert_eq!(
        schema["$defs"]["Colour"],
        json!({
            "description": "How to colour.\n\n- `red`: Warm.\n- `blue`: Cold.",
            "type": "string",
            "enum": ["red", "blue"],
        })
    );
    assert_eq!(
        schema["$defs"]["Tagged"]["oneOf"][0]["properties"]["kind"],
        json!({"type": "string", "enum": ["A"]})
    );
    let text = schema.to_string();
    for word in ["\"format\"", "\"const\"", "\"title\"", "\"default\":null"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn registered_formats_and_bounds_that_stand_are_kept() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Formats {
        #[schemars(extend("format" = "date-time"))]
        when: String,
        #[schemars(extend("format" = "money"))]
        price: String,
        #[schemars(range(min = 5))]
        small: u16,
        nonzero: std::num::NonZeroU8,
        /// A member that is called like a keyword.
        format: u8,
    }
    let properties = &input::<Formats>()["properties"];
    assert_eq!(properties["when"], json!({"type": "string", "format": "date-time"}));
    assert_eq!(properties["price"], json!({"type": "string"}));
    assert_eq!(properties["small"], json!({"type": "integer", "minimum": 5, "maximum": 65_535}));
    assert_eq!(properties["nonzero"], json!({"type": "integer", "minimum": 1, "maximum": 255}));
    assert_eq!(properties["format"]["maximum"], 255);
}

#[test]
fn the_plain_dialect_has_no_lists_of_types_and_no_null() {
    let schema = input_in::<Everything>(SchemaDialect::Plain);
    assert!(jsonschema::meta::is_valid(&schema));
    let text = schema.to_string();
    assert!(!text.contains("\"null\"") && !text.contains("\"type\":["), "{text}");
    assert_eq!(
        schema["properties"]["maybe"],
        json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32})
    );
    assert_eq!(schema["properties"]["maybe_sort"], json!({"$ref": "#/$defs/Sort"}));
    assert!(!schema["required"].as_array().unwrap().contains(&json!("maybe")));
}

#[test]
fn nulls_inside_a_default_are_left_out_in_the_plain_dialect() {
    #[derive(JsonSchema, Deserialize, Serialize, Default)]
    struct Settings {
        name: String,
        note: Option<String>,
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema is used")]
    struct Root {
        #[serde(default)]
        settings: Settings,
        #[serde(default)]
        note: Option<u8>,
    }
    let plain = input_in::<Root>(SchemaDialect::Plain);
    assert_eq!(plain["properties"]["settings"]["default"], json!({"name": ""}));
    assert_eq!(plain["properties"]["note"].get("default"), None);
    let standard = input::<Root>();
    assert_eq!(standard["properties"]["settings"]["default"], json!({"name": "", "note": null}));
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

#[derive(JsonSchema, Deserialize, Serialize)]
#[serde(tag = "tag", rename_all = "lowercase")]
enum Tagged2 {
    One { n: u8 },
    Two { text: String },
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

#[test]
fn the_same_type_gives_the_same_text() {
    assert_eq!(input::<Everything>().to_string(), input::<Everything>().to_string());
    assert_eq!(
        input::<Everything>()["properties"].as_object().unwrap().keys().next().map(String::as_str),
        Some("small"),
        "members stand in the order of the fields"
    );
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
