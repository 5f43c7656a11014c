//! A type's schema, rewritten into what a form may hold.

use super::{
    super::{Contract, format, generator},
    FieldShape, FormFault,
    choice::Choices,
    reference::Definitions,
    resolve::resolve,
};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

/// What readers of the code are told and users need not know, and what a form cannot say about a set.
const DROPPED: [&str; 7] =
    ["examples", "deprecated", "readOnly", "writeOnly", "$comment", "contentMediaType", "uniqueItems"];

/// Makes the schema of a form whose fields are those of `T`; it is still to be judged.
pub(super) fn schema_of<T: JsonSchema>() -> Result<Value, FormFault> {
    let mut generator = generator(Contract::Reads);
    let schema = generator.subschema_for::<T>().to_value();
    let defs = generator.take_definitions(true);
    let mut root = resolve(&schema, &defs).map_err(|_| FormFault::NotAnObject)?;
    if root.get("type").is_none_or(|kind| kind != "object") {
        return Err(FormFault::NotAnObject);
    }
    // The type's own text is written for readers of the code; the user reads the message.
    for keyword in ["$schema", "title", "description"].iter().chain(&DROPPED) {
        root.shift_remove(*keyword);
    }
    if root.get("additionalProperties") == Some(&Value::Bool(false)) {
        root.shift_remove("additionalProperties");
    }
    let mut fields = Map::new();
    if let Some(Value::Object(properties)) = root.shift_remove("properties") {
        for (name, schema) in properties {
            let field = field(&schema, &defs)
                .map_err(|shape| FormFault::Shape { field: name.as_str().into(), shape })?;
            fields.insert(name, Value::Object(field));
        }
    }
    root.shift_insert(1, "properties".to_owned(), Value::Object(fields));
    Ok(Value::Object(root))
}

fn field(schema: &Value, defs: &Definitions) -> Result<Map<String, Value>, FieldShape> {
    let mut members = resolve(schema, defs)?;
    for keyword in DROPPED {
        members.shift_remove(keyword);
    }
    format::normalise(&mut members);
    let mut written = Map::new();
    let kind = members.shift_remove("type");
    let title = members.shift_remove("title");
    let description = members.shift_remove("description");
    let default = members.shift_remove("default");
    let choices = Choices::read(&members, defs)?;
    written.extend(
        match choices {
            Some(_) => Some(json!("string")),
            None => kind,
        }
        .map(|kind| ("type".to_owned(), kind)),
    );
    written.extend(title.map(|title| ("title".to_owned(), title)));
    written.extend(description.map(|text| ("description".to_owned(), text)));
    match choices {
        Some(choices) => choices.write("oneOf", &mut written),
        None => {
            if let Some(items) = members.get("items") {
                let items = items_of(items, defs)?;
                members.insert("items".to_owned(), Value::Object(items));
            }
            written.extend(members);
        }
    }
    written.extend(default.map(|default| ("default".to_owned(), default)));
    Ok(written)
}

/// The elements of a list, which must be choices.
fn items_of(items: &Value, defs: &Definitions) -> Result<Map<String, Value>, FieldShape> {
    let members = resolve(items, defs)?;
    let Some(choices) = Choices::read(&members, defs)? else { return Err(FieldShape::List) };
    let mut written = Map::new();
    if !choices.are_titled() {
        written.insert("type".to_owned(), json!("string"));
    }
    choices.write("anyOf", &mut written);
    Ok(written)
}
