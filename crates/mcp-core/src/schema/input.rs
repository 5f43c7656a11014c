//! Input schemas: several sources of arguments become one closed object.

use super::{
    Contract, PublishedSchema, SchemaBounds, SchemaDialect, SchemaFault, close, generator, plain, root,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Whether an argument must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// A call without it is refused.
    Required,
    /// A call may leave it out.
    Optional,
}

/// Generates the input schema of a tool whose arguments are the fields of `T`.
///
/// # Errors
/// As for [`InputSchema::build`].
pub fn input_of<T: JsonSchema>(
    dialect: SchemaDialect,
    bounds: SchemaBounds,
) -> Result<PublishedSchema, Vec<SchemaFault>> {
    let mut schema = InputSchema::new(dialect, bounds);
    schema.add_type::<T>();
    schema.build()
}

/// Collects the sources of a tool's arguments and builds the schema that is published.
///
/// Sources are whole types and single named arguments, in any number and order. A builder without a source
/// describes a tool without arguments.
#[derive(Debug)]
pub struct InputSchema {
    generator: SchemaGenerator,
    dialect: SchemaDialect,
    bounds: SchemaBounds,
    sources: Vec<Source>,
    descriptions: Vec<(String, String)>,
}

#[derive(Debug)]
enum Source {
    Type(Value),
    Argument { name: String, schema: Value, presence: Option<Presence> },
}

impl InputSchema {
    /// Makes a builder without sources.
    #[must_use]
    pub fn new(dialect: SchemaDialect, bounds: SchemaBounds) -> Self {
        Self {
            generator: generator(Contract::Reads),
            dialect,
            bounds,
            sources: Vec::new(),
            descriptions: Vec::new(),
        }
    }

    /// Adds the fields of `T`, which must describe an object.
    pub fn add_type<T: JsonSchema>(&mut self) -> &mut Self {
        self.add_object(|generator| generator.subschema_for::<T>())
    }

    /// Adds the members of an object schema made by `make`.
    pub fn add_object(&mut self, make: impl FnOnce(&mut SchemaGenerator) -> Schema) -> &mut Self {
        let schema = make(&mut self.generator).to_value();
        self.sources.push(Source::Type(schema));
        self
    }

    /// Adds one argument of type `T`: optional where `T` itself admits `null`, such as an `Option`.
    pub fn add_argument_of<T: JsonSchema>(&mut self, name: &str) -> &mut Self {
        let schema = self.generator.subschema_for::<T>().to_value();
        self.sources.push(Source::Argument { name: name.to_owned(), schema, presence: None });
        self
    }

    /// Adds one argument whose schema is made by `make`.
    pub fn add_argument(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut SchemaGenerator) -> Schema,
        presence: Presence,
    ) -> &mut Self {
        let schema = make(&mut self.generator).to_value();
        self.sources.push(Source::Argument { name: name.to_owned(), schema, presence: Some(presence) });
        self
    }

    /// Describes the argument `name`, in place of what its type says.
    pub fn describe(&mut self, name: &str, text: &str) -> &mut Self {
        self.descriptions.push((name.to_owned(), text.to_owned()));
        self
    }

    /// Builds the schema: one object, normalised, closed, bounded and proved.
    ///
    /// # Errors
    /// All faults of the sources together; a fault of the whole alone.
    pub fn build(mut self) -> Result<PublishedSchema, Vec<SchemaFault>> {
        let defs = self.generator.take_definitions(true);
        let mut merged = Merged::default();
        for source in self.sources {
            match source {
                Source::Type(schema) => match root::object_root(&schema, &defs) {
                    Ok(object) => merged.add_object(object),
                    Err(fault) => merged.faults.push(fault),
                },
                Source::Argument { name, schema, presence } => merged.add_argument(name, schema, presence),
            }
        }
        for (name, text) in self.descriptions {
            merged.describe(name, &text);
        }
        if merged.decided && merged.filled > 1 {
            merged.faults.push(SchemaFault::NotShareable);
        }
        if !merged.faults.is_empty() {
            return Err(merged.faults);
        }
        let mut schema = merged.into_root();
        if !defs.is_empty() {
            schema.insert("$defs".to_owned(), Value::Object(defs));
        }
        let mut schema = Value::Object(schema);
        plain::normalise(&mut schema, self.dialect);
        let Value::Object(mut schema) = schema else { return Err(vec![SchemaFault::RootType]) };
        close::close(&mut schema)
            .and_then(|()| PublishedSchema::generated(schema, &self.bounds))
            .map_err(|fault| vec![fault])
    }
}

/// The sources of one input schema, put together.
#[derive(Default)]
struct Merged {
    names: BTreeSet<String>,
    properties: Map<String, Value>,
    required: Vec<Value>,
    parts: Vec<Map<String, Value>>,
    faults: Vec<SchemaFault>,
    /// How many sources declare arguments.
    filled: usize,
    /// Whether a source states what other members its object takes.
    decided: bool,
}

impl Merged {
    fn add_object(&mut self, mut object: Map<String, Value>) {
        // The type's own text is written for readers of the code; a tool's description is given apart.
        for keyword in ["$schema", "type", "title", "description"] {
            object.shift_remove(keyword);
        }
        if object.iter().all(|(keyword, value)| keyword == "properties" && value == &json!({})) {
            return;
        }
        self.filled += 1;
        self.decided |=
            ["additionalProperties", "unevaluatedProperties"].iter().any(|k| object.contains_key(*k));
        let mut inner = BTreeSet::new();
        nested_names(&object, &mut inner);
        if let Some(Value::Object(properties)) = object.shift_remove("properties") {
            for (name, schema) in properties {
                // A member that a form of the same type describes too still has one source.
                inner.remove(&name);
                if self.claim(&name) {
                    self.properties.insert(name, schema);
                }
            }
        }
        for name in inner {
            self.claim(&name);
        }
        if let Some(Value::Array(names)) = object.shift_remove("required") {
            self.required.extend(names);
        }
        if !object.is_empty() {
            self.parts.push(object);
        }
    }

    fn add_argument(&mut self, name: String, schema: Value, presence: Option<Presence>) {
        if name.is_empty() {
            self.faults.push(SchemaFault::UnnamedArgument);
            return;
        }
        if !self.claim(&name) {
            return;
        }
        let presence =
            presence.unwrap_or(if admits_null(&schema) { Presence::Optional } else { Presence::Required });
        if presence == Presence::Required {
            self.required.push(json!(name));
        }
        self.filled += 1;
        self.properties.insert(name, schema);
    }

    /// Takes `name` for a source; a name already taken is a fault.
    fn claim(&mut self, name: &str) -> bool {
        let free = self.names.insert(name.to_owned());
        if !free {
            self.faults.push(SchemaFault::DuplicateArgument { name: name.to_owned() });
        }
        free
    }

    fn describe(&mut self, name: String, text: &str) {
        match self.properties.get_mut(&name) {
            Some(Value::Object(schema)) => {
                schema.shift_remove("description");
                schema.shift_insert(0, "description".to_owned(), json!(text));
            }
            Some(other) => *other = json!({ "description": text }),
            None => self.faults.push(SchemaFault::UnknownArgument { name }),
        }
    }

    fn into_root(self) -> Map<String, Value> {
        let mut root = Map::new();
        root.insert("type".to_owned(), json!("object"));
        root.insert("properties".to_owned(), Value::Object(self.properties));
        if !self.required.is_empty() {
            root.insert("required".to_owned(), Value::Array(self.required));
        }
        if self.filled == 1 {
            root.extend(self.parts.into_iter().flatten());
            return root;
        }
        if !self.parts.is_empty() {
            root.insert("allOf".to_owned(), self.parts.into_iter().map(Value::Object).collect());
        }
        root
    }
}

/// Says whether a schema lists `null` among what it takes.
fn admits_null(schema: &Value) -> bool {
    let null = |value: &Value| value == "null";
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(null),
        Some(name) => null(name),
        None => ["anyOf", "oneOf"].iter().any(|keyword| {
            schema.get(*keyword).and_then(Value::as_array).is_some_and(|b| b.iter().any(admits_null))
        }),
    }
}

/// Adds the names of members that the parts of an object describe.
fn nested_names(schema: &Map<String, Value>, names: &mut BTreeSet<String>) {
    for keyword in ["oneOf", "anyOf", "allOf"] {
        let Some(Value::Array(parts)) = schema.get(keyword) else { continue };
        for part in parts.iter().filter_map(Value::as_object) {
            if let Some(Value::Object(properties)) = part.get("properties") {
                names.extend(properties.keys().cloned());
            }
            nested_names(part, names);
        }
    }
}
