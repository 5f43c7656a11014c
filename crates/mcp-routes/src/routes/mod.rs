//! Routes and groups of them on their way into an application.

mod builder;
mod conflict;
mod group;
mod settings;

pub use builder::Routes;

pub(crate) use conflict::{Known, Methods, Paths};
pub(crate) use group::{
    Child, Group, Instructions, Item, ItemKind, KnownPrompt, KnownRoute, Placed, below, slug,
};
