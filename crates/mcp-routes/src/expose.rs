//! What is said about a route that agents may use.

use crate::{
    call::ResultForm,
    describe::{Envelope, Known, Output},
};
use mcp_core::{
    protocol::{Icon, Meta, ToolAnnotations},
    registry::{ToolBuilder, ToolVisibility},
    schema::{OutputSchema, output_of},
};
use schemars::JsonSchema;
use serde_json::Value;
use std::{collections::BTreeMap, fmt, sync::Arc};

/// What is said about a route that is exposed as a tool or a resource.
///
/// A text converts into one, as its description: `get(show).tool("Looks up a user")`.
#[derive(Clone)]
#[must_use]
pub struct Expose {
    pub(crate) description: Description,
    pub(crate) name: Option<Box<str>>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) mime_type: Option<Box<str>>,
    pub(crate) output: Option<Output>,
    pub(crate) fixed: BTreeMap<Box<str>, Value>,
    pub(crate) values: BTreeMap<Box<str>, Value>,
    pub(crate) texts: Vec<(Box<str>, Box<str>)>,
    pub(crate) meta: Meta,
    pub(crate) shared: Shared,
    pub(crate) configure: Vec<Configure>,
}

/// Where a description comes from.
#[derive(Clone, Debug)]
pub(crate) enum Description {
    /// It is given.
    Given(Box<str>),
    /// The route's own documentation serves.
    Documented,
}

/// A further setting of a tool.
pub(crate) type Configure = Arc<dyn Fn(ToolBuilder<()>) -> ToolBuilder<()> + Send + Sync>;

/// What a route and the groups it is in may say; the innermost that says something holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    pub(crate) annotations: Option<ToolAnnotations>,
    pub(crate) form: Option<ResultForm>,
    pub(crate) visibility: Option<ToolVisibility>,
    pub(crate) root: Option<Rooted>,
    pub(crate) shown: Option<Shown>,
    /// The nearest that declares any is the only one.
    pub(crate) icons: Vec<Icon>,
    /// These add up.
    pub(crate) tags: Vec<Box<str>>,
}

/// Whether an item is listed where others are found by search or in toolboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rooted {
    Yes,
    No,
}

/// Whether an item is offered to agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Yes,
    No,
}

impl Shared {
    /// What holds of an item in a group, the group being the outer one.
    pub(crate) fn within(&self, outer: &Self) -> Self {
        Self {
            annotations: self.annotations.or(outer.annotations),
            form: self.form.or(outer.form),
            visibility: self.visibility.or(outer.visibility),
            root: self.root.or(outer.root),
            shown: self.shown.or(outer.shown),
            icons: if self.icons.is_empty() { outer.icons.clone() } else { self.icons.clone() },
            tags: outer.tags.iter().chain(&self.tags).cloned().collect(),
        }
    }
}

impl<T: Into<Box<str>>> From<T> for Expose {
    fn from(description: T) -> Self {
        Self::new(description)
    }
}

impl Expose {
    /// Says what the tool does or what the resource holds, for the model that decides when to use it.
    pub fn new(description: impl Into<Box<str>>) -> Self {
        Self::of(Description::Given(description.into()))
    }

    /// Takes the description from the route's own documentation.
    ///
    /// A route that has none is a fault when the server is built.
    pub fn documented() -> Self {
        Self::of(Description::Documented)
    }

    fn of(description: Description) -> Self {
        Self {
            description,
            name: None,
            title: None,
            mime_type: None,
            output: None,
            fixed: BTreeMap::new(),
            values: BTreeMap::new(),
            texts: Vec::new(),
            meta: Meta::new(),
            shared: Shared::default(),
            configure: Vec::new(),
        }
    }

    /// Sets the name of the operation, in place of the handler's; its group's name comes before it.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the name shown to people.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Declares the media type of the resource; it stands above what the response says.
    pub fn mime_type(mut self, mime_type: impl Into<Box<str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Declares what the tool does, in place of all that the method says.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.shared.annotations = Some(annotations);
        self
    }

    /// Declares that the tool changes nothing, and nothing else of what it does: a search by POST, say.
    pub fn read_only(self) -> Self {
        self.annotations(ToolAnnotations { read_only: Some(true), ..ToolAnnotations::default() })
    }

    /// Returns responses as one object of status, header fields and body.
    pub fn envelope(mut self) -> Self {
        self.shared.form = Some(ResultForm::Envelope);
        self
    }

    /// Returns the bodies of responses, where the group returns envelopes.
    pub fn body_only(mut self) -> Self {
        self.shared.form = Some(ResultForm::Body);
        self
    }

    /// Publishes the schema of `T` as the output schema: what the body of a good response is.
    pub fn returns<T: JsonSchema>(mut self) -> Self {
        self.output = Some(Output::json::<T>());
        self
    }

    /// Gives an argument its value, whatever a call says; it leaves the schema.
    pub fn fixed(mut self, argument: impl Into<Box<str>>, value: impl Into<Value>) -> Self {
        self.fixed.insert(argument.into(), value.into());
        self
    }

    /// Gives an argument its value where a call leaves it out.
    pub fn default_value(mut self, argument: impl Into<Box<str>>, value: impl Into<Value>) -> Self {
        self.values.insert(argument.into(), value.into());
        self
    }

    /// Describes an argument, in place of what its type says.
    pub fn argument(mut self, name: impl Into<Box<str>>, description: impl Into<Box<str>>) -> Self {
        self.texts.push((name.into(), description.into()));
        self
    }

    /// Adds an icon; icons of the groups are not taken then.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.shared.icons.push(icon);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = meta;
        self
    }

    /// Adds a tag, to those of the groups; tags stay on the server.
    pub fn tag(mut self, tag: impl Into<Box<str>>) -> Self {
        self.shared.tags.push(tag.into());
        self
    }

    /// Says who may call the tool in hosts that render cards.
    pub fn visibility(mut self, visibility: ToolVisibility) -> Self {
        self.shared.visibility = Some(visibility);
        self
    }

    /// Lists the item even where others are found by search or in toolboxes.
    pub fn root(mut self) -> Self {
        self.shared.root = Some(Rooted::Yes);
        self
    }

    /// Leaves the item to search and toolboxes, whatever its group says.
    pub fn not_root(mut self) -> Self {
        self.shared.root = Some(Rooted::No);
        self
    }

    /// Keeps the item from agents, whatever its group says.
    pub fn hide(mut self) -> Self {
        self.shared.shown = Some(Shown::No);
        self
    }

    /// Shows the item to agents, whatever its group says.
    pub fn show(mut self) -> Self {
        self.shared.shown = Some(Shown::Yes);
        self
    }

    /// Sets anything else that a tool has: task support, a timeout, versions.
    ///
    /// ```
    /// use mcp_core::server::TaskSupport;
    /// use mcp_routes::Expose;
    ///
    /// let report = Expose::new("Makes the report").with(|tool| tool.task_support(TaskSupport::Optional));
    /// # let _ = report;
    /// ```
    pub fn with(
        mut self,
        setting: impl Fn(ToolBuilder<()>) -> ToolBuilder<()> + Send + Sync + 'static,
    ) -> Self {
        self.configure.push(Arc::new(setting));
        self
    }

    /// The schema of what is returned in a form.
    pub(crate) fn output_of(&self, own: &Output, form: ResultForm) -> Published {
        let known = self.output.as_ref().unwrap_or(own).0.clone();
        match (form, known) {
            (ResultForm::Body, None) => Published::Nothing,
            (ResultForm::Body, Some(Known::Typed { body, .. })) => Published::Typed(body),
            (ResultForm::Body, Some(Known::Document { body, .. })) => Published::Document(body),
            (ResultForm::Envelope, Some(Known::Typed { envelope, .. })) => Published::Typed(envelope),
            (ResultForm::Envelope, Some(Known::Document { envelope, .. })) => Published::Document(envelope),
            (ResultForm::Envelope, None) => Published::Typed(output_of::<Envelope<Value>>),
        }
    }
}

/// What is published about the results of a tool.
#[derive(Debug)]
pub(crate) enum Published {
    Nothing,
    Typed(OutputSchema),
    Document(Box<Value>),
}

impl fmt::Debug for Expose {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Expose")
            .field("description", &self.description)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
