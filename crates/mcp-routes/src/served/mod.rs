//! From routes to an application: its router, its tools, the endpoints of its groups.

mod catalogue;
mod checks;
mod endpoint;
mod held;
mod names;
mod prompt;
mod resource;
mod urls;

pub use endpoint::{GroupEndpoint, GroupInstructions, InstructionsRoute};
pub use urls::{NoUrl, RouteUrls, UnknownOperation, Urls};

use crate::{
    call::InProcess,
    openapi::document,
    operation::PathTemplate,
    routes::{Instructions, Paths, Placed, Routes, below},
};
use axum::{Extension, Router};
use catalogue::Maker;
use mcp_core::registry::McpRouter;
use std::{fmt, sync::Arc};
use utoipa::openapi::{Info, OpenApi, path::Paths as DocumentPaths};

/// An application whose routes agents may use.
#[non_exhaustive]
pub struct Served {
    /// The application's router.
    ///
    /// Layers that are applied to it from here on run for everyone but the calls of agents.
    pub router: Router,
    /// What is exposed in the main server; faults of the routes are among it, and are told when a server is built.
    pub tools: McpRouter,
    /// The groups that are endpoints of their own.
    pub endpoints: Vec<GroupEndpoint>,
    /// The URLs of all operations.
    pub urls: RouteUrls,
    /// The OpenAPI document: what [`Routes::document`] began, with every route that utoipa documents.
    pub openapi: OpenApi,
    paths: Paths,
}

impl fmt::Debug for Served {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Served")
            .field("tools", &self.tools)
            .field("endpoints", &self.endpoints)
            .finish_non_exhaustive()
    }
}

impl Served {
    /// The path of a route that matches what this path matches, if there is one: an endpoint cannot be there.
    #[must_use]
    pub fn occupied(&self, path: &str) -> Option<&str> {
        self.paths.taken(path).map(PathTemplate::as_str)
    }
}

/// Puts the application together.
pub(crate) fn serve<S: Clone + Send + Sync + 'static>(routes: Routes<S>, state: S) -> Served {
    let Routes { router, inner, group, paths, options, document: base, faults } = routes;
    let mut options = options.unwrap_or_default();
    let base = base.unwrap_or_else(|| OpenApi::new(Info::new("", ""), DocumentPaths::new()));
    options.reserve(&base);
    let groups = names::distinct(group.placed());
    let urls = RouteUrls::new(&groups);
    let openapi = document(base, &groups);
    let layer = Extension(urls.clone());
    let router = router.layer(layer.clone()).with_state(state.clone());
    let in_process = InProcess::new(inner.layer(layer).with_state(state));

    let maker = Maker::new(in_process, &options);
    let mut tools = McpRouter::new();
    for (subject, problem) in faults {
        tools = tools.fault(subject, problem);
    }
    for fault in options.check().iter() {
        tools = tools.fault(fault.setting().to_owned(), fault.problem());
    }
    tools = tools.merge(maker.main(&groups));
    let mut endpoints: Vec<GroupEndpoint> = Vec::new();
    for (number, placed) in groups.iter().enumerate() {
        let group = format!("the group at `{}`", if placed.base.is_empty() { "/" } else { &placed.base });
        let Some(below_base) = &placed.group.endpoint else {
            if !matches!(placed.group.instructions, Instructions::Description) {
                let problem = "it has instructions and no endpoint of its own that would tell them; add `endpoint`, or give them to the server";
                tools = tools.fault(group, problem);
            }
            continue;
        };
        let subject = format!("the endpoint of {group}");
        let path = below(&placed.base, below_base);
        if !below_base.is_empty() && !below_base.starts_with('/') {
            let problem = format!("its path `{below_base}` begins with no `/`; write `/{below_base}`");
            tools = tools.fault(subject, problem);
            continue;
        }
        let taken = paths.taken(&path).map(|template| template.as_str().to_owned());
        let taken = taken.or_else(|| {
            let shape = |path: &str| PathTemplate::parse(path).map(|it| it.shape()).ok();
            let other = endpoints.iter().find(|other| shape(&other.path) == shape(&path));
            other.map(|other| other.path.to_string())
        });
        match (PathTemplate::parse(&path), taken) {
            (Err(problem), _) => tools = tools.fault(subject, problem),
            (_, Some(other)) => {
                tools = tools.fault(
                    subject,
                    format!("its path is taken by `{other}`; choose another with `endpoint_at`"),
                )
            }
            (Ok(template), None) => endpoints.push(endpoint(&maker, &groups, number, placed, &template)),
        }
    }
    Served { router, tools, endpoints, urls, openapi, paths }
}

fn endpoint(
    maker: &Maker,
    groups: &[Placed],
    number: usize,
    placed: &Placed,
    path: &PathTemplate,
) -> GroupEndpoint {
    let bound: Vec<Box<str>> = path.parameters().map(Box::from).collect();
    let group = &placed.group;
    let instructions = match &group.instructions {
        Instructions::Description => group.description.clone().map(GroupInstructions::Text),
        Instructions::Text(text) => Some(GroupInstructions::Text(text.clone())),
        Instructions::Route(route) => {
            let template = PathTemplate::parse(&below(&placed.base, route)).unwrap_or_else(|_| path.clone());
            Some(GroupInstructions::Route(Arc::new(maker.instructions(template, &bound))))
        }
    };
    GroupEndpoint {
        path: path.as_str().into(),
        name: placed.name.clone().unwrap_or_else(|| "routes".into()),
        title: group.title.clone(),
        icons: group.shared.icons.clone(),
        instructions,
        tools: maker.endpoint(groups, number, &bound),
    }
}
