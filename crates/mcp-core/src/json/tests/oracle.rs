//! Properties of the index, with serde_json as the oracle.

use super::{
    super::{JsonFaultKind, Kind, Node, write_string},
    parse,
};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::HashSet;

/// Any value of little depth, with strings that need escapes and numbers of every form.
pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-20_i64..20).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-20_i32..20).prop_map(|value| Value::from(f64::from(value) / 2.0)),
        any_string().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
            prop::collection::vec((any_string(), inner), 0..12)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_string() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,20}", "[a-c]{0,2}", "(?s).{0,12}", "[\u{0}-\u{20}\"\\\\/\u{2028}é😀]{0,9}"]
}

/// Writes a value with every character of its strings escaped.
fn escape_all(value: &Value, out: &mut String) {
    let escaped = |text: &str| {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        format!("\"{units}\"")
    };
    match value {
        Value::String(text) => *out += &escaped(text),
        Value::Array(elements) => {
            *out += "[";
            for (index, element) in elements.iter().enumerate() {
                *out += if index > 0 { " ,\t" } else { "" };
                escape_all(element, out);
            }
            *out += "]";
        }
        Value::Object(members) => {
            *out += "{";
            for (index, (name, value)) in members.iter().enumerate() {
                *out += if index > 0 { ",\r\n" } else { "" };
                *out += &(escaped(name) + " : ");
                escape_all(value, out);
            }
            *out += "}";
        }
        scalar => *out += &scalar.to_string(),
    }
}

/// Checks a node against the value serde_json reads from the same text.
fn assert_same(node: Node<'_>, value: &Value) {
    assert_eq!(&serde_json::from_str::<Value>(node.raw()).unwrap(), value);
    match value {
        Value::Null => assert!(node.is_null()),
        Value::Bool(value) => assert_eq!(node.as_bool(), Some(*value)),
        Value::Number(number) => {
            assert_eq!(node.as_f64(), number.as_f64());
            if number.is_i64() || number.is_u64() {
                assert_eq!((node.as_i64(), node.as_u64()), (number.as_i64(), number.as_u64()));
            }
        }
        Value::String(text) => {
            assert_eq!(node.as_str().unwrap(), *text);
            assert!(node.str_eq(text));
            assert!(!node.str_eq(&format!("{text}x")));
        }
        Value::Array(elements) => {
            assert_eq!((node.kind(), node.len()), (Kind::Array, elements.len()));
            assert_eq!(node.elements().count(), elements.len());
            node.elements().zip(elements).for_each(|(node, value)| assert_same(node, value));
        }
        Value::Object(members) => {
            assert_eq!((node.kind(), node.len()), (Kind::Object, members.len()));
            assert_eq!(node.members().count(), members.len());
            for (name, value) in members {
                assert_same(node.get(name).unwrap(), value);
            }
        }
    }
}

/// Checks that a text is accepted exactly when serde_json accepts it.
fn assert_judged_alike(text: &[u8]) -> Result<(), TestCaseError> {
    let ours = parse(text);
    let theirs = serde_json::from_slice::<Value>(text);
    match (&ours, &theirs) {
        (Ok(document), Ok(value)) => assert_same(document.root(), value),
        // serde_json keeps the last of repeated members and cannot hold numbers past a float.
        (Err(fault), _) if fault.kind == JsonFaultKind::DuplicateName => {}
        (_, Err(error)) if error.to_string().starts_with("number out of range") => {}
        (Err(fault), Ok(_)) => {
            // An exponent far below zero reads as zero there and is refused here.
            prop_assert_eq!(fault.kind, JsonFaultKind::ScaleTooLarge, "only we refuse: {}", fault);
        }
        (Ok(_), Err(error)) => prop_assert!(false, "only serde_json refuses: {}", error),
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    any_value().prop_flat_map(|value| {
        let mut escaped = String::new();
        escape_all(&value, &mut escaped);
        prop_oneof![
            Just(value.to_string().into_bytes()),
            Just(serde_json::to_vec_pretty(&value).unwrap()),
            Just(escaped.into_bytes()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_valid_text_reads_as_serde_json_reads_it(text in any_text()) {
        let value: Value = serde_json::from_slice(&text).unwrap();
        assert_same(parse(&text).unwrap().root(), &value);
    }

    #[test]
    fn a_damaged_text_is_judged_as_serde_json_judges_it(
        mut text in any_text(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), damaged_byte(), 0..3_u8), 1..4),
    ) {
        for (index, byte, how) in damage {
            let at = index.index(text.len());
            match how {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                _ => text.truncate(at + 1),
            }
        }
        assert_judged_alike(&text)?;
    }

    #[test]
    fn nonsense_is_judged_as_serde_json_judges_it(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..12),
    ) {
        assert_judged_alike(words.concat().as_bytes())?;
    }

    #[test]
    fn a_number_is_judged_as_serde_json_judges_it(text in "-?[0-9]{0,4}(\\.[0-9]{0,3})?([eE][+-]?[0-9]{0,3})?") {
        assert_judged_alike(text.as_bytes())?;
    }

    #[test]
    fn any_bytes_are_judged_as_serde_json_judges_them(text in prop::collection::vec(any::<u8>(), 0..40)) {
        assert_judged_alike(&text)?;
    }

    #[test]
    fn a_name_is_refused_exactly_when_it_repeats(
        names in prop::collection::vec(("[ab\"\\\\é]{0,3}", any::<bool>()), 0..13),
    ) {
        let mut text = String::from("{");
        for (index, (name, escaped)) in names.iter().enumerate() {
            text += if index > 0 { "," } else { "" };
            let name = Value::from(name.as_str());
            if *escaped { escape_all(&name, &mut text) } else { text += &name.to_string() }
            text += ":0";
        }
        text += "}";
        let distinct: HashSet<_> = names.iter().map(|(name, _)| name).collect();
        let kind = parse(&text).err().map(|fault| fault.kind);
        let expected = (distinct.len() < names.len()).then_some(JsonFaultKind::DuplicateName);
        prop_assert_eq!(kind, expected, "{}", text);
    }

    #[test]
    fn a_written_string_reads_back(text in any_string()) {
        let mut out = Vec::new();
        write_string(&mut out, &text);
        prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text.clone());
        prop_assert!(parse(&out).unwrap().root().str_eq(&text));
        let written = String::from_utf8(out).unwrap();
        let one_line = !written.contains(['\u{85}', '\u{2028}', '\u{2029}', '\n', '\r']);
        prop_assert!(one_line);
    }
}

const WORDS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\"a\"",
    "\"b\":",
    "\"a\":",
    "true",
    "null",
    "false",
    "1",
    "-",
    "0",
    ".5",
    "e3",
    "\\",
    "\\u00",
    "\"\\uD83D\\uDE00\"",
    "\"\\uD83D\"",
    " ",
    "\n",
    "\u{1}",
    "é",
    "\u{feff}",
];

fn damaged_byte() -> impl Strategy<Value = u8> {
    prop_oneof![prop::sample::select(b"[]{},:\"\\ue+-.0 1\x00\xC3".to_vec()), any::<u8>()]
}
