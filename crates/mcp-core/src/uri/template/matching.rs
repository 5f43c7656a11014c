//! From a URI to the variables of the template that describes it.

use super::{
    super::{
        absolute::AbsoluteUri,
        octets::decode,
        variables::{Value, Variables},
    },
    UriTemplate,
    part::{Hole, Lead, Span},
    query,
    reach::{self, Meter, Unmetered},
};

impl UriTemplate {
    /// Gives the variables when the template describes this URI.
    ///
    /// The URI may be raw or encoded: it is normalised first, and each value is then percent-decoded exactly once.
    /// The time is linear in the URI's length. The length itself is the caller's to limit; 8 KiB is plenty.
    pub fn matches(&self, uri: &str) -> Option<Variables> {
        self.matches_metered(uri, &mut Unmetered)
    }

    pub(super) fn matches_metered(&self, uri: &str, meter: &mut impl Meter) -> Option<Variables> {
        let uri = AbsoluteUri::normalize_lookup(uri);
        let (rest, fragment) = match self.fragment {
            Some(slot) => match uri.split_once('#') {
                Some((rest, fragment)) => (rest, Some((slot, fragment))),
                None => (&*uri, None),
            },
            None => (&*uri, None),
        };
        let (body, pairs) = match &self.query {
            Some(part) => split_query(part.lead, rest),
            None => (rest, None),
        };
        let mut slots: Vec<Option<Value>> = vec![None; self.names.len()];
        for (hole, range) in reach::split(&self.body, body, meter)? {
            *slots.get_mut(hole.slot)? = Some(value(hole, body.get(range)?)?);
        }
        if let (Some(part), Some(pairs)) = (&self.query, pairs) {
            if pairs.contains('#') {
                return None;
            }
            query::fill(part, pairs, &mut slots, meter)?;
        }
        if let Some((slot, fragment)) = fragment {
            if fragment.contains('#') {
                return None;
            }
            *slots.get_mut(slot)? = Some(Value::Text(decode(fragment)?.into_owned()));
        }
        Some(Variables::from_slots(self.names.iter().cloned().zip(slots).collect()))
    }
}

/// Parts the URI where the pairs of the template's query expressions begin.
fn split_query(lead: Lead, uri: &str) -> (&str, Option<&str>) {
    let at = match lead {
        Lead::QuestionMark => uri.find('?'),
        // Variables in the literal query take no ampersand, so counting the literal ones finds the place.
        Lead::Ampersand(before) => uri.find('?').and_then(|begin| {
            let query = uri.get(begin..)?;
            query.match_indices('&').nth(before).map(|(offset, _)| begin + offset)
        }),
    };
    match at.and_then(|at| Some((uri.get(..at)?, uri.get(at + 1..)?))) {
        Some((body, pairs)) => (body, Some(pairs)),
        None => (uri, None),
    }
}

fn value(hole: Hole, text: &str) -> Option<Value> {
    match hole.span {
        Span::Segment | Span::Reserved => Some(Value::Text(decode(text)?.into_owned())),
        Span::Commas => items(text, ','),
        Span::Repeated(separator) => items(text.get(1..)?, char::from(separator)),
    }
}

fn items(text: &str, separator: char) -> Option<Value> {
    let item = |item: &str| if item.is_empty() { None } else { Some(decode(item)?.into_owned()) };
    Some(Value::List(text.split(separator).map(item).collect::<Option<_>>()?))
}
