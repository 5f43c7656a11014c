//! Calls of one tool through another: the request becomes one that names the tool itself.
//!
//! From there on nothing knows of the proxy, so that the call does what a direct one does: checks, tasks, round trips,
//! progress, limits, logs. Only the HTTP headers that repeat parts of the body go with the request as it came.

use super::{
    Toolboxes,
    names::{CALL_READ_ONLY, CALL_TOOL, OPEN_TOOLBOX},
};
use crate::{
    json::{JsonLimits, JsonWriter, Kind, Node},
    jsonrpc::{Incoming, IncomingRequest, decode},
    registry::{Catalogue, ToolEntry, picked_version},
};
use bytes::Bytes;

/// The most characters of a name that an answer repeats.
const SHOWN_CHARS: usize = 128;

/// A tool that calls others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proxy {
    /// Those that are hinted as read-only.
    ReadOnly,
    /// Every one.
    Any,
}

/// What becomes of a request to call a tool.
#[derive(Debug)]
pub(crate) enum Redirected {
    /// It names the tool itself.
    Unchanged,
    /// It is one of another tool.
    To(IncomingRequest),
    /// The arguments of the proxy do not fit.
    Unfit(String),
    /// The proxy does not call that tool; the model reads why.
    Refused(String),
}

impl Proxy {
    pub(super) const ALL: [Self; 2] = [Self::ReadOnly, Self::Any];

    /// Its name as a tool.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => CALL_READ_ONLY,
            Self::Any => CALL_TOOL,
        }
    }

    /// The one to call a tool with.
    pub(super) fn of_tool(tool: &ToolEntry) -> Self {
        if tool.definition.annotations.read_only == Some(true) { Self::ReadOnly } else { Self::Any }
    }

    /// Tells whether it calls the tool.
    pub(super) fn calls(self, tool: &ToolEntry) -> bool {
        tool.definition.visibility.includes_model() && (self == Self::Any || self == Self::of_tool(tool))
    }
}

impl Toolboxes {
    /// Makes a request to a proxy one to the tool that it is to call.
    pub(crate) fn redirect(&self, catalogue: &Catalogue, request: &IncomingRequest) -> Redirected {
        let Some(params) = request.params().filter(|_| self.has_proxies()) else {
            return Redirected::Unchanged;
        };
        let named = params.get("name").and_then(Node::as_str);
        let proxy = named.and_then(|name| Proxy::ALL.into_iter().find(|proxy| proxy.name() == name));
        let Some((proxy, entry)) =
            proxy.and_then(|proxy| Some((proxy, catalogue.tool(proxy.name(), None).ok()?)))
        else {
            return Redirected::Unchanged;
        };
        let sent = params.get("arguments").filter(|node| !node.is_null());
        if sent.is_some_and(|node| node.kind() != Kind::Object) {
            // What is no object is refused of every tool alike.
            return Redirected::Unchanged;
        }
        if let Err(fault) = entry.input.check(sent) {
            return Redirected::Unfit(fault.text().to_owned());
        }
        let Some(name) = sent.and_then(|sent| sent.get("name")?.as_str()) else {
            return Redirected::Unchanged;
        };
        if let Some(refused) = self.refuse(proxy, catalogue, params, &name) {
            return Redirected::Refused(refused);
        }
        let arguments = sent.and_then(|sent| sent.get("arguments"));
        match rewritten(request, params, &name, arguments) {
            Some(request) => {
                tracing::debug!(proxy = proxy.name(), tool = &*name, "a tool is called through a proxy");
                Redirected::To(request)
            }
            None => Redirected::Unchanged,
        }
    }

    /// Why a tool is not called through a proxy; what there is not and what models may not call read the same.
    fn refuse(&self, proxy: Proxy, catalogue: &Catalogue, params: Node<'_>, name: &str) -> Option<String> {
        let highest = catalogue.tool(name, None).ok().filter(|_| !self.owns(name));
        let version = picked_version(Some(params)).ok().flatten();
        let tool = highest.map(|highest| match version {
            // A version that there is not is refused as in a direct call.
            Some(version) => catalogue.tool(name, Some(&version)).unwrap_or(highest),
            None => highest,
        });
        let shown: String = name.chars().take(SHOWN_CHARS).collect();
        match tool {
            Some(tool) if proxy.calls(tool) => None,
            Some(tool) if tool.definition.visibility.includes_model() => {
                Some(format!("`{shown}` is not hinted as read-only; run it with `{}`", Proxy::Any.name()))
            }
            _ => Some(format!(
                "there is no tool `{shown}` that `{}` could run; `{OPEN_TOOLBOX}` tells the tools of a toolbox",
                proxy.name()
            )),
        }
    }
}

/// The request as one that names the tool itself; everything else stays as it was sent.
fn rewritten(
    request: &IncomingRequest,
    params: Node<'_>,
    name: &str,
    arguments: Option<Node<'_>>,
) -> Option<IncomingRequest> {
    let mut text = Vec::with_capacity(params.raw().len() + 128);
    JsonWriter::new(&mut text).object(|message| {
        message.string("jsonrpc", "2.0");
        message.raw("id", request.id.as_json());
        message.raw("method", request.method().raw());
        message.object("params", |object| {
            object.string("name", name);
            object.optional_raw("arguments", arguments.map(Node::raw));
            let others = params.members().filter(|(key, _)| !key.eq_str("name") && !key.eq_str("arguments"));
            others.for_each(|(key, value)| object.raw(&key.text(), value.raw()));
        });
    });
    // It came in a message that was within the limits.
    match decode(Bytes::from(text), &JsonLimits::widest()) {
        Ok(Incoming::Request(request)) => Some(request),
        _ => None,
    }
}
