//! The JSON index against serde_json.

use bytes::Bytes;
use mcp_core::json::{Document, JsonFaultKind, JsonLimits, Kind, Node};
use serde_json::Value;

/// Indexes `input`, compares the verdict with serde_json's, and reads every value.
///
/// # Panics
/// Where the two disagree, or a value reads differently: that is what a fuzzer looks for.
pub fn decode(input: &[u8]) {
    let indexed = Document::parse(Bytes::copy_from_slice(input), &JsonLimits::default());
    let parsed = serde_json::from_slice::<Value>(input);
    match (indexed, parsed) {
        (Ok(document), Ok(value)) => walk(document.root(), &value),
        (Ok(document), Err(error)) => {
            // Numbers past a float and nesting past 128 are valid JSON that serde_json cannot read.
            let reason = error.to_string();
            assert!(
                reason.starts_with("number out of range") || reason.starts_with("recursion limit exceeded"),
                "only serde_json refuses: {reason}"
            );
            visit(document.root());
        }
        (Err(fault), Ok(_)) => assert!(fault.is_limit(), "only the index refuses: {fault}"),
        (Err(fault), Err(_)) => {
            assert!(fault.position <= input.len() || fault.kind == JsonFaultKind::TooLarge)
        }
    }
}

/// Compares a node and all it holds with serde_json's reading.
fn walk(node: Node<'_>, value: &Value) {
    assert_eq!(node.document().node(node.id()).raw_bytes(), node.raw());
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
            assert!(node.str_eq(text));
            assert_eq!(node.as_str().as_deref(), Some(text.as_str()));
        }
        Value::Array(elements) => {
            assert_eq!((node.kind(), node.len()), (Kind::Array, elements.len()));
            node.elements().zip(elements).for_each(|(node, value)| walk(node, value));
        }
        Value::Object(members) => {
            assert_eq!((node.kind(), node.len()), (Kind::Object, members.len()));
            for (name, node) in node.members() {
                assert!(name.eq_str(&name.text()));
                walk(node, members.get(&*name.text()).expect("both have the member"));
            }
        }
    }
}

/// Reads a node and all it holds.
fn visit(node: Node<'_>) {
    match node.kind() {
        Kind::Null => assert!(node.is_null()),
        Kind::Bool => assert!(node.as_bool().is_some()),
        Kind::Number => assert_eq!(node.number_text(), Some(node.raw())),
        Kind::String => assert!(node.str_eq(&node.as_str().expect("a string has text"))),
        Kind::Array => node.elements().for_each(visit),
        Kind::Object => node.members().for_each(|(_, node)| visit(node)),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn valid_and_invalid_texts_pass_the_target() {
        let deep = "[".repeat(500) + &"]".repeat(500);
        for text in [
            "",
            " ",
            "nul",
            "[1,-0,0.5,1e400,18446744073709551615,-9223372036854775808]",
            r#"{"a":{"b":[true,false,null]},"\u0061b":"\ud83d\ude00\n"}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#""\ud800""#,
            "[1,]",
            "01",
            "1e99999",
            "\u{feff}1",
            &deep,
        ] {
            decode(text.as_bytes());
            for end in 0..text.len() {
                decode(&text.as_bytes()[..end]);
            }
        }
        decode(b"\"\xFF\"");
        decode(b"\"\x01\"");
    }
}
