//! What is known about one call.

use super::{Caller, Cancellation, Nested, Outbox, Pace, Transport, scratch::Scratch};
use crate::{
    ask::Asks,
    exchange::StreamControl,
    handler::Bulkhead,
    json::{Document, JsonLimits, Node, on_one_line},
    jsonrpc::{IncomingRequest, RequestId},
    lower,
    ports::{BoxFuture, Runtime, SessionId, TaskId},
    principal::Principal,
    protocol::{ClientCapabilities, Meta, Method},
    registry::Catalogue,
    server::{Authorization, Limits, Server},
    task::TaskSlot,
    version::{Feature, ProtocolVersion},
};
use serde::Serialize;
use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// The context of a call; cloning is cheap, and clones speak of the same call.
///
/// Works alike in tools, resource reads, prompts, completers and listing callbacks, in every era
/// and on every transport.
#[derive(Clone)]
pub struct Context(pub(crate) Arc<Scope>);

pub(crate) struct Scope {
    pub(crate) server: Server,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) request: IncomingRequest,
    pub(crate) method: Method,
    pub(crate) caller: Caller,
    pub(crate) outbox: Outbox,
    pub(crate) pace: Pace,
    pub(crate) asks: Asks,
    pub(crate) task: TaskSlot,
    pub(crate) cancelled: Cancellation,
    pub(crate) scratch: Scratch,
    pub(crate) teardown: Mutex<Vec<BoxFuture<()>>>,
    pub(crate) result_meta: Mutex<Meta>,
    pub(crate) started: Instant,
    /// Of a call that runs within another.
    pub(crate) nested: Option<Nested>,
    /// What is too large of the result may be kept as a resource.
    pub(crate) overflows: AtomicBool,
    /// Its handler runs a plan, whose steps are calls within it.
    pub(crate) runs_plan: AtomicBool,
}

impl Context {
    /// The method that is served, such as `tools/call`.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.0.method.as_str()
    }

    /// The id of the request.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.0.request.id
    }

    /// The request's parameters as JSON text, `{}` when absent.
    #[must_use]
    pub fn params_text(&self) -> &str {
        self.0.request.params().map_or("{}", Node::raw)
    }

    /// The name of the tool or prompt, or the URI of the resource that is served.
    #[must_use]
    pub fn target(&self) -> Option<String> {
        let member = match self.0.method {
            Method::CallTool | Method::GetPrompt => "name",
            Method::ReadResource => "uri",
            _ => return None,
        };
        self.0.request.params()?.get(member)?.as_str().map(std::borrow::Cow::into_owned)
    }

    /// The arguments of a tool call or prompt as the client sent them, as JSON text; `{}` when absent.
    #[must_use]
    pub fn arguments_text(&self) -> &str {
        self.0.request.params().and_then(|params| params.get("arguments")).map_or("{}", Node::raw)
    }

    /// The protocol version the caller speaks.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.0.caller.version
    }

    /// The transport that carries the call.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.0.caller.transport
    }

    /// The id of the HTTP session the call belongs to; `None` where there is none.
    ///
    /// A secret of the client: it does not belong in logs or results.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.0.caller.session.as_ref().map(SessionId::as_str)
    }

    /// Tells whether the call runs as a task: its client does not wait for it.
    #[must_use]
    pub fn is_task(&self) -> bool {
        self.root().0.task.running().is_some()
    }

    /// The id of the task that the call is; `None` when its client waits for it.
    ///
    /// Where callers are not authenticated it is a secret of the client: it does not belong in logs.
    #[must_use]
    pub fn task_id(&self) -> Option<String> {
        self.root().0.task.running().map(|task| task.id.as_str().to_owned())
    }

    /// The id of the request that began the task which the call is; `None` when its client waits for it.
    ///
    /// A task outlives its request: other requests of the client may use the id again.
    #[must_use]
    pub fn origin_request_id(&self) -> Option<&RequestId> {
        self.is_task().then(|| self.request_id())
    }

    /// Says in a sentence what the task is doing, for those who look at it; without effect on a call that is none.
    ///
    /// Kept to its first 200 characters. The newest sentence stays until the task ends.
    pub fn task_message(&self, message: &str) {
        if let Some(task) = self.root().0.task.running() {
            task.say(message);
        }
    }

    /// The task that messages of the call are tied to, where the revision ties them.
    pub(crate) fn related_task(&self) -> Option<TaskId> {
        let task = self.root().0.task.running()?;
        task.version.has(Feature::CoreTasks).then(|| task.id.clone())
    }

    /// The authenticated caller; `None` when the server asks for no authentication.
    #[must_use]
    pub fn principal(&self) -> Option<&Arc<Principal>> {
        self.0.caller.principal.as_ref()
    }

    /// Tells whether a client whose credentials are refused is asked for others: whether
    /// [`ProtocolError::unauthorized`](crate::handler::ProtocolError::unauthorized) can become a challenge.
    #[must_use]
    pub fn asks_for_credentials(&self) -> bool {
        self.0.caller.authorization == Authorization::On
    }

    /// What the client declared it can do.
    #[must_use]
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.caller.capabilities
    }

    /// Tells whether the client declared a capability, by path such as `sampling` or `elicitation.url`.
    #[must_use]
    pub fn client_supports(&self, path: &str) -> bool {
        self.0.caller.capabilities.supports(path)
    }

    /// The client's own description of itself, a JSON object; `None` when it gave none.
    ///
    /// Unverified: it must not decide anything.
    #[must_use]
    pub fn client_info(&self) -> Option<&[u8]> {
        self.0.caller.client_info.as_deref()
    }

    /// What the transport attached to the call, by type; the HTTP transport attaches the request's head.
    #[must_use]
    pub fn attachment<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(self.0.caller.attachment.as_ref()?).downcast().ok()
    }

    /// A copy of the call's own value of type `T`: state shared by extractors and the handler,
    /// empty at each call.
    #[must_use]
    pub fn scratch<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.0.scratch.get()
    }

    /// Puts the call's own value of type `T`; an earlier one is given back.
    pub fn put_scratch<T: Send + Sync + 'static>(&self, value: T) -> Option<T> {
        self.0.scratch.put(value)
    }

    /// Adds an entry to the `_meta` of the result.
    pub fn put_result_meta(&self, key: impl Into<String>, value: serde_json::Value) {
        self.0.result_meta.lock().unwrap_or_else(PoisonError::into_inner).insert(key.into(), value);
    }

    /// The server that serves the call, for change notifications and updates.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.0.server
    }

    /// Sends a notification on the call's own stream.
    ///
    /// Never waits. Silently dropped where there is no channel for it: after the reply, or when the
    /// client takes no event stream.
    ///
    /// `params` that serialise to `null` are left out.
    ///
    /// # Errors
    /// [`WriteFault`](crate::json::WriteFault) when `params` does not serialise to a JSON object.
    pub fn notify<T: Serialize + ?Sized>(
        &self,
        method: &str,
        params: &T,
    ) -> Result<(), crate::json::WriteFault> {
        let params = crate::json::to_text_bounded(params, self.limits().write_bounds())?;
        let params = match on_one_line(&params) {
            null if null == "null" => None,
            object if object.starts_with('{') => Some(object),
            _ => return Err(crate::json::WriteFault::NotAnObject),
        };
        self.root().0.outbox.put(lower::notification(method, params.as_deref()));
        Ok(())
    }

    /// Answers as an event stream from the start, so that a client whose connection breaks can come back for the
    /// result.
    ///
    /// Without effect where streams cannot be resumed: on 2026-07-28, on stdio, and where resumption is off. A
    /// call that says something before its result becomes a stream by itself.
    pub fn make_resumable(&self) {
        self.root().0.outbox.put_control(StreamControl::Open);
    }

    /// Ends the response to the call; the client comes back for the rest after the delay it was told.
    ///
    /// For calls that take long and say little: no connection is held open meanwhile. Only clients of 2025-11-25
    /// whose stream can be resumed are sent away; for everyone else nothing happens.
    ///
    /// Spec: 2025-11-25, basic/transports#sending-messages-to-the-server.
    pub fn close_stream(&self) {
        self.root().0.outbox.put_control(StreamControl::Close);
    }

    pub(crate) fn document(&self) -> &Document {
        &self.0.request.document
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.0.server.limits()
    }

    pub(crate) fn json_limits(&self) -> &JsonLimits {
        &self.limits().output_json
    }

    /// Tells whether what is too large of the result may be kept as a resource.
    pub(crate) fn overflows(&self) -> bool {
        self.0.overflows.load(Ordering::Relaxed)
    }

    pub(crate) fn runtime(&self) -> &Arc<dyn Runtime> {
        self.0.server.runtime()
    }

    pub(crate) fn bulkhead(&self) -> &Bulkhead {
        self.0.server.bulkhead()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Context")
            .field("method", &self.0.method)
            .field("id", &self.0.request.id)
            .field("version", &self.0.caller.version)
            .field("transport", &self.0.caller.transport)
            .finish_non_exhaustive()
    }
}
