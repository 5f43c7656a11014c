//! Writing the arguments of a call back to those of the original.

use super::fill::Fill;
use crate::{
    context::Context,
    handler::{Arguments, ToolError},
    json::{Document, JsonLimits, Node, ObjectWriter, RawJson},
    schema::{ArgumentSchema, Checked, Names},
};
use bytes::Bytes;
use std::{
    any::Any,
    collections::{HashMap, HashSet},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// How the published arguments of a tool are those of its original.
#[derive(Clone, Debug, Default)]
pub(crate) struct Translation {
    slots: Vec<Slot>,
    by_published: HashMap<Box<str>, usize>,
    originals: HashSet<Box<str>>,
}

/// One argument on both sides.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) original: Box<str>,
    pub(super) published: Option<Box<str>>,
    pub(super) fill: Option<Fill>,
}

/// What a derived tool has beside what it publishes.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    /// The schema of the arguments as the handler takes them.
    original: ArgumentSchema,
    translation: Translation,
    names: Names,
    /// Nothing about the arguments was changed, so what fits one fits the other.
    same: bool,
}

/// Why the original is not called.
pub(crate) enum Untranslated {
    /// The arguments do not fit; the text is for the model.
    Unfit(String),
    /// A value could not be made.
    Failed(ToolError),
    /// What makes a value panicked.
    Panicked(Box<dyn Any + Send>),
}

impl Translation {
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        let published = slots.iter().enumerate().filter_map(|(at, slot)| Some((slot.published.clone()?, at)));
        Self {
            by_published: published.collect(),
            originals: slots.iter().map(|slot| slot.original.clone()).collect(),
            slots,
        }
    }

    /// The argument of a published name.
    pub(super) fn published_as(&self, name: &str) -> Option<&Slot> {
        self.slots.get(*self.by_published.get(name)?)
    }

    /// The arguments that callers know nothing of.
    pub(super) fn hidden(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.published.is_none())
    }

    fn names(&self) -> Names {
        let mut names = Names::default();
        for slot in &self.slots {
            names.set(&slot.original, slot.published.as_deref());
        }
        names
    }

    /// Tells whether arguments are the same on both sides.
    fn is_identity(&self) -> bool {
        self.slots.iter().all(|slot| slot.fill.is_none() && slot.published.as_ref() == Some(&slot.original))
    }

    /// Writes arguments that fit the published schema as the original takes them.
    ///
    /// What is copied is copied as text, so that every number keeps its digits.
    fn write(&self, context: &Context, sent: Option<Node<'_>>) -> Result<String, Untranslated> {
        let mut out = Vec::with_capacity(sent.map_or(0, |sent| sent.raw().len()) + 64);
        let mut object = ObjectWriter::new(&mut out);
        let mut given = vec![false; self.slots.len()];
        for (name, value) in sent.into_iter().flat_map(Node::members) {
            let name = name.text();
            match self.by_published.get(&*name).and_then(|at| Some((at, self.slots.get(*at)?))) {
                Some((at, slot)) => {
                    if let Some(given) = given.get_mut(*at) {
                        *given = true;
                    }
                    object.raw(&slot.original, value.raw());
                }
                // A schema that lets further members pass must not let them stand for what callers cannot set.
                None if self.originals.contains(&*name) => {
                    return Err(Untranslated::Unfit(format!("unknown argument `{}`", name.escape_debug())));
                }
                None => object.raw(&name, value.raw()),
            }
        }
        for (slot, given) in self.slots.iter().zip(given) {
            if let (false, Some(fill)) = (given, &slot.fill) {
                object.raw(&slot.original, fill.value(context, &slot.original)?.get());
            }
        }
        object.end();
        String::from_utf8(out).map_err(|fault| Untranslated::Failed(fault.into()))
    }
}

impl Fill {
    /// The value for a call.
    fn value(&self, context: &Context, argument: &str) -> Result<RawJson, Untranslated> {
        let (make, check) = match self {
            Self::Value(value) => return Ok(value.clone()),
            Self::Made(make, check) => (make, check),
        };
        let made = catch_unwind(AssertUnwindSafe(|| make(context))).map_err(Untranslated::Panicked)?;
        let value = made.map_err(Untranslated::Failed)?;
        if super::fill::fits(check, value.get()) {
            return Ok(value);
        }
        Err(Untranslated::Failed(unfit_value(context, argument)))
    }
}

/// A value that the server adds does not fit. The caller did not send it and may not know it.
fn unfit_value(context: &Context, argument: &str) -> ToolError {
    let tool = context.target();
    tracing::error!(
        tool,
        argument,
        "a value that a derived tool gives does not fit the tool it is derived from"
    );
    ToolError::new("the tool cannot be called: a value that the server adds to the arguments does not fit")
}

impl Derived {
    pub(super) fn new(
        original: ArgumentSchema,
        published: &ArgumentSchema,
        translation: Translation,
    ) -> Self {
        let names = translation.names();
        let same = translation.is_identity() && original.published() == published.published();
        Self { original, translation, names, same }
    }

    /// The schema of the arguments as the handler takes them.
    pub(crate) fn original(&self) -> &ArgumentSchema {
        &self.original
    }

    pub(super) fn translation(&self) -> &Translation {
        &self.translation
    }

    /// By which names callers know the arguments that the handler takes.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// What a handler answers whose own types refuse a value that callers know nothing of.
    pub(crate) fn unfit_value(context: &Context, argument: &str) -> ToolError {
        unfit_value(context, argument)
    }

    /// Turns arguments that fit the published schema into those of the original, and checks them there.
    pub(crate) fn translate(&self, context: &Context, sent: Arguments) -> Result<Arguments, Untranslated> {
        if self.same {
            return Ok(sent);
        }
        if self.translation.is_identity() {
            return match self.original.check_as(sent.node(context), Some(&self.names)) {
                Ok(Checked::AsSent) => Ok(sent),
                Ok(Checked::Rewritten(text)) => Ok(Arguments::Rewritten(Box::new(parsed(text)?))),
                Err(fault) => Err(Untranslated::Unfit(fault.text().to_owned())),
            };
        }
        let text = self.translation.write(context, sent.node(context))?;
        let document = parsed(text)?;
        match self.original.check_as(Some(document.root()), Some(&self.names)) {
            Ok(Checked::AsSent) => Ok(Arguments::Rewritten(Box::new(document))),
            Ok(Checked::Rewritten(text)) => Ok(Arguments::Rewritten(Box::new(parsed(text)?))),
            Err(fault) => Err(Untranslated::Unfit(fault.text().to_owned())),
        }
    }
}

/// What is written anew has been within the limits of a message already.
fn parsed(text: String) -> Result<Document, Untranslated> {
    Document::parse(Bytes::from(text), &JsonLimits::widest())
        .map_err(|fault| Untranslated::Unfit(fault.to_string()))
}

impl fmt::Debug for Untranslated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(text) => formatter.debug_tuple("Unfit").field(text).finish(),
            Self::Failed(error) => formatter.debug_tuple("Failed").field(error).finish(),
            Self::Panicked(_) => formatter.write_str("Panicked"),
        }
    }
}
