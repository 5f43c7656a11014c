//! Answers to forms and pages.

use super::fault::{AnswerFault, clipped, object};
use crate::{
    json::{Kind, Node, ObjectWriter},
    protocol::{Elicitation, Form},
};
use jsonschema::{ValidationError, error::ValidationErrorKind, paths::Location};
use serde::de::DeserializeOwned;

/// What the user did.
enum Action {
    Accept,
    Decline,
    Cancel,
}

/// Checks the answer to a form; only an accepted one has content.
pub(super) fn check_form(form: &Form, answer: Node<'_>) -> Result<(), AnswerFault> {
    if !matches!(action(answer)?, Action::Accept) {
        return Ok(());
    }
    let content = answer.get("content").filter(|content| content.kind() == Kind::Object);
    let content = content.ok_or(AnswerFault::member("content", "an object with the form's fields"))?;
    if form.validator().is_valid(content) {
        return Ok(());
    }
    // The first fault will do, because finding all would let a large answer cost much.
    let error = form.validator().first_error(content);
    Err(error
        .map_or(AnswerFault::member("content", "what the form asks for"), |error| describe(form, &error)))
}

/// Checks the answer to a page, with which nothing comes back.
pub(super) fn check_page(answer: Node<'_>) -> Result<(), AnswerFault> {
    action(answer)?;
    match answer.get("content") {
        Some(content) if content.kind() == Kind::Object && !content.is_empty() => {
            Err(AnswerFault::member("content", "left out, because no form was asked for"))
        }
        Some(content) if content.kind() != Kind::Object && !content.is_null() => {
            Err(AnswerFault::member("content", "left out, because no form was asked for"))
        }
        _ => Ok(()),
    }
}

/// Reads a checked answer; where there is no content, `T` is read from `null`.
///
/// # Errors
/// [`AnswerFault::Unreadable`] when the type refuses what the form's schema accepted.
pub(crate) fn read_elicitation<T: DeserializeOwned>(answer: Node<'_>) -> Result<Elicitation<T>, AnswerFault> {
    match action(answer)? {
        Action::Accept => content(answer.get("content")).map(Elicitation::Accepted),
        Action::Decline => Ok(Elicitation::Declined),
        Action::Cancel => Ok(Elicitation::Cancelled),
    }
}

fn action(answer: Node<'_>) -> Result<Action, AnswerFault> {
    let action = object(answer)?.get("action");
    let is = |name| action.is_some_and(|action| action.str_eq(name));
    if is("accept") {
        Ok(Action::Accept)
    } else if is("decline") {
        Ok(Action::Decline)
    } else if is("cancel") {
        Ok(Action::Cancel)
    } else {
        Err(AnswerFault::member("action", "`accept`, `decline` or `cancel`"))
    }
}

fn content<T: DeserializeOwned>(content: Option<Node<'_>>) -> Result<T, AnswerFault> {
    let Some(content) = content.filter(|content| !content.is_null()) else {
        return parse("null").or_else(|_| parse("{}"));
    };
    let refused = match parse(content.raw()) {
        Ok(value) => return Ok(value),
        Err(fault) => fault,
    };
    // `3.0` fits an integer field, but serde reads only `3` as an integer.
    if let Some(plain) = with_plain_integers(content)
        && let Ok(value) = parse(&plain)
    {
        return Ok(value);
    }
    if content.is_empty() { parse("null").map_err(|_| refused) } else { Err(refused) }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, AnswerFault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| match error.path().iter().next() {
        Some(serde_path_to_error::Segment::Map { key }) => {
            AnswerFault::UnreadableField { field: clipped(key) }
        }
        _ => AnswerFault::Unreadable,
    })
}

/// Rewrites whole numbers in other forms as plain digits; `None` when there are none.
fn with_plain_integers(content: Node<'_>) -> Option<String> {
    let mut changed = false;
    let mut out = Vec::with_capacity(content.raw().len());
    let mut object = ObjectWriter::new(&mut out);
    for (name, value) in content.members() {
        let written = value.number_text().filter(|text| text.contains(['.', 'e', 'E']));
        let member = object.member(&name.text());
        match written.and_then(|_| value.as_i64()) {
            Some(integer) => {
                changed = true;
                member.integer(integer);
            }
            None => member.raw(value.raw()),
        }
    }
    object.end();
    if changed { String::from_utf8(out).ok() } else { None }
}

/// Words a fault, with names that the form itself has.
fn describe(form: &Form, error: &ValidationError<'_>) -> AnswerFault {
    use ValidationErrorKind as Fault;
    let problem = match error.kind() {
        Fault::Required { property } => {
            let field = clipped(property.as_str().unwrap_or_default());
            return AnswerFault::Field { field, problem: "is missing" };
        }
        Fault::Type { .. } => "is of another type",
        Fault::Enum { .. } | Fault::OneOfNotValid { .. } | Fault::AnyOf { .. } | Fault::Constant { .. } => {
            "is none of the choices"
        }
        Fault::MinLength { .. } => "is too short",
        Fault::MaxLength { .. } => "is too long",
        Fault::Minimum { .. } => "is too small",
        Fault::Maximum { .. } => "is too large",
        Fault::MinItems { .. } => "has too few choices",
        Fault::MaxItems { .. } => "has too many choices",
        Fault::Format { .. } => "is not written in the format that was asked for",
        _ => "does not fit",
    };
    match field(form, error.instance_path()) {
        Some(field) => AnswerFault::Field { field, problem },
        None => AnswerFault::member("content", "what the form asks for"),
    }
}

/// The field that a location in the content lies in.
fn field(form: &Form, location: &Location) -> Option<Box<str>> {
    let name = location.segments().next()?.to_string();
    form.schema().get("properties")?.get(&name).map(|_| clipped(&name))
}
