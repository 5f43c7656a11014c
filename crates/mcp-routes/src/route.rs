//! Routes on their way into an application, with what agents are told of them.

use crate::{
    describe::{DescribedHandler, Inputs, Output, Parameter},
    expose::Expose,
    openapi::Documented,
    operation::{Operation, name_of},
};
use axum::{
    handler::Handler,
    routing::{MethodFilter, MethodRouter, Route as AxumRoute, on},
};
use http::{Method, Request};
use mcp_core::schema::Presence;
use schemars::JsonSchema;
use std::{convert::Infallible, fmt};
use tower_layer::Layer;
use tower_service::Service;

/// A route of one method, or an axum [`MethodRouter`] of which nothing is known.
///
/// Agents cannot use it unless [`tool`](Self::tool) or [`resource`](Self::resource) says so.
#[derive(Clone)]
#[must_use]
pub struct Route<S = ()> {
    pub(crate) service: MethodRouter<S>,
    pub(crate) operation: Option<Operation>,
    pub(crate) documentation: Documentation,
    pub(crate) tool: Option<Expose>,
    pub(crate) resource: Option<(Box<str>, Expose)>,
    pub(crate) misuse: Option<&'static str>,
}

/// What a route's own documentation says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documentation {
    pub(crate) summary: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) tags: Vec<Box<str>>,
    /// The operation in the OpenAPI document.
    pub(crate) document: Option<Box<Documented>>,
}

macro_rules! methods {
    ($($(#[$doc:meta])* $function:ident $method:ident;)+) => {$(
        $(#[$doc])*
        pub fn $function<H, T, S>(handler: H) -> Route<S>
        where
            H: DescribedHandler<T, S>,
            T: 'static,
            S: Clone + Send + Sync + 'static,
        {
            Route::described(Method::$method, MethodFilter::$method, handler)
        }
    )+};
}

methods! {
    /// A route for GET, and so for HEAD.
    get GET;
    /// A route for HEAD.
    head HEAD;
    /// A route for POST.
    post POST;
    /// A route for PUT.
    put PUT;
    /// A route for PATCH.
    patch PATCH;
    /// A route for DELETE.
    delete DELETE;
}

/// A route whose handler does not describe itself: what it reads and returns is described by hand.
///
/// ```
/// use axum::{extract::Request, response::IntoResponse};
/// use http::Method;
/// use mcp_routes::{Parameter, Routes, by_hand};
///
/// async fn legacy(request: Request) -> impl IntoResponse {
///     request.uri().query().unwrap_or_default().to_owned()
/// }
///
/// let routes = Routes::<()>::new().route(
///     "/legacy",
///     by_hand(Method::GET, legacy).parameter(Parameter::query::<u32>("page").optional()).tool("Lists old things"),
/// );
/// # let _ = routes;
/// ```
pub fn by_hand<H, T, S>(method: Method, handler: H) -> Route<S>
where
    H: Handler<T, S>,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    match MethodFilter::try_from(method.clone()) {
        Ok(filter) => {
            Route::of(method, &name_of::<H>(), on(filter, handler), Inputs::default(), Output::unknown())
        }
        Err(_) => Route {
            misuse: Some("its method is none that axum routes"),
            ..Route::of(method, &name_of::<H>(), MethodRouter::new(), Inputs::default(), Output::unknown())
        },
    }
}

impl<S: Clone + Send + Sync + 'static> Route<S> {
    fn described<H, T>(method: Method, filter: MethodFilter, handler: H) -> Self
    where
        H: DescribedHandler<T, S>,
        T: 'static,
    {
        Self::of(method, &name_of::<H>(), on(filter, handler), H::inputs(), H::output())
    }

    pub(crate) fn of(
        method: Method,
        name: &str,
        service: MethodRouter<S>,
        inputs: Inputs,
        output: Output,
    ) -> Self {
        Self {
            service,
            operation: Some(Operation { name: name.into(), method, inputs, output }),
            documentation: Documentation::default(),
            tool: None,
            resource: None,
            misuse: None,
        }
    }

    /// Lets agents call the route as a tool; `expose` is its description, or more.
    pub fn tool(mut self, expose: impl Into<Expose>) -> Self {
        self.tool = Some(expose.into());
        self
    }

    /// Lets agents read the route as a resource of an absolute URI, or as a family of them by URI template, whose
    /// variables are the path's parameters; GET and HEAD only.
    pub fn resource(mut self, uri: impl Into<Box<str>>, expose: impl Into<Expose>) -> Self {
        self.resource = Some((uri.into(), expose.into()));
        self
    }

    /// Adds a parameter that the handler's types do not tell of.
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        if let Some(operation) = &mut self.operation {
            operation.inputs.add(parameter);
        }
        self
    }

    /// Adds a JSON body that the handler's types do not tell of.
    pub fn json_body<T: JsonSchema>(mut self, presence: Presence) -> Self {
        if let Some(operation) = &mut self.operation {
            match presence {
                Presence::Required => operation.inputs.json::<T>(),
                Presence::Optional => operation.inputs.optional::<axum::Json<T>>(),
            };
        }
        self
    }

    /// Says what the body of a good response is, where the handler's types do not tell.
    pub fn returns<T: JsonSchema>(mut self) -> Self {
        if let Some(operation) = &mut self.operation {
            operation.output = Output::json::<T>();
        }
        self
    }

    /// Applies a layer to this route; it runs for agents, too.
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<AxumRoute> + Clone + Send + Sync + 'static,
        L::Service: Service<Request<axum::body::Body>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<axum::body::Body>>>::Response: axum::response::IntoResponse + 'static,
        <L::Service as Service<Request<axum::body::Body>>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request<axum::body::Body>>>::Future: Send + 'static,
    {
        self.service = self.service.layer(layer);
        self
    }
}

/// An operation that utoipa documents, on its way into [`Routes::openapi`](crate::Routes::openapi).
#[derive(Debug)]
#[must_use]
pub struct DocumentedRoute {
    pub(crate) name: Box<str>,
    pub(crate) method: Method,
    pub(crate) tool: Option<Expose>,
    pub(crate) resource: Option<(Box<str>, Expose)>,
}

impl DocumentedRoute {
    /// The operation id; empty when it has none.
    #[must_use]
    pub fn operation_id(&self) -> &str {
        &self.name
    }

    /// The method.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// Lets agents call the route as a tool; [`Expose::documented`] takes what its documentation says.
    pub fn tool(mut self, expose: impl Into<Expose>) -> Self {
        self.tool = Some(expose.into());
        self
    }

    /// Lets agents read the route as a resource; GET and HEAD only.
    pub fn resource(mut self, uri: impl Into<Box<str>>, expose: impl Into<Expose>) -> Self {
        self.resource = Some((uri.into(), expose.into()));
        self
    }
}

impl<S> From<MethodRouter<S>> for Route<S> {
    fn from(service: MethodRouter<S>) -> Self {
        Self {
            service,
            operation: None,
            documentation: Documentation::default(),
            tool: None,
            resource: None,
            misuse: None,
        }
    }
}

impl<S> fmt::Debug for Route<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Route")
            .field("operation", &self.operation)
            .field("tool", &self.tool)
            .field("resource", &self.resource)
            .finish_non_exhaustive()
    }
}
