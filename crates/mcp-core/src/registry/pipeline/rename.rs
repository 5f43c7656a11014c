//! Steps that give other names.

use super::{Step, which::not_here};
use crate::registry::McpRouter;

/// Gives a tool another name, in all its versions.
pub fn rename_tool(from: impl Into<Box<str>>, to: impl Into<Box<str>>) -> Rename {
    Rename { kind: Kind::Tool, from: from.into(), to: to.into() }
}

/// Gives a prompt another name; its completers follow.
pub fn rename_prompt(from: impl Into<Box<str>>, to: impl Into<Box<str>>) -> Rename {
    Rename { kind: Kind::Prompt, from: from.into(), to: to.into() }
}

/// Puts everything that is here under a namespace; see [`McpRouter::nest`].
pub fn namespace(name: impl Into<Box<str>>) -> Namespace {
    Namespace(name.into())
}

/// The step that [`rename_tool`] and [`rename_prompt`] make.
#[derive(Clone, Debug)]
#[must_use]
pub struct Rename {
    kind: Kind,
    from: Box<str>,
    to: Box<str>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Tool,
    Prompt,
}

/// The step that [`namespace`] makes.
#[derive(Clone, Debug)]
#[must_use]
pub struct Namespace(Box<str>);

impl<S> Step<S> for Rename {
    fn apply(self, mut router: McpRouter<S>) -> McpRouter<S> {
        let (kind, step, names): (_, _, Vec<&mut Box<str>>) = match self.kind {
            Kind::Tool => ("tool", "rename_tool", router.tools.iter_mut().map(|(name, _)| name).collect()),
            Kind::Prompt => {
                ("prompt", "rename_prompt", router.prompts.iter_mut().map(|(name, _)| name).collect())
            }
        };
        if !names.iter().any(|name| ***name == *self.from) {
            let known: Vec<_> = names.iter().map(|name| &***name).collect();
            let problem = not_here(step, &self.from, &known);
            router.faults.add(format!("{kind} `{}`", self.from), problem);
            return router;
        }
        for name in names.into_iter().filter(|name| ***name == *self.from) {
            *name = self.to.clone();
        }
        router
    }
}

impl<S: Send + Sync + 'static> Step<S> for Namespace {
    fn apply(self, router: McpRouter<S>) -> McpRouter<S> {
        McpRouter::new().nest(&self.0, router)
    }
}
