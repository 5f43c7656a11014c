//! The index against its limits and against serde_json.

use bytes::Bytes;

use super::*;

fn parse(text: &str) -> Result<Document, JsonFault> {
    Document::parse(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::default())
}

#[test]
fn values_are_read_back_exactly() {
    let document = parse(r#" {"a":[1,2.50,"x\u0041\n",null,true,{}],"b":9007199254740993} "#).unwrap();
    let root = document.root();
    assert_eq!(root.len(), 2);
    let array = root.get("a").unwrap();
    let raw: Vec<_> = array.elements().map(Node::raw).collect();
    assert_eq!(raw, ["1", "2.50", r#""x\u0041\n""#, "null", "true", "{}"]);
    assert_eq!(root.get("b").unwrap().as_i64(), Some(9_007_199_254_740_993));
    assert!(array.elements().nth(2).unwrap().str_eq("xA\n"));
}
