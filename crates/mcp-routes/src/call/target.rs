//! One route as calls reach it: the request is made, sent through the application's router, and answered.

use super::{
    Caps, Refusal,
    answer::Answer,
    arguments::{ArgumentFault, Written},
    drain::{DrainFault, drain},
    mount::{Bound, InProcess, Misdirected},
    origin::Origin,
    request::request,
};
use crate::operation::PathTemplate;
use http::{HeaderName, Method, StatusCode};
use mcp_core::{
    handler::{ProtocolError, ToolError},
    server::{Authorization, Connecting},
};
use std::sync::Arc;

/// What every call of one mounted route needs.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) router: InProcess,
    pub(crate) method: Method,
    pub(crate) template: PathTemplate,
    /// The path parameters that the endpoint's URL binds.
    pub(crate) bound: Vec<Box<str>>,
    pub(crate) forwarded: Arc<[HeaderName]>,
    pub(crate) caps: Caps,
}

/// Why a route gave no response; the text is for the model.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallFault {
    #[error(transparent)]
    Argument(#[from] ArgumentFault),
    #[error("{0} cannot have this value: its URL belongs to another route")]
    Misdirected(Box<str>),
    #[error("the arguments make no request that can be sent: {0}")]
    Unsendable(#[from] http::Error),
    #[error("the route failed: {0}")]
    Response(#[from] DrainFault),
    /// The route says itself what the client is to be told.
    #[error("{0}")]
    Refused(ProtocolError),
}

impl CallFault {
    /// The fault as the failure of a tool.
    pub(super) fn of_tool(self) -> ToolError {
        match self {
            Self::Refused(error) => error.into(),
            fault => ToolError::new(fault.to_string()).caused_by(fault),
        }
    }

    /// The fault as a protocol error; `unfit` makes that of arguments that do not fit.
    pub(super) fn of_protocol(self, unfit: impl FnOnce(String) -> ProtocolError) -> ProtocolError {
        let text = self.to_string();
        match self {
            Self::Refused(error) => error,
            Self::Response(_) => ProtocolError::new(-32603, text).caused_by(self),
            Self::Argument(_) | Self::Misdirected(_) | Self::Unsendable(_) => unfit(text).caused_by(self),
        }
    }
}

impl Target {
    /// Sends the request and waits for the whole of its response.
    pub(super) async fn call(&self, origin: &Origin<'_>, written: Written) -> Result<Answer, CallFault> {
        let bound = Bound::of_head(origin.head.as_deref(), &self.bound);
        let value = |name: &str| self.parameter(&bound, &written, name);
        self.check_bound(&bound, &written)?;
        let (url, shown) = (written.url(&self.template, value)?, written.shown_url(&self.template, value)?);
        let request = request(origin, &self.method, url, written, &self.forwarded)?;
        let response = self.router.send(request, &self.template).await;
        if response.extensions().get::<Misdirected>().is_some() {
            return Err(CallFault::Misdirected(self.parameter_names()));
        }
        if let Some(error) = Refusal::taken(&response) {
            return Err(CallFault::Refused(error));
        }
        let (head, body) = response.into_parts();
        let body = drain(body, &head.headers, self.caps).await?;
        Ok(Answer { status: head.status, headers: head.headers, body, url: shown })
    }

    /// The value of a path parameter. What the endpoint's URL binds has no other one, wherever the call comes from.
    fn parameter<'a>(&self, bound: &'a Bound, written: &'a Written, name: &str) -> Option<&'a str> {
        let is_bound = self.bound.iter().any(|bound| **bound == *name);
        if is_bound { bound.get(name) } else { written.path.get(name).map(String::as_str) }
    }

    /// A call that names another value than the one that its endpoint's URL binds means something else.
    fn check_bound(&self, bound: &Bound, written: &Written) -> Result<(), ArgumentFault> {
        let contradicted = (self.bound.iter())
            .find(|name| written.path.get(*name).is_some_and(|value| bound.get(name) != Some(value)));
        contradicted.map_or(Ok(()), |name| Err(ArgumentFault::Bound(name.clone())))
    }

    /// The parameters that a call chooses, for people.
    fn parameter_names(&self) -> Box<str> {
        let open =
            self.template.parameters().filter(|name| !self.bound.iter().any(|bound| **bound == **name));
        let names: Vec<String> = open.map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "the path".into() } else { names.join(" and ").into() }
    }

    /// Asks the route for a text, without arguments.
    pub(crate) async fn ask(&self, connecting: &Connecting) -> Result<String, ProtocolError> {
        let origin = Origin::of_client(connecting);
        let answer = self.call(&origin, Written::default()).await;
        let answer = answer.map_err(|fault| fault.of_protocol(ProtocolError::invalid_params))?;
        challenge(&origin, &answer)?;
        answer.into_text()
    }
}

/// Turns a route's 401 into the endpoint's challenge, where there is one.
pub(super) fn challenge(origin: &Origin<'_>, answer: &Answer) -> Result<(), ProtocolError> {
    let asks = origin.authorization == Authorization::On;
    if asks && answer.status == StatusCode::UNAUTHORIZED {
        Err(ProtocolError::unauthorized())
    } else {
        Ok(())
    }
}
