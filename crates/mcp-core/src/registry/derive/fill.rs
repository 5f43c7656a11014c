//! Values that a derived tool gives to arguments.

use crate::{
    context::Context,
    handler::ToolError,
    json::{Document, JsonLimits, RawJson, Validator},
};
use bytes::Bytes;
use serde::Serialize;
use std::{fmt, sync::Arc};

/// Makes a value for a call.
type Maker = Arc<dyn Fn(&Context) -> Result<RawJson, ToolError> + Send + Sync>;

/// Where a value comes from, as it was written down.
#[derive(Clone)]
pub(crate) enum Source {
    Value(RawJson),
    /// A value that could not be written as JSON, with the reason.
    Unwritten(Box<str>),
    Made(Maker),
}

/// A value that an argument is given.
#[derive(Clone)]
pub(crate) enum Fill {
    /// Known to fit.
    Value(RawJson),
    /// Made for each call, and checked then.
    Made(Maker, Validator),
}

impl Source {
    pub(super) fn value<T: Serialize>(value: &T) -> Self {
        match RawJson::from_serialize(value) {
            Ok(value) => Self::Value(value),
            Err(fault) => Self::Unwritten(fault.to_string().into()),
        }
    }

    pub(super) fn made<T: Serialize>(
        make: impl Fn(&Context) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Self {
        Self::Made(Arc::new(move |context| Ok(RawJson::from_serialize(&make(context)?)?)))
    }
}

/// Says whether a value fits a check of an object whose one member `value` it is.
pub(super) fn fits(check: &Validator, value: &str) -> bool {
    let text = Bytes::from(format!("{{\"value\":{value}}}"));
    Document::parse(text, &JsonLimits::widest()).is_ok_and(|document| check.is_valid(document.root()))
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A value may be a secret.
        formatter.write_str(match self {
            Self::Value(_) | Self::Unwritten(_) => "Value",
            Self::Made(_) => "Made",
        })
    }
}

impl fmt::Debug for Fill {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Value(_) => "Value",
            Self::Made(..) => "Made",
        })
    }
}
