//! The official schema of one revision: is a value of a type, and does every member of it belong there?

use jsonschema::Validator;
use mcp_core::version::ProtocolVersion;
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Members whose schemas are written by authors; nothing below them belongs to the protocol.
const AUTHORED: [&str; 2] = ["inputSchema", "outputSchema"];

/// The types of one revision, and which of their members were seen in messages.
pub(super) struct Official {
    version: ProtocolVersion,
    schema: Arc<Value>,
    definitions: &'static str,
    compiled: BTreeMap<String, Validator>,
    /// `TYPE.member` of everything that was sent.
    seen: BTreeSet<String>,
    /// The types that something sent belonged to, with all their members.
    known: BTreeMap<String, BTreeSet<String>>,
}

impl Official {
    /// The schema of a revision; `None` when there is none on this machine.
    pub(super) fn of(version: ProtocolVersion) -> Option<Self> {
        Some(Self::new(version, official_schema(version)?))
    }

    pub(super) fn new(version: ProtocolVersion, schema: Value) -> Self {
        Self::sharing(version, Arc::new(schema))
    }

    fn sharing(version: ProtocolVersion, schema: Arc<Value>) -> Self {
        let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        let (compiled, seen, known) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Self { version, schema, definitions, compiled, seen, known }
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.version
    }

    pub(super) fn has(&self, definition: &str) -> bool {
        self.schema[self.definitions].get(definition).is_some()
    }

    /// What is wrong with a value of a type: what its schema says, and members that it does not define.
    pub(super) fn faults(&mut self, definition: &str, value: &Value) -> Vec<String> {
        if !self.has(definition) {
            return vec![format!("{} has no type {definition}", self.version)];
        }
        let root = json!({ "$ref": format!("#/{}/{definition}", self.definitions) });
        let mut faults = self.unfit(definition, value);
        faults.extend(self.walk(&root, definition, value));
        faults
    }

    /// What the schema of a type says against a value.
    pub(super) fn unfit(&mut self, definition: &str, value: &Value) -> Vec<String> {
        let validator = self.compiled.entry(definition.to_owned()).or_insert_with(|| {
            let mut schema = Value::clone(&self.schema);
            schema["$ref"] = json!(format!("#/{}/{definition}", self.definitions));
            jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap()
        });
        validator.iter_errors(value).map(|error| error.to_string()).collect()
    }

    /// Members that some type defines and nothing that was sent has.
    pub(super) fn never_sent(&self) -> BTreeSet<String> {
        let all = self
            .known
            .iter()
            .flat_map(|(name, members)| members.iter().map(move |member| format!("{name}.{member}")));
        all.filter(|member| !self.seen.contains(member)).collect()
    }

    /// Members of `value` that the type does not define.
    fn walk(&mut self, schema: &Value, name: &str, value: &Value) -> Vec<String> {
        let (schema, name) = self.resolved(schema, name);
        let branches = |word: &str| schema[word].as_array().cloned().unwrap_or_default();
        let choices = [branches("anyOf"), branches("oneOf")].concat();
        if !choices.is_empty() {
            return self.walk_choices(&choices, &name, value);
        }
        match value {
            Value::Object(object) => self.walk_object(&schema, &name, object),
            Value::Array(items) if schema["items"].is_object() => {
                items.iter().flat_map(|item| self.walk(&schema["items"], &name, item)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Of the branches that a value fits, the one that leaves the fewest members undefined.
    fn walk_choices(&mut self, choices: &[Value], name: &str, value: &Value) -> Vec<String> {
        let mut best: Option<(Vec<String>, &Value)> = None;
        for choice in choices.iter().filter(|choice| self.fits(choice, value)) {
            let mut trial = Self::sharing(self.version, self.schema.clone());
            let faults = trial.walk(choice, name, value);
            if best.as_ref().is_none_or(|(fewest, _)| faults.len() < fewest.len()) {
                best = Some((faults, choice));
            }
        }
        match best {
            Some((_, choice)) => self.walk(choice, name, value),
            None => vec![format!("{name}: no branch fits {value}")],
        }
    }

    fn walk_object(&mut self, schema: &Value, name: &str, object: &Map<String, Value>) -> Vec<String> {
        let no_members = Map::new();
        let members = schema["properties"].as_object().unwrap_or(&no_members);
        let rest = &schema["additionalProperties"];
        if members.is_empty() {
            // An open map: its values may have a type, its names have none.
            return match rest {
                Value::Object(rest) if !rest.is_empty() => {
                    let rest = Value::Object(rest.clone());
                    object.values().flat_map(|value| self.walk(&rest, &format!("{name}.*"), value)).collect()
                }
                _ => Vec::new(),
            };
        }
        let in_meta = name.ends_with("MetaObject") || name.ends_with("._meta");
        if !in_meta {
            self.known.entry(name.to_owned()).or_default().extend(members.keys().cloned());
        }
        let mut faults = Vec::new();
        for (member, value) in object {
            let Some(schema) = members.get(member) else {
                if !in_meta {
                    faults.push(format!("{name} defines no `{member}`"));
                }
                continue;
            };
            self.seen.insert(format!("{name}.{member}"));
            if !AUTHORED.contains(&member.as_str()) {
                faults.extend(self.walk(schema, &format!("{name}.{member}"), value));
            }
        }
        faults
    }

    fn resolved(&self, schema: &Value, name: &str) -> (Value, String) {
        let (mut schema, mut name) = (schema.clone(), name.to_owned());
        while let Some(reference) = schema["$ref"].as_str() {
            name = reference.rsplit('/').next().unwrap_or_default().to_owned();
            schema = self.schema[self.definitions][&name].clone();
        }
        if let Some(parts) = schema["allOf"].as_array() {
            schema = self.joined(parts);
        }
        (schema, name)
    }

    /// What all parts define together: a member of any of them is defined, as the last of them has it.
    fn joined(&self, parts: &[Value]) -> Value {
        let mut members = Map::new();
        for part in parts {
            let (part, _) = self.resolved(part, "");
            members.extend(part["properties"].as_object().cloned().unwrap_or_default());
        }
        json!({ "type": "object", "properties": members })
    }

    /// Whether a value may be of this branch, by what tells branches apart: kinds, constants, what is required.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let (schema, _) = self.resolved(schema, "");
        let kind = |word: &str| match word {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            _ => value.is_null(),
        };
        let of_kind = match &schema["type"] {
            Value::String(word) => kind(word),
            Value::Array(words) => words.iter().filter_map(Value::as_str).any(kind),
            _ => true,
        };
        let is_constant = schema.get("const").is_none_or(|constant| constant == value);
        let is_listed = schema["enum"].as_array().is_none_or(|list| list.contains(value));
        let some = |word: &str| {
            schema[word].as_array().is_none_or(|branches| branches.iter().any(|one| self.fits(one, value)))
        };
        let required = schema["required"]
            .as_array()
            .is_none_or(|names| names.iter().filter_map(Value::as_str).all(|name| value.get(name).is_some()));
        let members = schema["properties"].as_object().is_none_or(|members| {
            members.iter().all(|(name, schema)| {
                value.get(name).is_none_or(|value| name == "_meta" || self.fits(schema, value))
            })
        });
        let items = value.as_array().is_none_or(|items| {
            schema["items"].is_null() || items.iter().all(|item| self.fits(&schema["items"], item))
        });
        of_kind && is_constant && is_listed && some("anyOf") && some("oneOf") && required && members && items
    }
}

/// The official schema of a revision; `None` when there is none on this machine, which is said aloud.
pub(crate) fn official_schema(version: ProtocolVersion) -> Option<Value> {
    schema_named(version.as_str())
}

/// An official schema by the name of its file; `None` when there is none on this machine, which is said aloud.
#[expect(clippy::disallowed_methods, reason = "a test may look for its files")]
pub(super) fn schema_named(name: &str) -> Option<Value> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let folders = [
        std::env::var_os("MCP_SCHEMAS").map(PathBuf::from),
        std::env::var_os("MCP_TOOLS_DIR").map(|tools| Path::new(&tools).join("schemas")),
        Some(repository.join("target/tools/schemas")),
        Some(repository.join("../shared/schema")),
    ];
    let file = format!("{name}.json");
    let text =
        folders.into_iter().flatten().find_map(|folder| std::fs::read_to_string(folder.join(&file)).ok());
    if text.is_none() {
        eprintln!("SKIPPED: no official schema of {name}; run scripts/official-schemas or set MCP_SCHEMAS");
    }
    text.map(|text| serde_json::from_str(&text).unwrap())
}
