//! The rules for one field.

use super::{FieldShape, FormFault, proof};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What any field may say of itself.
const NOTES: [&str; 4] = ["type", "title", "description", "default"];

/// The formats of text that a form may ask for.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// Judges the schema of one field.
pub(super) fn field(name: &str, schema: &Value) -> Result<(), FormFault> {
    let shape = |shape| FormFault::Shape { field: name.into(), shape };
    let Some(members) = schema.as_object() else { return Err(shape(FieldShape::Anything)) };
    let field = Field { name, members };
    match members.get("type") {
        Some(Value::String(kind)) => match kind.as_str() {
            "string" if members.contains_key("oneOf") => field.titled_choice()?,
            "string" if members.contains_key("enum") => field.choice()?,
            "string" => field.text()?,
            "number" | "integer" => field.number()?,
            "boolean" => field.only(&[])?,
            "array" => field.choices()?,
            "object" => return Err(shape(FieldShape::Object)),
            "null" => return Err(shape(FieldShape::Nothing)),
            _ => return Err(shape(FieldShape::Anything)),
        },
        Some(Value::Array(_)) => return Err(shape(FieldShape::Union)),
        _ if ["oneOf", "anyOf"].iter().any(|keyword| members.contains_key(*keyword)) => {
            return Err(shape(FieldShape::Union));
        }
        _ if members.contains_key("$ref") => {
            return Err(FormFault::FieldKeyword { field: name.into(), keyword: "$ref".into() });
        }
        _ => return Err(shape(FieldShape::Anything)),
    }
    field.check("title", "a string", Value::is_string)?;
    field.check("description", "a string", Value::is_string)?;
    field.default(schema)
}

struct Field<'s> {
    name: &'s str,
    members: &'s Map<String, Value>,
}

impl Field<'_> {
    fn text(&self) -> Result<(), FormFault> {
        self.only(&["minLength", "maxLength", "format"])?;
        self.counts("minLength", "maxLength")?;
        self.check("format", "a string", Value::is_string)?;
        match self.members.get("format").and_then(Value::as_str) {
            Some(format) if !FORMATS.contains(&format) => {
                Err(FormFault::Format { field: self.name.into(), format: format.into() })
            }
            _ => Ok(()),
        }
    }

    fn number(&self) -> Result<(), FormFault> {
        self.only(&["minimum", "maximum"])?;
        self.check("minimum", "a number", Value::is_number)?;
        self.check("maximum", "a number", Value::is_number)?;
        self.in_order("minimum", "maximum")
    }

    fn choice(&self) -> Result<(), FormFault> {
        self.only(&["enum", "enumNames"])?;
        let count = self.texts(self.members.get("enum"))?;
        let Some(names) = self.members.get("enumNames") else { return Ok(()) };
        let fits =
            names.as_array().is_some_and(|names| names.len() == count && names.iter().all(Value::is_string));
        self.demand(fits, "enumNames", "a list with one name for each choice")
    }

    fn titled_choice(&self) -> Result<(), FormFault> {
        self.only(&["oneOf"])?;
        self.titled("oneOf", self.members.get("oneOf"))
    }

    fn choices(&self) -> Result<(), FormFault> {
        let Some(items) = self.members.get("items").and_then(Value::as_object) else {
            return Err(FormFault::Shape { field: self.name.into(), shape: FieldShape::List });
        };
        self.only(&["items", "minItems", "maxItems"])?;
        self.counts("minItems", "maxItems")?;
        if items.contains_key("anyOf") {
            self.only_of(items, &["anyOf"])?;
            return self.titled("anyOf", items.get("anyOf"));
        }
        if items.get("type").is_none_or(|kind| kind != "string") || !items.contains_key("enum") {
            return Err(FormFault::Shape { field: self.name.into(), shape: FieldShape::List });
        }
        self.only_of(items, &["type", "enum"])?;
        self.texts(items.get("enum")).map(drop)
    }

    /// Checks plain choices and counts them.
    fn texts(&self, list: Option<&Value>) -> Result<usize, FormFault> {
        let list = list.and_then(Value::as_array).filter(|list| list.iter().all(Value::is_string));
        self.demand(list.is_some(), "enum", "a list of strings")?;
        let list = list.map(Vec::as_slice).unwrap_or_default();
        self.each_once(&list.iter().filter_map(Value::as_str).collect::<Vec<_>>())?;
        Ok(list.len())
    }

    /// Checks choices with titles.
    fn titled(&self, keyword: &'static str, list: Option<&Value>) -> Result<(), FormFault> {
        let read = |choice: &Value| {
            let titled = choice.get("title").is_some_and(Value::is_string);
            let members = choice.as_object().map_or(0, Map::len);
            choice.get("const").and_then(Value::as_str).filter(|_| titled && members == 2).map(str::to_owned)
        };
        let list: Option<Vec<String>> =
            list.and_then(Value::as_array).and_then(|list| list.iter().map(read).collect());
        self.demand(list.is_some(), keyword, "a list of objects with the strings `const` and `title`")?;
        let list = list.unwrap_or_default();
        self.each_once(&list.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn each_once(&self, choices: &[&str]) -> Result<(), FormFault> {
        let distinct: BTreeSet<&str> = choices.iter().copied().collect();
        if choices.is_empty() || distinct.len() < choices.len() {
            return Err(FormFault::Choices { field: self.name.into() });
        }
        Ok(())
    }

    fn default(&self, schema: &Value) -> Result<(), FormFault> {
        let Some(default) = self.members.get("default") else { return Ok(()) };
        let check =
            proof::compile(schema).map_err(|fault| FormFault::Invalid { reason: fault.to_string() })?;
        if check.is_valid(default) { Ok(()) } else { Err(FormFault::Default { field: self.name.into() }) }
    }

    fn counts(&self, least: &'static str, most: &'static str) -> Result<(), FormFault> {
        for keyword in [least, most] {
            self.check(keyword, "a whole number from 0", Value::is_u64)?;
        }
        self.in_order(least, most)
    }

    fn in_order(&self, least: &'static str, most: &'static str) -> Result<(), FormFault> {
        let limit = |keyword: &str| self.members.get(keyword).and_then(Value::as_f64);
        match (limit(least), limit(most)) {
            (Some(low), Some(high)) if low > high => {
                Err(FormFault::Limits { field: self.name.into(), least, most })
            }
            _ => Ok(()),
        }
    }

    /// Refuses keywords beyond those of every field and `own`.
    fn only(&self, own: &[&str]) -> Result<(), FormFault> {
        let more: Vec<&str> = NOTES.iter().chain(own).copied().collect();
        self.only_of(self.members, &more)
    }

    fn only_of(&self, members: &Map<String, Value>, allowed: &[&str]) -> Result<(), FormFault> {
        match members.keys().find(|keyword| !allowed.contains(&keyword.as_str())) {
            Some(keyword) => {
                Err(FormFault::FieldKeyword { field: self.name.into(), keyword: keyword.as_str().into() })
            }
            None => Ok(()),
        }
    }

    fn check(
        &self,
        keyword: &'static str,
        expected: &'static str,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<(), FormFault> {
        self.demand(self.members.get(keyword).is_none_or(fits), keyword, expected)
    }

    fn demand(&self, met: bool, keyword: &'static str, expected: &'static str) -> Result<(), FormFault> {
        if met { Ok(()) } else { Err(FormFault::Value { field: self.name.into(), keyword, expected }) }
    }
}
