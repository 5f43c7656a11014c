//! The index as jsonschema sees it: the one place that knows its traits.

use super::{
    document::{Kind, Node},
    equal::{all_distinct, equals_value},
    number::Decimal,
    string::count_chars,
    token::Form,
    walk::{Elements, Members},
    work::Work,
};
use jsonschema::{
    JsonType,
    json::{Array, Json, JsonNumber, Node as JsonNode, NodeIdentity, Object},
};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// The index as a representation of JSON that jsonschema can check.
#[derive(Debug)]
pub(super) struct Indexed;

/// What jsonschema checks: a value of a document, or a member's name on its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instance<'a> {
    /// A value of a document, and the work that looking at it is part of.
    Node(Node<'a>, Option<&'a Work>),
    /// A member's name, as `propertyNames` sees it.
    Name(&'a str),
}

impl<'a> Instance<'a> {
    /// Takes a look at the value; it is an empty text when no work is left.
    fn looked_at(self) -> Self {
        match self {
            Self::Node(_, Some(work)) if !work.look() => Self::Name(""),
            _ => self,
        }
    }

    fn node(self) -> Option<Node<'a>> {
        match self.looked_at() {
            Self::Node(node, _) => Some(node),
            Self::Name(_) => None,
        }
    }

    fn work(self) -> Option<&'a Work> {
        match self {
            Self::Node(_, work) => work,
            Self::Name(_) => None,
        }
    }

    fn node_of_kind(self, kind: Kind) -> Option<Node<'a>> {
        self.node().filter(|node| node.kind() == kind)
    }
}

impl Json for Indexed {
    type Node<'a> = Instance<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // Finding a member means walking the object, so one walk replaces several searches.
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        f(Instance::Name(string))
    }
}

impl<'a> JsonNode<'a, Indexed> for Instance<'a> {
    type Object = IndexedObject<'a>;
    type Array = IndexedArray<'a>;
    type Number = IndexedNumber<'a>;

    fn as_object(&self) -> Option<IndexedObject<'a>> {
        self.node_of_kind(Kind::Object).map(|node| IndexedObject(node, self.work()))
    }

    fn as_array(&self) -> Option<IndexedArray<'a>> {
        self.node_of_kind(Kind::Array).map(|node| IndexedArray(node, self.work()))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.looked_at() {
            Self::Node(node, _) => node.as_str(),
            Self::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<IndexedNumber<'a>> {
        self.node_of_kind(Kind::Number).map(IndexedNumber)
    }

    fn as_boolean(&self) -> Option<bool> {
        self.node()?.as_bool()
    }

    fn is_null(&self) -> bool {
        self.node().is_some_and(Node::is_null)
    }

    fn json_type(&self) -> JsonType {
        match self.node().map_or(Kind::String, Node::kind) {
            Kind::Null => JsonType::Null,
            Kind::Bool => JsonType::Boolean,
            Kind::Number => JsonType::Number,
            Kind::String => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    fn string_length(&self) -> Option<u64> {
        let count = match self.looked_at() {
            Self::Node(node, _) => count_chars(node.string_inside()?),
            Self::Name(name) => name.chars().count(),
        };
        u64::try_from(count).ok()
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match self.looked_at() {
            Self::Node(node, _) => equals_value(node, expected),
            Self::Name(name) => expected.as_str() == Some(name),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match *self {
            Self::Node(node, _) => quotation(node),
            Self::Name(name) => Value::String(cut(name.into())),
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(match *self {
            Self::Node(node, _) => {
                NodeIdentity::tagged(std::ptr::from_ref(node.document()).addr(), node.index())
            }
            // No document has as many values as this tag, so a name is never taken for one.
            Self::Name(name) => NodeIdentity::tagged(name.as_ptr().addr(), u32::MAX),
        })
    }
}

/// The members of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedObject<'a>(Node<'a>, Option<&'a Work>);

impl<'a> Object<'a, Indexed> for IndexedObject<'a> {
    type Node = Instance<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MemberInstances<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        self.0.get(key).map(|value| Instance::Node(value, self.1))
    }

    fn members(&self) -> MemberInstances<'a> {
        MemberInstances(self.0.members(), self.1)
    }
}

/// Iterates over an object's members for jsonschema.
#[derive(Clone, Debug)]
pub(super) struct MemberInstances<'a>(Members<'a>, Option<&'a Work>);

impl<'a> Iterator for MemberInstances<'a> {
    type Item = (Cow<'a, str>, Instance<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name.text(), Instance::Node(value, self.1)))
    }
}

/// The elements of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedArray<'a>(Node<'a>, Option<&'a Work>);

impl<'a> Array<'a, Indexed> for IndexedArray<'a> {
    type Node = Instance<'a>;
    type ElementsIter = ElementInstances<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> ElementInstances<'a> {
        ElementInstances(self.0.elements(), self.1)
    }

    fn is_unique(&self) -> bool {
        all_distinct(self.0)
    }
}

/// Iterates over an array's elements for jsonschema.
#[derive(Clone, Debug)]
pub(super) struct ElementInstances<'a>(Elements<'a>, Option<&'a Work>);

impl<'a> Iterator for ElementInstances<'a> {
    type Item = Instance<'a>;

    fn next(&mut self) -> Option<Instance<'a>> {
        self.0.next().map(|element| Instance::Node(element, self.1))
    }
}

/// A number with its exact text.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedNumber<'a>(Node<'a>);

impl JsonNumber for IndexedNumber<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0.raw())
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(nearest_number(self.0))
    }

    fn is_integer(&self) -> bool {
        self.0.token().form() == Form::Integer || Decimal::read(self.0.raw_slice()).is_integer()
    }

    fn is_written_as_integer(&self) -> bool {
        self.0.token().form() == Form::Integer
    }
}

/// The number jsonschema's texts show; past the range of floats, the largest of its sign.
fn nearest_number(node: Node<'_>) -> Number {
    let whole = node.as_i64().map(Number::from).or_else(|| node.as_u64().map(Number::from));
    whole.unwrap_or_else(|| {
        let largest = if node.raw().starts_with('-') { f64::MIN } else { f64::MAX };
        Number::from_f64(node.as_f64().unwrap_or(largest)).unwrap_or_else(|| 0.into())
    })
}

/// How much of a value jsonschema's texts may quote.
const QUOTED_CHARS: usize = 200;

/// Builds the little of a value that an error's text shows.
///
/// Nothing is decided by it. Every error of a large value carries one, so a whole copy would let a
/// peer multiply the cost of its text by the number of its faults.
fn quotation(node: Node<'_>) -> Value {
    let small = node.raw_slice().len() <= QUOTED_CHARS;
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(node.as_bool() == Some(true)),
        Kind::Number => Value::Number(nearest_number(node)),
        Kind::String => Value::String(cut(node.as_str().unwrap_or_default())),
        Kind::Array if small => node.elements().map(quotation).collect(),
        Kind::Object if small => node
            .members()
            .map(|(name, value)| (name.text().into_owned(), quotation(value)))
            .collect::<Map<_, _>>()
            .into(),
        Kind::Array => Value::Array(Vec::new()),
        Kind::Object => Value::Object(Map::new()),
    }
}

fn cut(text: Cow<'_, str>) -> String {
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.into_owned(),
    }
}
