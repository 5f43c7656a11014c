//! From what a route reads to the arguments of a tool.

use super::{
    PathTemplate, Reserved,
    schemas::{Lists, element, is_text, member, sample},
};
use crate::describe::{BodyForm, Inputs, MakeSchema, Parameter, Place, Source};
use http::Method;
use mcp_core::schema::Presence;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The name of the argument that holds the body.
pub(crate) const BODY: &str = "body";

/// One argument of a tool, and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: Box<str>,
    pub(crate) place: Place,
    pub(crate) schema: MakeSchema,
    pub(crate) presence: Presence,
    pub(crate) description: Option<Box<str>>,
    pub(crate) examples: Vec<Value>,
}

/// The arguments of a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) slots: Vec<Slot>,
    /// Where arguments go that have no slot, when the route takes any.
    pub(crate) rest: Option<Rest>,
}

/// Arguments of any name, all in one place.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub(crate) place: Place,
    pub(crate) schema: MakeSchema,
    reserved: Reserved,
}

impl Rest {
    /// Why no argument may have this name; `None` when one may.
    pub(crate) fn refusal(&self, name: &str) -> Option<&'static str> {
        self.reserved.refusal(self.place, name)
    }
}

/// Finds the arguments of a route; every problem is given to `fault`.
pub(crate) fn resolve(
    method: &Method,
    inputs: &Inputs,
    template: &PathTemplate,
    reserved: &Reserved,
    fault: &mut dyn FnMut(String),
) -> Resolved {
    let mut resolver = Resolver { method, template, reserved, fault, resolved: Resolved::default() };
    resolver.sources(inputs, Presence::Required);
    resolver.missing_path_parameters();
    let mut resolved = resolver.resolved;
    // As people read a request: its path, then the rest.
    resolved.slots.sort_by_key(|slot| slot.place != Place::Path);
    resolved
}

struct Resolver<'a> {
    method: &'a Method,
    template: &'a PathTemplate,
    reserved: &'a Reserved,
    fault: &'a mut dyn FnMut(String),
    resolved: Resolved,
}

impl Resolver<'_> {
    fn sources(&mut self, inputs: &Inputs, most: Presence) {
        for source in &inputs.sources {
            match source {
                Source::Path(make) => self.path(make, most),
                Source::Members(place, make) => self.members(*place, make, most),
                Source::One(parameter) => self.one(parameter, most),
                // A form without a body is the query string: axum reads it so.
                Source::Body(BodyForm::Form, make) if [Method::GET, Method::HEAD].contains(self.method) => {
                    self.members(Place::Query, make, most);
                }
                Source::Body(form, make) => self.add(Slot {
                    name: BODY.into(),
                    place: Place::Body(*form),
                    schema: make.clone(),
                    presence: most,
                    description: None,
                    examples: Vec::new(),
                }),
                Source::Optional(inner) => self.sources(inner, Presence::Optional),
            }
        }
    }

    /// Path parameters by name, or by position.
    fn path(&mut self, make: &MakeSchema, most: Presence) {
        let schema = sample(make);
        let names: Vec<Box<str>> = self.template.parameters().map(Box::from).collect();
        let kind = schema.get("type").and_then(Value::as_str);
        if names.is_empty() && most == Presence::Optional {
            return;
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for name in properties.keys() {
                // Which of the path's parameters an extractor takes is its own affair, and whether it can do without.
                if is_required(&schema, name) || names.iter().any(|known| **known == **name) {
                    self.path_slot(name, member(make, name));
                }
            }
        } else if let Some(Value::Array(items)) = schema.get("prefixItems") {
            if items.len() != names.len() {
                self.problem(format!(
                    "the handler takes {} path parameters and the path `{}` has {}",
                    items.len(),
                    self.template,
                    names.len()
                ));
                return;
            }
            for (at, name) in names.iter().enumerate() {
                self.path_slot(name, element(make, at));
            }
        } else if matches!(kind, Some("object" | "array")) {
            // All of them, whatever they are called: a map, or a list of pairs.
            for name in &names {
                self.path_slot(name, MakeSchema::of::<String>());
            }
        } else if let [name] = names.as_slice() {
            self.path_slot(name, make.clone());
        } else {
            self.problem(format!(
                "the handler takes one path parameter and the path `{}` has {}; take a struct or a tuple",
                self.template,
                names.len()
            ));
        }
    }

    fn path_slot(&mut self, name: &str, schema: MakeSchema) {
        if !self.template.parameters().any(|known| known == name) {
            self.problem(format!(
                "the handler takes the path parameter `{name}`, which the path `{}` does not have",
                self.template
            ));
            return;
        }
        // Two extractors may look at the same parameter.
        if self.resolved.slots.iter().any(|slot| slot.place == Place::Path && *slot.name == *name) {
            return;
        }
        self.add(Slot {
            name: name.into(),
            place: Place::Path,
            schema,
            presence: Presence::Required,
            description: None,
            examples: Vec::new(),
        });
    }

    /// The members of an object, each as an argument of its own.
    fn members(&mut self, place: Place, make: &MakeSchema, most: Presence) {
        let schema = sample(make);
        if ["oneOf", "anyOf", "allOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword)) {
            self.problem(format!(
                "the type of its {} has alternatives, which are no single parameters; describe them by hand",
                described(place)
            ));
            return;
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for name in properties.keys() {
                if place == Place::Header && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    self.problem(format!(
                        "the header field `{name}` is never found: names arrive in lower case; rename it to `{}`",
                        name.to_ascii_lowercase()
                    ));
                    continue;
                }
                let presence = if is_required(&schema, name) { most } else { Presence::Optional };
                let schema = member(make, name);
                let (description, examples) = (None, Vec::new());
                self.add(Slot { name: name.as_str().into(), place, schema, presence, description, examples });
            }
        } else if schema.get("type").and_then(Value::as_str) == Some("object") {
            if self.resolved.rest.is_some() {
                self.problem("two of its extractors take parameters of any name".to_owned());
            }
            self.resolved.rest = Some(Rest { place, schema: make.clone(), reserved: self.reserved.clone() });
        } else {
            self.problem(format!("the type of its {} has no named fields", described(place)));
        }
    }

    fn one(&mut self, parameter: &Parameter, most: Presence) {
        let Parameter { name, place, schema, presence, description, examples } = parameter.clone();
        if place == Place::Path && !self.template.parameters().any(|known| known == &*name) {
            self.problem(format!(
                "it is described with the path parameter `{name}`, which the path `{}` does not have",
                self.template
            ));
            return;
        }
        let presence = if most == Presence::Optional && place != Place::Path { most } else { presence };
        self.add(Slot { name, place, schema, presence, description, examples });
    }

    /// A parameter of the path that nothing describes is a text.
    fn missing_path_parameters(&mut self) {
        let names: Vec<Box<str>> = self.template.parameters().map(Box::from).collect();
        for name in names {
            if !self.resolved.slots.iter().any(|slot| slot.place == Place::Path && slot.name == name) {
                self.path_slot(&name, MakeSchema::of::<String>());
            }
        }
    }

    fn add(&mut self, slot: Slot) {
        let name = &slot.name;
        if let Some(reason) = self.reserved.refusal(slot.place, name) {
            self.problem(format!(
                "`{name}` cannot be an argument in its {}: {reason}",
                described(slot.place)
            ));
            return;
        }
        let lists = if slot.place == Place::Path { Lists::No } else { Lists::Yes };
        if !matches!(slot.place, Place::Body(_)) && !is_text(&slot.schema, lists) {
            self.problem(format!(
                "`{name}` is an object or a list, which its {} cannot hold; describe its parts by hand",
                described(slot.place)
            ));
            return;
        }
        if let Some(other) = self.resolved.slots.iter().find(|other| other.name == slot.name) {
            let places = (described(other.place), described(slot.place));
            self.problem(format!(
                "the argument `{}` stands for its {} and for its {}; rename one of them",
                slot.name, places.0, places.1
            ));
            return;
        }
        self.resolved.slots.push(slot);
    }

    fn problem(&mut self, text: String) {
        (self.fault)(text);
    }
}

fn described(place: Place) -> &'static str {
    match place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header fields",
        Place::Body(BodyForm::Json) => "body",
        Place::Body(BodyForm::Form) => "form",
        Place::Body(BodyForm::Text) => "text body",
    }
}

/// Whether an object cannot do without a member.
fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|it| it == name))
}

impl Resolved {
    /// The names that have a slot.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        self.slots.iter().map(|slot| &*slot.name).collect()
    }

    /// The slot of an argument.
    pub(crate) fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| &*slot.name == name)
    }
}
