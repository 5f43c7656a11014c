//! The OpenAPI document of an application: the operations where they are mounted.

use crate::{
    operation::PathTemplate,
    routes::{ItemKind, Placed, below},
};
use std::collections::BTreeMap;
use utoipa::openapi::{
    OpenApi, Required,
    path::{Parameter, ParameterBuilder, ParameterIn},
    schema::{ComponentsBuilder, ObjectBuilder, Type},
};

/// Adds the documented operations of all groups to a document, each at its full path.
///
/// An operation id that stands more than once gets the name of its group before it.
pub(crate) fn document(mut base: OpenApi, groups: &[Placed]) -> OpenApi {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let all = || groups.iter().flat_map(|placed| placed.group.items.iter().map(move |item| (placed, item)));
    for (_, item) in all() {
        if let Some(id) = document_of(&item.kind).and_then(|own| own.operation.operation_id.as_deref()) {
            *counts.entry(id).or_default() += 1;
        }
    }
    let mut components = base.components.take().unwrap_or_else(|| ComponentsBuilder::new().build());
    for (placed, item) in all() {
        let Some(own) = document_of(&item.kind) else { continue };
        let path = below(&placed.base, &item.path);
        let mut operation = own.operation.clone();
        if let (Some(id), Some(group)) = (&mut operation.operation_id, &placed.name)
            && counts.get(id.as_str()).is_some_and(|count| *count > 1)
        {
            *id = format!("{group}_{id}");
        }
        if let Ok(template) = PathTemplate::parse(&path) {
            let parameters = operation.parameters.get_or_insert_default();
            for name in template.parameters() {
                if !parameters.iter().any(|known| is_path_parameter(known, name)) {
                    parameters.push(path_parameter(name).into());
                }
            }
        }
        components.schemas.extend(own.schemas.iter().cloned());
        base.paths.add_path_operation(path, vec![own.method.clone()], operation);
    }
    base.components = Some(components);
    base
}

fn document_of(kind: &ItemKind) -> Option<&super::Documented> {
    match kind {
        ItemKind::Route(route) => route.documentation.document.as_deref(),
        ItemKind::Prompt(_) => None,
    }
}

fn is_path_parameter(parameter: &utoipa::openapi::RefOr<Parameter>, name: &str) -> bool {
    match parameter {
        utoipa::openapi::RefOr::T(parameter) => {
            parameter.name == name && matches!(parameter.parameter_in, ParameterIn::Path)
        }
        utoipa::openapi::RefOr::Ref(_) => false,
    }
}

/// A parameter of the path that the operation does not describe: that of a mount, say.
fn path_parameter(name: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}
