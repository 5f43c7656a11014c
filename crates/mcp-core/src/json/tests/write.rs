//! The writers.

use super::super::{
    ArrayWriter, ObjectWriter, RawJson, WriteFault, append_within, to_text, to_text_within, write_string,
};
use serde::{Serialize, ser::Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn objects_and_arrays_are_written_without_a_tree() {
    let mut out = b"data: ".to_vec();
    let mut object = ObjectWriter::new(&mut out);
    object.string("name", "a\"b");
    object.optional_string("title", None);
    object.raw("schema", r#"{"type":"object"}"#);
    object.optional_raw("none", None::<&str>);
    object.integer("i", i64::MIN);
    object.unsigned("u", u64::MAX);
    object.number("f", 0.1).unwrap();
    assert!(matches!(object.number("nan", f64::NAN), Err(WriteFault::NotFinite)));
    object.boolean("b", true);
    object.null("n");
    object.object("empty", |_| {});
    object.array("list", |list| {
        list.string("x");
        list.raw("1");
        list.object(|inner| inner.boolean("deep", false));
        list.element().array(|_| {});
    });
    object.end();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        concat!(
            r#"data: {"name":"a\"b","schema":{"type":"object"},"i":-9223372036854775808,"#,
            r#""u":18446744073709551615,"f":0.1,"b":true,"n":null,"empty":{},"#,
            r#""list":["x",1,{"deep":false},[]]}"#
        )
    );
    let mut out = Vec::new();
    ArrayWriter::new(&mut out).end();
    assert_eq!(out, b"[]");
}

#[test]
fn separators_that_look_like_line_ends_are_escaped() {
    let text = "a\u{2028}b\u{2029}c\u{85}d\u{7f}\u{1}\n\r\t\u{8}\u{c}/\\\"é\u{2027}\u{84}";
    let expected =
        r#""a\u2028b\u2029c\u0085d"#.to_owned() + "\u{7f}" + r#"\u0001\n\r\t\b\f/\\\""# + "é\u{2027}\u{84}\"";
    let mut out = Vec::new();
    write_string(&mut out, text);
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert_eq!(to_text(text).unwrap(), expected);
}

#[derive(Serialize)]
enum Shape {
    Unit,
    Newtype(f64),
    Tuple(f64, f32),
    Struct { x: f64 },
}

#[test]
fn numbers_that_are_not_finite_are_refused_wherever_they_are() {
    #[derive(Serialize)]
    struct Newtype(f32);
    #[derive(Serialize)]
    struct Pair(u8, f64);
    #[derive(Serialize)]
    struct Named {
        deep: Vec<Option<Shape>>,
    }
    #[derive(Serialize)]
    struct Flat {
        #[serde(flatten)]
        rest: BTreeMap<String, f64>,
    }
    let refused = |result: Result<String, WriteFault>| matches!(result, Err(WriteFault::NotFinite));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(refused(to_text(&bad)));
        assert!(refused(to_text(&(1, bad))));
        assert!(refused(to_text(&[Some(bad)])));
        assert!(refused(to_text(&BTreeMap::from([("a", bad)]))));
        assert!(refused(to_text(&Newtype(bad as f32))));
        assert!(refused(to_text(&Pair(1, bad))));
        for shape in [Shape::Newtype(bad), Shape::Tuple(1.0, bad as f32), Shape::Struct { x: bad }] {
            assert!(refused(to_text(&Named { deep: vec![None, Some(Shape::Unit), Some(shape)] })));
        }
        assert!(refused(to_text(&Flat { rest: BTreeMap::from([("a".into(), bad)]) })));
    }
    assert!(refused(to_text(&FloatKey(f64::NAN))));
    assert_eq!(to_text(&FloatKey(1.5)).unwrap(), r#"{"1.5":1}"#);
}

/// Serialises as a map with a float for its key.
struct FloatKey(f64);

impl Serialize for FloatKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, 1)])
    }
}

#[test]
fn a_type_that_swallows_the_refusal_is_refused_all_the_same() {
    struct Swallows;
    impl Serialize for Swallows {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut list = serializer.serialize_seq(None)?;
            let _ = list.serialize_element(&f64::NAN);
            list.end()
        }
    }
    assert!(matches!(to_text(&Swallows), Err(WriteFault::NotFinite)));
}

#[test]
fn everything_else_is_written_as_serde_json_writes_it() {
    #[derive(Serialize)]
    struct All {
        wide: (i128, u128),
        raw: RawJson,
        shapes: Vec<Shape>,
        unit: (),
        text: char,
        float: f64,
        small: f32,
        #[serde(skip_serializing_if = "Option::is_none")]
        none: Option<u8>,
        tree: Value,
        keys: BTreeMap<u64, bool>,
    }
    let all = All {
        wide: (i128::MIN, u128::MAX),
        raw: RawJson::parse("{\"n\": 0.10000000000000001}").unwrap(),
        shapes: vec![Shape::Unit, Shape::Newtype(1.0), Shape::Tuple(0.1, 0.1), Shape::Struct { x: 1e300 }],
        unit: (),
        text: '"',
        float: 5e-324,
        small: 0.1,
        none: None,
        tree: json!({"a": [null, true, {"b": -0.0}]}),
        keys: BTreeMap::from([(7, true)]),
    };
    assert_eq!(to_text(&all).unwrap(), serde_json::to_string(&all).unwrap());
}

#[test]
fn writing_stops_at_the_limit_and_leaves_nothing_behind() {
    assert_eq!(to_text_within("abc", 5).unwrap(), "\"abc\"");
    assert!(matches!(to_text_within("abc", 4), Err(WriteFault::TooLarge { max_bytes: 4 })));
    let mut out = b"kept".to_vec();
    assert!(append_within(&mut out, &vec![1; 100], 50).is_err());
    assert_eq!(out, b"kept");
    append_within(&mut out, &[1], 3).unwrap();
    assert_eq!(out, b"kept[1]");
}

#[test]
fn an_endless_value_is_cut_off() {
    struct Endless;
    impl Serialize for Endless {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(std::iter::repeat(1))
        }
    }
    assert!(matches!(to_text_within(&Endless, 1_000), Err(WriteFault::TooLarge { .. })));
}

#[test]
fn keys_that_json_does_not_have_are_refused() {
    assert!(matches!(to_text(&BTreeMap::from([((1, 2), 3)])), Err(WriteFault::Refused(_))));
}
