//! Building routes: adding, merging, mounting, layers.

use super::{Child, Group, Item, ItemKind, Known, KnownPrompt, KnownRoute, Methods, Paths};
use crate::{
    describe::DescribedHandler,
    expose::Expose,
    openapi::{DocumentedRoutes, Taken, documented},
    operation::PathTemplate,
    options::RouteOptions,
    route::{DocumentedRoute, Route},
    served::{Served, serve},
};
use axum::{
    Router,
    body::Body,
    response::IntoResponse,
    routing::{Route as AxumRoute, get},
};
use http::Request;
use std::{
    convert::Infallible,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
};
use tower_layer::Layer;
use tower_service::Service;
use utoipa::openapi::OpenApi;

/// Routes of an axum application with state `S`, and what agents may use of them.
///
/// It builds an [`axum::Router`] as that builds itself, and remembers what each route reads and answers with. Nothing
/// is exposed to agents unless a route says so. What cannot work is a fault when the MCP server is built, all at once;
/// nothing panics.
///
/// Everything that is exposed is called through the router that these routes become: a call runs the layers that are
/// applied here, the extractors and the handler, and none of the layers around the finished application.
#[derive(Clone)]
#[must_use]
pub struct Routes<S = ()> {
    /// What is served to everyone.
    pub(crate) router: Router<S>,
    /// The same, and what only calls in process may reach.
    pub(crate) inner: Router<S>,
    pub(crate) group: Group,
    pub(crate) paths: Paths,
    pub(crate) options: Option<RouteOptions>,
    pub(crate) document: Option<OpenApi>,
    pub(crate) faults: Vec<(String, String)>,
}

impl<S: Clone + Send + Sync + 'static> Default for Routes<S> {
    fn default() -> Self {
        Self {
            router: Router::new(),
            inner: Router::new(),
            group: Group::default(),
            paths: Paths::default(),
            options: None,
            document: None,
            faults: Vec::new(),
        }
    }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// No routes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a route; a path has one route for each method.
    ///
    /// The path is written as axum writes it, such as `/users/{id}` and `/files/{*path}`.
    pub fn route(mut self, path: &str, route: impl Into<Route<S>>) -> Self {
        let Route { service, operation, documentation, tool, resource, misuse } = route.into();
        let subject = match &operation {
            Some(operation) => format!("route `{} {path}`", operation.method),
            None => format!("route `{path}`"),
        };
        if let Some(problem) = misuse {
            return self.fault(&subject, problem);
        }
        let methods = operation.as_ref().map_or(Methods::Unknown, |it| Methods::One(it.method.clone()));
        if !self.take(&subject, path, methods) {
            return self;
        }
        let add = |router: Router<S>| router.route(path, service.clone());
        if !self.attempt(&subject, add) {
            return self;
        }
        match operation {
            Some(operation) => {
                let kind = ItemKind::Route(Box::new(KnownRoute { operation, documentation, tool, resource, problem: None }));
                self.group.items.push(Item { path: path.into(), kind });
                self
            }
            None if tool.is_some() || resource.is_some() => self.fault(
                &subject,
                "nothing is known of an axum `MethodRouter`; expose `get(handler)` and its kin of this crate, or `by_hand`",
            ),
            None => self,
        }
    }

    /// Adds routes that utoipa documents, as `utoipa_axum::routes!` makes them.
    ///
    /// What they read and answer with comes from their operations; `expose` says for each what agents may use of it.
    /// They stay in the OpenAPI document of the application, at the paths where they are mounted
    /// ([`Served::openapi`]).
    ///
    /// ```
    /// use axum::Json;
    /// use mcp_routes::{Expose, Routes};
    /// use utoipa_axum::routes;
    ///
    /// /// Tells the time
    /// #[utoipa::path(get, path = "/time", responses((status = OK, body = u64)))]
    /// async fn time() -> Json<u64> {
    ///     Json(0)
    /// }
    ///
    /// let routes = Routes::<()>::new().openapi(routes!(time), |route| route.tool(Expose::documented()));
    /// # let _ = routes;
    /// ```
    pub fn openapi(
        mut self,
        routes: DocumentedRoutes<S>,
        expose: impl Fn(DocumentedRoute) -> DocumentedRoute,
    ) -> Self {
        let operations = documented(&routes);
        let service = routes.2;
        let mut sound = true;
        for taken in &operations {
            let methods = Methods::One(taken.operation.method.clone());
            let subject = format!("route `{} {}`", taken.operation.method, taken.path);
            sound &= self.take(&subject, &taken.path, methods);
        }
        let Some(path) = operations.first().map(|taken| taken.path.clone()).filter(|_| sound) else {
            return self;
        };
        if !self.attempt(&format!("route `{path}`"), |router| router.route(&path, service.clone())) {
            return self;
        }
        for Taken { path, operation, documentation, problem } in operations {
            let method = operation.method.clone();
            let DocumentedRoute { tool, resource, .. } =
                expose(DocumentedRoute { name: operation.name.clone(), method, tool: None, resource: None });
            let known = KnownRoute { operation, documentation, tool, resource, problem };
            self.group.items.push(Item { path: path.into(), kind: ItemKind::Route(Box::new(known)) });
        }
        self
    }

    /// Begins the OpenAPI document of the application: its title, its security schemes, operations of elsewhere.
    ///
    /// No argument can feed a header field or a query key of its security schemes. Routes that are mounted or merged
    /// have no document of their own: one of theirs is a fault.
    pub fn document(mut self, document: OpenApi) -> Self {
        self.document = Some(document);
        self
    }

    /// Adds the routes of a plain axum router, of which nothing is exposed.
    pub fn router(mut self, router: Router<S>) -> Self {
        self.attempt("a merged router", move |own| own.merge(router.clone()));
        self
    }

    /// Adds a prompt: an axum handler whose response becomes the text of a message of the user.
    ///
    /// It is no route: only prompts reach it. But it runs as one, under the layers that are applied here; its
    /// arguments are what it takes from the path and the query string.
    pub fn prompt<H, T>(mut self, name: impl Into<Box<str>>, handler: H, expose: impl Into<Expose>) -> Self
    where
        H: DescribedHandler<T, S>,
        T: 'static,
    {
        let (name, path) = (name.into(), self.hidden(handler));
        let kind =
            ItemKind::Prompt(Box::new(KnownPrompt { name, inputs: H::inputs(), expose: expose.into() }));
        self.group.items.push(Item { path: path.into(), kind });
        self
    }

    /// Adds a handler that only calls in process reach, and gives its path.
    pub(super) fn hidden<H, T>(&mut self, handler: H) -> String
    where
        H: DescribedHandler<T, S>,
        T: 'static,
    {
        // A path that nobody sees needs to differ from others only.
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let path = format!("/.mcp/{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.inner = std::mem::take(&mut self.inner).route(&path, get(handler));
        path
    }

    /// Adds everything of other routes, which stay a group of their own, at the same place.
    pub fn merge(self, other: Self) -> Self {
        self.mount("", None, other)
    }

    /// Mounts other routes below a path, which may have parameters, such as `/rooms/{room_id}`.
    ///
    /// They stay a group: named as they say, or else by the path's last segment. The same routes can be mounted more
    /// than once; then the paths of the mounts tell their names apart.
    pub fn nest(self, base: &str, other: Self) -> Self {
        self.mount(base, None, other)
    }

    /// Mounts other routes below a path under a name of their own.
    pub fn nest_as(self, name: impl Into<Box<str>>, base: &str, other: Self) -> Self {
        self.mount(base, Some(name.into()), other)
    }

    fn mount(mut self, base: &str, name: Option<Box<str>>, other: Self) -> Self {
        let base = base.trim_end_matches('/');
        let subject = format!("the routes mounted at `{}`", if base.is_empty() { "/" } else { base });
        let Self { router, inner, group, paths, faults, options, document } = other;
        self.faults.extend(faults);
        // To drop them would let arguments be credentials that somebody has named.
        for (set, name) in [(options.is_some(), "options"), (document.is_some(), "document")] {
            if set {
                let problem =
                    format!("`{name}` holds for the whole application; say it of the outermost routes");
                self = self.fault(&subject, &problem);
            }
        }
        if !base.is_empty() {
            match PathTemplate::parse(base) {
                Err(problem) => return self.fault(&subject, problem),
                Ok(template) if template.shape().contains("{*}") => {
                    return self.fault(&subject, "nothing can be mounted below `{*…}`");
                }
                Ok(_) => {}
            }
        }
        let mut sound = true;
        for Known { template, methods } in paths.known() {
            let path = template.under(base);
            let subject = match methods {
                Methods::One(method) => format!("route `{method} {path}`"),
                Methods::Unknown => format!("route `{path}`"),
            };
            sound &= self.take(&subject, &path, methods.clone());
        }
        if !sound {
            return self;
        }
        let (served, hidden) = (router, inner);
        let own = (std::mem::take(&mut self.router), std::mem::take(&mut self.inner));
        let mounted = catch_unwind(AssertUnwindSafe(|| match base {
            "" => (own.0.merge(served), own.1.merge(hidden)),
            base => (own.0.nest(base, served), own.1.nest(base, hidden)),
        }));
        match mounted {
            Ok((router, inner)) => {
                (self.router, self.inner) = (router, inner);
                self.group.children.push(Child { base: base.into(), name, group });
                self
            }
            Err(panic) => self.fault(&subject, &message(&*panic)),
        }
    }

    /// Applies a layer to every route there is so far, as [`Router::layer`] does; it runs for agents, too.
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<AxumRoute> + Clone + Send + Sync + 'static,
        L::Service: Service<Request<Body>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<Body>>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request<Body>>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request<Body>>>::Future: Send + 'static,
    {
        self.map(|router| router.layer(layer.clone()))
    }

    /// Applies a layer to every route there is so far that matches, as [`Router::route_layer`] does.
    pub fn route_layer<L>(self, layer: L) -> Self
    where
        L: Layer<AxumRoute> + Clone + Send + Sync + 'static,
        L::Service: Service<Request<Body>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<Body>>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request<Body>>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request<Body>>>::Future: Send + 'static,
    {
        if self.paths.known().is_empty() {
            return self.fault("route_layer", "there is no route yet; add routes before it");
        }
        self.map(|router| router.route_layer(layer.clone()))
    }

    /// Changes the router in any other way; routes that it adds are not exposed.
    pub fn map(mut self, change: impl Fn(Router<S>) -> Router<S>) -> Self {
        self.attempt("a changed router", change);
        self
    }

    /// Sets what holds for all routes that agents use. Routes that are mounted or merged have none of their own: options of
    /// theirs are a fault.
    pub fn options(mut self, options: RouteOptions) -> Self {
        self.options = Some(options);
        self
    }

    /// Gives the handlers their state: the application's router, its tools, and the endpoints of its groups.
    pub fn with_state(self, state: S) -> Served {
        serve(self, state)
    }

    /// Notes what is wrong.
    pub(super) fn fault(mut self, subject: &str, problem: &str) -> Self {
        self.faults.push((subject.to_owned(), problem.to_owned()));
        self
    }

    /// Takes a path, or notes why it cannot be.
    fn take(&mut self, subject: &str, path: &str, methods: Methods) -> bool {
        let taken =
            PathTemplate::parse(path).map_err(str::to_owned).and_then(|it| self.paths.add(it, methods));
        match taken {
            Ok(()) => true,
            Err(problem) => {
                self.faults.push((subject.to_owned(), problem));
                false
            }
        }
    }

    /// Changes both routers; what axum refuses by a panic becomes a fault.
    ///
    /// What can be known is found before. A panic is told to the panic hook all the same.
    fn attempt(&mut self, subject: &str, change: impl Fn(Router<S>) -> Router<S>) -> bool {
        let own = (self.router.clone(), self.inner.clone());
        match catch_unwind(AssertUnwindSafe(|| (change(own.0), change(own.1)))) {
            Ok((router, inner)) => {
                (self.router, self.inner) = (router, inner);
                true
            }
            Err(panic) => {
                self.faults.push((subject.to_owned(), message(&*panic)));
                false
            }
        }
    }
}

/// What a panic said.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("axum refused it").to_owned()
}

impl<S> fmt::Debug for Routes<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Routes").field("group", &self.group).finish_non_exhaustive()
    }
}
