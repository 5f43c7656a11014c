//! What a schema says about its arguments together, beside what it says about each.

use crate::schema::reference;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most parts within parts that are looked through.
const STEPS: usize = 32;

/// Keywords that speak of arguments without naming them.
const OPAQUE: [&str; 6] =
    ["patternProperties", "propertyNames", "const", "enum", "$dynamicRef", "$recursiveRef"];

/// What a schema says about its arguments together.
#[derive(Debug, Default)]
pub(super) struct Whole {
    /// The arguments that forms of the whole name.
    named: BTreeSet<String>,
    /// A keyword that speaks of arguments without naming them.
    opaque: Option<&'static str>,
}

impl Whole {
    /// Looks through the root of a schema; `document` is where its references lead.
    pub(super) fn of(root: &Map<String, Value>, document: &Value) -> Self {
        let mut whole = Self::default();
        whole.look(root, document, Place::Root, STEPS);
        whole
    }

    /// Says why an argument cannot have another name or presence; `None` when it can.
    pub(super) fn holds(&self, name: &str) -> Option<String> {
        if let Some(keyword) = self.opaque {
            return Some(format!(
                "the tool's schema speaks of its arguments together (`{keyword}`), so each can only be described, \
                 narrowed and moved"
            ));
        }
        self.named.contains(name).then(|| {
            "the tool's schema names it in forms of the whole, such as `oneOf`, so it can only be described, narrowed \
             and moved"
                .to_owned()
        })
    }

    /// Tells whether forms of the whole name an argument.
    pub(super) fn names(&self, name: &str) -> bool {
        self.named.contains(name)
    }

    fn look(&mut self, schema: &Map<String, Value>, document: &Value, place: Place, steps: usize) {
        let Some(steps) = steps.checked_sub(1) else {
            self.opaque.get_or_insert("$ref");
            return;
        };
        for keyword in OPAQUE {
            if schema.get(keyword).is_some_and(|value| value.as_object().is_none_or(|map| !map.is_empty())) {
                self.opaque.get_or_insert(keyword);
            }
        }
        if place == Place::Part {
            for keyword in ["additionalProperties", "unevaluatedProperties", "minProperties", "maxProperties"]
            {
                if schema.get(keyword).is_some_and(|value| value != &Value::Bool(true)) {
                    self.opaque.get_or_insert(keyword);
                }
            }
            let properties = schema.get("properties").and_then(Value::as_object);
            self.named.extend(properties.into_iter().flat_map(Map::keys).cloned());
            self.names_in(schema.get("required"));
        }
        if let Some(Value::Object(sets)) = schema.get("dependentRequired") {
            for (name, others) in sets {
                self.named.insert(name.clone());
                self.names_in(Some(others));
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            for (name, part) in schema.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                self.named.insert(name.clone());
                self.names_in(Some(part));
                self.part(part, document, steps);
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for part in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.part(part, document, steps);
            }
        }
        for keyword in ["if", "then", "else", "not"] {
            schema.get(keyword).into_iter().for_each(|part| self.part(part, document, steps));
        }
        if let Some(link) = schema.get("$ref").and_then(Value::as_str) {
            match reference::resolve(link, document) {
                Some(part) => self.part(part, document, steps),
                None => {
                    self.opaque.get_or_insert("$ref");
                }
            }
        }
    }

    fn part(&mut self, part: &Value, document: &Value, steps: usize) {
        if let Value::Object(part) = part {
            self.look(part, document, Place::Part, steps);
        }
    }

    fn names_in(&mut self, list: Option<&Value>) {
        let names = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        self.named.extend(names.map(str::to_owned));
    }
}

/// Whether a schema is that of the arguments or a part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Part,
}
