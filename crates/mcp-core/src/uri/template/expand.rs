//! From variables to the URI that the template matches with exactly these.

use super::{
    super::{
        octets::{DATA, FRAGMENT, PATH, PATH_IN_QUERY},
        variables::{Value, Variables},
    },
    UriTemplate,
    part::{Hole, Lead, Part, Place, QueryKey, QueryPart, Span},
    spelling::Spelling,
};
use percent_encoding::{AsciiSet, utf8_percent_encode};
use std::{fmt, sync::Arc};

impl UriTemplate {
    /// Gives the URI that has these variables.
    ///
    /// Variables that the template does not have are ignored, as are missing query and fragment variables. It is the
    /// inverse of [`matches`](Self::matches), which asks more than RFC 6570: a `%` in a value is always data, also
    /// in `{+x}`, and `{+x}` encodes `?`, `#` and brackets. Where a value would end early because it holds what
    /// follows it in the template, that is encoded too: `{x}.{y}` with `a.b` and `c` gives `a%2Eb.c`.
    ///
    /// # Errors
    /// [`ExpandFault`] when a variable of the body is missing, empty, or has the wrong shape, and when no URI has
    /// these variables: in `{?q,rest*}` no pair of `rest` can be called `q`.
    pub fn expand(&self, variables: &Variables) -> Result<String, ExpandFault> {
        let mut misread = "";
        for spelling in Spelling::EACH {
            let uri = self.write(variables, spelling)?;
            match self.misread(&uri, variables) {
                Some(name) => misread = name,
                None => return Ok(uri),
            }
        }
        Err(fault(misread, ExpandProblem::Ambiguous))
    }

    /// Gives the first variable whose value is not what the URI says.
    fn misread(&self, uri: &str, variables: &Variables) -> Option<&str> {
        let rest = self.query.as_ref().and_then(|part| part.rest.as_ref());
        let Some(found) = self.matches(uri) else { return self.names.first().map(|name| &**name) };
        let differs = |(slot, name): &(usize, &Arc<str>)| {
            let (found, given) = (found.get(name), variables.get(name));
            match rest.filter(|rest| rest.slot == *slot) {
                Some(QueryKey { key, .. }) => pairs(key, found) != pairs(key, given),
                None => found != given,
            }
        };
        self.names.iter().enumerate().find(differs).map(|(_, name)| &**name)
    }

    fn write(&self, variables: &Variables, spelling: Spelling) -> Result<String, ExpandFault> {
        let mut uri = String::with_capacity(self.text.len() + 32);
        let mut parts = self.body.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Literal(text) => uri.push_str(text),
                Part::Hole(hole) => {
                    let name = self.name_of(hole.slot);
                    let next = parts.peek().copied();
                    write_hole(&mut uri, *hole, variables.get(name), |uri, text, encoded| {
                        spelling.push(uri, text, encoded, next);
                    })
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
            pairs(key, variables.get(self.name_of(*slot)))
                .into_iter()
                .for_each(|(key, text)| pair(key, text));
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
    /// However it is encoded, the URI is read as other variables.
    Ambiguous,
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
            ExpandProblem::Ambiguous => {
                "would be read from the URI as something else; choose another value or template"
            }
        };
        write!(formatter, "the variable `{}` {problem}", self.name)
    }
}

impl std::error::Error for ExpandFault {}

fn fault(name: &str, problem: ExpandProblem) -> ExpandFault {
    ExpandFault { name: name.into(), problem }
}

/// The pairs that `{?rest*}` makes of a value.
fn pairs<'a>(own: &'a str, value: Option<&'a Value>) -> Vec<(&'a str, &'a str)> {
    match value {
        None => Vec::new(),
        Some(Value::Text(text)) => vec![(own, text)],
        Some(Value::List(items)) => items.iter().map(|item| (own, &**item)).collect(),
        Some(Value::Pairs(pairs)) => pairs.iter().map(|(key, text)| (&**key, &**text)).collect(),
    }
}

fn write_hole(
    uri: &mut String,
    hole: Hole,
    value: Option<&Value>,
    push: impl Fn(&mut String, &str, &'static AsciiSet),
) -> Result<(), ExpandProblem> {
    let value = value.ok_or(ExpandProblem::Missing)?;
    let push_some = |uri: &mut String, text: &str, encoded| {
        push(uri, text, encoded);
        if text.is_empty() { Err(ExpandProblem::Empty) } else { Ok(()) }
    };
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

fn push(uri: &mut String, text: &str, encoded: &'static AsciiSet) {
    uri.extend(utf8_percent_encode(text, encoded));
}
