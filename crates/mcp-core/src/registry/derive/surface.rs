//! The arguments of a tool as they are published, from the original's schema on.

use super::{
    fill::Fill,
    references,
    translation::{Slot, Translation},
    whole::Whole,
};
use serde_json::{Map, Value};

/// A tool's arguments as they are published, taken apart so that they can be changed.
pub(super) struct Surface {
    /// The keywords of the whole; its arguments are left out.
    pub(super) root: Map<String, Value>,
    /// In the order in which they are published.
    pub(super) arguments: Vec<Argument>,
    /// Names that are required and described nowhere.
    undescribed: Vec<String>,
    pub(super) whole: Whole,
}

/// One argument.
pub(super) struct Argument {
    /// Its name in the schema of the original.
    pub(super) original: Box<str>,
    /// Its name in the schema that is published; `None` when callers know nothing of it.
    pub(super) published: Option<Box<str>>,
    pub(super) schema: Value,
    pub(super) required: bool,
    pub(super) fill: Option<Fill>,
}

impl Surface {
    /// Takes a published schema apart; `known` is how its arguments are those of an original, where they are.
    ///
    /// # Errors
    /// A reason why the schema cannot be taken apart.
    pub(super) fn of(schema: &Value, known: Option<&Translation>) -> Result<Self, String> {
        let Value::Object(root) = schema else { return Err("its schema describes no object".to_owned()) };
        if let Some(keyword) = references::named_parts(schema) {
            return Err(format!(
                "its schema names parts of itself by `{keyword}`, so its arguments cannot be changed; refer to \
                 definitions by `#/$defs/…` instead"
            ));
        }
        let mut root = root.clone();
        references::detach_root(&mut root);
        let whole = Whole::of(&root, &Value::Object(root.clone()));
        let mut required: Vec<String> = match root.get_mut("required") {
            Some(Value::Array(names)) => std::mem::take(names)
                .into_iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
            _ => Vec::new(),
        };
        let properties = match root.get_mut("properties") {
            Some(Value::Object(properties)) => std::mem::take(properties),
            _ => Map::new(),
        };
        let mut arguments: Vec<Argument> = (properties.into_iter())
            .map(|(name, schema)| {
                let known = known.and_then(|known| known.published_as(&name));
                let is_required = required.contains(&name);
                required.retain(|other| *other != name);
                Argument {
                    original: known.map_or_else(|| name.as_str().into(), |slot| slot.original.clone()),
                    published: Some(name.into()),
                    schema,
                    required: is_required,
                    fill: known.and_then(|slot| slot.fill.clone()),
                }
            })
            .collect();
        let hidden = known.into_iter().flat_map(Translation::hidden).map(|slot| Argument {
            original: slot.original.clone(),
            published: None,
            schema: Value::Bool(true),
            required: false,
            fill: slot.fill.clone(),
        });
        arguments.extend(hidden);
        Ok(Self { root, arguments, undescribed: required, whole })
    }

    /// The argument of a published name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.arguments.iter().position(|argument| argument.published.as_deref() == Some(name))
    }

    /// The published names, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|argument| argument.published.as_deref())
    }

    /// Puts the schema together again, and says how its arguments are those of the original.
    pub(super) fn finish(self) -> (Value, Translation) {
        let Self { mut root, arguments, undescribed, .. } = self;
        if arguments.iter().any(|argument| argument.published.is_none() || argument.fill.is_some()) {
            // Callers give fewer arguments than the tool gets; the original's check counts them.
            root.shift_remove("minProperties");
            root.shift_remove("maxProperties");
        }
        let mut properties = Map::new();
        let mut required = Vec::new();
        let mut slots = Vec::with_capacity(arguments.len());
        for argument in arguments {
            if let Some(name) = &argument.published {
                if argument.required {
                    required.push(Value::from(&**name));
                }
                properties.insert(name.to_string(), argument.schema);
            }
            slots.push(Slot {
                original: argument.original,
                published: argument.published,
                fill: argument.fill,
            });
        }
        required.extend(undescribed.into_iter().map(Value::from));
        root.insert("properties".to_owned(), Value::Object(properties));
        if required.is_empty() {
            root.shift_remove("required");
        } else if let Some(place) = root.get_mut("required") {
            *place = Value::Array(required);
        } else {
            let place = root.keys().position(|keyword| keyword == "properties").map_or(0, |place| place + 1);
            root.shift_insert(place, "required".to_owned(), Value::Array(required));
        }
        references::prune(&mut root);
        (Value::Object(root), Translation::new(slots))
    }
}
