//! The digest of arguments: what does not matter, and that everything else does.

use super::{digest, hex};
use crate::{
    ask::state::arguments_digest,
    json::{Document, JsonLimits},
};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn digests_are_the_same_on_every_node_and_in_every_release() {
    for (text, expected) in [
        ("{}", "2b7e76116f41ee174f68ac47faf23366ab3c4003bf3fa5139e3c4c832c0b1d48"),
        (r#"{"a":1}"#, "8f13a1864e059d1615089cdf030b696c0450a6932760ec6be483e4b029ab5d57"),
        (r#"{"a":"1"}"#, "2d0dabf5373b91da85e05fd754c0a1cb3288f9cbe8cd87f9c7f1abf6e28cfd50"),
        (
            r#"{"a":[null,true,false,"",{},[]]}"#,
            "34199aa08fad012681205032912a5e574d810cb5c8e30e8b7660dffe65fd82a1",
        ),
        (
            r#"{"b":-0.5,"a":1e400,"\u00e9":"\ud83d\ude00","\uffff":1,"\ud83d\ude00":2}"#,
            "3fb17b4115f39a99ae5cf2d846574b6e230dd1ed305ace3fb36b4feda8923b05",
        ),
        (r#"{"n":9007199254740993}"#, "0d2f4996308501d918b4785abfc0a40a8879ab60ae0e9931ac91f78e87309b86"),
    ] {
        assert_eq!(hex(digest(text)), expected, "{text}");
    }
}

#[test]
fn absent_null_and_empty_arguments_are_the_same_and_nothing_else_is() {
    let nothing = arguments_digest(None);
    for text in ["null", "{}", " { } "] {
        assert_eq!(digest(text), nothing, "{text}");
    }
    for text in ["[]", "0", "false", "\"\"", r#"{"":null}"#, "[{}]", "[null]"] {
        assert_ne!(digest(text), nothing, "{text}");
    }
    assert_ne!(digest(r#"{"a":{}}"#), digest(r#"{"a":null}"#));
}

#[test]
fn numbers_are_compared_by_their_exact_decimal_value() {
    let tenths = format!("1.{}", "0".repeat(9_000));
    for same in [
        &["1", "1.0", "1e0", "10e-1", "0.1E+1", "1E00", "1e-0", &tenths][..],
        &["0", "-0", "0.0", "-0.000e-7", "0e99999999999999999999"],
        &["-250", "-2.5e2", "-25E1", "-0.25e+003"],
        &["1e400", "10e399", "0.1e401"],
        &["12345678901234567890123", "12345678901234567890123.000", "1.2345678901234567890123e22"],
    ] {
        for text in same {
            assert_eq!(digest(text), digest(same[0]), "{text}");
        }
    }
    let different = [
        "0",
        "1",
        "-1",
        "10",
        "0.1",
        "1e400",
        "1e401",
        "-1e400",
        "1e-400",
        "1e99999",
        "1e99998",
        "1e-99999",
        "9007199254740992",
        "9007199254740993",
        "0.1000000000000000055",
        "0.10000000000000000001",
        "11",
        "101",
        "1001",
        "110",
        "1.1",
        "\"1\"",
        "[1]",
        "true",
    ];
    for (index, one) in different.iter().enumerate() {
        for other in &different[index + 1..] {
            assert_ne!(digest(one), digest(other), "{one} {other}");
        }
    }
}

#[test]
fn strings_are_compared_by_what_they_stand_for() {
    assert_eq!(digest(r#"{"\u0061":"\/\u00E9\n"}"#), digest("{\"a\":\"/é\\u000a\"}"));
    assert_ne!(digest("\"é\""), digest("\"e\u{301}\""));
    assert_ne!(digest(r#"["a","b"]"#), digest(r#"["ab",""]"#));
    assert_ne!(digest(r#"{"a":"b"}"#), digest(r#"{"b":"a"}"#));
}

#[test]
fn containers_cannot_be_mistaken_for_each_other() {
    let different = [
        "[]",
        "[[]]",
        "[[],[]]",
        "[[[]]]",
        "[[[]],[]]",
        "[[],[[]]]",
        "[{}]",
        r#"{"a":[]}"#,
        r#"["a",[]]"#,
        r#"{"a":{"b":1},"c":2}"#,
        r#"{"a":{"b":1,"c":2}}"#,
        "[1,[2,3]]",
        "[[1,2],3]",
        "[1,2,3]",
        "[12,3]",
        "[3,2,1]",
    ];
    for (index, one) in different.iter().enumerate() {
        for other in &different[index + 1..] {
            assert_ne!(digest(one), digest(other), "{one} {other}");
        }
    }
}

#[test]
fn the_deepest_permitted_nesting_is_hashed() {
    let depth = JsonLimits::widest().depth;
    let nested = |inner: &str| {
        let (open, close) = (r#"{"a":["#.repeat(depth / 2), "]}".repeat(depth / 2));
        digest(&format!("{open}{inner}{close}"))
    };
    assert_eq!(nested("1"), nested("1.0"));
    assert_ne!(nested("1"), nested("2"));
}

#[test]
fn arguments_within_an_object_of_the_request_are_hashed_alone() {
    let text = r#"{"x":1,"arguments":{"b":2.0,"a":"\u0062"},"y":[2]}"#;
    let document = Document::parse(text.into(), &JsonLimits::default()).unwrap();
    assert_eq!(arguments_digest(document.root().get("arguments")), digest(r#"{"a":"b","b":2}"#));
    assert_eq!(arguments_digest(document.root().get("missing")), digest("{}"));
}

/// A JSON value as the digest means it: equal exactly when the digests have to be.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Null,
    Bool(bool),
    /// `.0 * 10^.1`, where `.0` has no zero at its end.
    Number(i64, i64),
    Text(String),
    Array(Vec<Self>),
    Object(BTreeMap<String, Self>),
}

fn number(mut digits: i64, mut exponent: i64) -> Tree {
    while digits != 0 && digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    Tree::Number(digits, if digits == 0 { 0 } else { exponent })
}

/// Values out of few parts, so that some are equal and many are nearly so.
fn small_tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        (-2_i64..12, -1_i64..2).prop_map(|(digits, exponent)| number(digits, exponent)),
        "[a-b]{0,2}".prop_map(Tree::Text),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Tree::Array),
            prop::collection::btree_map("[a-b]{0,1}", inner, 0..3).prop_map(Tree::Object),
        ]
    })
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let text = || prop_oneof!["[a-c]{0,2}", "(?s).{0,9}", "[\u{0}-\u{20}\"\\\\/\u{2028}é\u{FFFF}😀]{0,6}"];
    let leaf = prop_oneof![
        small_tree(),
        (any::<i64>(), -400_i64..400).prop_map(|(digits, exponent)| number(digits, exponent)),
        text().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Tree::Array),
            prop::collection::btree_map(text(), inner, 0..6).prop_map(Tree::Object),
        ]
    })
}

/// Choices of spelling, taken from bytes again and again.
struct Whims<'a>(std::iter::Cycle<std::slice::Iter<'a, u8>>);

impl Whims<'_> {
    fn choose(&mut self, count: usize) -> usize {
        usize::from(*self.0.next().unwrap()) % count
    }

    fn pick<'b>(&mut self, from: &[&'b str]) -> &'b str {
        from[self.choose(from.len())]
    }
}

/// Writes trees, each in one of many spellings.
struct Pen<'a> {
    whims: Whims<'a>,
    out: String,
}

impl<'a> Pen<'a> {
    fn write(tree: &Tree, whims: &'a [u8]) -> String {
        let mut pen = Self { whims: Whims(whims.iter().cycle()), out: String::new() };
        pen.tree(tree);
        pen.out
    }

    fn space(&mut self) {
        self.out += self.whims.pick(&["", "", " ", "\t\r\n"]);
    }

    fn tree(&mut self, tree: &Tree) {
        self.space();
        match tree {
            Tree::Null => self.out += "null",
            Tree::Bool(value) => self.out += &value.to_string(),
            Tree::Number(digits, exponent) => self.number(*digits, *exponent),
            Tree::Text(text) => self.text(text),
            Tree::Array(elements) => {
                self.out += "[";
                self.space();
                for (index, element) in elements.iter().enumerate() {
                    self.out += if index > 0 { "," } else { "" };
                    self.tree(element);
                }
                self.out += "]";
            }
            Tree::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                for index in 0..members.len() {
                    let other = self.whims.choose(members.len());
                    members.swap(index, other);
                }
                self.out += "{";
                self.space();
                for (index, (name, member)) in members.into_iter().enumerate() {
                    self.out += if index > 0 { "," } else { "" };
                    self.space();
                    self.text(name);
                    self.space();
                    self.out += ":";
                    self.tree(member);
                }
                self.out += "}";
            }
        }
        self.space();
    }

    fn number(&mut self, digits: i64, exponent: i64) {
        if digits == 0 {
            self.out += self.whims.pick(&["0", "-0", "0.00", "-0e9", "0.0E-12"]);
            return;
        }
        self.out += if digits < 0 { "-" } else { "" };
        let digits = digits.unsigned_abs().to_string();
        let length = i64::try_from(digits.len()).unwrap();
        let e = self.whims.pick(&["e", "E"]);
        self.out += &match self.whims.choose(5) {
            0 if (0..30).contains(&exponent) => digits + &"0".repeat(usize::try_from(exponent).unwrap()),
            1 => format!("{digits}.00{e}{exponent:+}"),
            2 => format!("{digits}000{e}{}", exponent - 3),
            3 => format!("{}.{}0{e}{}", &digits[..1], &digits[1..], exponent + length - 1),
            4 => format!("0.00{digits}{e}{}", exponent + length + 2),
            _ => format!("{digits}{e}{exponent:+04}"),
        };
    }

    fn text(&mut self, text: &str) {
        self.out += "\"";
        for character in text.chars() {
            let must_escape = character < ' ' || matches!(character, '"' | '\\');
            if !must_escape && self.whims.choose(3) > 0 {
                self.out.push(character);
            } else if matches!(character, '"' | '\\' | '/') && self.whims.choose(2) > 0 {
                self.out.extend(['\\', character]);
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    self.out += &if self.whims.choose(2) > 0 {
                        format!("\\u{unit:04x}")
                    } else {
                        format!("\\u{unit:04X}")
                    };
                }
            }
        }
        self.out += "\"";
    }
}

fn whims() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..60)
}

/// How many values a tree is made of.
fn size(tree: &Tree) -> usize {
    1 + match tree {
        Tree::Array(elements) => elements.iter().map(size).sum(),
        Tree::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// Replaces the value that is reached after `left` others.
fn replace(tree: &mut Tree, left: &mut usize, with: &Tree) {
    if *left == 0 {
        *tree = with.clone();
    }
    *left = left.wrapping_sub(1);
    match tree {
        Tree::Array(elements) => elements.iter_mut().for_each(|element| replace(element, left, with)),
        Tree::Object(members) => members.values_mut().for_each(|member| replace(member, left, with)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn order_and_spelling_do_not_matter(tree in any_tree(), one in whims(), other in whims()) {
        let (one, other) = (Pen::write(&tree, &one), Pen::write(&tree, &other));
        prop_assert_eq!(digest(&one), digest(&other), "{} {}", one, other);
    }

    #[test]
    fn digests_of_small_values_are_equal_exactly_when_the_values_are(
        trees in prop::collection::vec(small_tree(), 2..12),
        whims in whims(),
    ) {
        let empty = |tree: &Tree| *tree == Tree::Null || *tree == Tree::Object(BTreeMap::new());
        for one in &trees {
            for other in &trees {
                let same = one == other || (empty(one) && empty(other));
                let (one, other) = (Pen::write(one, &whims), Pen::write(other, &whims));
                prop_assert_eq!(digest(&one) == digest(&other), same, "{} {}", one, other);
            }
        }
    }

    #[test]
    fn a_change_anywhere_changes_the_digest(tree in any_tree(), with in small_tree(), at in any::<prop::sample::Index>(), whims in whims()) {
        let mut changed = Tree::Array(vec![tree]);
        let original = changed.clone();
        replace(&mut changed, &mut at.index(size(&original)), &with);
        let same = changed == original;
        prop_assert_eq!(digest(&Pen::write(&original, &whims)) == digest(&Pen::write(&changed, &whims)), same);
    }
}
