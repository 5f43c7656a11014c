//! The arguments of a call, each on its way to its place in the request.

use crate::{
    describe::{BodyForm, Place},
    operation::{PathTemplate, Resolved, SegmentFault},
};
use bytes::Bytes;
use form_urlencoded::Serializer;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use mcp_core::json::{Kind, Node};
use serde_json::Value;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// Values that the exposure gives, in place of the call or where the call leaves them out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preset {
    /// Whatever the call says; they are in no schema.
    pub(crate) fixed: BTreeMap<Box<str>, Value>,
    /// Where the call says nothing.
    pub(crate) defaults: BTreeMap<Box<str>, Value>,
}

impl Preset {
    /// Why a value cannot stand in its place.
    pub(crate) fn problem(&self, resolved: &Resolved) -> Option<String> {
        let alone = Written::new(None, resolved, self);
        alone.err().map(|fault| format!("a value that it is given cannot be sent: {fault}"))
    }
}

/// A request's parts, made of arguments.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) path: BTreeMap<Box<str>, String>,
    query: Option<String>,
    /// What the exposure fixes, which is nobody's business.
    fixed: Fixed,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// What the exposure has fixed of a URL.
#[derive(Debug, Default)]
struct Fixed {
    path: BTreeSet<Box<str>>,
    query: Option<String>,
}

/// Why arguments cannot stand in a request; the text is for the model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArgumentFault {
    #[error("`{name}` {fault}")]
    Path { name: Box<str>, fault: SegmentFault },
    #[error("`{0}` is missing")]
    Missing(Box<str>),
    #[error("`{0}` is bound by the URL of the endpoint and has no other value here")]
    Bound(Box<str>),
    #[error("`{name}` cannot be an argument: {reason}")]
    Reserved { name: Box<str>, reason: &'static str },
    #[error("`{0}` must be a string, a number or a boolean")]
    NotScalar(Box<str>),
    #[error("`{0}` cannot stand in a header field: it holds control characters")]
    Header(Box<str>),
    #[error("`{0}` must be an object of strings, numbers, booleans and arrays of them")]
    Form(Box<str>),
}

impl Written {
    /// Puts every argument into its place.
    pub(crate) fn new(
        arguments: Option<Node<'_>>,
        resolved: &Resolved,
        preset: &Preset,
    ) -> Result<Self, ArgumentFault> {
        let mut written = Self::default();
        let mut query = Serializer::new(String::new());
        for (name, node) in arguments.iter().flat_map(|arguments| arguments.members()) {
            let name = name.text();
            if !preset.fixed.contains_key(&*name) {
                written.put(&name, Given::Node(node), resolved, &mut query)?;
            }
        }
        let left_out = |name: &str| arguments.and_then(|arguments| arguments.get(name)).is_none();
        for (name, value) in preset.defaults.iter().filter(|(name, _)| left_out(name)) {
            written.put(name, Given::Value(value), resolved, &mut query)?;
        }
        written.query = some_query(query);
        let mut query = Serializer::new(String::new());
        for (name, value) in &preset.fixed {
            written.put(name, Given::Value(value), resolved, &mut query)?;
            written.fixed.path.insert(name.clone());
        }
        written.fixed.query = some_query(query);
        Ok(written)
    }

    fn put(
        &mut self,
        name: &str,
        given: Given<'_>,
        resolved: &Resolved,
        query: &mut Serializer<'_, String>,
    ) -> Result<(), ArgumentFault> {
        let place = match (resolved.slot(name), &resolved.rest) {
            (Some(slot), _) => slot.place,
            (None, Some(rest)) => {
                // Names that nobody declared were not looked at when the server was built.
                if let Some(reason) = rest.refusal(name) {
                    return Err(ArgumentFault::Reserved { name: name.into(), reason });
                }
                rest.place
            }
            // What has no place the schema would have refused.
            (None, None) => return Ok(()),
        };
        let unfit = || ArgumentFault::NotScalar(name.into());
        match place {
            _ if given.is_null() && place != Place::Body(BodyForm::Json) => {}
            Place::Path => {
                self.path.insert(name.into(), given.scalar().ok_or_else(unfit)?.into_owned());
            }
            Place::Query => {
                for text in given.scalars().ok_or_else(unfit)? {
                    query.append_pair(name, &text);
                }
            }
            Place::Header => {
                let field = HeaderName::from_bytes(name.as_bytes())
                    .map_err(|_| ArgumentFault::Header(name.into()))?;
                for text in given.scalars().ok_or_else(unfit)? {
                    let value =
                        HeaderValue::from_str(&text).map_err(|_| ArgumentFault::Header(name.into()))?;
                    self.headers.append(field.clone(), value);
                }
            }
            Place::Body(BodyForm::Json) => self.write("application/json", given.json().into_owned()),
            Place::Body(BodyForm::Text) => {
                let text = given.scalar().ok_or_else(unfit)?.into_owned();
                self.write("text/plain; charset=utf-8", text);
            }
            Place::Body(BodyForm::Form) => {
                let form = given.form().ok_or_else(|| ArgumentFault::Form(name.into()))?;
                self.write("application/x-www-form-urlencoded", form);
            }
        }
        Ok(())
    }

    fn write(&mut self, media_type: &'static str, text: String) {
        self.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        self.body = text.into();
    }

    /// The URL of the request: path and query.
    pub(crate) fn url<'a>(
        &self,
        template: &'a PathTemplate,
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<String, ArgumentFault> {
        let queries = [&self.query, &self.fixed.query];
        url(template, value, queries.into_iter().flatten())
    }

    /// The URL without what the exposure has fixed, to name what came back.
    pub(crate) fn shown_url<'a>(
        &self,
        template: &'a PathTemplate,
        value: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<String, ArgumentFault> {
        let shown = |name: &str| if self.fixed.path.contains(name) { Some("-") } else { value(name) };
        url(template, shown, &self.query)
    }

    /// Adds values of a resource's URI that the path has not taken to the query.
    pub(crate) fn query_of<'a>(&mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let mut query = Serializer::new(self.query.take().unwrap_or_default());
        query.extend_pairs(pairs);
        self.query = some_query(query);
    }
}

fn some_query(mut query: Serializer<'_, String>) -> Option<String> {
    Some(query.finish()).filter(|query| !query.is_empty())
}

fn url<'a, 'q>(
    template: &'a PathTemplate,
    value: impl Fn(&str) -> Option<&'a str>,
    queries: impl IntoIterator<Item = &'q String>,
) -> Result<String, ArgumentFault> {
    let filled = template.fill(|name| value(name).map(Cow::Borrowed));
    let mut url = filled.map_err(|(name, fault)| match fault {
        Some(fault) => ArgumentFault::Path { name: name.into(), fault },
        None => ArgumentFault::Missing(name.into()),
    })?;
    for (at, query) in queries.into_iter().enumerate() {
        url.push(if at == 0 { '?' } else { '&' });
        url.push_str(query);
    }
    Ok(url)
}

/// A value that a call or an exposure gives.
#[derive(Clone, Copy)]
enum Given<'a> {
    Node(Node<'a>),
    Value(&'a Value),
}

impl<'a> Given<'a> {
    fn is_null(self) -> bool {
        match self {
            Self::Node(node) => node.is_null(),
            Self::Value(value) => value.is_null(),
        }
    }

    /// A single value as text, with every digit that was sent.
    fn scalar(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Node(node) => match node.kind() {
                Kind::String => node.as_str(),
                Kind::Number | Kind::Bool => Some(Cow::Borrowed(node.raw())),
                _ => None,
            },
            Self::Value(Value::String(text)) => Some(Cow::Borrowed(text)),
            Self::Value(value @ (Value::Number(_) | Value::Bool(_))) => Some(Cow::Owned(value.to_string())),
            Self::Value(_) => None,
        }
    }

    /// A single value, or each of an array.
    fn scalars(self) -> Option<Vec<Cow<'a, str>>> {
        match self {
            Self::Node(node) if node.kind() == Kind::Array => {
                node.elements().map(|element| Self::Node(element).scalar()).collect()
            }
            Self::Value(Value::Array(items)) => items.iter().map(|item| Self::Value(item).scalar()).collect(),
            other => Some(vec![other.scalar()?]),
        }
    }

    fn json(self) -> Cow<'a, str> {
        match self {
            Self::Node(node) => Cow::Borrowed(node.raw()),
            Self::Value(value) => Cow::Owned(value.to_string()),
        }
    }

    /// The members of an object as a form.
    fn form(self) -> Option<String> {
        let mut form = Serializer::new(String::new());
        let members: Vec<(Cow<'a, str>, Self)> = match self {
            Self::Node(node) if node.kind() == Kind::Object => {
                node.members().map(|(name, value)| (name.text(), Self::Node(value))).collect()
            }
            Self::Value(Value::Object(members)) => members
                .iter()
                .map(|(name, value)| (Cow::Borrowed(name.as_str()), Self::Value(value)))
                .collect(),
            _ => return None,
        };
        for (name, value) in members.into_iter().filter(|(_, value)| !value.is_null()) {
            for text in value.scalars()? {
                form.append_pair(&name, &text);
            }
        }
        Some(form.finish())
    }
}
