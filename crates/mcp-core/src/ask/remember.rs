//! Values that a handler keeps from round to round.

use super::AskError;
use crate::{
    context::Context,
    json::{RawJson, WriteFault, to_text_within},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};
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
    let most = (context.limits().ask_state_bytes, "limits.ask_state_bytes");
    remember_within(context, key, most, future).await
}

/// The same for a value that may have so many bytes by some setting; whether a client can carry it is seen when something is asked.
pub(crate) async fn remember_within<T, E>(
    context: &Context,
    key: &str,
    (most, setting): (usize, &'static str),
    future: impl Future<Output = Result<T, E>>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: From<AskError>,
{
    let (context, key) = context.rooted(key);
    let remembered = context.0.asks.with(|known| known.values.get(&key).cloned());
    if let Some(remembered) = remembered {
        return serde_json::from_str(remembered.get())
            .map_err(|error| AskError::Value(Box::new(error)).into());
    }
    let value = future.await?;
    let text = to_text_within(&value, most).map_err(|fault| match fault {
        WriteFault::TooLarge { .. } => AskError::Limit(setting),
        other => AskError::Value(Box::new(other)),
    })?;
    context.0.asks.with(|known| known.values.insert(key, RawJson::from_checked(text)));
    Ok(value)
}

/// The call's operation id. A call within another has one of its own, the same whenever it runs.
pub(crate) fn operation_id(context: &Context) -> Arc<str> {
    let (root, path) = context.rooted("");
    let outer = root.0.asks.with(|known| known.operation_id(root));
    if path.is_empty() {
        return outer;
    }
    let digest = Sha256::new_with_prefix(outer.as_bytes()).chain_update(path.as_bytes()).finalize();
    let half: Vec<u8> = digest.into_iter().take(16).collect();
    URL_SAFE_NO_PAD.encode(half).into()
}
