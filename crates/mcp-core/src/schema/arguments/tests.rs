//! Tests of the check of arguments.

use super::*;
use crate::{
    json::{Document, JsonLimits},
    schema::{InputSchema, SchemaBounds, SchemaDialect, authored_input},
};
use bytes::Bytes;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn parse(text: &str) -> Document {
    Document::parse(Bytes::from(text.to_owned()), &JsonLimits::default()).unwrap()
}

fn schema_in<T: JsonSchema>(dialect: SchemaDialect) -> ArgumentSchema {
    let mut schema = InputSchema::new(dialect, SchemaBounds::default());
    schema.add_type::<T>();
    ArgumentSchema::new(schema.build().unwrap()).unwrap()
}

fn schema<T: JsonSchema>() -> ArgumentSchema {
    schema_in::<T>(SchemaDialect::Standard)
}

fn by_hand(value: Value) -> ArgumentSchema {
    ArgumentSchema::new(authored_input(value, &SchemaBounds::default()).unwrap()).unwrap()
}

/// The text read after a check that passes.
#[track_caller]
fn passed(schema: &ArgumentSchema, text: &str) -> String {
    let document = parse(text);
    let node = Some(document.root());
    schema.check(node).unwrap().text(node).to_owned()
}

#[track_caller]
fn unchanged(schema: &ArgumentSchema, text: &str) {
    assert_eq!(schema.check(Some(parse(text).root())), Ok(Checked::AsSent), "{text}");
}

#[track_caller]
fn refused(schema: &ArgumentSchema, text: &str) -> String {
    match schema.check(Some(parse(text).root())) {
        Err(fault) => fault.text().to_owned(),
        Ok(checked) => panic!("{text} passed as {checked:?}"),
    }
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Item {
    price: f64,
    count: Option<u8>,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone, Default)]
#[serde(rename_all = "lowercase")]
enum Sort {
    #[default]
    Asc,
    Desc,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(tag = "kind")]
enum Shape {
    Circle { radius: f64 },
    Square { side: u8, label: Option<String> },
    Nothing,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(untagged)]
enum Either {
    Text { text: String },
    Item(Item),
}

fn twenty() -> u32 {
    20
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Order {
    text: String,
    #[serde(default)]
    items: Vec<Item>,
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    #[serde(default)]
    sort: Sort,
    shape: Option<Shape>,
    flag: Option<bool>,
    pair: Option<(u8, String)>,
    counts: Option<BTreeMap<String, i32>>,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Save {
    name: String,
    body: BTreeMap<String, Value>,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Flat {
    base: String,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Tree {
    value: i64,
    #[serde(default)]
    children: Vec<Self>,
}

#[derive(JsonSchema, Serialize, Deserialize, Debug, PartialEq, Clone, Default)]
#[serde(default)]
struct Optional {
    count: u8,
    name: Option<String>,
}

#[test]
fn arguments_left_out_or_null_count_as_the_empty_object() {
    let none = schema::<()>();
    assert_eq!(none.check(None), Ok(Checked::AsSent));
    assert_eq!(none.check(None).unwrap().text(None), "{}");
    assert_eq!(passed(&none, "null"), "{}");
    unchanged(&none, "{}");
    assert_eq!(passed(&schema::<Optional>(), "null"), "{}");
    assert_eq!(
        schema::<Save>().check(None).unwrap_err().text(),
        "missing required argument `name` (string)\nmissing required argument `body` (object)"
    );
}

#[test]
fn a_tool_without_arguments_refuses_stray_ones() {
    assert_eq!(refused(&schema::<()>(), r#"{"a":1}"#), "unknown argument `a`; this tool takes no arguments");
}

#[test]
fn text_that_looks_like_json_stays_text() {
    let save = schema::<Save>();
    for name in [r#""123""#, r#""{\"a\":1}""#, r#""null""#, r#""true""#] {
        unchanged(&save, &format!(r#"{{"name":{name},"body":{{}}}}"#));
    }
}

#[test]
fn an_object_sent_as_text_is_refused_with_help() {
    assert_eq!(
        refused(&schema::<Save>(), r#"{"name":"x","body":"{\"a\":1}"}"#),
        r#"argument `body`: expected object, got string "{"a":1}": send the object itself, not its text"#
    );
    assert_eq!(
        refused(&schema::<Save>(), r#""{\"name\":1}""#),
        "the arguments must be an object, got string: send the object itself, not its text"
    );
    assert_eq!(refused(&schema::<Save>(), "[1]"), "the arguments must be an object, got array");
}

#[test]
fn text_that_holds_a_number_passes_where_a_number_is_declared() {
    let order = schema::<Order>();
    assert_eq!(
        passed(
            &order,
            r#"{"text":"5","limit":"7","items":[{"price":"1.5e1","count":"2"}],"counts":{"a":"-3"}}"#
        ),
        r#"{"text":"5","limit":7,"items":[{"price":1.5e1,"count":2}],"counts":{"a":-3}}"#
    );
    assert_eq!(passed(&order, r#"{"text":"a","pair":["3","4"]}"#), r#"{"text":"a","pair":[3,"4"]}"#);
    assert_eq!(passed(&order, r#"{"text":"a","limit":"7.0"}"#), r#"{"text":"a","limit":7}"#);
    assert_eq!(
        passed(&order, r#"{"text":"a","shape":{"kind":"Square","side":"3"}}"#),
        r#"{"text":"a","shape":{"kind":"Square","side":3}}"#
    );
    assert_eq!(
        passed(&schema::<Shape>(), r#"{"kind":"Circle","radius":"3"}"#),
        r#"{"kind":"Circle","radius":3}"#
    );
    assert_eq!(
        passed(&schema::<Flat>(), r#"{"base":"7","kind":"Circle","radius":"3"}"#),
        r#"{"base":"7","kind":"Circle","radius":3}"#
    );
    assert_eq!(
        passed(&schema::<Tree>(), r#"{"value":1,"children":[{"value":"2"}]}"#),
        r#"{"value":1,"children":[{"value":2}]}"#
    );
    for text in ["", " 7", "7 ", "+7", "07", "0x7", "7,0", "NaN", "1e999", "seven"] {
        let refusal = refused(&order, &format!(r#"{{"text":"a","limit":"{text}"}}"#));
        assert_eq!(refusal, format!("argument `limit`: expected integer, got string \"{text}\""));
    }
}

#[test]
fn a_choice_between_text_and_numbers_is_never_rewritten() {
    let schema = by_hand(json!({
        "type": "object",
        "properties": {
            "a": {"type": ["integer", "string"]},
            "b": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 1}]},
            "c": {"type": "boolean"}
        }
    }));
    unchanged(&schema, r#"{"a":"5"}"#);
    assert!(refused(&schema, r#"{"b":"55"}"#).contains("argument `b`"));
    assert!(refused(&schema, r#"{"c":"true"}"#).contains("expected boolean, got string \"true\""));
    assert!(refused(&schema, r#"{"c":1}"#).contains("expected boolean, got integer 1"));
}

#[test]
fn null_is_left_out_where_the_argument_may_be() {
    let order = schema::<Order>();
    assert_eq!(
        passed(&order, r#"{"text":"a","limit":null,"flag":null,"sort":null}"#),
        r#"{"text":"a","flag":null}"#
    );
    assert_eq!(refused(&order, r#"{"text":null}"#), "argument `text`: expected string, got null");
    let plain = schema_in::<Order>(SchemaDialect::Plain);
    assert_eq!(
        passed(&plain, r#"{"text":"a","flag":null,"shape":null,"items":[{"price":1,"count":null}]}"#),
        r#"{"text":"a","items":[{"price":1}]}"#
    );
    assert!(refused(&plain, r#"{"text":"a","counts":{"k":null}}"#).contains("`counts.k`"));
}

#[test]
fn whole_numbers_in_other_forms_are_rewritten_only_for_serde() {
    let order = schema::<Order>();
    let text = r#"{"text":"3.0","limit":1e1,"items":[{"price":2.0,"count":3.0}],"pair":[4.0,"5.0"]}"#;
    unchanged(&order, text);
    let rewritten = order.integral_rewrite(parse(text).root()).unwrap();
    assert_eq!(rewritten, r#"{"text":"3.0","limit":10,"items":[{"price":2.0,"count":3}],"pair":[4,"5.0"]}"#);
    assert!(serde_json::from_str::<Order>(text).is_err());
    assert_eq!(serde_json::from_str::<Order>(&rewritten).unwrap().limit, 10);
    assert_eq!(order.integral_rewrite(parse(r#"{"text":"a","limit":3}"#).root()), None);
    assert_eq!(
        refused(&order, r#"{"text":"a","limit":2.5}"#),
        "argument `limit`: expected integer, got number 2.5"
    );
}

#[test]
fn messages_name_the_argument_what_was_expected_and_what_came() {
    let order = schema::<Order>();
    for (text, wanted) in [
        (r#"{"text":5}"#, "argument `text`: expected string, got integer 5"),
        (r#"{}"#, "missing required argument `text` (string)"),
        (r#"{"text":"a","limit":0}"#, "argument `limit`: must be at least 1, got integer 0"),
        (r#"{"text":"a","limit":101}"#, "argument `limit`: must be at most 100, got integer 101"),
        (r#"{"text":"a","sort":"up"}"#, r#"argument `sort`: expected one of "asc", "desc", got string "up""#),
        (
            r#"{"text":"a","items":[{"price":1},{"price":true}]}"#,
            "argument `items[1].price`: expected number, got boolean true",
        ),
        (r#"{"text":"a","items":[{}]}"#, "missing required argument `items[0].price` (number)"),
        (
            r#"{"text":"a","items":[{"price":1,"prize":1}]}"#,
            "unknown argument `items[0].prize` (did you mean `price`?); accepted there: `price`, `count`",
        ),
        (
            r#"{"text":"a","shape":{"kind":"Ring"}}"#,
            r#"argument `shape.kind`: expected one of "Circle", "Square", "Nothing", got string "Ring""#,
        ),
        (
            r#"{"text":"a","shape":{}}"#,
            r#"missing required argument `shape.kind` (one of "Circle", "Square", "Nothing")"#,
        ),
        (
            r#"{"text":"a","shape":{"kind":"Circle","radius":"big"}}"#,
            r#"argument `shape.radius`: expected number, got string "big""#,
        ),
        (r#"{"text":"a","shape":7}"#, "argument `shape`: expected object or null, got integer 7"),
        (r#"{"text":"a","pair":[1]}"#, "argument `pair`: must have at least 2 items, got 1"),
        (r#"{"text":"a","flag":"yes"}"#, r#"argument `flag`: expected boolean or null, got string "yes""#),
    ] {
        assert_eq!(refused(&order, text), wanted, "{text}");
    }
    assert!(
        refused(&order, r#"{"txt":"a"}"#)
            .contains("unknown argument `txt` (did you mean `text`?); accepted arguments: `text`, `items`")
    );
}

#[test]
fn a_failing_form_beside_flattened_members_is_told_once() {
    assert_eq!(
        refused(&schema::<Flat>(), r#"{"base":"a","kind":"Circle","radius":"big"}"#),
        r#"argument `radius`: expected number, got string "big""#
    );
    assert_eq!(
        refused(&schema::<Flat>(), r#"{"base":"a","kind":"Circle","radius":1,"radios":2}"#),
        "unknown argument `radios` (did you mean `radius`?); accepted arguments: `base`, `kind`, `radius`, `side`, `label`"
    );
    assert_eq!(
        refused(&schema::<Shape>(), r#"{"kind":"Square"}"#),
        "missing required argument `side` (integer)"
    );
    assert_eq!(
        refused(&schema::<Either>(), r#"{"text":1}"#),
        "argument `text`: expected string, got integer 1"
    );
}

#[test]
fn messages_are_bounded_and_never_echo_values_at_length() {
    let order = schema::<Order>();
    let long = "x".repeat(1_000);
    let refusal = refused(&order, &format!(r#"{{"text":"a","limit":"{long}","sort":"{long}","{long}":1}}"#));
    assert!(refusal.len() < 1000 && !refusal.contains(&"x".repeat(41)), "{refusal}");
    let many: Vec<String> = (0..500).map(|at| format!(r#"{{"price":"{long}{at}"}}"#)).collect();
    let refusal = refused(&order, &format!(r#"{{"text":"a","items":[{}]}}"#, many.join(",")));
    assert!(refusal.len() < 2200 && refusal.ends_with("(there may be more problems)"), "{refusal}");
    let strays: Vec<String> = (0..500).map(|at| format!(r#""stray{at}":1"#)).collect();
    let refusal = refused(&order, &format!(r#"{{"text":"a",{}}}"#, strays.join(",")));
    assert!(refusal.len() < 700 && refusal.contains("and more"), "{refusal}");
}

fn serde_refusal<T: DeserializeOwned>(text: &str) -> String {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_message("", serde_path_to_error::deserialize::<_, T>(&mut deserializer).map(drop).unwrap_err())
}

#[test]
fn a_refusal_by_serde_is_worded_without_rust_names_and_positions() {
    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Named {
        One,
    }
    #[derive(Deserialize, Debug)]
    #[serde(untagged)]
    enum Loose {
        #[expect(dead_code, reason = "only refused here")]
        Number(u8),
    }
    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "only refused here")]
    struct Row {
        small: u8,
        #[serde(default)]
        nonzero: Option<std::num::NonZeroU8>,
        #[serde(default)]
        inner: Option<Vec<Item>>,
        #[serde(default)]
        named: Option<Named>,
        #[serde(default)]
        loose: Option<Loose>,
        #[serde(default)]
        pair: Option<(u8, u8)>,
        #[serde(default)]
        address: Option<std::net::Ipv4Addr>,
    }
    for (text, wanted) in [
        (r#"{"small":300}"#, "argument `small`: expected an integer in range, got integer 300"),
        (r#"{"small":3.0}"#, "argument `small`: expected an integer in range, got number 3.0"),
        (r#"{"small":"a"}"#, r#"argument `small`: expected an integer in range, got string "a""#),
        (
            r#"{"small":1,"nonzero":0}"#,
            "argument `nonzero`: expected an integer in range other than 0, got integer 0",
        ),
        (r#"{"small":1,"inner":[{"price":1},5]}"#, "argument `inner[1]`: expected object, got integer 5"),
        (r#"{"small":1,"pair":[1]}"#, "argument `pair`: expected array of 2, got 1"),
        (r#"{"small":1,"loose":-1}"#, "argument `loose`: fits none of the allowed forms"),
        (r#"{"small":1,"address":"x"}"#, "argument `address`: invalid IPv4 address syntax"),
        (r#"{}"#, "missing required argument `small`"),
        (r#"{"small":1,"inner":[{}]}"#, "missing required argument `inner[0].price`"),
    ] {
        assert_eq!(serde_refusal::<Row>(text), wanted);
    }
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only refused here")]
    struct Strict {
        a: Option<Box<Self>>,
    }
    assert_eq!(serde_refusal::<Strict>(r#"{"a":{"b":1}}"#), "unknown argument `a.b`");
    let named = serde_refusal::<Row>(r#"{"small":1,"named":"two"}"#);
    assert!(named.starts_with("argument `named`: unknown variant `two`, expected `one`"), "{named}");
}

fn item() -> impl Strategy<Value = Item> {
    (-1e6..1e6f64, any::<Option<u8>>()).prop_map(|(price, count)| Item { price, count })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (-1e6..1e6f64).prop_map(|radius| Shape::Circle { radius }),
        (any::<u8>(), any::<Option<String>>()).prop_map(|(side, label)| Shape::Square { side, label }),
        Just(Shape::Nothing),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    (
        any::<String>(),
        prop::collection::vec(item(), 0..4),
        1..=100u32,
        any::<bool>(),
        prop::option::of(shape()),
        any::<Option<bool>>(),
        any::<Option<(u8, String)>>(),
        any::<Option<BTreeMap<String, i32>>>(),
    )
        .prop_map(|(text, items, limit, descending, shape, flag, pair, counts)| Order {
            text,
            items,
            limit,
            sort: if descending { Sort::Desc } else { Sort::Asc },
            shape,
            flag,
            pair,
            counts,
        })
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<i64>().prop_map(|value| Tree { value, children: Vec::new() });
    leaf.prop_recursive(3, 12, 3, |inner| {
        (any::<i64>(), prop::collection::vec(inner, 0..3))
            .prop_map(|(value, children)| Tree { value, children })
    })
}

/// What serde writes passes as it is in the standard dialect, and reads the same after any rewriting.
#[track_caller]
fn round_trips<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    standard: &ArgumentSchema,
    plain: &ArgumentSchema,
    value: &T,
) {
    let text = serde_json::to_string(value).unwrap();
    unchanged(standard, &text);
    assert_eq!(serde_json::from_str::<T>(&passed(plain, &text)).unwrap(), *value);
}

#[test]
fn what_serde_writes_always_passes() {
    let runner = || {
        proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: 64,
            failure_persistence: None,
            ..ProptestConfig::default()
        })
    };
    fn both<T: JsonSchema>() -> (ArgumentSchema, ArgumentSchema) {
        let both = (schema::<T>(), schema_in::<T>(SchemaDialect::Plain));
        for schema in [&both.0, &both.1] {
            assert!(jsonschema::meta::is_valid(schema.published().value()));
        }
        both
    }
    let (standard, plain) = both::<Order>();
    runner()
        .run(&order(), |value| {
            round_trips(&standard, &plain, &value);
            Ok(())
        })
        .unwrap();
    let (standard, plain) = both::<Tree>();
    runner()
        .run(&tree(), |value| {
            round_trips(&standard, &plain, &value);
            Ok(())
        })
        .unwrap();
    let (standard, plain) = both::<Shape>();
    runner()
        .run(&shape(), |value| {
            round_trips(&standard, &plain, &value);
            Ok(())
        })
        .unwrap();
    let (standard, plain) = both::<Flat>();
    let flat = (any::<String>(), shape()).prop_map(|(base, shape)| Flat { base, shape });
    runner()
        .run(&flat, |value| {
            round_trips(&standard, &plain, &value);
            Ok(())
        })
        .unwrap();
    let (standard, plain) = both::<Either>();
    let either =
        prop_oneof![any::<String>().prop_map(|text| Either::Text { text }), item().prop_map(Either::Item)];
    runner()
        .run(&either, |value| {
            round_trips(&standard, &plain, &value);
            Ok(())
        })
        .unwrap();
}

#[test]
fn of_large_arguments_the_first_problem_is_told() {
    let order = schema::<Order>();
    let many = vec![r#"{"price":"x"}"#; 5_000].join(",");
    assert_eq!(
        refused(&order, &format!(r#"{{"text":"a","items":[{many}]}}"#)),
        "argument `items[0].price`: expected number, got string \"x\"\n(there may be more problems)"
    );
    let many = vec![r#"{"price":"1"}"#; 5_000].join(",");
    assert_eq!(
        refused(&order, &format!(r#"{{"text":"a","items":[{many}],"shape":{{"kind":"Ring"}}}}"#)),
        "argument `shape.kind`: expected one of \"Circle\", \"Square\", \"Nothing\", got string \"Ring\"\n\
         (there may be more problems)"
    );
}

#[test]
fn schemas_are_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<ArgumentSchema>();
    shared::<crate::schema::PublishedSchema>();
}

#[test]
fn deep_nesting_is_refused_with_a_reason() {
    let tree = schema::<Tree>();
    let text = format!("{}{}", r#"{"value":"1","children":["#.repeat(300), "]}".repeat(300));
    let limits = JsonLimits { depth: 1_000, ..JsonLimits::default() };
    let document = Document::parse(Bytes::from(text), &limits).unwrap();
    let fault = tree.check(Some(document.root())).unwrap_err();
    assert_eq!(fault.text(), "the arguments: the nesting is too deep for this schema");
    assert_eq!(tree.integral_rewrite(document.root()), None);
}

#[test]
fn arguments_that_fit_no_form_of_a_nested_type_are_refused_in_little_time() {
    // A type that holds itself: each level may fail in every form of each level below it.
    #[derive(JsonSchema, Deserialize)]
    #[serde(tag = "op", rename_all = "lowercase")]
    #[expect(dead_code, reason = "only the schema matters")]
    enum Filter {
        Not { left: Box<Self> },
        Always { left: Box<Self> },
        Maybe { left: Box<Self>, right: Box<Self> },
        Has { text: String },
    }
    #[derive(JsonSchema, Deserialize)]
    #[expect(dead_code, reason = "only the schema matters")]
    struct Query {
        filter: Filter,
        words: Vec<String>,
    }
    let query = schema::<Query>();
    let nested = |depth| {
        format!("{}{}{}", r#"{"op":"not","left":"#.repeat(depth), r#"{"op":"has"}"#, "}".repeat(depth))
    };
    let with = |depth, words: &str| format!(r#"{{"filter":{},"words":[{words}]}}"#, nested(depth));
    assert!(refused(&query, &with(1, "")).contains("text"), "what is wrong with a small value is told");
    for words in [String::new(), vec![r#""w""#; 3_000].join(",")] {
        let told = refused(&query, &with(100, &words));
        assert!(told.contains("too many to tell why"), "{told}");
    }
}
