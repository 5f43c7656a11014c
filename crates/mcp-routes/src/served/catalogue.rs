//! Tools, resources and prompts of routes.

use super::{
    checks::{check_arguments, check_described, check_name, check_plain, check_texts},
    endpoint::InstructionsRoute,
    names::qualified,
    resource::check_variables,
};
use crate::{
    call::{
        Caps, Excluded, InProcess, Preset, Promise, PromptRoute, PromptTarget, ResourceRoute, ResultForm,
        RouteTool, Target, ToolTarget,
    },
    describe::Place,
    expose::{Description, Expose, Published, Rooted, Shared, Shown},
    operation::{Operation, PathTemplate, Reserved, Resolved, Slot, hints_of, resolve},
    options::RouteOptions,
    route::Documentation,
    routes::{Item, ItemKind, KnownPrompt, KnownRoute, Placed, below},
};
use http::{HeaderName, Method};
use mcp_core::{
    protocol::PromptArgument,
    registry::{McpRouter, PromptBuilder, ResourceBuilder, ToolBuilder, Toolbox, prompt, resource, tool},
    schema::{Contract, Presence, generator},
};
use std::sync::Arc;

/// Makes what is registered.
#[derive(Debug)]
pub(crate) struct Maker {
    in_process: InProcess,
    reserved: Reserved,
    forwarded: Arc<[HeaderName]>,
    excluded: Arc<Excluded>,
    caps: Caps,
}

/// Where an item is offered.
#[derive(Clone, Copy)]
enum Offered<'a> {
    /// In the main server.
    Main,
    /// In the endpoint of a group, by number, whose URL binds these parameters.
    Endpoint(usize, &'a [Box<str>]),
}

/// An item on its way into a router.
struct Making<'a> {
    subject: String,
    name: String,
    shared: Shared,
    template: PathTemplate,
    bound: &'a [Box<str>],
}

impl Maker {
    pub(crate) fn new(in_process: InProcess, options: &RouteOptions) -> Self {
        Self {
            in_process,
            reserved: options.reserved(),
            forwarded: options.forwarded(),
            excluded: options.excluded(),
            caps: options.caps(),
        }
    }

    /// What the main server offers.
    pub(crate) fn main(&mut self, groups: &[Placed]) -> McpRouter {
        let mut all = McpRouter::new();
        for (number, placed) in groups.iter().enumerate() {
            all = all.merge(self.group(groups, number, Offered::Main).boxed(placed));
        }
        all
    }

    /// What a group's own endpoint offers: its items, and those of the groups below it.
    pub(crate) fn endpoint(&self, groups: &[Placed], number: usize, bound: &[Box<str>]) -> McpRouter {
        let inside = |(at, placed): &(usize, &Placed)| *at == number || placed.within.contains(&number);
        let mut all = McpRouter::new();
        for (at, _) in groups.iter().enumerate().filter(inside) {
            all = all.merge(self.group(groups, at, Offered::Endpoint(number, bound)));
        }
        all
    }

    /// The route that tells how to use an endpoint.
    pub(crate) fn instructions(&self, template: PathTemplate, bound: &[Box<str>]) -> InstructionsRoute {
        InstructionsRoute(self.target(Method::GET, template, bound))
    }

    fn group(&self, groups: &[Placed], number: usize, offered: Offered<'_>) -> McpRouter {
        let mut router = McpRouter::new();
        let Some(placed) = groups.get(number) else { return router };
        for item in &placed.group.items {
            router = self.item(router, groups, number, placed, item, offered);
        }
        router
    }

    fn item(
        &self,
        router: McpRouter,
        groups: &[Placed],
        number: usize,
        placed: &Placed,
        item: &Item,
        offered: Offered<'_>,
    ) -> McpRouter {
        // Its path was read before.
        let Ok(template) = PathTemplate::parse(&below(&placed.base, &item.path)) else { return router };
        let (bound, group): (&[Box<str>], Option<&str>) = match offered {
            Offered::Main => (&[], placed.name.as_deref()),
            Offered::Endpoint(own, bound) if own == number => (bound, None),
            Offered::Endpoint(_, bound) => (bound, placed.name.as_deref()),
        };
        let making = |expose: &Expose, name: &str, kind: &str| {
            let shared = shared_of(&expose.shared, groups, number, placed, offered);
            let name = qualified(group, expose.name.as_deref().unwrap_or(name));
            Making { subject: format!("{kind} `{name}`"), name, shared, template: template.clone(), bound }
        };
        match &item.kind {
            ItemKind::Prompt(prompt) => {
                let KnownPrompt { name, inputs, expose } = &**prompt;
                let making = making(expose, name, "prompt");
                if is_hidden(&making.shared) {
                    return router;
                }
                let mut problems = Vec::new();
                let resolved = resolve(&Method::GET, inputs, &template, &self.reserved, &mut |problem| {
                    problems.push(problem)
                });
                check_plain(expose, &mut problems);
                check_described(expose, &mut problems);
                check_texts(&resolved, &mut problems);
                check_arguments(expose, &resolved, bound, &mut problems);
                let router = noted(router, &making.subject, problems);
                let prompt = self.prompt(&making, &resolved, expose);
                router.prompt(making.name, prompt)
            }
            ItemKind::Route(route) => {
                let KnownRoute { operation, documentation, tool, resource, problem } = &**route;
                let mut router = router;
                if let Some(expose) = tool {
                    let making = making(expose, &operation.name, "tool");
                    if !is_hidden(&making.shared) {
                        router = noted(router, &making.subject, problem.iter().cloned());
                        router = self.tool(router, making, operation, documentation, expose);
                    }
                }
                if let Some((uri, expose)) = resource {
                    let making = making(expose, &operation.name, "resource");
                    if !is_hidden(&making.shared) {
                        router = self.resource(router, making, operation, documentation, uri, expose);
                    }
                }
                router
            }
        }
    }

    fn resolve(
        &self,
        operation: &Operation,
        template: &PathTemplate,
        problems: &mut Vec<String>,
    ) -> Resolved {
        let mut problem = |problem| problems.push(problem);
        resolve(&operation.method, &operation.inputs, template, &self.reserved, &mut problem)
    }

    fn target(&self, method: Method, template: PathTemplate, bound: &[Box<str>]) -> Target {
        Target {
            router: self.in_process.clone(),
            method,
            template,
            bound: bound.into(),
            forwarded: Arc::clone(&self.forwarded),
            caps: self.caps,
        }
    }

    fn tool(
        &self,
        router: McpRouter,
        making: Making<'_>,
        operation: &Operation,
        documentation: &Documentation,
        expose: &Expose,
    ) -> McpRouter {
        let Making { subject, name, shared, template, bound } = making;
        let mut problems = Vec::new();
        check_name(expose, operation, &template, &mut problems);
        let resolved = self.resolve(operation, &template, &mut problems);
        let description = described(expose, documentation, &mut problems);
        check_arguments(expose, &resolved, bound, &mut problems);
        let preset = Preset { fixed: expose.fixed.clone(), defaults: expose.values.clone() };
        problems.extend(preset.problem(&resolved));
        let form = shared.form.unwrap_or_default();
        let published = expose.output_of(&operation.output, form);
        // A response to HEAD has no body that a schema could describe.
        let has_body = operation.method != Method::HEAD || form == ResultForm::Envelope;
        let published = if has_body { published } else { Published::Nothing };
        let output = if let Published::Typed(schema) = &published { Some(*schema) } else { None };
        let target = ToolTarget {
            target: self.target(operation.method.clone(), template, bound),
            resolved,
            preset,
            form,
            excluded: Arc::clone(&self.excluded),
            output,
            promise: match published {
                Published::Nothing => Promise::Nothing,
                _ if form == ResultForm::Envelope => Promise::Nothing,
                _ => Promise::Json,
            },
        };
        let annotations = shared.annotations.unwrap_or_else(|| hints_of(&operation.method));
        let mut built: ToolBuilder<()> = tool(RouteTool(Arc::new(target)))
            .describe(description)
            .annotations(annotations)
            .meta(expose.meta.clone())
            .visibility(shared.visibility.unwrap_or_default());
        if let Published::Document(schema) = published {
            built = built.output_schema(*schema);
        }
        if let Some(title) = expose.title.as_ref().or(documentation.summary.as_ref()) {
            built = built.title(title.clone());
        }
        built = shared.icons.iter().cloned().fold(built, ToolBuilder::icon);
        built = shared.tags.iter().chain(&documentation.tags).cloned().fold(built, ToolBuilder::tag);
        for (argument, text) in &expose.texts {
            built = built.argument(argument.clone(), text.clone());
        }
        built = match shared.root {
            Some(Rooted::Yes) => built.root(),
            Some(Rooted::No) => built.not_root(),
            None => built,
        };
        built = expose.configure.iter().fold(built, |built, setting| setting(built));
        noted(router, &subject, problems).tool(name, built)
    }

    fn resource(
        &self,
        router: McpRouter,
        making: Making<'_>,
        operation: &Operation,
        documentation: &Documentation,
        uri: &str,
        expose: &Expose,
    ) -> McpRouter {
        let Making { name, shared, template, bound, .. } = making;
        let subject = format!("resource `{uri}`");
        let mut problems = Vec::new();
        check_name(expose, operation, &template, &mut problems);
        check_plain(expose, &mut problems);
        if !expose.texts.is_empty() {
            problems.push("a resource has no arguments to describe".to_owned());
        }
        if operation.method != Method::GET && operation.method != Method::HEAD {
            problems.push(format!(
                "the route `{} {template}` may change something; only GET and HEAD are resources",
                operation.method
            ));
        }
        let resolved = self.resolve(operation, &template, &mut problems);
        check_variables(uri, &template, bound, &resolved, &mut problems);
        let description = described(expose, documentation, &mut problems);
        let target = self.target(operation.method.clone(), template, bound);
        let mut built: ResourceBuilder<()> = resource(ResourceRoute(Arc::new(target)))
            .name(name)
            .describe(description)
            .meta(expose.meta.clone());
        if let Some(title) = expose.title.as_ref().or(documentation.summary.as_ref()) {
            built = built.title(title.clone());
        }
        if let Some(mime_type) = &expose.mime_type {
            built = built.mime_type(mime_type.clone());
        }
        built = shared.icons.iter().cloned().fold(built, ResourceBuilder::icon);
        built = shared.tags.iter().chain(&documentation.tags).cloned().fold(built, ResourceBuilder::tag);
        noted(router, &subject, problems).resource(uri, built)
    }

    fn prompt(&self, making: &Making<'_>, resolved: &Resolved, expose: &Expose) -> PromptBuilder<()> {
        let arguments = prompt_arguments(resolved, making.bound, expose);
        let target = self.target(Method::GET, making.template.clone(), making.bound);
        let in_query = |slot: &&Slot| slot.place == Place::Query;
        let query = resolved.slots.iter().filter(in_query).map(|slot| slot.name.clone()).collect();
        let mut built: PromptBuilder<()> = prompt(PromptRoute(Arc::new(PromptTarget { target, query })))
            .arguments(arguments)
            .meta(expose.meta.clone());
        if let Description::Given(text) = &expose.description {
            built = built.describe(text.clone());
        }
        if let Some(title) = &expose.title {
            built = built.title(title.clone());
        }
        built = making.shared.icons.iter().cloned().fold(built, PromptBuilder::icon);
        built = making.shared.tags.iter().cloned().fold(built, PromptBuilder::tag);
        if making.shared.root == Some(Rooted::Yes) { built.root() } else { built }
    }
}

/// What holds of an item, all groups around it considered.
fn shared_of(
    own: &Shared,
    groups: &[Placed],
    number: usize,
    placed: &Placed,
    offered: Offered<'_>,
) -> Shared {
    let mut shared = own.clone();
    let around = placed.within.iter().rev().copied();
    for at in [number].into_iter().chain(around) {
        let Some(outer) = groups.get(at) else { continue };
        let mut outer_shared = outer.group.shared.clone();
        match offered {
            // A group that is an endpoint of its own is hidden from the main server, unless it says otherwise.
            Offered::Main if outer.group.endpoint.is_some() => {
                outer_shared.shown = outer_shared.shown.or(Some(Shown::No));
            }
            // In its own endpoint a group is not hidden by what it, or a group around it, says of the main server.
            Offered::Endpoint(own, _) if at <= own => outer_shared.shown = None,
            _ => {}
        }
        shared = shared.within(&outer_shared);
    }
    shared
}

fn is_hidden(shared: &Shared) -> bool {
    shared.shown == Some(Shown::No)
}

fn noted(router: McpRouter, subject: &str, problems: impl IntoIterator<Item = String>) -> McpRouter {
    problems.into_iter().fold(router, |router, problem| router.fault(subject, problem))
}

/// What a model reads of an item.
fn described(expose: &Expose, documentation: &Documentation, problems: &mut Vec<String>) -> Box<str> {
    let text = match &expose.description {
        Description::Given(text) => Some(text.clone()),
        Description::Documented => {
            documentation.description.clone().or_else(|| documentation.summary.clone())
        }
    };
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => text,
        None => {
            problems.push(match expose.description {
                Description::Given(_) => "an exposed route needs a description for agents, and its is blank".to_owned(),
                Description::Documented => {
                    "its description is to be that of its documentation, and there is none; describe it with `Expose::new`"
                        .to_owned()
                }
            });
            // The fault is told; what follows from it is not.
            "undescribed".into()
        }
    }
}

/// The arguments of a prompt: texts, from the path and the query string.
fn prompt_arguments(resolved: &Resolved, bound: &[Box<str>], expose: &Expose) -> Vec<PromptArgument> {
    let taken = |place: Place| matches!(place, Place::Path | Place::Query);
    let open = resolved.slots.iter().filter(|slot| taken(slot.place) && !bound.contains(&slot.name));
    open.map(|slot| {
        let argument = match slot.presence {
            Presence::Required => PromptArgument::required(slot.name.clone()),
            Presence::Optional => PromptArgument::optional(slot.name.clone()),
        };
        let said =
            expose.texts.iter().rev().find(|(name, _)| *name == slot.name).map(|(_, text)| text.clone());
        let schema = slot.schema.make(&mut generator(Contract::Reads)).to_value();
        let typed = || schema.get("description").and_then(serde_json::Value::as_str).map(Box::from);
        match said.or_else(|| slot.description.clone()).or_else(typed) {
            Some(text) => argument.description(text),
            None => argument,
        }
    })
    .collect()
}

/// Puts a group's items into a toolbox of their own.
trait Boxed {
    fn boxed(self, placed: &Placed) -> Self;
}

impl Boxed for McpRouter {
    fn boxed(self, placed: &Placed) -> Self {
        let Some(name) = placed.name.clone().filter(|_| self.has_tools_or_prompts()) else { return self };
        let description = placed.group.description.clone();
        let description =
            description.unwrap_or_else(|| format!("What is served below `{}`", placed.base).into());
        let toolbox = Toolbox::new(name, description);
        self.toolbox(placed.group.shared.icons.iter().cloned().fold(toolbox, Toolbox::icon))
    }
}
