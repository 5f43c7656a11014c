//! Choices as generated: an enum's variants, with the titles that their documentation gives.

use super::{FieldShape, reference::Definitions, resolve::resolve};
use serde_json::{Map, Value, json};

/// One variant.
struct Choice {
    value: String,
    title: Option<String>,
}

/// The choices of one field.
pub(super) struct Choices(Vec<Choice>);

impl Choices {
    /// Reads a value's choices; `None` when the value is no choice.
    ///
    /// # Errors
    /// [`FieldShape::Variants`] when a variant is something else than text.
    pub(super) fn read(members: &Map<String, Value>, defs: &Definitions) -> Result<Option<Self>, FieldShape> {
        let mut choices = Vec::new();
        if members.contains_key("enum") || members.contains_key("const") {
            read_branch(members, None, &mut choices)?;
            return Ok(Some(Self(choices)));
        }
        let branches = ["oneOf", "anyOf"].iter().find_map(|keyword| members.get(*keyword)?.as_array());
        let Some(branches) = branches else { return Ok(None) };
        for branch in branches {
            let branch = resolve(branch, defs)?;
            let note = ["title", "description"].iter().find_map(|note| branch.get(*note)?.as_str());
            let title = note.map(|note| note.split_whitespace().collect::<Vec<_>>().join(" "));
            read_branch(&branch, title.as_deref(), &mut choices)?;
        }
        Ok(Some(Self(choices)))
    }

    /// Writes the choices: with titles under `keyword` when any has one, plainly under `enum` otherwise.
    pub(super) fn write(self, keyword: &str, into: &mut Map<String, Value>) {
        if self.0.iter().all(|choice| choice.title.is_none()) {
            into.insert(
                "enum".to_owned(),
                self.0.into_iter().map(|choice| Value::String(choice.value)).collect(),
            );
            return;
        }
        let titled = |choice: Choice| {
            let title = choice.title.unwrap_or_else(|| choice.value.clone());
            json!({ "const": choice.value, "title": title })
        };
        into.insert(keyword.to_owned(), self.0.into_iter().map(titled).collect());
    }

    /// Whether any choice has a title.
    pub(super) fn are_titled(&self) -> bool {
        self.0.iter().any(|choice| choice.title.is_some())
    }
}

fn read_branch(
    branch: &Map<String, Value>,
    title: Option<&str>,
    choices: &mut Vec<Choice>,
) -> Result<(), FieldShape> {
    let values = match (branch.get("const"), branch.get("enum")) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(Value::Array(values))) => values.as_slice(),
        _ => return Err(FieldShape::Variants),
    };
    for value in values {
        let value = value.as_str().ok_or(FieldShape::Variants)?.to_owned();
        choices.push(Choice { value, title: title.map(str::to_owned) });
    }
    Ok(())
}
