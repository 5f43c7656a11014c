//! Finds the arguments that a tool's input schema wants repeated in headers.

use super::name::{NameFault, ParamHeaderName};
use serde_json::{Map, Value};
use std::fmt;

const ANNOTATION: &str = "x-mcp-header";

/// Keywords whose value is an example of data, in which nothing is an annotation.
const DATA: &[&str] = &["const", "default", "enum", "examples"];

/// Keywords whose value has schemas under names of the author's choice.
const NAMED_SCHEMAS: &[&str] = &["$defs", "definitions", "dependentSchemas", "patternProperties"];

/// An argument that a header repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedParam {
    path: Vec<Box<str>>,
    header: ParamHeaderName,
    kind: ParamKind,
}

/// What kind of value an annotated argument has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A string.
    Text,
    /// An integer.
    Integer,
    /// A boolean.
    Boolean,
}

impl AnnotatedParam {
    /// Walks over the property names that lead from the arguments to the value; there is at least one.
    #[must_use]
    pub fn path(&self) -> impl ExactSizeIterator<Item = &str> {
        self.path.iter().map(|name| &**name)
    }

    /// Gives the header's name.
    #[must_use]
    pub const fn header(&self) -> &ParamHeaderName {
        &self.header
    }

    /// Gives the kind of the value, which may also be `null` where the schema says so.
    #[must_use]
    pub const fn kind(&self) -> ParamKind {
        self.kind
    }
}

/// Collects the arguments that are annotated with `x-mcp-header`, in the schema's order.
///
/// A type of `["string", "null"]` counts as a string: a `null` has no header.
///
/// # Errors
/// Every annotation that clients would drop the whole tool for: [`AnnotationProblem`] says which these are.
///
/// Spec: 2026-07-28, basic/transports/streamable-http, schema extension.
pub fn annotated_params(input_schema: &Value) -> Result<Vec<AnnotatedParam>, Vec<AnnotationFault>> {
    let mut search = Search::default();
    if let Value::Object(root) = input_schema {
        // The root is no property, so what stands on it names no argument.
        if root.contains_key(ANNOTATION) {
            search.refuse(AnnotationProblem::Unreachable);
        }
        search.keywords(root, Reach::Properties);
    }
    if search.faults.is_empty() { Ok(search.params) } else { Err(search.faults) }
}

/// An annotation that makes the tool's definition invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationFault {
    pointer: Box<str>,
    problem: AnnotationProblem,
}

/// What is wrong with an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnotationProblem {
    /// Its value is not a string.
    NotText,
    /// Its value names no header.
    Name(NameFault),
    /// Another annotation says the same name, perhaps in other case.
    Duplicate(ParamHeaderName),
    /// The property's type is not string, integer or boolean.
    NotPrimitive,
    /// It stands elsewhere than on a property that is reached through `properties` alone.
    Unreachable,
}

impl AnnotationFault {
    /// Gives the JSON pointer to the schema that has the annotation.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Gives the problem.
    #[must_use]
    pub const fn problem(&self) -> &AnnotationProblem {
        &self.problem
    }
}

impl fmt::Display for AnnotationFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{ANNOTATION}` at `{}` ", self.pointer)?;
        match &self.problem {
            AnnotationProblem::NotText => formatter.write_str("must be a string"),
            AnnotationProblem::Name(fault) => write!(formatter, "is no header name: {fault}"),
            AnnotationProblem::Duplicate(header) => {
                write!(formatter, "repeats the header `{header}`; give each argument its own")
            }
            AnnotationProblem::NotPrimitive => {
                formatter.write_str("stands on a property that is not of type string, integer or boolean")
            }
            AnnotationProblem::Unreachable => formatter.write_str(
                "is not reached through `properties` alone; move it to a property of the arguments",
            ),
        }
    }
}

impl std::error::Error for AnnotationFault {}

/// Whether the schema at hand is reached through `properties` alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Properties,
    Other,
}

#[derive(Default)]
struct Search {
    params: Vec<AnnotatedParam>,
    faults: Vec<AnnotationFault>,
    /// Keywords and names from the root to the schema at hand.
    place: Vec<Box<str>>,
}

impl Search {
    fn schema(&mut self, schema: &Value, reach: Reach) {
        match schema {
            Value::Object(keywords) => {
                if let Some(annotation) = keywords.get(ANNOTATION) {
                    match self.param(annotation, keywords, reach) {
                        Ok(param) => self.params.push(param),
                        Err(problem) => self.refuse(problem),
                    }
                }
                self.keywords(keywords, reach);
            }
            Value::Array(schemas) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.within(&index.to_string(), |search| search.schema(schema, Reach::Other));
                }
            }
            _ => {}
        }
    }

    fn keywords(&mut self, keywords: &Map<String, Value>, reach: Reach) {
        for (keyword, value) in keywords {
            let keyword = keyword.as_str();
            if keyword == ANNOTATION || DATA.contains(&keyword) {
                continue;
            }
            self.within(keyword, |search| match value {
                Value::Object(schemas) if keyword == "properties" => search.named(schemas, reach),
                Value::Object(schemas) if NAMED_SCHEMAS.contains(&keyword) => {
                    search.named(schemas, Reach::Other);
                }
                value => search.schema(value, Reach::Other),
            });
        }
    }

    fn named(&mut self, schemas: &Map<String, Value>, reach: Reach) {
        for (name, schema) in schemas {
            self.within(name, |search| search.schema(schema, reach));
        }
    }

    fn param(
        &self,
        annotation: &Value,
        keywords: &Map<String, Value>,
        reach: Reach,
    ) -> Result<AnnotatedParam, AnnotationProblem> {
        if reach == Reach::Other {
            return Err(AnnotationProblem::Unreachable);
        }
        let name = annotation.as_str().ok_or(AnnotationProblem::NotText)?;
        let header = ParamHeaderName::parse(name).map_err(AnnotationProblem::Name)?;
        if self.params.iter().any(|param| param.header == header) {
            return Err(AnnotationProblem::Duplicate(header));
        }
        let kind = keywords.get("type").and_then(kind).ok_or(AnnotationProblem::NotPrimitive)?;
        // The place alternates between `properties` and a property's name.
        let path = self.place.iter().skip(1).step_by(2).cloned().collect();
        Ok(AnnotatedParam { path, header, kind })
    }

    fn refuse(&mut self, problem: AnnotationProblem) {
        let mut pointer = String::new();
        for step in &self.place {
            pointer.push('/');
            pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        self.faults.push(AnnotationFault { pointer: pointer.into(), problem });
    }

    fn within(&mut self, step: &str, search: impl FnOnce(&mut Self)) {
        self.place.push(step.into());
        search(self);
        self.place.pop();
    }
}

fn kind(keyword: &Value) -> Option<ParamKind> {
    match keyword {
        Value::String(name) => match name.as_str() {
            "string" => Some(ParamKind::Text),
            "integer" => Some(ParamKind::Integer),
            "boolean" => Some(ParamKind::Boolean),
            _ => None,
        },
        Value::Array(names) => match names.as_slice() {
            [name, Value::String(null)] | [Value::String(null), name] if null == "null" => kind(name),
            [name] => kind(name),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn annotated_properties_are_found_at_any_depth() {
        let schema = json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region", "default": { "x-mcp-header": 1 } },
                "n": { "type": ["integer", "null"], "x-mcp-header": "N" },
                "o": { "type": "object", "properties": { "b": { "type": "boolean", "x-mcp-header": "Deep-B" } } },
                "x-mcp-header": { "type": "string" },
                "properties": { "properties": { "x-mcp-header": { "type": "number" } } },
            },
        });
        let found: Vec<_> = annotated_params(&schema)
            .unwrap()
            .iter()
            .map(|param| {
                (param.path().collect::<Vec<_>>().join("/"), param.header().to_string(), param.kind())
            })
            .collect();
        let mut found = found;
        found.sort_by(|one, other| one.0.cmp(&other.0));
        let expected = [
            ("n", "mcp-param-n", ParamKind::Integer),
            ("o/b", "mcp-param-deep-b", ParamKind::Boolean),
            ("region", "mcp-param-region", ParamKind::Text),
        ];
        assert_eq!(found, expected.map(|(path, header, kind)| (path.to_owned(), header.to_owned(), kind)));
        assert_eq!(annotated_params(&json!({ "type": "object" })), Ok(vec![]));
        assert_eq!(annotated_params(&json!(true)), Ok(vec![]));
    }

    #[test]
    fn every_wrong_annotation_is_reported_with_its_place() {
        use AnnotationProblem as P;
        let schema = json!({
            "x-mcp-header": "Root",
            "properties": {
                "a": { "type": "string", "x-mcp-header": "Same" },
                "b": { "type": "string", "x-mcp-header": "sAME" },
                "c": { "type": "number", "x-mcp-header": "C" },
                "d": { "x-mcp-header": "D" },
                "e": { "type": ["string", "integer"], "x-mcp-header": "E" },
                "f": { "type": "string", "x-mcp-header": "" },
                "g": { "type": "string", "x-mcp-header": "a b" },
                "h": { "type": "string", "x-mcp-header": 7 },
                "i": { "type": "array", "items": { "type": "string", "x-mcp-header": "I" } },
                "j/~": { "anyOf": [{ "properties": { "k": { "type": "string", "x-mcp-header": "K" } } }] },
                "l": { "$ref": "#/$defs/l" },
            },
            "$defs": { "l": { "type": "string", "x-mcp-header": "L" }, "const": { "x-mcp-header": "M" } },
            "patternProperties": { ".": { "type": "string", "x-mcp-header": "P" } },
            "if": { "properties": { "q": { "type": "string", "x-mcp-header": "Q" } } },
        });
        let mut found: Vec<_> = annotated_params(&schema)
            .unwrap_err()
            .into_iter()
            .map(|fault| (fault.pointer().to_owned(), fault.problem().clone()))
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        let expected = [
            ("", P::Unreachable),
            ("/$defs/const", P::Unreachable),
            ("/$defs/l", P::Unreachable),
            ("/if/properties/q", P::Unreachable),
            ("/patternProperties/.", P::Unreachable),
            ("/properties/b", P::Duplicate(ParamHeaderName::parse("same").unwrap())),
            ("/properties/c", P::NotPrimitive),
            ("/properties/d", P::NotPrimitive),
            ("/properties/e", P::NotPrimitive),
            ("/properties/f", P::Name(NameFault::Empty)),
            ("/properties/g", P::Name(NameFault::IllegalCharacter { at: 1 })),
            ("/properties/h", P::NotText),
            ("/properties/i/items", P::Unreachable),
            ("/properties/j~1~0/anyOf/0/properties/k", P::Unreachable),
        ];
        assert_eq!(found, expected.map(|(pointer, problem)| (pointer.to_owned(), problem)));
    }
}
