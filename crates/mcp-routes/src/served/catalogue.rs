//! Tools, resources and prompts of routes.

use super::{
    checks::{check_arguments, check_described, check_name, check_no_resource, check_plain, check_texts},
    endpoint::InstructionsRoute,
    held::{Offered, boxed, is_hidden, shared_of},
    names::qualified,
    prompt::prompt_arguments,
    resource::check_variables,
};
use crate::{
    call::{
        Caps, Excluded, InProcess, Preset, Promise, PromptRoute, PromptTarget, ResourceRoute, ResultForm,
        RouteTool, Target, ToolTarget,
    },
    describe::Place,
    expose::{Description, Expose, Published, Rooted, Shared},
    operation::{Operation, PathTemplate, Reserved, Resolved, Slot, hints_of, resolve},
    options::RouteOptions,
    route::Documentation,
    routes::{Item, ItemKind, KnownPrompt, KnownRoute, Placed, below},
};
use http::{HeaderName, Method};
use mcp_core::registry::{McpRouter, PromptBuilder, ResourceBuilder, ToolBuilder, prompt, resource, tool};
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
    pub(crate) fn main(&self, groups: &[Placed]) -> McpRouter {
        let mut all = McpRouter::new();
        for (number, placed) in groups.iter().enumerate() {
            all = all.merge(boxed(self.group(groups, number, Offered::Main), placed));
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
            // Two tools of one name are told by their routes.
            let source = placed_at(placed, item);
            router = router.merge(self.item(groups, number, placed, item, offered).source(&source));
        }
        router
    }

    fn item(
        &self,
        groups: &[Placed],
        number: usize,
        placed: &Placed,
        item: &Item,
        offered: Offered<'_>,
    ) -> McpRouter {
        let router = McpRouter::new();
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
                check_no_resource(expose, &mut problems);
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
                        router = noted(router, &format!("resource `{uri}`"), problem.iter().cloned());
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
        check_no_resource(expose, &mut problems);
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

/// Where an item is, as `GET /users/{id}`.
fn placed_at(placed: &Placed, item: &Item) -> String {
    let path = below(&placed.base, &item.path);
    match &item.kind {
        ItemKind::Route(route) => format!("{} {path}", route.operation.method),
        ItemKind::Prompt(_) => path,
    }
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
