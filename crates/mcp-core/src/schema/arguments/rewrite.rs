//! Rewriting arguments by their schema, as text.

use super::{integral, spot, spot::Spot};
use crate::json::{Kind, Node, write_string};
use serde_json::Value;

/// The most characters of text that are read as a number.
const NUMBER: usize = 64;

/// The most levels gone into; a peer's nesting must not exhaust the stack.
const LEVELS: usize = 127;

/// Rewrites text that holds a number where a number is declared, and leaves out `null` where that is no value.
///
/// Gives nothing when nothing is to be rewritten. The result must be checked again.
pub(super) fn coerce(document: &Value, node: Node<'_>) -> Option<String> {
    run(document, node, Purpose::Coerce)
}

/// Rewrites whole numbers in other forms as plain digits where an integer is declared.
pub(super) fn integral(document: &Value, node: Node<'_>) -> Option<String> {
    run(document, node, Purpose::Integral)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Coerce,
    Integral,
}

fn run(document: &Value, node: Node<'_>, purpose: Purpose) -> Option<String> {
    let mut rewriter =
        Rewriter { document, purpose, out: Vec::with_capacity(node.raw().len()), level: 0, changed: false };
    rewriter.value(document, node);
    if rewriter.changed { String::from_utf8(rewriter.out).ok() } else { None }
}

struct Rewriter<'s> {
    document: &'s Value,
    purpose: Purpose,
    out: Vec<u8>,
    level: usize,
    changed: bool,
}

impl<'s> Rewriter<'s> {
    fn value(&mut self, schema: &'s Value, node: Node<'_>) {
        match node.kind() {
            Kind::Object | Kind::Array if self.level == LEVELS => self.scalar(None, node),
            Kind::Object => {
                self.level += 1;
                self.object(&Spot::at(self.document, schema, node), node);
                self.level -= 1;
            }
            Kind::Array => {
                self.level += 1;
                self.array(&Spot::at(self.document, schema, node), node);
                self.level -= 1;
            }
            Kind::String if self.purpose == Purpose::Coerce => {
                let number = held_number(node)
                    .and_then(|number| as_declared(&Spot::at(self.document, schema, node), number));
                self.scalar(number.as_deref(), node);
            }
            Kind::Number if self.purpose == Purpose::Integral => {
                let number = integral::plain(node.raw())
                    .filter(|_| Spot::at(self.document, schema, node).wants_integer());
                self.scalar(number.as_deref(), node);
            }
            _ => self.scalar(None, node),
        }
    }

    fn scalar(&mut self, rewritten: Option<&str>, node: Node<'_>) {
        self.changed |= rewritten.is_some();
        self.out.extend_from_slice(rewritten.unwrap_or(node.raw()).as_bytes());
    }

    fn object(&mut self, spot: &Spot<'s>, node: Node<'_>) {
        self.out.push(b'{');
        let mut first = true;
        for (name, member) in node.members() {
            let name = name.text();
            if self.purpose == Purpose::Coerce && member.is_null() && self.is_left_out(spot, &name) {
                self.changed = true;
                continue;
            }
            if !std::mem::take(&mut first) {
                self.out.push(b',');
            }
            write_string(&mut self.out, &name);
            self.out.push(b':');
            match spot.member(&name) {
                Some(schema) => self.value(schema, member),
                None => self.scalar(None, member),
            }
        }
        self.out.push(b'}');
    }

    fn array(&mut self, spot: &Spot<'s>, node: Node<'_>) {
        self.out.push(b'[');
        for (index, element) in node.elements().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            match spot.element(index) {
                Some(schema) => self.value(schema, element),
                None => self.scalar(None, element),
            }
        }
        self.out.push(b']');
    }

    /// Says whether `null` for a listed member stands for leaving it out.
    fn is_left_out(&self, spot: &Spot<'s>, name: &str) -> bool {
        spot.may_lack(name)
            && spot.listed(name).is_some_and(|schema| !spot::admits_null(self.document, schema))
    }
}

/// The number that text holds and nothing else, in JSON's grammar.
fn held_number(node: Node<'_>) -> Option<String> {
    let text = node.as_str()?;
    let plausible = text.len() <= NUMBER
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E'));
    (plausible && serde_json::from_str::<serde_json::Number>(&text).is_ok()).then(|| text.into_owned())
}

fn as_declared(spot: &Spot<'_>, number: String) -> Option<String> {
    if !spot.wants_number() {
        return None;
    }
    // The text is being written anew, so serde may as well get the form it takes at once.
    if spot.wants_integer() { integral::plain(&number).or(Some(number)) } else { Some(number) }
}
