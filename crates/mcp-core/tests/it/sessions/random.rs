//! Random clients whose connections break at random: each request has one reply, on one stream.

use super::world::{Client, NEWEST, Seen, Stream, World, call, pass, settle};
use mcp_core::exchange::Exchange;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many sessions there are.
const SESSIONS: usize = 3;

#[derive(Clone, Debug)]
enum Step {
    /// A call, polled or not before it is left or read.
    Call {
        session: usize,
        n: u32,
        stream: bool,
    },
    /// Reads up to some events of an open stream.
    Read {
        which: usize,
        events: usize,
    },
    /// The connection of an open stream breaks.
    Break {
        which: usize,
    },
    /// A broken stream is taken up after one of the events that were seen, or while its connection is open.
    Resume {
        which: usize,
    },
    Cancel {
        which: usize,
    },
    Change,
    Pass {
        milliseconds: u64,
    },
    End {
        session: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let which = 0_usize..40;
    prop_oneof![
        5 => (0..SESSIONS, 0_u32..4, any::<bool>())
            .prop_map(|(session, n, stream)| Step::Call { session, n, stream }),
        4 => (which.clone(), 1_usize..4).prop_map(|(which, events)| Step::Read { which, events }),
        3 => which.clone().prop_map(|which| Step::Break { which }),
        3 => which.clone().prop_map(|which| Step::Resume { which }),
        1 => which.prop_map(|which| Step::Cancel { which }),
        1 => Just(Step::Change),
        4 => (0_u64..40).prop_map(|milliseconds| Step::Pass { milliseconds }),
        1 => (0..SESSIONS * 4).prop_map(|session| Step::End { session }),
    ]
}

/// What is known of one call.
struct Known {
    session: usize,
    id: String,
    n: u32,
    cancelled: bool,
    /// The connection that carries it.
    open: Option<Stream>,
    /// A plain connection that still waits.
    plain: Option<Exchange>,
    /// The messages seen so far, by event id, in the order of the ids.
    seen: BTreeMap<u64, Value>,
    last: Option<String>,
    ended: bool,
}

impl Known {
    fn take(&mut self, event: Seen) {
        let Some(id) = event.id else {
            // Whoever waits while the session ends is told; that cannot be fetched again.
            assert_eq!((&event.data["id"], &event.data["error"]["code"]), (&json!(self.id), &json!(-32600)));
            return;
        };
        let (stream, number) = id.rsplit_once('.').unwrap();
        if let Some(last) = &self.last {
            let (of, before) = last.rsplit_once('.').unwrap();
            assert_eq!(of, stream, "a stream carries one call");
            assert!(before.parse::<u64>().unwrap() < number.parse().unwrap(), "events come once, in order");
        }
        if !event.data.is_null() {
            self.check(&event.data);
            let twice = self.seen.insert(number.parse().unwrap(), event.data);
            assert!(twice.is_none(), "a message came twice");
        }
        self.last = Some(id);
    }

    /// Each message belongs to this call.
    fn check(&self, message: &Value) {
        if message.get("id").is_some() {
            assert_eq!(message["id"], self.id.as_str());
        } else {
            assert_eq!(message["params"]["progressToken"], self.id.as_str());
        }
    }

    fn check_whole(&self, gone: bool) {
        let replies = self.seen.values().filter(|message| message.get("id").is_some()).count();
        assert!(replies <= 1);
        if gone || self.cancelled {
            return;
        }
        assert_eq!((replies, self.seen.len()), (1, self.n as usize + 1), "{} of {}", self.id, self.n);
    }
}

fn steps(id: &str, n: u32) -> Value {
    let mut message = call(id, "steps", json!({ "n": n, "ms": 7 }));
    message["params"]["_meta"]["progressToken"] = json!(id);
    message
}

async fn run(script: Vec<Step>) {
    let world = World::new();
    let mut clients = Vec::new();
    for number in 0..SESSIONS {
        clients.push(world.begin_as(NEWEST, &format!("user{number}")).await);
    }
    let mut gone = [false; SESSIONS];
    let mut calls: Vec<Known> = Vec::new();
    for step in script {
        take(step, &world, &clients, &mut gone, &mut calls).await;
    }
    // Everyone comes back for what it has not seen.
    for known in &mut calls {
        finish(known, &clients[known.session], gone[known.session]).await;
    }
    pass(2).await;
    world.assert_at_rest();
    for (client, gone) in clients.iter().zip(gone) {
        assert_eq!(client.end().await, if gone { 404 } else { 204 });
    }
    settle().await;
    assert_eq!(world.server.counts(), Default::default());
}

async fn take(
    step: Step,
    world: &World,
    clients: &[Client],
    gone: &mut [bool; SESSIONS],
    calls: &mut Vec<Known>,
) {
    match step {
        Step::Call { session, n, stream } => {
            let id = format!("{session}-{}", calls.len());
            let exchange = match clients[session].post(&steps(&id, n)).await {
                mcp_core::server::Posted::Exchange(exchange) if !gone[session] => exchange,
                mcp_core::server::Posted::Exchange(mut exchange) => {
                    let first = futures_util::StreamExt::next(&mut exchange).await;
                    let Some(mcp_core::exchange::Outgoing::Reply(reply)) = first else { panic!() };
                    assert_eq!(reply.status, 404);
                    return;
                }
                other => panic!("{other:?}"),
            };
            let (open, plain) = if stream {
                (Some(Stream(exchange.into_events(None))), None)
            } else {
                (None, Some(exchange))
            };
            let (seen, last) = (BTreeMap::new(), None);
            calls.push(Known { session, id, n, cancelled: false, open, plain, seen, last, ended: false });
        }
        Step::Read { which, events } => {
            let Some(known) = calls.get_mut(which) else { return };
            for _ in 0..events {
                let Some(stream) = &mut known.open else { return };
                let next = tokio::time::timeout(std::time::Duration::from_millis(3), stream.next()).await;
                match next {
                    Ok(Some(event)) => known.take(event),
                    Ok(None) => {
                        (known.open, known.ended) = (None, true);
                    }
                    Err(_) => return,
                }
            }
        }
        Step::Break { which } => {
            if let Some(known) = calls.get_mut(which) {
                known.open = None;
            }
        }
        Step::Resume { which } => {
            let Some(known) = calls.get_mut(which) else { return };
            let Some(last) = &known.last else { return };
            // The old connection may be open still, and is then taken over.
            match clients[known.session].resume(last).await {
                Ok(stream) => {
                    let old = known.open.replace(stream);
                    if let Some(mut old) = old {
                        assert_eq!(old.ready(), (vec![], true), "who is taken over says nothing more");
                    }
                }
                Err(refused) => assert_eq!((refused.status, gone[known.session]), (404, true)),
            }
        }
        Step::Cancel { which } => {
            let Some(known) = calls.get_mut(which) else { return };
            let status = clients[known.session].cancel(&*known.id).await;
            assert_eq!(status, if gone[known.session] { 404 } else { 202 });
            known.cancelled = true;
        }
        Step::Change => world.server.notify_tools_changed(),
        Step::Pass { milliseconds } => {
            tokio::time::sleep(std::time::Duration::from_millis(milliseconds)).await;
        }
        Step::End { session } if session < SESSIONS => {
            assert_eq!(clients[session].end().await, if gone[session] { 404 } else { 204 });
            gone[session] = true;
        }
        Step::End { .. } => {}
    }
}

/// Reads a call to its end, on the connection it has or on a new one.
async fn finish(known: &mut Known, client: &Client, gone: bool) {
    if let Some(exchange) = known.plain.take() {
        let all: Vec<_> = futures_util::StreamExt::collect(exchange).await;
        for (number, outgoing) in (1..).zip(all) {
            use mcp_core::exchange::Outgoing::{Notification, Reply, Request, Stream};
            let body = match outgoing {
                Notification(body) | Request(body) => body,
                Reply(reply) => reply.body,
                Stream(_) => continue,
            };
            let message: Value = serde_json::from_slice(&body).unwrap();
            known.check(&message);
            known.seen.insert(number, message);
        }
        known.check_whole(gone);
        return;
    }
    if let Some(mut stream) = known.open.take() {
        for event in stream.rest().await {
            known.take(event);
        }
    } else if let Some(last) = known.last.clone() {
        match client.resume(&last).await {
            Ok(mut stream) => {
                for event in stream.rest().await {
                    known.take(event);
                }
            }
            Err(refused) => assert_eq!((refused.status, gone), (404, true)),
        }
    } else {
        // Its connection broke before the client knew how to come back.
        return;
    }
    known.check_whole(gone);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_request_has_one_reply_on_one_stream(script in prop::collection::vec(step(), 1..50)) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(run(script));
    }
}
