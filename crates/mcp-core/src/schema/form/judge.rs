//! The rules for a form as a whole.

use super::{FormFault, field};
use serde_json::{Map, Value};

/// Names, without case and separators, under which people are asked for secrets.
///
/// Spec: 2026-07-28, client/elicitation: passwords, keys, access tokens and payment credentials must not be
/// asked for in a form.
const SECRETS: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "accesstoken",
    "refreshtoken",
    "clientsecret",
    "privatekey",
    "creditcard",
    "creditcardnumber",
    "cardnumber",
    "cvv",
];

/// Judges the schema of a whole form.
pub(super) fn form(schema: &Value) -> Result<(), FormFault> {
    let root = schema.as_object().filter(|root| root.get("type").is_some_and(|kind| kind == "object"));
    let root = root.ok_or(FormFault::NotAnObject)?;
    let fields = root.get("properties").and_then(Value::as_object).ok_or(FormFault::NotAnObject)?;
    for (keyword, value) in root {
        let fine = match keyword.as_str() {
            "type" | "properties" => true,
            "required" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
            "$schema" => value.is_string(),
            _ => false,
        };
        if !fine {
            return Err(FormFault::Keyword { keyword: keyword.as_str().into() });
        }
    }
    required(root, fields)?;
    for (name, schema) in fields {
        if SECRETS.contains(&bare(name).as_str()) {
            return Err(FormFault::Secret { field: name.as_str().into() });
        }
        field::field(name, schema)?;
    }
    Ok(())
}

fn required(root: &Map<String, Value>, fields: &Map<String, Value>) -> Result<(), FormFault> {
    let names = root.get("required").and_then(Value::as_array).into_iter().flatten();
    match names.filter_map(Value::as_str).find(|name| !fields.contains_key(*name)) {
        Some(name) => Err(FormFault::Required { field: name.into() }),
        None => Ok(()),
    }
}

fn bare(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
