//! YAML front matter as JSON.

use super::FrontMatterFault;
use saphyr::{Scalar, ScalarStyle};
use saphyr_parser::{Event, Parser, Span, StrInput};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// The most bytes of the front matter of one skill.
pub const MAX_FRONT_MATTER_BYTES: usize = 64 * 1024;

/// How deep values of front matter are nested at most.
const MAX_DEPTH: usize = 16;

/// Reads the front matter that a file begins with.
///
/// Values are what the core schema of YAML 1.2 says, as the YAML parsers of other languages read them: `yes` is text,
/// `1.0` is a number. A host compares them with what it reads itself, so what could be read in two ways is refused.
pub(super) fn front_matter(text: &str) -> Result<Map<String, Value>, FrontMatterFault> {
    let yaml = between_lines(text)?;
    if yaml.len() > MAX_FRONT_MATTER_BYTES {
        return Err(FrontMatterFault::TooLarge { most: MAX_FRONT_MATTER_BYTES });
    }
    let mut reader = Reader { parser: Parser::new_from_str(yaml) };
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(_), _) => {}
            (Event::MappingStart(anchor, tag), at) => {
                plain(anchor, tag.is_some(), at)?;
                let front_matter = reader.mapping(1, at)?;
                return reader.end().map(|()| front_matter);
            }
            _ => return Err(FrontMatterFault::NoMapping),
        }
    }
}

/// What stands between the first two lines `---`.
fn between_lines(text: &str) -> Result<&str, FrontMatterFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line)).ok_or(FrontMatterFault::Absent)?;
    let mut end = first.len();
    for line in lines {
        if is_fence(line) {
            return Ok(text.get(first.len()..end).unwrap_or_default());
        }
        end += line.len();
    }
    Err(FrontMatterFault::Open)
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// The line in the file: the first line of the YAML is the second of the file.
fn line(at: Span) -> usize {
    at.start.line() + 1
}

fn plain(anchor: usize, tagged: bool, at: Span) -> Result<(), FrontMatterFault> {
    if anchor != 0 || tagged { Err(FrontMatterFault::Reference { line: line(at) }) } else { Ok(()) }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), FrontMatterFault> {
        match self.parser.next() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(FrontMatterFault::Syntax {
                line: error.marker().line() + 1,
                message: error.info().into(),
            }),
            None => Err(FrontMatterFault::NoMapping),
        }
    }

    /// Nothing may follow the mapping.
    fn end(&mut self) -> Result<(), FrontMatterFault> {
        loop {
            match self.next()? {
                (Event::DocumentEnd, _) => {}
                (Event::StreamEnd, _) => return Ok(()),
                _ => return Err(FrontMatterFault::NoMapping),
            }
        }
    }

    fn mapping(&mut self, depth: usize, at: Span) -> Result<Map<String, Value>, FrontMatterFault> {
        if depth > MAX_DEPTH {
            return Err(FrontMatterFault::TooDeep { line: line(at), most: MAX_DEPTH });
        }
        let mut members = Map::new();
        loop {
            let (event, at) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(members),
                Event::Scalar(text, style, anchor, tag) => {
                    plain(anchor, tag.is_some(), at)?;
                    key(text, style).ok_or(FrontMatterFault::Key { line: line(at) })?
                }
                Event::Alias(_) => return Err(FrontMatterFault::Reference { line: line(at) }),
                _ => return Err(FrontMatterFault::Key { line: line(at) }),
            };
            let next = self.next()?;
            let value = self.value(next, depth)?;
            if members.contains_key(&key) {
                return Err(FrontMatterFault::Twice { line: line(at), key: key.into() });
            }
            members.insert(key, value);
        }
    }

    fn sequence(&mut self, depth: usize, at: Span) -> Result<Vec<Value>, FrontMatterFault> {
        if depth > MAX_DEPTH {
            return Err(FrontMatterFault::TooDeep { line: line(at), most: MAX_DEPTH });
        }
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                item => items.push(self.value(item, depth)?),
            }
        }
    }

    fn value(&mut self, (event, at): (Event<'a>, Span), depth: usize) -> Result<Value, FrontMatterFault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                plain(anchor, tag.is_some(), at)?;
                scalar(text, style).ok_or(FrontMatterFault::Number { line: line(at) })
            }
            Event::SequenceStart(anchor, tag) => {
                plain(anchor, tag.is_some(), at)?;
                self.sequence(depth + 1, at).map(Value::Array)
            }
            Event::MappingStart(anchor, tag) => {
                plain(anchor, tag.is_some(), at)?;
                self.mapping(depth + 1, at).map(Value::Object)
            }
            Event::Alias(_) => Err(FrontMatterFault::Reference { line: line(at) }),
            _ => Err(FrontMatterFault::NoMapping),
        }
    }
}

/// A name, which has to be text: of what else it might be, readers make different texts.
fn key(text: Cow<'_, str>, style: ScalarStyle) -> Option<String> {
    match scalar(text, style)? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// A value; `None` for a number that JSON has no word for.
fn scalar(text: Cow<'_, str>, style: ScalarStyle) -> Option<Value> {
    Some(match Scalar::parse_from_cow_and_metadata(text, style, None)? {
        Scalar::Null => Value::Null,
        Scalar::Boolean(value) => Value::Bool(value),
        Scalar::Integer(value) => Value::from(value),
        Scalar::FloatingPoint(value) => Value::Number(Number::from_f64(*value)?),
        // A hexadecimal or octal number beyond 64 bits would be one number here and another there.
        Scalar::String(text) if style == ScalarStyle::Plain && is_wide_number(&text) => return None,
        Scalar::String(text) => Value::String(text.into_owned()),
    })
}

fn is_wide_number(text: &str) -> bool {
    let all = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    text.strip_prefix("0x").is_some_and(|digits| all(digits, 16))
        || text.strip_prefix("0o").is_some_and(|digits| all(digits, 8))
}
