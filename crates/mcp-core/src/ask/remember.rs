//! Values that a handler keeps from round to round.

use super::AskError;
use crate::{
    context::Context,
    json::{RawJson, WriteFault, to_text_within},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{future::Future, sync::Arc};

/// The value of a key from an earlier round, or what the future gives, kept for the next ones.
pub(crate) async fn remember<T, E>(
    context: &Context,
    key: &str,
    future: impl Future<Output = Result<T, E>>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: From<AskError>,
{
    let remembered = context.0.asks.with(|known| known.values.get(key).cloned());
    if let Some(remembered) = remembered {
        return serde_json::from_str(remembered.get())
            .map_err(|error| AskError::Value(Box::new(error)).into());
    }
    let value = future.await?;
    let limit = context.limits().ask_state_bytes;
    let text = to_text_within(&value, limit).map_err(|fault| match fault {
        WriteFault::TooLarge { .. } => AskError::Limit("limits.ask_state_bytes"),
        other => AskError::Value(Box::new(other)),
    })?;
    context.0.asks.with(|known| known.values.insert(key.into(), RawJson::from_checked(text)));
    Ok(value)
}

/// The call's operation id.
pub(crate) fn operation_id(context: &Context) -> Arc<str> {
    context.0.asks.with(|known| known.operation_id(context))
}
