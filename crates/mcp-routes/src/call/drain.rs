//! The whole of a response, within its bounds.

use super::{
    Caps,
    decode::{DecodeFault, codings, decode},
};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use std::{pin::pin, time::Duration};
use tokio::time::{Instant, timeout_at};

/// Why there is no whole response; the text is for the model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrainFault {
    #[error("its response is larger than {0} bytes (setting: response_bytes)")]
    TooLarge(usize),
    #[error("its response did not end within {0:?} (setting: response_time); it may be an endless stream")]
    TooSlow(Duration),
    #[error("its response broke off")]
    Broken(#[source] axum::Error),
    #[error(transparent)]
    Encoded(#[from] DecodeFault),
}

/// Reads a body to its end, decoded; nothing partial comes out.
///
/// The time counts from when the body is first read, which is when the head of the response is there.
pub(crate) async fn drain(body: Body, headers: &http::HeaderMap, caps: Caps) -> Result<Bytes, DrainFault> {
    let deadline = Instant::now() + caps.time;
    let mut body = pin!(body);
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    loop {
        let frame = timeout_at(deadline, body.frame()).await.map_err(|_| DrainFault::TooSlow(caps.time))?;
        let Some(frame) = frame else { break };
        // A body that is always ready, and gives nothing, would keep the worker and never meet its deadline.
        if Instant::now() >= deadline {
            return Err(DrainFault::TooSlow(caps.time));
        }
        tokio::task::consume_budget().await;
        let Ok(data) = frame.map_err(DrainFault::Broken)?.into_data() else { continue };
        if first.len() + rest.len() + data.len() > caps.bytes {
            return Err(DrainFault::TooLarge(caps.bytes));
        }
        // Most bodies are one piece, which is not copied.
        match (first.is_empty(), rest.is_empty()) {
            (true, true) => first = data,
            (false, true) => {
                rest.extend_from_slice(&first);
                first = Bytes::new();
                rest.extend_from_slice(&data);
            }
            (_, false) => rest.extend_from_slice(&data),
        }
    }
    let whole = if rest.is_empty() { first } else { rest.freeze() };
    if whole.is_empty() {
        return Ok(whole);
    }
    Ok(decode(whole, &codings(headers), caps.bytes)?)
}
