//! What is known about a group of routes.

use crate::{
    describe::Inputs,
    expose::{Expose, Shared},
    operation::Operation,
    route::Documentation,
};

/// A group: routes, prompts and groups below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) name: Option<Box<str>>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) shared: Shared,
    /// Where it is served as an endpoint of its own, below its base.
    pub(crate) endpoint: Option<Box<str>>,
    pub(crate) instructions: Instructions,
    pub(crate) items: Vec<Item>,
    pub(crate) children: Vec<Child>,
}

/// How a model is told to use a group that is an endpoint.
#[derive(Clone, Debug, Default)]
pub(crate) enum Instructions {
    /// By its description.
    #[default]
    Description,
    /// By this text.
    Text(Box<str>),
    /// By what the route of this path says when a client connects.
    Route(Box<str>),
}

/// A group that is mounted in another one.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) base: Box<str>,
    /// The name that it has here, whatever it calls itself.
    pub(crate) name: Option<Box<str>>,
    pub(crate) group: Group,
}

/// A route or a prompt of a group.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Below the group's base.
    pub(crate) path: Box<str>,
    pub(crate) kind: ItemKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    Route(Box<KnownRoute>),
    Prompt(Box<KnownPrompt>),
}

/// A route of which something is known, and what agents may use of it.
#[derive(Clone, Debug)]
pub(crate) struct KnownRoute {
    pub(crate) operation: Operation,
    pub(crate) documentation: Documentation,
    pub(crate) tool: Option<Expose>,
    pub(crate) resource: Option<(Box<str>, Expose)>,
    /// Why agents cannot use it.
    pub(crate) problem: Option<String>,
}

/// A prompt that is made by a handler.
#[derive(Clone, Debug)]
pub(crate) struct KnownPrompt {
    pub(crate) name: Box<str>,
    pub(crate) inputs: Inputs,
    pub(crate) expose: Expose,
}

/// A group where it is mounted, on the way from the application down.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) base: Box<str>,
    pub(crate) name: Option<Box<str>>,
    pub(crate) group: Group,
    /// The groups that it is in, by number, the outermost first.
    pub(crate) within: Vec<usize>,
}

impl Group {
    /// Every group where it is mounted, this one first, each before those below it.
    pub(crate) fn placed(self) -> Vec<Placed> {
        let mut all = Vec::new();
        let name = self.name.clone();
        place(self, "", name, &[], &mut all);
        all
    }
}

fn place(mut group: Group, base: &str, name: Option<Box<str>>, within: &[usize], all: &mut Vec<Placed>) {
    let children = std::mem::take(&mut group.children);
    let number = all.len();
    all.push(Placed { base: base.into(), name, group, within: within.into() });
    let within: Vec<usize> = within.iter().copied().chain([number]).collect();
    for child in children {
        let base = join(base, &child.base);
        let name = child.name.or_else(|| child.group.name.clone()).or_else(|| last_segment(&child.base));
        place(child.group, &base, name, &within, all);
    }
}

/// The path of a route below the base of its group.
pub(crate) fn below(base: &str, path: &str) -> String {
    let path = join(base, path);
    if path.is_empty() { "/".to_owned() } else { path }
}

/// One base below another one.
fn join(base: &str, path: &str) -> String {
    match (base.trim_end_matches('/'), path) {
        (base, "" | "/") => base.to_owned(),
        (base, path) => format!("{base}{path}"),
    }
}

/// The last segment of a path that is no parameter, as a name.
fn last_segment(path: &str) -> Option<Box<str>> {
    path.rsplit('/').find(|part| !part.is_empty() && !part.contains('{')).map(slug)
}

/// A text as a part of a name.
pub(crate) fn slug(text: &str) -> Box<str> {
    text.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
        .collect::<String>()
        .into()
}
