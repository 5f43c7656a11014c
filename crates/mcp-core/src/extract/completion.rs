//! What a completer is asked.

use super::Extract;
use crate::handler::CompletionRequest;
use std::{collections::BTreeMap, convert::Infallible};

/// What has been typed so far into the argument that is completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed(pub String);

/// The arguments that are settled already, by name; empty for clients before 2025-06-18.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Siblings(pub BTreeMap<String, String>);

impl<S: Sync> Extract<CompletionRequest, S> for Typed {
    type Rejection = Infallible;

    async fn extract(request: &CompletionRequest, _: &S) -> Result<Self, Infallible> {
        Ok(Self(request.value().to_owned()))
    }
}

impl<S: Sync> Extract<CompletionRequest, S> for Siblings {
    type Rejection = Infallible;

    async fn extract(request: &CompletionRequest, _: &S) -> Result<Self, Infallible> {
        Ok(Self(request.siblings().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }
}
