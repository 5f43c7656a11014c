//! Variables of a resource template as Rust types.

use super::Extract;
use crate::handler::{ProtocolError, ResourceRead};
use serde::de::DeserializeOwned;

/// The variables of the URI template that was read, as a value of type `T`.
///
/// `T` is a struct with a field per variable, or, in the template's order, a tuple or a single
/// value. Values are percent-decoded once; one that does not parse means that there is no such resource.
#[derive(Clone, Copy, Debug)]
pub struct Vars<T>(pub T);

impl<T: DeserializeOwned + Send, S: Sync> Extract<ResourceRead, S> for Vars<T> {
    type Rejection = ProtocolError;

    async fn extract(read: &ResourceRead, _: &S) -> Result<Self, ProtocolError> {
        read.variables()
            .read()
            .map(Self)
            .map_err(|fault| ProtocolError::resource_not_found(read.uri()).caused_by(fault))
    }
}
