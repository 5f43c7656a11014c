//! The one pass over a text that checks it and writes its index.

use super::{
    JsonFault, JsonFaultKind, JsonLimits,
    duplicate::find_duplicate,
    number::{Extent, measure_number},
    string::{StringFault, measure_string},
    token::{Form, MOST_TOKENS, Token},
};

/// What the scan learns of a text.
#[derive(Clone)]
pub(super) struct Index {
    pub(super) tokens: Vec<Token>,
    /// How many arrays and objects are open at once where there are most.
    pub(super) depth: usize,
}

/// Indexes `text`, which is valid UTF-8 of less than 4 GiB.
pub(super) fn scan(text: &[u8], limits: &JsonLimits) -> Result<Index, JsonFault> {
    // A quarter of the bytes covers all but the densest texts; a large text grows instead, so that
    // one long string does not reserve an index it will not use.
    let capacity = (text.len() / 4 + 2).min(1_024);
    let mut scanner = Scanner {
        text,
        limits,
        at: 0,
        tokens: Vec::with_capacity(capacity),
        open: NONE,
        depth: 0,
        deepest: 0,
    };
    scanner.run()?;
    Ok(Index { tokens: scanner.tokens, depth: scanner.deepest })
}

/// The parent of the outermost value.
const NONE: u32 = u32::MAX;

/// What the grammar has next.
enum Step {
    Value,
    AfterValue,
    Done,
}

struct Scanner<'a> {
    text: &'a [u8],
    limits: &'a JsonLimits,
    at: usize,
    tokens: Vec<Token>,
    /// The innermost open container. Its `next` holds its parent, so that no stack is needed.
    open: u32,
    depth: usize,
    deepest: usize,
}

impl Scanner<'_> {
    fn run(&mut self) -> Result<(), JsonFault> {
        let mut step = Step::Value;
        loop {
            step = match step {
                Step::Value => self.value()?,
                Step::AfterValue => self.after_value()?,
                Step::Done => return Ok(()),
            }
        }
    }

    fn value(&mut self) -> Result<Step, JsonFault> {
        let byte = self.skip_white_space()?;
        if let Some(parent) = self.tokens.get_mut(self.open as usize) {
            parent.add_child();
        }
        match byte {
            b'"' => self.string(self.limits.string_chars, JsonFaultKind::StringTooLong)?,
            b'{' => return self.open_container(Form::Object, b'}'),
            b'[' => return self.open_container(Form::Array, b']'),
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word(b"true", Form::True)?,
            b'f' => self.word(b"false", Form::False)?,
            b'n' => self.word(b"null", Form::Null)?,
            _ => return Err(self.fault(JsonFaultKind::Syntax)),
        }
        Ok(Step::AfterValue)
    }

    fn after_value(&mut self) -> Result<Step, JsonFault> {
        let Some(container) = self.tokens.get(self.open as usize) else {
            return self.finish();
        };
        let form = container.form();
        match (self.skip_white_space()?, form) {
            (b',', Form::Object) => {
                self.at += 1;
                self.name()
            }
            (b',', _) => {
                self.at += 1;
                Ok(Step::Value)
            }
            (b'}', Form::Object) | (b']', Form::Array) => self.close_container(),
            _ => Err(self.fault(JsonFaultKind::Syntax)),
        }
    }

    fn finish(&mut self) -> Result<Step, JsonFault> {
        match self.skip_white_space() {
            Ok(_) => Err(self.fault(JsonFaultKind::TrailingData)),
            Err(_) => Ok(Step::Done),
        }
    }

    fn open_container(&mut self, form: Form, closing: u8) -> Result<Step, JsonFault> {
        if self.depth >= self.limits.depth {
            return Err(self.fault(JsonFaultKind::TooDeep));
        }
        let index = self.next_index()?;
        self.tokens.push(Token::new(form, offset(self.at), 0, self.open));
        self.open = index;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.at += 1;
        match self.skip_white_space()? {
            byte if byte == closing => self.close_container(),
            _ if form == Form::Object => self.name(),
            _ => Ok(Step::Value),
        }
    }

    fn close_container(&mut self) -> Result<Step, JsonFault> {
        self.at += 1;
        let next = offset(self.tokens.len());
        let index = self.open;
        if let Some(container) = self.tokens.get_mut(index as usize) {
            self.open = container.next;
            container.next = next;
            container.end = offset(self.at);
            let closed = *container;
            if closed.form() == Form::Object
                && closed.count() > 1
                && let Some(position) = find_duplicate(self.text, &self.tokens, index, closed)
            {
                return Err(JsonFault { position: position as usize, kind: JsonFaultKind::DuplicateName });
            }
        }
        self.depth -= 1;
        Ok(Step::AfterValue)
    }

    /// Reads a member's name and its colon.
    fn name(&mut self) -> Result<Step, JsonFault> {
        if self.skip_white_space()? != b'"' {
            return Err(self.fault(JsonFaultKind::Syntax));
        }
        self.string(self.limits.name_chars, JsonFaultKind::NameTooLong)?;
        if self.skip_white_space()? != b':' {
            return Err(self.fault(JsonFaultKind::Syntax));
        }
        self.at += 1;
        Ok(Step::Value)
    }

    fn string(&mut self, most_chars: usize, too_long: JsonFaultKind) -> Result<(), JsonFault> {
        let start = self.at;
        let measured = measure_string(self.text, start + 1, most_chars)
            .map_err(|(position, fault)| JsonFault { position, kind: fault.kind(too_long) })?;
        let form = if measured.escaped { Form::Escaped } else { Form::Plain };
        self.push(form, start, measured.end)
    }

    fn number(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        let extent = measure_number(self.text, start).map_err(|position| {
            let ended = position >= self.text.len();
            let kind = if ended { JsonFaultKind::UnexpectedEnd } else { JsonFaultKind::InvalidNumber };
            JsonFault { position, kind }
        })?;
        let Extent { end, whole } = extent;
        if end - start > self.limits.number_chars {
            return Err(self.fault(JsonFaultKind::NumberTooLong));
        }
        if (!whole || end - start > self.limits.number_scale)
            && extent.scale(self.text, start) > self.limits.number_scale as u64
        {
            return Err(self.fault(JsonFaultKind::ScaleTooLarge));
        }
        self.push(if whole { Form::Integer } else { Form::Decimal }, start, end)
    }

    fn word(&mut self, word: &[u8], form: Form) -> Result<(), JsonFault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let matching = rest.iter().zip(word).take_while(|(read, wanted)| read == wanted).count();
        if matching == word.len() {
            return self.push(form, self.at, self.at + matching);
        }
        let ended = matching == rest.len();
        let kind = if ended { JsonFaultKind::UnexpectedEnd } else { JsonFaultKind::Syntax };
        Err(JsonFault { position: self.at + matching, kind })
    }

    /// Adds the token of a scalar or name, which is its own whole subtree.
    fn push(&mut self, form: Form, start: usize, end: usize) -> Result<(), JsonFault> {
        let index = self.next_index()?;
        self.tokens.push(Token::new(form, offset(start), offset(end), index + 1));
        self.at = end;
        Ok(())
    }

    fn next_index(&self) -> Result<u32, JsonFault> {
        if self.tokens.len() >= self.limits.tokens.min(MOST_TOKENS) {
            return Err(self.fault(JsonFaultKind::TooManyTokens));
        }
        Ok(offset(self.tokens.len()))
    }

    /// Moves to the next byte that is not white space and returns it.
    fn skip_white_space(&mut self) -> Result<u8, JsonFault> {
        while let Some(&byte) = self.text.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Ok(byte);
            }
            self.at += 1;
        }
        Err(self.fault(JsonFaultKind::UnexpectedEnd))
    }

    fn fault(&self, kind: JsonFaultKind) -> JsonFault {
        JsonFault { position: self.at, kind }
    }
}

impl StringFault {
    fn kind(self, too_long: JsonFaultKind) -> JsonFaultKind {
        match self {
            Self::End => JsonFaultKind::UnexpectedEnd,
            Self::ControlCharacter => JsonFaultKind::ControlCharacter,
            Self::Escape => JsonFaultKind::InvalidEscape,
            Self::LoneSurrogate => JsonFaultKind::LoneSurrogate,
            Self::TooLong => too_long,
        }
    }
}

/// Narrows a position in a text of less than 4 GiB.
#[expect(clippy::cast_possible_truncation, reason = "a longer text is refused before the scan")]
fn offset(position: usize) -> u32 {
    position as u32
}
