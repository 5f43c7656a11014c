//! From variables to the URI that the template matches with exactly these.

use super::{
    super::{
        octets::{DATA, FRAGMENT, PATH, PATH_IN_QUERY},
        variables::{Value, Variables},
    },
    UriTemplate,
    part::{Hole, Lead, Part, Place, QueryKey, QueryPart, Span},
};
use percent_encoding::{AsciiSet, utf8_percent_encode};
use std::fmt;

impl UriTemplate {
    /// Gives the URI that has these variables.
    ///
    /// Variables that the template does not have are ignored, as are missing query and fragment variables. It is the
    /// inverse of [`matches`](Self::matches), which asks more than RFC 6570: a `%` in a value is always data, also
    /// in `{+x}`, and `{+x}` encodes `?`, `#` and brackets.
    ///
    /// # Errors
    /// [`ExpandFault`] when a variable of the body is missing, empty, or has the wrong shape.
    pub fn expand(&self, variables: &Variables) -> Result<String, ExpandFault> {
        let mut uri = String::with_capacity(self.text.len() + 32);
        for part in &self.body {
            match part {
                Part::Literal(text) => uri.push_str(text),
                Part::Hole(hole) => {
                    let name = self.name_of(hole.slot);
                    write_hole(&mut uri, *hole, variables.get(name))
                        .map_err(|problem| fault(name, problem))?;
                }
            }
        }
        if let Some(part) = &self.query {
            self.write_query(&mut uri, part, variables)?;
        }
        if let Some(slot) = self.fragment {
            let name = self.name_of(slot);
            match variables.get(name) {
                None => {}
                Some(Value::Text(text)) => {
                    uri.push('#');
                    push(&mut uri, text, FRAGMENT);
                }
                Some(_) => return Err(fault(name, ExpandProblem::NotText)),
            }
        }
        Ok(uri)
    }

    fn name_of(&self, slot: usize) -> &str {
        self.names.get(slot).map_or("", |name| name)
    }

    fn write_query(
        &self,
        uri: &mut String,
        part: &QueryPart,
        variables: &Variables,
    ) -> Result<(), ExpandFault> {
        let mut lead = match part.lead {
            Lead::QuestionMark => '?',
            Lead::Ampersand(_) => '&',
        };
        let mut pair = |key: &str, text: &str| {
            uri.push(lead);
            push(uri, key, DATA);
            uri.push('=');
            push(uri, text, DATA);
            lead = '&';
        };
        for QueryKey { slot, key } in &part.keys {
            let name = self.name_of(*slot);
            match variables.get(name) {
                None => {}
                Some(Value::Text(text)) => pair(key, text),
                Some(_) => return Err(fault(name, ExpandProblem::NotText)),
            }
        }
        if let Some(QueryKey { slot, key }) = &part.rest {
            match variables.get(self.name_of(*slot)) {
                None => {}
                Some(Value::Text(text)) => pair(key, text),
                Some(Value::List(items)) => items.iter().for_each(|item| pair(key, item)),
                Some(Value::Pairs(pairs)) => pairs.iter().for_each(|(key, text)| pair(key, text)),
            }
        }
        Ok(())
    }
}

/// Which variable keeps a template from being expanded, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandFault {
    name: Box<str>,
    problem: ExpandProblem,
}

/// Why a variable cannot be written into a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandProblem {
    /// It has no value.
    Missing,
    /// It is an empty text or list, or has an empty item.
    Empty,
    /// The template wants one text.
    NotText,
    /// The template wants a list.
    NotList,
}

impl ExpandFault {
    /// Gives the variable's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the problem.
    #[must_use]
    pub const fn problem(&self) -> ExpandProblem {
        self.problem
    }
}

impl fmt::Display for ExpandFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            ExpandProblem::Missing => "has no value",
            ExpandProblem::Empty => "is empty",
            ExpandProblem::NotText => "must be one text",
            ExpandProblem::NotList => "must be a list",
        };
        write!(formatter, "the variable `{}` {problem}", self.name)
    }
}

impl std::error::Error for ExpandFault {}

fn fault(name: &str, problem: ExpandProblem) -> ExpandFault {
    ExpandFault { name: name.into(), problem }
}

fn write_hole(uri: &mut String, hole: Hole, value: Option<&Value>) -> Result<(), ExpandProblem> {
    let value = value.ok_or(ExpandProblem::Missing)?;
    match (hole.span, value) {
        (Span::Segment, Value::Text(text)) => push_some(uri, text, DATA),
        (Span::Reserved, Value::Text(text)) => {
            let kept = if hole.place == Place::Query { PATH_IN_QUERY } else { PATH };
            push_some(uri, text, kept)
        }
        (Span::Segment | Span::Reserved, _) => Err(ExpandProblem::NotText),
        (_, Value::List(items)) if items.is_empty() => Err(ExpandProblem::Empty),
        (Span::Commas, Value::List(items)) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    uri.push(',');
                }
                push_some(uri, item, DATA)?;
            }
            Ok(())
        }
        (Span::Repeated(separator), Value::List(items)) => {
            for item in items {
                uri.push(char::from(separator));
                push_some(uri, item, if separator == b'.' { LABEL } else { DATA })?;
            }
            Ok(())
        }
        (Span::Commas | Span::Repeated(_), _) => Err(ExpandProblem::NotList),
    }
}

/// A dot within an item of `{.x*}` would end it.
const LABEL: &AsciiSet = &DATA.add(b'.');

fn push_some(uri: &mut String, text: &str, encoded: &'static AsciiSet) -> Result<(), ExpandProblem> {
    if text.is_empty() {
        return Err(ExpandProblem::Empty);
    }
    push(uri, text, encoded);
    Ok(())
}

fn push(uri: &mut String, text: &str, encoded: &'static AsciiSet) {
    uri.extend(utf8_percent_encode(text, encoded));
}
