//! Reads a template and refuses what could not be matched in one clear way.

use super::{
    super::octets::{decode, is_escape, is_legal, normalize, scheme_length},
    Specificity, UriTemplate,
    fault::{TemplateFault, TemplateProblem},
    part::{Hole, Lead, Part, Place, QueryKey, QueryPart, Span},
};
use std::sync::Arc;

impl UriTemplate {
    /// Reads a template.
    ///
    /// Names may also have `-`, which RFC 6570 leaves out and people write.
    ///
    /// # Errors
    /// [`TemplateFault`] for text that is no template, and for a template that could match in more than one way
    /// or not at all. Its message says what to write instead.
    pub fn parse(text: &str) -> Result<Self, TemplateFault> {
        let mut builder = Builder::default();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let length = rest.find(['{', '}']).unwrap_or(rest.len());
            let (literal, rest) = rest.split_at_checked(length).unwrap_or((rest, ""));
            builder.literal(literal, at)?;
            at += length;
            if let Some(open) = rest.strip_prefix('{') {
                let end = open.find('}').ok_or_else(|| fault(at, TemplateProblem::Unclosed))?;
                builder.expression(open.get(..end).unwrap_or_default(), at + 1)?;
                at += end + 2;
            } else if !rest.is_empty() {
                return Err(fault(at, TemplateProblem::Unopened));
            }
        }
        builder.finish(text)
    }
}

const fn fault(at: usize, problem: TemplateProblem) -> TemplateFault {
    TemplateFault::new(at, problem)
}

#[derive(Default)]
struct Builder {
    names: Vec<Arc<str>>,
    body: Vec<Part>,
    literal: String,
    query: Option<QueryPart>,
    fragment: Option<usize>,
    seen: Seen,
}

/// What the literals have begun.
#[derive(Default)]
struct Seen {
    /// The number of ampersands after a literal `?`.
    query: Option<usize>,
    /// Whether a literal `#` has come.
    fragment: bool,
}

/// One variable of an expression: its name, where it begins, whether it is exploded.
struct Spec<'a> {
    name: &'a str,
    at: usize,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Exploded,
}

impl Builder {
    fn literal(&mut self, literal: &str, at: usize) -> Result<(), TemplateFault> {
        if literal.is_empty() {
            return Ok(());
        }
        self.expects_body(at)?;
        for (offset, octet) in literal.bytes().enumerate() {
            let here = at + offset;
            match octet {
                b'%' if !is_escape(literal.as_bytes().get(offset..).unwrap_or_default()) => {
                    return Err(fault(here, TemplateProblem::BrokenEscape));
                }
                b'#' if std::mem::replace(&mut self.seen.fragment, true) => {
                    return Err(fault(here, TemplateProblem::IllegalLiteral));
                }
                b'?' if !self.seen.fragment && self.seen.query.is_none() => self.seen.query = Some(0),
                b'&' if !self.seen.fragment => {
                    if let Some(ampersands) = &mut self.seen.query {
                        *ampersands += 1;
                    }
                }
                b'%' | 0x80.. => {}
                _ if is_legal(octet) => {}
                _ => return Err(fault(here, TemplateProblem::IllegalLiteral)),
            }
        }
        self.literal.push_str(literal);
        Ok(())
    }

    fn expression(&mut self, expression: &str, at: usize) -> Result<(), TemplateFault> {
        let operator = expression.chars().next().filter(|first| "+#./;?&=,!@|".contains(*first));
        let skipped = usize::from(operator.is_some());
        let specs = specs(expression.get(skipped..).unwrap_or_default(), at + skipped)?;
        match operator {
            None => self.separated(&specs, Separators { lead: None, between: ',' }),
            Some('.') => self.separated(&specs, Separators { lead: Some('.'), between: '.' }),
            Some('/') => self.separated(&specs, Separators { lead: Some('/'), between: '/' }),
            Some('+') => self.reserved(&specs),
            Some('#') => self.fragment(&specs),
            Some('?') => self.query(&specs, Lead::QuestionMark),
            Some('&') => self.query(&specs, Lead::Ampersand(self.seen.query.unwrap_or(0))),
            Some(other) => Err(fault(at, TemplateProblem::Operator(other))),
        }
    }

    /// `{x,y}`, `{.x}` and `{/x}`: each variable in its own segment, with separators as literals.
    fn separated(&mut self, specs: &[Spec<'_>], separators: Separators) -> Result<(), TemplateFault> {
        for (index, spec) in specs.iter().enumerate() {
            self.expects_body(spec.at)?;
            let separator = if index == 0 { separators.lead } else { Some(separators.between) };
            let span = match (spec.form, separators.lead) {
                (Form::Plain, _) => Span::Segment,
                (Form::Exploded, None) => Span::Commas,
                (Form::Exploded, Some('.')) => Span::Repeated(b'.'),
                (Form::Exploded, Some(_)) => Span::Repeated(b'/'),
            };
            // A repeated variable brings its separators along.
            if !matches!(span, Span::Repeated(_)) {
                self.literal.extend(separator);
            }
            self.hole(spec, span)?;
        }
        Ok(())
    }

    fn reserved(&mut self, specs: &[Spec<'_>]) -> Result<(), TemplateFault> {
        let spec = single(specs)?;
        self.expects_body(spec.at)?;
        self.hole(spec, Span::Reserved)
    }

    fn fragment(&mut self, specs: &[Spec<'_>]) -> Result<(), TemplateFault> {
        let spec = single(specs)?;
        if self.fragment.is_some() {
            return Err(fault(spec.at, TemplateProblem::AfterFragment));
        }
        if self.seen.fragment {
            return Err(fault(spec.at, TemplateProblem::InFragment));
        }
        self.fragment = Some(self.name(spec)?);
        Ok(())
    }

    fn query(&mut self, specs: &[Spec<'_>], lead: Lead) -> Result<(), TemplateFault> {
        let at = specs.first().map_or(0, |spec| spec.at);
        if self.fragment.is_some() {
            return Err(fault(at, TemplateProblem::AfterFragment));
        }
        if self.seen.fragment {
            return Err(fault(at, TemplateProblem::InFragment));
        }
        let begun = self.seen.query.is_some() || self.query.is_some();
        match lead {
            Lead::QuestionMark if begun => return Err(fault(at, TemplateProblem::SecondQuery)),
            Lead::Ampersand(_) if !begun => return Err(fault(at, TemplateProblem::NoQuery)),
            _ => {}
        }
        let mut query = self.query.take().unwrap_or(QueryPart { lead, keys: Vec::new(), rest: None });
        for spec in specs {
            let slot = self.name(spec)?;
            let key = decode(spec.name).ok_or_else(|| fault(spec.at, TemplateProblem::Name))?;
            let key = QueryKey { slot, key: key.into() };
            match spec.form {
                Form::Plain => query.keys.push(key),
                Form::Exploded if query.rest.is_some() => {
                    return Err(fault(spec.at, TemplateProblem::SecondRest));
                }
                Form::Exploded => query.rest = Some(key),
            }
        }
        self.query = Some(query);
        Ok(())
    }

    fn expects_body(&self, at: usize) -> Result<(), TemplateFault> {
        match (&self.query, self.fragment) {
            (_, Some(_)) => Err(fault(at, TemplateProblem::AfterFragment)),
            (Some(_), None) => Err(fault(at, TemplateProblem::AfterQuery)),
            (None, None) => Ok(()),
        }
    }

    fn hole(&mut self, spec: &Spec<'_>, span: Span) -> Result<(), TemplateFault> {
        self.end_literal();
        if let Some(Part::Hole(before)) = self.body.last() {
            // A segment ends at the slash or dot that a list brings along; anything else could end anywhere.
            let told_apart = matches!((before.span, span), (Span::Segment | Span::Commas, Span::Repeated(_)));
            if !told_apart {
                return Err(fault(spec.at, TemplateProblem::Adjacent));
            }
        }
        let place = if self.seen.query.is_some() && !self.seen.fragment { Place::Query } else { Place::Path };
        let slot = self.name(spec)?;
        self.body.push(Part::Hole(Hole { slot, span, place }));
        Ok(())
    }

    fn name(&mut self, spec: &Spec<'_>) -> Result<usize, TemplateFault> {
        if self.names.iter().any(|known| &**known == spec.name) {
            return Err(fault(spec.at, TemplateProblem::Duplicate(spec.name.into())));
        }
        self.names.push(spec.name.into());
        Ok(self.names.len() - 1)
    }

    fn end_literal(&mut self) {
        if self.literal.is_empty() {
            return;
        }
        let literal = std::mem::take(&mut self.literal);
        let scheme = if self.body.is_empty() { scheme_length(&literal).unwrap_or(0) } else { 0 };
        self.body.push(Part::Literal(normalize(&literal, scheme).into()));
    }

    fn finish(mut self, text: &str) -> Result<UriTemplate, TemplateFault> {
        if text.is_empty() {
            return Err(fault(0, TemplateProblem::Empty));
        }
        self.end_literal();
        let specificity = Specificity::of(&self.body, self.names.len());
        Ok(UriTemplate {
            text: text.into(),
            names: self.names,
            body: self.body,
            query: self.query,
            fragment: self.fragment,
            specificity,
        })
    }
}

/// The characters that an operator puts before and between its variables.
#[derive(Clone, Copy)]
struct Separators {
    lead: Option<char>,
    between: char,
}

fn single<'a, 'b>(specs: &'b [Spec<'a>]) -> Result<&'b Spec<'a>, TemplateFault> {
    match specs {
        [spec] if spec.form == Form::Exploded => Err(fault(spec.at, TemplateProblem::ExplodedReserved)),
        [spec] => Ok(spec),
        [_, second, ..] => Err(fault(second.at, TemplateProblem::SeveralReserved)),
        [] => Err(fault(0, TemplateProblem::Name)),
    }
}

fn specs(list: &str, at: usize) -> Result<Vec<Spec<'_>>, TemplateFault> {
    let mut specs = Vec::new();
    let mut begin = at;
    for item in list.split(',') {
        let (name, form) = match item.strip_suffix('*') {
            Some(name) => (name, Form::Exploded),
            None => (item, Form::Plain),
        };
        if let Some(colon) = name.find(':') {
            return Err(fault(begin + colon, TemplateProblem::Prefix));
        }
        check_name(name, begin)?;
        specs.push(Spec { name, at: begin, form });
        begin += item.len() + 1;
    }
    Ok(specs)
}

fn check_name(name: &str, at: usize) -> Result<(), TemplateFault> {
    if name.is_empty() {
        return Err(fault(at, TemplateProblem::Name));
    }
    for (offset, octet) in name.bytes().enumerate() {
        let fits = match octet {
            b'%' => is_escape(name.as_bytes().get(offset..).unwrap_or_default()),
            _ => octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'.' | b'-'),
        };
        if !fits {
            return Err(fault(at + offset, TemplateProblem::Name));
        }
    }
    Ok(())
}
