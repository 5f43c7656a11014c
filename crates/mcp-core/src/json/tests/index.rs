//! What the index gives back and what the grammar refuses.

use super::{
    super::{Document, JsonFaultKind, Kind, Node, NodeId, RawJson, Validator},
    parse, refusal,
};
use std::borrow::Cow;

#[test]
fn values_are_read_back_exactly() {
    let document = parse(r#" {"a":[1,2.50,"x\u0041\n",null,true,{}],"b":9007199254740993} "#).unwrap();
    let root = document.root();
    assert_eq!((root.kind(), root.len()), (Kind::Object, 2));
    let array = root.get("a").unwrap();
    let raw: Vec<_> = array.elements().map(Node::raw).collect();
    assert_eq!(raw, ["1", "2.50", r#""x\u0041\n""#, "null", "true", "{}"]);
    assert_eq!(root.get("b").unwrap().as_i64(), Some(9_007_199_254_740_993));
    assert!(root.get("c").is_none());
    assert!(array.get("a").is_none());
}

#[test]
fn digits_beyond_a_float_stay_in_the_text() {
    let document = parse("[9007199254740993,0.10000000000000001,1e400,-0.0]").unwrap();
    let raw: Vec<_> = document.root().elements().map(Node::raw).collect();
    assert_eq!(raw, ["9007199254740993", "0.10000000000000001", "1e400", "-0.0"]);
    let floats: Vec<_> = document.root().elements().map(Node::as_f64).collect();
    assert_eq!(floats, [Some(9_007_199_254_740_992.0), Some(0.1), None, Some(-0.0)]);
}

#[test]
fn an_integer_is_read_however_it_is_written() {
    let integer = |text: &str| parse(text).unwrap().root().as_i64();
    for (text, value) in [("8.0", 8), ("1e2", 100), ("80e-1", 8), ("0.5e1", 5), ("-0", 0), ("-0.0e9", 0)] {
        assert_eq!(integer(text), Some(value), "{text}");
    }
    assert_eq!(integer("-9223372036854775808"), Some(i64::MIN));
    assert_eq!(integer("-9223372036854775808.0"), Some(i64::MIN));
    for text in ["7.5", "9223372036854775808", "-9223372036854775809.0", "1e19", "1e400", "true"] {
        assert_eq!(integer(text), None, "{text}");
    }
    let unsigned = |text: &str| parse(text).unwrap().root().as_u64();
    assert_eq!(unsigned("18446744073709551615"), Some(u64::MAX));
    assert_eq!(unsigned("1844674407370955161.5e1"), Some(u64::MAX));
    assert_eq!((unsigned("18446744073709551616"), unsigned("-1"), unsigned("-0")), (None, None, Some(0)));
}

#[test]
fn a_string_is_borrowed_until_it_has_escapes() {
    let document = parse(r#"["plain é","\ud83d\ude00\/\"",7]"#).unwrap();
    let nodes: Vec<_> = document.root().elements().collect();
    assert!(matches!(nodes[0].as_str(), Some(Cow::Borrowed("plain é"))));
    assert_eq!(nodes[1].as_str().unwrap(), "😀/\"");
    assert!(nodes[1].str_eq("😀/\""));
    assert!(!nodes[1].str_eq("😀/"));
    assert!(!nodes[1].str_eq("😀/\"x"));
    assert_eq!(nodes[2].as_str(), None);
    assert!(!nodes[2].str_eq("7"));
}

#[test]
fn a_member_is_found_by_its_unescaped_name() {
    let document = parse(r#"{"\u0061b":1,"c":{"ab":2}}"#).unwrap();
    assert_eq!(document.root().get("ab").unwrap().as_i64(), Some(1));
    let names: Vec<_> = document.root().members().map(|(name, _)| name.text().into_owned()).collect();
    assert_eq!(names, ["ab", "c"]);
}

#[test]
fn raw_bytes_share_the_text() {
    let document = parse(r#" [ {"a": 1} ] "#).unwrap();
    let object = document.root().elements().next().unwrap();
    let shared = object.raw_bytes();
    assert_eq!(shared, r#"{"a": 1}"#);
    assert_eq!(shared.as_ptr(), document.bytes()[3..].as_ptr());
    assert_eq!(document.node(object.id()).raw(), object.raw());
}

#[test]
fn an_id_from_a_larger_document_gives_the_outermost_value() {
    let large = parse("[1,2,3]").unwrap();
    let id: NodeId = large.root().elements().last().unwrap().id();
    assert_eq!(parse("true").unwrap().node(id).as_bool(), Some(true));
}

#[test]
fn debug_output_does_not_show_the_text() {
    let document = parse(r#"{"password":"swordfish"}"#).unwrap();
    assert!(!format!("{:?}", document.root()).contains("swordfish"));
}

#[test]
fn each_fault_says_what_and_where() {
    use JsonFaultKind::*;
    let cases: &[(&[u8], JsonFaultKind, usize)] = &[
        (b"", UnexpectedEnd, 0),
        (b" \n", UnexpectedEnd, 2),
        (b"\xEF\xBB\xBF1", Syntax, 0),
        (b"[1,]", Syntax, 3),
        (b"[1 2]", Syntax, 3),
        (b"[1}", Syntax, 2),
        (b"{1:2}", Syntax, 1),
        (b"{\"a\" 1}", Syntax, 5),
        (b"{\"a\":1,}", Syntax, 7),
        (b"{\"a\":", UnexpectedEnd, 5),
        (b"[", UnexpectedEnd, 1),
        (b"tru", UnexpectedEnd, 3),
        (b"trux", Syntax, 3),
        (b"truex", TrailingData, 4),
        (b"1 2", TrailingData, 2),
        (b"{}}", TrailingData, 2),
        (b"01", InvalidNumber, 1),
        (b"-", UnexpectedEnd, 1),
        (b"-a", InvalidNumber, 1),
        (b"1.", UnexpectedEnd, 2),
        (b"1.e1", InvalidNumber, 2),
        (b"1e+", UnexpectedEnd, 3),
        (b"+1", Syntax, 0),
        (b".5", Syntax, 0),
        (b"\"a", UnexpectedEnd, 2),
        (b"\"a\nb\"", ControlCharacter, 2),
        (b"\"abcdefghij\x1Fb\"", ControlCharacter, 11),
        (b"\"\\x\"", InvalidEscape, 2),
        (b"\"\\u12g4\"", InvalidEscape, 5),
        (b"\"\\u12", UnexpectedEnd, 5),
        (b"\"\\ud800\"", LoneSurrogate, 1),
        (b"\"\\ud800\\u0041\"", LoneSurrogate, 1),
        (b"\"\\udc00\"", LoneSurrogate, 1),
        (b"\"\\ud800\\", UnexpectedEnd, 8),
        (b"\"a\xFF\"", InvalidUtf8, 2),
        (b"\"\xED\xA0\x80\"", InvalidUtf8, 1),
    ];
    for (text, kind, position) in cases {
        assert_eq!(refusal(text), (*kind, *position), "{:?}", String::from_utf8_lossy(text));
    }
}

#[test]
fn documents_and_validators_cross_threads() {
    fn assert_shared<T: Send + Sync>() {}
    assert_shared::<(Document, Node<'_>, Validator, RawJson)>();
}
