//! Paths of routes, as axum writes them: `/users/{id}`, `/files/{*path}`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use std::{fmt, sync::Arc};

/// What stays as it is in a segment: the unreserved characters of RFC 3986, section 2.3.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathTemplate {
    text: Arc<str>,
    parts: Vec<Segment>,
}

/// A piece of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// Text, slashes included.
    Literal(Box<str>),
    /// `{name}`: within one segment.
    One(Box<str>),
    /// `{*name}`: the rest of the path.
    Rest(Box<str>),
}

/// Why a value cannot stand in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SegmentFault {
    #[error("must not be empty")]
    Empty,
    #[error("must not be `.` or `..`")]
    Dots,
}

impl PathTemplate {
    /// Reads a path.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if !text.starts_with('/') {
            return Err("a path begins with `/`");
        }
        let (mut parts, mut literal, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            literal.push_str(before);
            // Doubled braces are literal ones.
            if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
                literal.push_str(&from[..1]);
                rest = after;
                continue;
            }
            let inner = from.strip_prefix('{').ok_or("a `}` without `{`; write a literal brace twice")?;
            let (name, after) =
                inner.split_once('}').ok_or("a `{` without `}`; write a literal brace twice")?;
            if !literal.is_empty() {
                parts.push(Segment::Literal(std::mem::take(&mut literal).into()));
            }
            let (part, name) = match name.strip_prefix('*') {
                Some(name) if !after.is_empty() => {
                    return Err(if name.is_empty() {
                        "a parameter needs a name"
                    } else {
                        "`{*…}` stands at the end"
                    });
                }
                Some(name) => (Segment::Rest(name.into()), name),
                None => (Segment::One(name.into()), name),
            };
            if name.is_empty() || name.contains(['/', '{', '*']) {
                return Err("a parameter needs a name without `/`, `{` and `*`");
            }
            parts.push(part);
            rest = after;
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Segment::Literal(literal.into()));
        }
        Ok(Self { text: text.into(), parts })
    }

    /// The path as it was written, shared.
    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// The path as it was written.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The names of the parameters, in order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Segment::Literal(_) => None,
            Segment::One(name) | Segment::Rest(name) => Some(&**name),
        })
    }

    /// A name that stands twice.
    pub(crate) fn doubled(&self) -> Option<&str> {
        let names: Vec<&str> = self.parameters().collect();
        (1..names.len()).find_map(|at| {
            let (before, from) = names.split_at(at);
            from.first().copied().filter(|name| before.contains(name))
        })
    }

    /// The form by which two paths that match the same are equal, whatever their parameters are called.
    pub(crate) fn shape(&self) -> String {
        self.parts.iter().fold(String::new(), |shape, part| match part {
            // Braces that are text stay told apart from parameters.
            Segment::Literal(text) => shape + &text.replace('{', "{{").replace('}', "}}"),
            Segment::One(_) => shape + "{}",
            Segment::Rest(_) => shape + "{*}",
        })
    }

    /// The path below another one, as axum nests it.
    pub(crate) fn under(&self, base: &str) -> String {
        let base = base.trim_end_matches('/');
        match (&*self.text, base) {
            (path, "") => path.to_owned(),
            ("/", base) => base.to_owned(),
            (path, base) => format!("{base}{path}"),
        }
    }

    /// The path with its parameters filled in; `value` gives the text of each.
    ///
    /// # Errors
    /// The name whose value is missing, `None`, or cannot stand in a path.
    pub(crate) fn fill<'a>(
        &'a self,
        mut value: impl FnMut(&str) -> Option<std::borrow::Cow<'a, str>>,
    ) -> Result<String, (&'a str, Option<SegmentFault>)> {
        let mut path = String::with_capacity(self.text.len() + 16);
        for part in &self.parts {
            match part {
                Segment::Literal(text) => path.extend(encode_literal(text)),
                Segment::One(name) => {
                    let text = value(name).ok_or((&**name, None))?;
                    push_segment(&mut path, &text).map_err(|fault| (&**name, Some(fault)))?;
                }
                Segment::Rest(name) => {
                    let text = value(name).ok_or((&**name, None))?;
                    for (at, segment) in text.split('/').enumerate() {
                        if at > 0 {
                            path.push('/');
                        }
                        push_segment(&mut path, segment).map_err(|fault| (&**name, Some(fault)))?;
                    }
                }
            }
        }
        Ok(path)
    }
}

/// Adds a value as (a part of) one segment: whatever it holds, it stays within it.
fn push_segment(path: &mut String, value: &str) -> Result<(), SegmentFault> {
    match value {
        "" => return Err(SegmentFault::Empty),
        "." | ".." => return Err(SegmentFault::Dots),
        _ => {}
    }
    path.extend(utf8_percent_encode(value, UNRESERVED));
    Ok(())
}

/// Literal text of a template as it stands in a URL.
fn encode_literal(text: &str) -> PercentEncode<'_> {
    const LITERAL: &AsciiSet = &UNRESERVED
        .remove(b'/')
        .remove(b'%')
        .remove(b':')
        .remove(b'@')
        .remove(b'!')
        .remove(b'$')
        .remove(b'&')
        .remove(b'\'')
        .remove(b'(')
        .remove(b')')
        .remove(b'*')
        .remove(b'+')
        .remove(b',')
        .remove(b';')
        .remove(b'=');
    utf8_percent_encode(text, LITERAL)
}

impl fmt::Display for PathTemplate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn filled(template: &str, value: &'static str) -> Result<String, Option<SegmentFault>> {
        let template = PathTemplate::parse(template).unwrap();
        template.fill(|_| Some(Cow::Borrowed(value))).map_err(|(_, fault)| fault)
    }

    #[test]
    fn a_value_stays_within_its_segment() {
        assert_eq!(filled("/users/{id}", "a/../b?c#d%2F").unwrap(), "/users/a%2F..%2Fb%3Fc%23d%252F");
        assert_eq!(filled("/files/{*path}", "a b/c.txt").unwrap(), "/files/a%20b/c.txt");
        for value in ["", ".", ".."] {
            assert!(filled("/users/{id}", value).is_err());
            assert!(filled("/files/{*path}", value).is_err());
        }
        assert_eq!(filled("/files/{*path}", "a/../b"), Err(Some(SegmentFault::Dots)));
        assert_eq!(filled("/files/{*path}", "a//b"), Err(Some(SegmentFault::Empty)));
    }

    #[test]
    fn paths_are_read_as_axum_reads_them() {
        let template = PathTemplate::parse("/a/{b}/{{c}}/{*d}").unwrap();
        assert_eq!(template.parameters().collect::<Vec<_>>(), ["b", "d"]);
        assert_eq!(template.shape(), "/a/{}/{{c}}/{*}");
        assert_eq!(template.fill(|_| Some("x".into())).unwrap(), "/a/x/%7Bc%7D/x");
        for wrong in ["a", "/{", "/}", "/{}", "/{*a}/b", "/{a/b}"] {
            PathTemplate::parse(wrong).unwrap_err();
        }
        assert_eq!(PathTemplate::parse("/a/{id}/b/{id}").unwrap().doubled(), Some("id"));
    }
}
