//! An application with its MCP endpoints.

use super::doors::Doors;
use axum::Router;
use mcp_core::{
    registry::{BuildFaults, McpRouter},
    server::{Server, ServerBuilder},
    setting::SettingFaults,
};
use mcp_routes::{GroupEndpoint, GroupInstructions, OpenApi, RouteUrls, Served};
use mcp_transport_http::{Endpoint, HttpOptions};
use std::fmt;

/// An application with its MCP endpoints.
#[non_exhaustive]
pub struct Mounted {
    /// The application, with the endpoints among its routes.
    ///
    /// A layer that is applied to it from here on runs before the endpoints, too, and not for the calls of agents. An
    /// endpoint that is to lie outside of such a layer is merged afterwards: apply the layer to [`Served::router`], or
    /// take [`Self::application`] and [`Endpoint::routes`] apart.
    pub router: Router,
    /// The application alone.
    pub application: Router,
    /// The main endpoint, with those of the groups beside it.
    pub endpoint: Endpoint,
    /// The URLs of all operations.
    pub urls: RouteUrls,
    /// The OpenAPI document of the routes that utoipa documents.
    pub openapi: OpenApi,
}

impl fmt::Debug for Mounted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Mounted").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Mounted {
    /// The main server.
    #[must_use]
    pub fn server(&self) -> &Server {
        self.endpoint.server()
    }

    /// Shuts all servers down, so that no stream keeps an application with a listener of its own waiting.
    pub fn shut_down(&self) {
        self.endpoint.all().for_each(|endpoint| endpoint.server().shut_down());
    }
}

/// Why an application cannot be served to agents: every fault of all its endpoints.
#[derive(Debug)]
pub struct MountError {
    builds: Vec<(String, BuildFaults)>,
    settings: Vec<(String, SettingFaults)>,
}

impl MountError {
    /// What is wrong with the servers, by the path of their endpoint.
    pub fn builds(&self) -> impl Iterator<Item = (&str, &BuildFaults)> {
        self.builds.iter().map(|(path, faults)| (path.as_str(), faults))
    }

    /// What is wrong with the settings of the endpoints, by their path.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &SettingFaults)> {
        self.settings.iter().map(|(path, faults)| (path.as_str(), faults))
    }
}

impl fmt::Display for MountError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the application cannot be served to agents")?;
        for (path, faults) in &self.builds {
            write!(formatter, "\nat {path}: {faults}")?;
        }
        self.settings.iter().try_for_each(|(path, faults)| write!(formatter, "\nat {path}: {faults}"))
    }
}

impl std::error::Error for MountError {}

/// Serves an application to everyone, and to agents at the endpoint `options.path` and those of its groups.
///
/// `build` begins the server of each endpoint, so it runs once for the main one and once for each group that is one,
/// with the tools of that endpoint; the name, the icons and the instructions of a group's endpoint are set
/// afterwards. A group's endpoint has no toolboxes: it is one, and lists what is in it. The endpoints share `options`,
/// but for the path, and HTTP+SSE is served by the main one only.
///
/// # Errors
/// [`MountError`] with every fault there is.
pub fn mount(
    served: Served,
    build: impl Fn(McpRouter) -> ServerBuilder,
    options: &HttpOptions,
) -> Result<Mounted, MountError> {
    let mut doors = Doors::new(&served);
    let mut problems = doors.open_main(&served, options);
    let others = served.endpoints.iter().filter_map(|group| doors.open(&group.path));
    problems.extend(others.map(|problem| format!("{problem}; choose another with `endpoint_at`")));
    let Served { router: application, mut tools, endpoints, urls, openapi, .. } = served;
    for problem in problems {
        tools = tools.fault("endpoint", problem);
    }
    let mut error = MountError { builds: Vec::new(), settings: Vec::new() };
    let main = endpoint(build(tools), options.clone(), &mut error);
    let mut others = Vec::new();
    for group in endpoints {
        let GroupEndpoint { path, name, title, icons, instructions, tools, .. } = group;
        let mut builder = build(tools).named(name, title, icons).without_toolboxes();
        builder = match instructions {
            None => builder,
            Some(GroupInstructions::Text(text)) => builder.instructions(text),
            Some(GroupInstructions::Route(route)) => builder.instructions_from(move |connecting| {
                let route = std::sync::Arc::clone(&route);
                async move { route.ask(&connecting).await }
            }),
            Some(_) => builder,
        };
        let options = HttpOptions { path: path.into(), legacy_sse: None, ..options.clone() };
        others.extend(endpoint(builder, options, &mut error));
    }
    match main {
        Some(main) if error.builds.is_empty() && error.settings.is_empty() => {
            let endpoint = main.beside(others);
            let router = application.clone().merge(endpoint.routes());
            Ok(Mounted { router, application, endpoint, urls, openapi })
        }
        _ => Err(error),
    }
}

fn endpoint(builder: ServerBuilder, options: HttpOptions, error: &mut MountError) -> Option<Endpoint> {
    let path = options.path.clone();
    let server = builder.build().map_err(|faults| error.builds.push((path.clone(), faults))).ok()?;
    Endpoint::new(server, options).map_err(|faults| error.settings.push((path, faults))).ok()
}
