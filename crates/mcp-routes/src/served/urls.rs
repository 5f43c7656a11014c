//! URLs of operations, from within a request and from outside.

use crate::{
    call::Bound,
    describe::DescribeInput,
    operation::PathTemplate,
    routes::{Instructions, ItemKind, KnownRoute, Placed, below},
};
use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use http::{Method, StatusCode, request::Parts};
use std::{borrow::Cow, sync::Arc};

/// The URLs of all operations of an application, by group and operation.
#[derive(Clone, Debug)]
pub struct RouteUrls(Arc<[Entry]>);

#[derive(Debug)]
struct Entry {
    /// The number of the mounted group.
    group: usize,
    name: Option<Box<str>>,
    base: Box<str>,
    /// `None` for what is no route: prompts, and what tells how to use an endpoint.
    operation: Option<Box<str>>,
    /// `None` where that is not known.
    method: Option<Method>,
    template: PathTemplate,
}

/// Why there is no URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoUrl {
    /// There is no such operation.
    #[error("there is no operation `{0}` here")]
    Unknown(Box<str>),
    /// A parameter of the path has no value.
    #[error("the path parameter `{0}` has no value")]
    Missing(Box<str>),
    /// A value cannot stand in a path.
    #[error("the value of the path parameter `{name}` {problem}")]
    Unfit {
        /// The parameter.
        name: Box<str>,
        /// What is wrong with its value.
        problem: Box<str>,
    },
}

/// The request is for no route of the application; the response is `500 Internal Server Error`.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the request is for no route that has a group")]
pub struct UnknownOperation;

impl RouteUrls {
    pub(crate) fn new(groups: &[Placed]) -> Self {
        let mut all = Vec::new();
        for (group, placed) in groups.iter().enumerate() {
            let mut add = |path: &str, operation: Option<(Box<str>, Method)>| {
                let Ok(template) = PathTemplate::parse(&below(&placed.base, path)) else { return };
                let (name, base) = (placed.name.clone(), placed.base.clone());
                let (operation, method) = operation.unzip();
                all.push(Entry { group, name, base, operation, method, template });
            };
            for item in &placed.group.items {
                add(
                    &item.path,
                    match &item.kind {
                        ItemKind::Route(route) => Some(named(route)),
                        ItemKind::Prompt(_) => None,
                    },
                );
            }
            if let Instructions::Route(path) = &placed.group.instructions {
                add(path, None);
            }
        }
        Self(all.into())
    }

    /// The URL of an operation of a group; `None` for the routes that are in no group.
    ///
    /// # Errors
    /// [`NoUrl`].
    pub fn url(
        &self,
        group: Option<&str>,
        operation: &str,
        parameters: &[(&str, &str)],
    ) -> Result<String, NoUrl> {
        let found = self.0.iter().find(|entry| entry.name.as_deref() == group && entry.is(operation));
        fill(found.ok_or_else(|| NoUrl::Unknown(operation.into()))?, parameters, &Bound::default())
    }

    /// The URL of an operation of the group that is mounted at a path.
    ///
    /// # Errors
    /// [`NoUrl`].
    pub fn url_at(&self, base: &str, operation: &str, parameters: &[(&str, &str)]) -> Result<String, NoUrl> {
        let base = base.trim_end_matches('/');
        let found = self.0.iter().find(|entry| *entry.base == *base && entry.is(operation));
        fill(found.ok_or_else(|| NoUrl::Unknown(operation.into()))?, parameters, &Bound::default())
    }
}

/// The name of an operation, whether it is exposed or not, and its method.
fn named(route: &KnownRoute) -> (Box<str>, Method) {
    let KnownRoute { operation, tool, resource, .. } = route;
    let expose = tool.as_ref().or(resource.as_ref().map(|(_, expose)| expose));
    let name = expose.and_then(|expose| expose.name.clone());
    (name.unwrap_or_else(|| operation.name.clone()), operation.method.clone())
}

impl Entry {
    fn is(&self, operation: &str) -> bool {
        self.operation.as_deref() == Some(operation)
    }

    /// Whether a request of this method at this path is for it.
    fn serves(&self, path: &str, method: &Method) -> bool {
        let answers = |own: &Method| own == method || (own == Method::GET && method == Method::HEAD);
        self.template.as_str() == path && self.method.as_ref().is_none_or(answers)
    }
}

fn fill(entry: &Entry, parameters: &[(&str, &str)], bound: &Bound) -> Result<String, NoUrl> {
    let explicit =
        |name: &str| parameters.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let filled = entry.template.fill(|name| {
        explicit(name).map(Cow::Borrowed).or_else(|| bound.get(name).map(|it| it.to_owned().into()))
    });
    filled.map_err(|(name, fault)| match fault {
        None => NoUrl::Missing(name.into()),
        Some(fault) => NoUrl::Unfit { name: name.into(), problem: fault.to_string().into() },
    })
}

/// The URLs of the operations in the group of the route that is served, where it is mounted.
///
/// Parameters that the request's own URL has keep their values, unless others are given.
///
/// ```
/// use axum::response::Redirect;
/// use mcp_routes::{NoUrl, Urls};
///
/// async fn create(urls: Urls) -> Result<Redirect, String> {
///     let url = urls.to("show", &[("id", "7")]).map_err(|error: NoUrl| error.to_string())?;
///     Ok(Redirect::to(&url))
/// }
/// # let _ = create;
/// ```
#[derive(Clone, Debug)]
pub struct Urls {
    all: RouteUrls,
    group: usize,
    bound: Bound,
}

impl Urls {
    /// The URL of an operation of the same group.
    ///
    /// # Errors
    /// [`NoUrl`].
    pub fn to(&self, operation: &str, parameters: &[(&str, &str)]) -> Result<String, NoUrl> {
        let found = self.all.0.iter().find(|entry| entry.group == self.group && entry.is(operation));
        fill(found.ok_or_else(|| NoUrl::Unknown(operation.into()))?, parameters, &self.bound)
    }
}

impl axum::response::IntoResponse for UnknownOperation {
    fn into_response(self) -> axum::response::Response {
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Urls {
    type Rejection = UnknownOperation;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, UnknownOperation> {
        let all = parts.extensions.get::<RouteUrls>().cloned().ok_or(UnknownOperation)?;
        let matched = parts.extensions.get::<MatchedPath>().cloned().ok_or(UnknownOperation)?;
        let entry = all.0.iter().find(|entry| entry.serves(matched.as_str(), &parts.method));
        let group = entry.ok_or(UnknownOperation)?.group;
        let bound = match RawPathParams::from_request_parts(parts, state).await {
            Ok(parameters) => Bound::from_iter(&parameters),
            Err(_) => Bound::default(),
        };
        Ok(Self { all, group, bound })
    }
}

impl DescribeInput for Urls {}
