//! Tools on their way into a router.

use super::{Origin, Placement, Root, TimeLimit, ToolVisibility, VersionLabel, derive::Derivation};
use crate::{
    handler::{Handler, Named, NamedHandler, SharedBinder, ToolCall, bind_shared},
    protocol::{Icon, Meta, ToolAnnotations},
    schema::{InputSchema, OutputSchema},
    task::{TaskStart, TaskSupport, ToolTask},
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

/// Registers a function as a tool; its schemas come from its types.
pub fn tool<S, P, H>(handler: H) -> ToolBuilder<S>
where
    S: Send + Sync + 'static,
    H: Handler<ToolCall, S, P>,
{
    let output = handler.output_schema();
    let describing = handler.clone();
    ToolBuilder {
        definition: ToolDefinition::default(),
        origin: Origin::default(),
        describe: Arc::new(move |inputs| describing.describe(inputs)),
        argument_texts: Vec::new(),
        output,
        authored_input: None,
        authored_output: None,
        derivations: Vec::new(),
        bind: bind_shared(handler),
    }
}

/// Registers a function as a tool whose first `N` parameters are arguments of these names.
///
/// Their types come from the signature; extractors may follow them. Describe each with
/// [`ToolBuilder::argument`].
pub fn tool_args<const N: usize, S, M, F>(names: [&'static str; N], function: F) -> ToolBuilder<S>
where
    S: Send + Sync + 'static,
    M: 'static,
    F: NamedHandler<N, M, S>,
{
    tool(Named::new(names, function))
}

/// A tool on its way into a router; a description is required.
#[must_use]
pub struct ToolBuilder<S> {
    pub(crate) definition: ToolDefinition,
    pub(super) origin: Origin,
    pub(super) describe: Arc<dyn Fn(&mut InputSchema) + Send + Sync>,
    pub(super) argument_texts: Vec<(Box<str>, Box<str>)>,
    pub(super) output: Option<OutputSchema>,
    pub(super) authored_input: Option<Value>,
    pub(super) authored_output: Option<Value>,
    /// What was changed about its arguments, where it was derived from another, the earliest first.
    pub(super) derivations: Vec<Derivation>,
    pub(super) bind: SharedBinder<ToolCall, S>,
}

/// What is published about a tool beside its schemas.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolDefinition {
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Box<str>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Meta,
    pub(crate) tags: BTreeSet<Box<str>>,
    pub(crate) task: ToolTask,
    pub(crate) time: TimeLimit,
    pub(crate) version: Option<VersionLabel>,
    pub(crate) overflow: bool,
    pub(crate) placement: Placement,
    pub(crate) visibility: ToolVisibility,
    /// The card: as it was written, and once the tool is compiled its URI.
    pub(crate) card: Option<Box<str>>,
}

impl<S: Send + Sync + 'static> ToolBuilder<S> {
    /// Says what the tool does, for the model that decides when to call it.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.definition.description = description.into();
        self
    }

    /// Sets the name shown to people.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.definition.title = Some(title.into());
        self
    }

    /// Describes an argument, in place of what its type says.
    pub fn argument(mut self, name: impl Into<Box<str>>, description: impl Into<Box<str>>) -> Self {
        // The arguments of a derived tool are those that it publishes.
        if let Some(last) = self.derivations.last() {
            self.derivations.push(last.describing(name.into(), description.into()));
            return self;
        }
        self.argument_texts.push((name.into(), description.into()));
        self
    }

    /// Hints that the tool changes nothing.
    pub fn read_only(mut self) -> Self {
        self.definition.annotations.read_only = Some(true);
        self
    }

    /// Hints that the tool may destroy or overwrite.
    pub fn destructive(mut self) -> Self {
        self.definition.annotations.destructive = Some(true);
        self
    }

    /// Hints that calling again with the same arguments changes nothing more.
    pub fn idempotent(mut self) -> Self {
        self.definition.annotations.idempotent = Some(true);
        self
    }

    /// Hints that the tool reaches an open world, such as the web.
    pub fn open_world(mut self) -> Self {
        self.definition.annotations.open_world = Some(true);
        self
    }

    /// Hints that the tool stays within its own world.
    pub fn closed_world(mut self) -> Self {
        self.definition.annotations.open_world = Some(false);
        self
    }

    /// Sets all hints at once; contradictions are refused when the server is built.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.definition.annotations = annotations;
        self
    }

    /// Adds an icon.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.definition.icons.push(icon);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition.meta = meta;
        self
    }

    /// Adds a tag; tags stay on the server.
    pub fn tag(mut self, tag: impl Into<Box<str>>) -> Self {
        self.definition.tags.insert(tag.into());
        self
    }

    /// Lists the tool even where others are found by search or in toolboxes; see [`presentation`](crate::presentation).
    pub fn root(mut self) -> Self {
        self.definition.placement.root = Root::Yes;
        self
    }

    /// Puts the tool into the toolbox of this name, which a router has
    /// ([`McpRouter::toolbox`](super::McpRouter::toolbox) puts in whatever the router has then).
    pub fn in_toolbox(mut self, toolbox: impl Into<Box<str>>) -> Self {
        self.definition.placement.toolbox = Some(toolbox.into());
        self
    }

    /// Leaves the tool to search and toolboxes, though hosts need tools of its kind in the list.
    pub fn not_root(mut self) -> Self {
        self.definition.placement.root = Root::No;
        self
    }

    /// Names the card that hosts show with the result: a path below the folder of cards, such as
    /// `bookings/card.html`, or the URI of a resource, such as `ui://bookings/card.html`.
    ///
    /// The card must be there when the server is built. A tool with a card is always listed, unless it is
    /// [`not_root`](Self::not_root). Its result is told in `content` as well: hosts that know no cards show that.
    ///
    /// Spec: extension `io.modelcontextprotocol/ui` (SEP-1865).
    pub fn card(mut self, card: impl Into<Box<str>>) -> Self {
        self.definition.card = Some(card.into());
        self
    }

    /// Says who may call the tool in hosts that render cards.
    ///
    /// A tool for cards only is always listed, unless it is [`not_root`](Self::not_root).
    pub fn visibility(mut self, visibility: ToolVisibility) -> Self {
        self.definition.visibility = visibility;
        self
    }

    /// Keeps what is too large of a result as a resource that is read in parts; see [`overflow`](crate::overflow).
    ///
    /// The tool publishes no output schema then, because a result may be without its structured content; results are
    /// checked against the schema all the same.
    pub fn overflow_to_resource(mut self) -> Self {
        self.definition.overflow = true;
        self
    }

    /// Sets how long a call may take, 1 ms to 24 hours, in place of `limits.call_timeout`.
    ///
    /// Then the handler's future is dropped, and the model reads that the tool took too long.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.definition.time = TimeLimit::Own(timeout);
        self
    }

    /// Lets a call take as long as it likes, whatever `limits.call_timeout` says.
    pub fn without_timeout(mut self) -> Self {
        self.definition.time = TimeLimit::Never;
        self
    }

    /// Makes this one of several versions of the tool, each registered under the same name.
    ///
    /// Every version has its own schemas, hints and handler. The highest is listed, and is what a call reaches that
    /// names none; the list entry tells in `_meta` which there are ([`TOOL_VERSIONS`](super::TOOL_VERSIONS)), and a
    /// call picks one by naming it in its own `_meta` ([`TOOL_VERSION`](super::TOOL_VERSION)).
    ///
    /// 1 to 64 bytes without spaces. Versions are compared as semantic versions are: `10.0` is above `2.0`, `1.0` above
    /// `1.0-rc.1`; what does not begin with numbers is below everything that does. Two versions that are equal (`1` and
    /// `1.0`), or a tool of the same name without a version, are a fault when the server is built.
    ///
    /// ```
    /// use mcp_core::registry::{McpRouter, tool_args};
    /// # let _: McpRouter =
    /// McpRouter::new()
    ///     .tool("find", tool_args(["text"], |text: String| async move { text }).describe("Finds").tool_version("1.0"))
    ///     .tool("find", tool_args(["query"], |query: String| async move { query }).describe("Finds").tool_version("2.0"))
    /// # ;
    /// ```
    pub fn tool_version(mut self, version: impl Into<Box<str>>) -> Self {
        self.definition.version = Some(VersionLabel::new(version));
        self
    }

    /// Says whether calls may go on as tasks, which their clients look at later; never by default.
    ///
    /// Spec: 2025-11-25, basic/utilities/tasks; the extension `io.modelcontextprotocol/tasks`.
    pub fn task_support(mut self, support: TaskSupport) -> Self {
        self.definition.task.support = support;
        self
    }

    /// Says from when on a call is a task, where the server decides that; at once by default.
    pub fn task_start(mut self, start: TaskStart) -> Self {
        self.definition.task.start = start;
        self
    }

    /// Sets how long tasks of this tool last, counted from their beginning, unless their client asks for something
    /// else; within `tasks.limits.longest_ttl`.
    pub fn task_ttl(mut self, ttl: Duration) -> Self {
        self.definition.task.ttl = Some(ttl);
        self
    }

    /// Says what a model may be told while a task of this tool runs, to clients of 2025-11-25.
    pub fn task_response(mut self, text: impl Into<Box<str>>) -> Self {
        self.definition.task.response = Some(text.into());
        self
    }

    /// Publishes this input schema, unchanged, in place of the one from the types.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.authored_input = Some(schema);
        self
    }

    /// Publishes this output schema, unchanged, in place of the one from the result type.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.authored_output = Some(schema);
        self
    }

    pub(crate) fn with_state(self, state: &Arc<S>) -> ToolBuilder<()> {
        let handler = (self.bind)(Arc::clone(state));
        ToolBuilder {
            definition: self.definition,
            origin: self.origin,
            describe: self.describe,
            argument_texts: self.argument_texts,
            output: self.output,
            authored_input: self.authored_input,
            authored_output: self.authored_output,
            derivations: self.derivations,
            bind: Arc::new(move |_| Arc::clone(&handler)),
        }
    }
}

/// Both share the handler.
impl<S> Clone for ToolBuilder<S> {
    fn clone(&self) -> Self {
        Self {
            definition: self.definition.clone(),
            origin: self.origin.clone(),
            describe: Arc::clone(&self.describe),
            argument_texts: self.argument_texts.clone(),
            output: self.output,
            authored_input: self.authored_input.clone(),
            authored_output: self.authored_output.clone(),
            derivations: self.derivations.clone(),
            bind: Arc::clone(&self.bind),
        }
    }
}

impl<S> fmt::Debug for ToolBuilder<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ToolBuilder").field("definition", &self.definition).finish_non_exhaustive()
    }
}
