//! JSON Pointers.
//!
//! Spec: RFC 6901.

use crate::json::{Kind, Node};

/// The way to a part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer(Vec<Box<str>>);

impl Pointer {
    /// Reads a pointer; `None` for what is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        text.strip_prefix('/')?.split('/').map(unescaped).collect::<Option<_>>().map(Self)
    }

    /// Tells whether it points to the whole value.
    pub(super) fn is_whole(&self) -> bool {
        self.0.is_empty()
    }

    /// The part of the value; `None` where there is nothing.
    pub(super) fn find<'a>(&self, value: Node<'a>) -> Option<Node<'a>> {
        self.0.iter().try_fold(value, |value, token| match value.kind() {
            Kind::Object => value.get(token),
            Kind::Array => value.elements().nth(place(token)?),
            _ => None,
        })
    }
}

/// A token with `~1` and `~0` read; `None` where a `~` stands for neither.
fn unescaped(token: &str) -> Option<Box<str>> {
    let mut parts = token.split('~');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (character, rest) = match part.as_bytes().first() {
            Some(b'0') => ('~', &part[1..]),
            Some(b'1') => ('/', &part[1..]),
            _ => return None,
        };
        text.push(character);
        text.push_str(rest);
    }
    Some(text.into())
}

/// An index: digits without a zero before them. `-` is the place after the last element, where there is nothing.
fn place(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    (plain && token.bytes().all(|byte| byte.is_ascii_digit())).then(|| token.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Document, JsonLimits};
    use bytes::Bytes;

    fn find(pointer: &str, json: &'static str) -> Option<String> {
        let document = Document::parse(Bytes::from_static(json.as_bytes()), &JsonLimits::default()).unwrap();
        Some(Pointer::parse(pointer)?.find(document.root())?.raw().to_owned())
    }

    #[test]
    fn the_examples_of_the_specification_point_where_it_says() {
        let json =
            r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#;
        for (pointer, expected) in [
            ("", json),
            ("/foo", r#"["bar","baz"]"#),
            ("/foo/0", r#""bar""#),
            ("/", "0"),
            ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"),
            (r"/i\j", "5"),
            (r#"/k"l"#, "6"),
            ("/ ", "7"),
            ("/m~0n", "8"),
        ] {
            assert_eq!(find(pointer, json).as_deref(), Some(expected), "{pointer}");
        }
    }

    #[test]
    fn what_points_nowhere_finds_nothing() {
        let json = r#"{"list":[10,[20]],"01":1,"~1":2,"text":"x"}"#;
        for pointer in [
            "/none",
            "/list/2",
            "/list/-",
            "/list/00",
            "/list/01",
            "/list/+1",
            "/list/ 1",
            "/list/1x",
            "/list//",
            "/text/0",
            "/list/0/0",
            "/list/99999999999999999999999",
        ] {
            assert_eq!(find(pointer, json), None, "{pointer}");
        }
        assert_eq!(find("/list/1/0", json).as_deref(), Some("20"));
        assert_eq!(find("/01", json).as_deref(), Some("1"));
        assert_eq!(find("/~01", json).as_deref(), Some("2"));
    }

    #[test]
    fn what_is_no_pointer_is_told() {
        for text in ["list", "#/list", "/a~", "/a~2", "/~/x", "~0"] {
            assert_eq!(Pointer::parse(text), None, "{text}");
        }
    }
}
