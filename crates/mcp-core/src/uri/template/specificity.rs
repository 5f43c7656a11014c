//! Which of two templates says more about the URIs it matches.

use super::part::{Part, Span};
use std::cmp::Reverse;

/// How much a template says; the greater one is tried first.
///
/// More literal octets before the first variable, then more of them in all, then fewer variables, then fewer
/// variables that reach across separators. Templates that are equal here go by the order of their registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity {
    leading: usize,
    literal: usize,
    variables: Reverse<usize>,
    reaching: Reverse<usize>,
}

impl Specificity {
    pub(super) fn of(body: &[Part], variables: usize) -> Self {
        let leading = match body.first() {
            Some(Part::Literal(text)) => text.len(),
            _ => 0,
        };
        let literal =
            body.iter().map(|part| if let Part::Literal(text) = part { text.len() } else { 0 }).sum();
        let reaching = body.iter().filter(|part| {
            matches!(part, Part::Hole(hole) if matches!(hole.span, Span::Reserved | Span::Repeated(_)))
        });
        Self { leading, literal, variables: Reverse(variables), reaching: Reverse(reaching.count()) }
    }
}
