//! As much of an OpenAPI operation as tools are made of.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// An operation object.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct OperationObject {
    pub(super) operation_id: Option<Box<str>>,
    pub(super) summary: Option<Box<str>>,
    pub(super) description: Option<Box<str>>,
    pub(super) tags: Vec<Box<str>>,
    pub(super) parameters: Vec<ParameterObject>,
    pub(super) request_body: Option<BodyObject>,
    pub(super) responses: BTreeMap<Box<str>, ContentObject>,
}

/// A parameter object; one that is only a reference has no name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ParameterObject {
    pub(super) name: Box<str>,
    #[serde(rename = "in")]
    pub(super) place: Box<str>,
    pub(super) required: bool,
    pub(super) description: Option<Box<str>>,
    pub(super) schema: Option<Value>,
    pub(super) example: Option<Value>,
}

/// A request body object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BodyObject {
    pub(super) required: bool,
    pub(super) content: BTreeMap<Box<str>, MediaObject>,
}

/// What a response object says of its content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ContentObject {
    pub(super) content: BTreeMap<Box<str>, MediaObject>,
}

/// A media type object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MediaObject {
    pub(super) schema: Option<Value>,
}

/// The schema of JSON among several media types.
pub(super) fn json_of(content: &BTreeMap<Box<str>, MediaObject>) -> Option<&MediaObject> {
    let is_json = |name: &str| {
        let essence = name.split(';').next().unwrap_or(name).trim();
        essence == "application/json" || essence.ends_with("+json")
    };
    content.iter().find(|(name, _)| is_json(name)).map(|(_, media)| media)
}
