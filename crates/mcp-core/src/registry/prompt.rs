//! Prompts: their registration, their arguments, their compiled form.

use super::{
    Faults, Origin, Placement, Root, Rules, TimeLimit,
    completer::{Completers, Unbound},
    icon::check_icons,
    index,
    name::check_name,
};
use crate::{
    handler::{Binder, CompletionRequest, Erased, Handler, PromptGet, bind},
    protocol::{Icon, Meta, PromptArgument},
    schema::{InputSchema, SchemaFault},
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

/// Registers a function as a prompt; its arguments come from its types.
pub fn prompt<S, P, H>(handler: H) -> PromptBuilder<S>
where
    S: Send + Sync + 'static,
    H: Handler<PromptGet, S, P>,
{
    let describing = handler.clone();
    PromptBuilder {
        origin: Origin::default(),
        definition: PromptDefinition::default(),
        describe: Box::new(move |inputs| describing.describe(inputs)),
        arguments: None,
        completers: Unbound::default(),
        bind: bind(handler),
    }
}

/// A prompt on its way into a router.
#[must_use]
pub struct PromptBuilder<S> {
    pub(super) origin: Origin,
    pub(super) definition: PromptDefinition,
    describe: Box<dyn Fn(&mut InputSchema) + Send + Sync>,
    arguments: Option<Vec<PromptArgument>>,
    completers: Unbound<S>,
    bind: Binder<PromptGet, S>,
}

/// What is published about a prompt beside its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct PromptDefinition {
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Meta,
    pub(crate) time: TimeLimit,
    pub(crate) tags: BTreeSet<Box<str>>,
    pub(crate) placement: Placement,
}

impl<S: Send + Sync + 'static> PromptBuilder<S> {
    /// Says what the prompt is for.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.definition.description = Some(description.into());
        self
    }

    /// Sets the name shown to people.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.definition.title = Some(title.into());
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

    /// Sets how long a call may take, 1 ms to 24 hours, in place of `limits.call_timeout`; then it is answered with
    /// an error.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.definition.time = TimeLimit::Own(timeout);
        self
    }

    /// Lets a call take as long as it likes, whatever `limits.call_timeout` says.
    pub fn without_timeout(mut self) -> Self {
        self.definition.time = TimeLimit::Never;
        self
    }

    /// Adds a tag; tags stay on the server.
    pub fn tag(mut self, tag: impl Into<Box<str>>) -> Self {
        self.definition.tags.insert(tag.into());
        self
    }

    /// Lists the prompt even where others are found in toolboxes; see [`presentation`](crate::presentation).
    pub fn root(mut self) -> Self {
        self.definition.placement.root = Root::Yes;
        self
    }

    /// Puts the prompt into the toolbox of this name, which a router has
    /// ([`McpRouter::toolbox`](super::McpRouter::toolbox) puts in whatever the router has then).
    pub fn in_toolbox(mut self, toolbox: impl Into<Box<str>>) -> Self {
        self.definition.placement.toolbox = Some(toolbox.into());
        self
    }

    /// Publishes these arguments in place of those from the types.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = PromptArgument>) -> Self {
        self.arguments = Some(arguments.into_iter().collect());
        self
    }

    /// Suggests values for an argument.
    pub fn complete<P, H: Handler<CompletionRequest, S, P>>(
        mut self,
        argument: impl Into<Box<str>>,
        completer: H,
    ) -> Self {
        self.completers.add(argument.into(), bind(completer));
        self
    }

    pub(crate) fn with_state(self, state: &Arc<S>) -> PromptBuilder<()> {
        let handler = (self.bind)(Arc::clone(state));
        PromptBuilder {
            origin: self.origin,
            definition: self.definition,
            describe: self.describe,
            arguments: self.arguments,
            completers: self.completers.with_state(state),
            bind: Box::new(move |_| handler),
        }
    }
}

impl<S> fmt::Debug for PromptBuilder<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PromptBuilder").field("definition", &self.definition).finish_non_exhaustive()
    }
}

/// A prompt that can be listed and rendered.
pub(crate) struct PromptEntry {
    pub(crate) name: Arc<str>,
    pub(crate) origin: Origin,
    pub(crate) definition: PromptDefinition,
    pub(crate) arguments: Vec<PromptArgument>,
    pub(crate) completers: Completers,
    pub(crate) handler: Erased<PromptGet>,
}

impl index::Named for PromptEntry {
    fn key(&self) -> &str {
        &self.name
    }

    fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl PromptBuilder<()> {
    /// Compiles the prompt; every fault is added to `faults`.
    pub(crate) fn compile(
        self,
        name: Box<str>,
        rules: &Rules,
        faults: &mut Faults,
    ) -> Option<Arc<PromptEntry>> {
        let subject = format!("prompt `{name}`");
        check_name("prompt", &name, rules.names, faults);
        check_icons(&subject, &self.definition.icons, faults);
        self.definition.time.check(&subject, faults);
        let arguments = match self.arguments {
            Some(arguments) => arguments,
            None => {
                let mut inputs = InputSchema::new(rules.dialect, rules.bounds);
                (self.describe)(&mut inputs);
                match inputs.build() {
                    Ok(schema) => flat_arguments(&subject, schema.value(), faults),
                    Err(problems) => {
                        problems.iter().for_each(|problem: &SchemaFault| faults.add(&*subject, problem));
                        return None;
                    }
                }
            }
        };
        for (position, argument) in arguments.iter().enumerate() {
            if argument.name.is_empty() {
                faults.add(&*subject, "an argument has an empty name: give it one");
            } else if arguments.iter().take(position).any(|earlier| earlier.name == argument.name) {
                faults.add(&*subject, format!("the argument `{}` is declared twice", argument.name));
            }
        }
        let completers = self.completers.bind();
        completers.note_repeated(&subject, faults);
        for completed in completers.names() {
            if !arguments.iter().any(|argument| &*argument.name == completed) {
                faults.add(&*subject, format!("the prompt has no argument `{completed}` to complete"));
            }
        }
        let handler = (self.bind)(Arc::new(()));
        Some(Arc::new(PromptEntry {
            name: name.into(),
            origin: self.origin,
            definition: self.definition,
            arguments,
            completers,
            handler,
        }))
    }
}

/// The arguments of a flat type; prompt arguments are text on the wire, so nothing nested can arrive.
fn flat_arguments(subject: &str, schema: &Value, faults: &mut Faults) -> Vec<PromptArgument> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let flat = ["allOf", "anyOf", "oneOf"].iter().all(|keyword| schema.get(*keyword).is_none());
    if !flat {
        faults.add(subject, "prompt arguments are a flat struct: no enum and no flattened enum at the root");
    }
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .map(|(name, property)| {
            let resolved = resolve(schema, property);
            if !is_scalar(schema, resolved) {
                faults.add(
                    subject,
                    format!("argument `{name}` cannot be text; use a string, number, boolean or unit enum, or an Option of one"),
                );
            }
            let text = |keyword| {
                property.get(keyword).or_else(|| resolved.get(keyword)).and_then(Value::as_str).map(Box::from)
            };
            PromptArgument {
                name: name.as_str().into(),
                title: text("title"),
                description: text("description"),
                required: required.contains(&name.as_str()),
            }
        })
        .collect()
}

fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|link| link.strip_prefix('#'));
    pointer.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn is_scalar(root: &Value, schema: &Value) -> bool {
    let scalar =
        |name: &Value| matches!(name.as_str(), Some("string" | "integer" | "number" | "boolean" | "null"));
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().all(scalar),
        Some(name) => scalar(name),
        None => {
            let branches = ["anyOf", "oneOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array());
            match branches {
                Some(branches) => branches.iter().all(|branch| is_scalar(root, resolve(root, branch))),
                None => schema.get("enum").is_some() || schema.get("const").is_some(),
            }
        }
    }
}

impl fmt::Debug for PromptEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PromptEntry").field("name", &self.name).finish_non_exhaustive()
    }
}
