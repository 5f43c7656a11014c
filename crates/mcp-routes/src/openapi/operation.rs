//! From an OpenAPI operation to what a tool is made of.

use super::{
    DocumentedRoutes,
    model::{BodyObject, ContentObject, OperationObject, ParameterObject, json_of},
    schema::{Components, enveloped, make, whole},
};
use crate::{
    describe::{BodyForm, Inputs, MakeSchema, Output, Parameter, Place},
    operation::Operation,
    route::Documentation,
};
use http::Method;
use mcp_core::schema::Presence;
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};
use utoipa::openapi::{
    RefOr,
    path::{HttpMethod, Operation as OpenApiOperation, PathItem},
    schema::Schema,
};

/// An operation of a document, and what the document says of it.
#[derive(Clone)]
pub(crate) struct Documented {
    pub(crate) method: HttpMethod,
    pub(crate) operation: OpenApiOperation,
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

impl std::fmt::Debug for Documented {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Documented").field(&self.operation.operation_id).finish()
    }
}

/// An operation as the routes take it.
pub(crate) struct Taken {
    pub(crate) path: String,
    pub(crate) operation: Operation,
    pub(crate) documentation: Documentation,
    /// What an agent cannot give although the route needs it.
    pub(crate) problem: Option<String>,
}

/// Takes the operations of what `routes!` made.
pub(crate) fn documented<S>(routes: &DocumentedRoutes<S>) -> Vec<Taken> {
    let (schemas, paths, _) = routes;
    let components: Components =
        Arc::new(schemas.iter().map(|(name, schema)| (name.clone(), to_value(schema))).collect());
    let mut taken = Vec::new();
    for (path, item) in &paths.paths {
        for (http_method, method, operation) in methods(item) {
            let object = serde_json::from_value(to_value(operation)).unwrap_or_default();
            let own =
                Documented { method: http_method, operation: operation.clone(), schemas: schemas.clone() };
            taken.push(take(path, method, object, own, &components));
        }
    }
    taken
}

fn to_value<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The operations of a path.
fn methods(item: &PathItem) -> impl Iterator<Item = (HttpMethod, Method, &OpenApiOperation)> {
    let all = [
        (HttpMethod::Get, Method::GET, &item.get),
        (HttpMethod::Head, Method::HEAD, &item.head),
        (HttpMethod::Post, Method::POST, &item.post),
        (HttpMethod::Put, Method::PUT, &item.put),
        (HttpMethod::Patch, Method::PATCH, &item.patch),
        (HttpMethod::Delete, Method::DELETE, &item.delete),
        (HttpMethod::Options, Method::OPTIONS, &item.options),
        (HttpMethod::Trace, Method::TRACE, &item.trace),
    ];
    all.into_iter().filter_map(|(own, method, operation)| Some((own, method, operation.as_ref()?)))
}

fn take(
    path: &str,
    method: Method,
    object: OperationObject,
    own: Documented,
    components: &Components,
) -> Taken {
    let OperationObject { operation_id, summary, description, tags, parameters, request_body, responses } =
        object;
    let (mut inputs, mut problem) = (Inputs::default(), None);
    for parameter in parameters {
        match placed(parameter, components) {
            Ok(Some(parameter)) => {
                inputs.add(parameter);
            }
            Ok(None) => {}
            Err(text) => problem = problem.or(Some(text)),
        }
    }
    if let Some(body) = request_body {
        match body_of(&body, components) {
            Some(body) => {
                inputs.add(body);
            }
            None if body.required => {
                let kinds: Vec<&str> = body.content.keys().map(|kind| &**kind).collect();
                problem =
                    problem.or(Some(format!("agents cannot write its body (`{}`)", kinds.join("`, `"))));
            }
            None => {}
        }
    }
    let operation = Operation {
        name: operation_id.unwrap_or_default(),
        method,
        inputs,
        output: output_of(&responses, components),
    };
    let documentation = Documentation { summary, description, tags, document: Some(Box::new(own)) };
    Taken { path: path.to_owned(), operation, documentation, problem }
}

/// A parameter, unless no argument can give it and none needs to.
fn placed(parameter: ParameterObject, components: &Components) -> Result<Option<Parameter>, String> {
    let ParameterObject { name, place, required, description, schema, example } = parameter;
    let place = match &*place {
        "path" => Place::Path,
        "query" => Place::Query,
        "header" => Place::Header,
        // Cookies carry credentials; they are forwarded.
        "cookie" => return Ok(None),
        _ if !required => return Ok(None),
        _ => return Err(format!("agents cannot give its parameter `{name}`")),
    };
    Ok(Some(Parameter {
        name,
        place,
        schema: schema.map_or_else(MakeSchema::of::<String>, |schema| make(schema, components)),
        presence: presence(required || place == Place::Path),
        description,
        examples: example.into_iter().collect(),
    }))
}

fn body_of(body: &BodyObject, components: &Components) -> Option<Parameter> {
    let form = || body.content.get("application/x-www-form-urlencoded");
    let text = || body.content.get("text/plain");
    let (media, form) = json_of(&body.content)
        .map(|media| (media, BodyForm::Json))
        .or_else(|| form().map(|media| (media, BodyForm::Form)))
        .or_else(|| text().map(|media| (media, BodyForm::Text)))?;
    let schema = media.schema.clone();
    Some(Parameter {
        name: "body".into(),
        place: Place::Body(form),
        schema: schema.map_or_else(MakeSchema::of::<Value>, |schema| make(schema, components)),
        presence: presence(body.required),
        description: None,
        examples: Vec::new(),
    })
}

/// The content of the first good response that has JSON.
fn output_of(responses: &BTreeMap<Box<str>, ContentObject>, components: &Components) -> Output {
    let good = responses.iter().filter(|(status, _)| status.starts_with('2'));
    let schema = good.filter_map(|(_, response)| json_of(&response.content)?.schema.as_ref()).next();
    schema.map_or_else(Output::unknown, |schema| {
        let body = whole(schema, components);
        let envelope = enveloped(&body);
        Output::document(body, envelope)
    })
}

const fn presence(required: bool) -> Presence {
    if required { Presence::Required } else { Presence::Optional }
}
