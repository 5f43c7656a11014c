//! Whether endpoints find room among the routes of an application.

use axum::{
    Router,
    routing::{MethodRouter, any},
};
use mcp_routes::Served;
use mcp_transport_http::{HttpOptions, LegacyPaths};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The application's router with a closed door where each endpoint is to be.
///
/// What its own routes are is not all known: a router that was merged whole is found out here, where axum would
/// panic once the endpoints are merged. Such a panic is told to the panic hook all the same.
pub(super) struct Doors {
    occupied: Router,
}

impl Doors {
    pub(super) fn new(served: &Served) -> Self {
        Self { occupied: served.router.clone() }
    }

    /// Takes the paths of the main endpoint; gives why they cannot be had.
    pub(super) fn open_main(&mut self, served: &Served, options: &HttpOptions) -> Vec<String> {
        let mut problems = Vec::new();
        match served.occupied(&options.path) {
            Some(route) => {
                problems.push(format!("the path `{}` is taken by the route `{route}`", options.path));
            }
            None => problems.extend(self.open(&options.path)),
        }
        let told = |problems: Vec<String>, setting: &str| -> Vec<String> {
            problems
                .into_iter()
                .map(|problem| format!("{problem}; set another `HttpOptions::{setting}`"))
                .collect()
        };
        let mut problems = told(problems, "path");
        let legacy = options.legacy_sse.as_ref().map(|legacy| &legacy.paths);
        if let Some(LegacyPaths::Separate { stream, messages }) = legacy {
            let taken = [stream, messages].into_iter().filter_map(|path| self.open(path)).collect();
            problems.extend(told(taken, "legacy_sse"));
        }
        problems
    }

    /// Takes the path of an endpoint, with and without a trailing slash; gives why it cannot be had.
    pub(super) fn open(&mut self, path: &str) -> Option<String> {
        // Any other path is refused with the endpoint's settings.
        if !path.starts_with('/') || path.contains('*') {
            return None;
        }
        let plain = path.trim_end_matches('/');
        let paths = [format!("{plain}/"), plain.to_owned()];
        let (router, closed): (Router, MethodRouter) = (self.occupied.clone(), any(async || ()));
        let added = catch_unwind(AssertUnwindSafe(|| {
            let paths = paths.iter().filter(|path| !path.is_empty());
            paths.fold(router, |router, path| router.route_service(path, closed.clone()))
        }));
        match added {
            Ok(router) => {
                self.occupied = router;
                None
            }
            Err(panic) => {
                let said = panic.downcast_ref::<String>().map(String::as_str);
                let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
                Some(format!("the path `{path}` is taken: {}", said.unwrap_or("axum refused it")))
            }
        }
    }
}
