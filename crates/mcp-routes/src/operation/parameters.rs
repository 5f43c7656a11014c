//! From what a route reads to the arguments of a tool.

use super::{PathTemplate, Reserved};
use crate::describe::{BodyForm, Inputs, MakeSchema, Parameter, Place, Source};
use http::HeaderName;
use mcp_core::schema::{Contract, Presence, generator};
use schemars::{Schema, SchemaGenerator};
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
}

/// Finds the arguments of a route; every problem is given to `fault`.
pub(crate) fn resolve(
    inputs: &Inputs,
    template: &PathTemplate,
    reserved: &Reserved,
    fault: &mut dyn FnMut(String),
) -> Resolved {
    let mut resolver = Resolver { template, reserved, fault, resolved: Resolved::default() };
    resolver.sources(inputs, Presence::Required);
    resolver.missing_path_parameters();
    let mut resolved = resolver.resolved;
    // As people read a request: its path, then the rest.
    resolved.slots.sort_by_key(|slot| slot.place != Place::Path);
    resolved
}

struct Resolver<'a> {
    template: &'a PathTemplate,
    reserved: &'a Reserved,
    fault: &'a mut dyn FnMut(String),
    resolved: Resolved,
}

impl Resolver<'_> {
    fn sources(&mut self, inputs: &Inputs, most: Presence) {
        for source in &inputs.sources {
            match source {
                Source::Path(make) => self.path(make),
                Source::Members(place, make) => self.members(*place, make, most),
                Source::One(parameter) => self.one(parameter, most),
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
    fn path(&mut self, make: &MakeSchema) {
        let schema = sample(make);
        let names: Vec<Box<str>> = self.template.parameters().map(Box::from).collect();
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for name in properties.keys() {
                // Which of the path's parameters an extractor takes is its own affair.
                self.path_slot(name, member(make, name));
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
                let make = make.clone();
                self.path_slot(
                    name,
                    MakeSchema::new(move |generator| {
                        let schema = make.make(generator).to_value();
                        subschema(schema.get("prefixItems").and_then(|items| items.get(at)))
                    }),
                );
            }
        } else if schema.get("type").and_then(Value::as_str) == Some("object") {
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
        let required = schema.get("required").and_then(Value::as_array);
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for name in properties.keys() {
                let needed = required.is_some_and(|required| required.iter().any(|it| it == name));
                let presence = if needed { most } else { Presence::Optional };
                let schema = member(make, name);
                let (description, examples) = (None, Vec::new());
                self.add(Slot { name: name.as_str().into(), place, schema, presence, description, examples });
            }
        } else if schema.get("type").and_then(Value::as_str) == Some("object") {
            if self.resolved.rest.is_some() {
                self.problem("two of its extractors take parameters of any name".to_owned());
            }
            self.resolved.rest = Some(Rest { place, schema: make.clone() });
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
        let refused = match slot.place {
            Place::Header if HeaderName::from_bytes(name.as_bytes()).is_err() => {
                Some("it is no name of a header field")
            }
            Place::Header => self.reserved.header(name),
            Place::Query => self.reserved.query(name),
            Place::Path | Place::Body(_) => None,
        };
        if let Some(reason) = refused {
            self.problem(format!(
                "`{name}` cannot be an argument in its {}: {reason}",
                described(slot.place)
            ));
            return;
        }
        if matches!(slot.place, Place::Query | Place::Header | Place::Path)
            && holds_objects(&sample(&slot.schema))
        {
            self.problem(format!(
                "`{name}` is an object, which its {} cannot hold; describe its parts by hand",
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

/// The schema as it is outside of any tool.
fn sample(make: &MakeSchema) -> Map<String, Value> {
    let mut generator = generator(Contract::Reads);
    let mut schema = make.make(&mut generator).to_value();
    // A type with a name of its own is a reference to what the generator keeps.
    if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|link| link.rsplit('/').next()) {
        schema = generator.definitions().get(name).cloned().unwrap_or_default();
    }
    match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The schema of a member of what `make` makes.
fn member(make: &MakeSchema, name: &str) -> MakeSchema {
    let (make, name) = (make.clone(), Box::<str>::from(name));
    MakeSchema::new(move |generator: &mut SchemaGenerator| {
        let schema = make.make(generator).to_value();
        subschema(schema.get("properties").and_then(|properties| properties.get(&*name)))
    })
}

fn subschema(value: Option<&Value>) -> Schema {
    value.and_then(|value| Schema::try_from(value.clone()).ok()).unwrap_or_default()
}

/// Tells whether a value of this schema may only be an object.
fn holds_objects(schema: &Map<String, Value>) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
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
