//! Serving the messages of one batch.

use super::Limits;
use crate::{
    admit,
    context::Transport,
    dispatch,
    exchange::{Exchange, Part},
    jsonrpc::{Batch, Incoming, IncomingRequest},
    lower,
    protocol::Method,
    refusal::Refusal,
    version::ProtocolVersion,
};
use std::collections::HashSet;

/// What became of a batch.
#[derive(Debug)]
pub(crate) enum BatchOutcome {
    /// The batch as a whole is refused; nothing of it was served.
    Refused(Refusal),
    /// It held nothing that is answered.
    Accepted,
    /// Its requests are served; the reply is one array.
    Exchange(Exchange),
}

/// Serves the messages of a batch, one after the other, for a caller of a revision that has batches.
///
/// `serve` takes each message that is sound in itself: requests, notifications and responses, never a batch.
/// Everything that a batch forbids is refused here, with an entry of its own: what is no message, `initialize`,
/// a request of the modern era, and an id that an earlier request of the same batch has.
///
/// Spec: 2025-03-26, basic#batching, basic/lifecycle#initialization.
pub(crate) fn serve_batch(
    batch: Batch,
    limits: &Limits,
    version: ProtocolVersion,
    transport: Transport,
    mut serve: impl FnMut(Incoming) -> Option<Exchange>,
) -> BatchOutcome {
    if batch.is_empty() {
        return BatchOutcome::Refused(Refusal::InvalidRequest("the batch is empty"));
    }
    let (messages, most) = (batch.len(), limits.batch_messages);
    if messages > most {
        return BatchOutcome::Refused(Refusal::BatchTooLong { messages, most });
    }
    let mut ids = HashSet::new();
    let mut parts = Vec::new();
    for message in batch.into_messages(&limits.message) {
        match message {
            Ok(Incoming::Request(request)) => {
                let id = Some(request.id.clone());
                let refusal = forbidden(&request)
                    .or_else(|| (!ids.insert(request.id.key())).then_some(Refusal::DuplicateId));
                let exchange = match refusal {
                    Some(refusal) => Some(dispatch::refuse_as(&request, &refusal, Some(version), transport)),
                    None => serve(Incoming::Request(request)),
                };
                parts.extend(exchange.map(|exchange| Part { id, exchange }));
            }
            Ok(other) => {
                parts.extend(serve(other).map(|exchange| Part { id: None, exchange }));
            }
            Err((id, refusal)) => {
                refusal.log();
                let reply = lower::message_refusal(id.as_ref(), &refusal, Some(version));
                parts.push(Part { id, exchange: Exchange::ready(reply) });
            }
        }
    }
    if parts.is_empty() {
        return BatchOutcome::Accepted;
    }
    BatchOutcome::Exchange(Exchange::batch(parts, limits.output_bytes, version))
}

/// Why a request may not stand in a batch.
fn forbidden(request: &IncomingRequest) -> Option<Refusal> {
    if request.method().str_eq(Method::Initialize.as_str()) {
        return Some(Refusal::InvalidRequest("`initialize` is part of a batch"));
    }
    let modern = admit::modern_evidence(request.params()).is_some();
    modern.then_some(Refusal::InvalidRequest("a request of a revision without batches is part of a batch"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{json::JsonLimits, jsonrpc::decode};
    use bytes::Bytes;
    use std::task::{Context, Poll, Waker};

    /// Serves a batch by a server without any memory of ids; gives the outcome and how much was served.
    fn serve(text: &'static str, limits: &Limits) -> (BatchOutcome, usize) {
        let Ok(Incoming::Batch(batch)) = decode(Bytes::from_static(text.as_bytes()), &JsonLimits::default())
        else {
            panic!("not a batch: {text}")
        };
        let mut served = 0;
        let version = ProtocolVersion::V2025_03_26;
        let outcome = serve_batch(batch, limits, version, Transport::Http, |message| {
            served += 1;
            let Incoming::Request(request) = message else { return None };
            Some(Exchange::ready(lower::refusal(Some(&request.id), &Refusal::MethodNotFound, Some(version))))
        });
        (outcome, served)
    }

    #[test]
    fn an_id_is_served_once_whatever_the_server_remembers() {
        let text = r#"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1.0,"method":"b"}]"#;
        let (BatchOutcome::Exchange(mut exchange), 1) = serve(text, &Limits::default()) else {
            panic!("not served once")
        };
        let Poll::Ready(Some(crate::exchange::Outgoing::Reply(reply))) =
            exchange.poll_message(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("no reply")
        };
        assert_eq!(reply.status, 200);
        let body = String::from_utf8_lossy(&reply.body);
        assert!(body.contains(r#""id":1,"error":{"code":-32601"#), "{body}");
        assert!(body.contains(r#""id":1.0,"error":{"code":-32600"#), "{body}");
    }

    #[test]
    fn a_batch_is_refused_as_a_whole_before_anything_is_served() {
        let limits = Limits { batch_messages: 1, ..Limits::default() };
        let (outcome, served) = serve("[]", &limits);
        assert!(matches!((outcome, served), (BatchOutcome::Refused(Refusal::InvalidRequest(_)), 0)));
        let (outcome, served) = serve("[1,2]", &limits);
        let too_long = BatchOutcome::Refused(Refusal::BatchTooLong { messages: 2, most: 1 });
        assert_eq!((format!("{outcome:?}"), served), (format!("{too_long:?}"), 0));
    }

    #[test]
    fn responses_and_notifications_reach_the_server_and_are_accepted() {
        let text = r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]"#;
        assert!(matches!(serve(text, &Limits::default()), (BatchOutcome::Accepted, 2)));
    }
}
