//! Dependencies of a call: opened once, closed once, last opened first, whatever happens.

use crate::wire::{HANDSHAKE, MODERN, ask, drive, modern, plain, ready, receive, serving, shaken};
use mcp_core::{
    context::{Context, Transport},
    exchange::Exchange,
    extract::{App, Dep, Dependency},
    handler::{ProtocolError, ToolError},
    registry::{McpRouter, resource, tool},
    server::{Limits, Peer, Server},
};
use serde_json::json;
use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

/// What happened, in order.
#[derive(Clone, Debug, Default)]
struct Journal(Arc<Mutex<Vec<&'static str>>>);

impl Journal {
    fn note(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
    }

    fn taken(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

macro_rules! dependency {
    ($name:ident, $open:literal, $close:literal, |$journal:ident| $closing:expr) => {
        #[derive(Clone)]
        struct $name(Journal);

        impl Dependency<Journal> for $name {
            type Error = Infallible;

            async fn open(_: &Context, journal: &Journal) -> Result<Self, Infallible> {
                journal.note($open);
                Ok(Self(journal.clone()))
            }

            fn close(self) -> impl Future<Output = ()> + Send + 'static {
                let $journal = self.0;
                // Noted when closing is asked for, not when it is first polled.
                $journal.note($close);
                async move { $closing }
            }
        }
    };
}

dependency!(First, "open first", "close first", |_journal| ());
dependency!(Second, "open second", "close second", |_journal| tokio::task::yield_now().await);
dependency!(Slow, "open slow", "close slow", |journal| {
    tokio::time::sleep(Duration::from_secs(60)).await;
    journal.note("slow is closed");
});
dependency!(Fragile, "open fragile", "close fragile", |_journal| panic!("on closing"));

/// Never opens.
#[derive(Clone)]
struct Shut;

impl Dependency<Journal> for Shut {
    type Error = &'static str;

    async fn open(_: &Context, journal: &Journal) -> Result<Self, &'static str> {
        journal.note("refuse");
        Err("the database is gone")
    }
}

fn built(journal: &Journal) -> Server {
    let router = McpRouter::new()
        .tool(
            "both",
            tool(|Dep(_): Dep<First>, Dep(Second(journal)): Dep<Second>, Dep(_): Dep<First>| async move {
                journal.note("run");
                "done"
            })
            .describe("Uses both"),
        )
        .tool(
            "error",
            tool(|_: Dep<First>, _: Dep<Second>| async { Err::<String, _>(ToolError::new("no")) })
                .describe("Fails"),
        )
        .tool(
            "refuse",
            tool(|_: Dep<First>| async { Err::<String, _>(ProtocolError::internal()) }).describe("Refuses"),
        )
        .tool(
            "panic",
            tool(|_: Dep<First>, _: Dep<Second>| async { panic!("boom") as String }).describe("Panics"),
        )
        .tool(
            "wait",
            tool(|_: Dep<First>, _: Dep<Second>| std::future::pending::<String>()).describe("Waits"),
        )
        .tool("slow", tool(|_: Dep<First>, _: Dep<Slow>| async { "done" }).describe("Closes slowly"))
        .tool(
            "fragile",
            tool(|_: Dep<First>, _: Dep<Fragile>| async { "done" }).describe("Panics on closing"),
        )
        .tool("shut", tool(|_: Dep<First>, _: Dep<Shut>| async { "never" }).describe("Cannot open"))
        .tool(
            "nested",
            tool(|_: Dep<First>, context: Context| async move {
                context.read_resource("test://a").await.map(|contents| contents.len().to_string())
            })
            .describe("Reads within"),
        )
        .resource(
            "test://a",
            resource(|_: Dep<First>, App(journal): App<Journal>| async move {
                journal.note("read");
                "a"
            }),
        );
    serving(router.with_state(journal.clone()))
        .limits(Limits { teardown: Duration::from_secs(5), ..Limits::default() })
        .build()
        .unwrap()
}

fn start(server: &Server, name: &str) -> Exchange {
    let message = modern(1, "tools/call", json!({ "name": name })).to_string();
    server.dispatch(MODERN, message, Peer::anonymous(Transport::InProcess)).unwrap()
}

const BOTH: [&str; 4] = ["open first", "open second", "close second", "close first"];

#[tokio::test(start_paused = true)]
async fn dependencies_close_once_in_reverse_order_before_the_reply() {
    let journal = Journal::default();
    let server = built(&journal);
    assert_eq!(drive(start(&server, "both")).await.text(), "done");
    assert_eq!(journal.taken(), ["open first", "open second", "run", "close second", "close first"]);
    for (name, code) in [("error", 0), ("panic", -32603)] {
        assert_eq!(drive(start(&server, name)).await.code(), code, "{name}");
        assert_eq!(journal.taken(), BOTH, "{name}");
    }
    assert_eq!(drive(start(&server, "refuse")).await.code(), -32603);
    assert_eq!(journal.taken(), ["open first", "close first"]);
    assert_eq!(drive(start(&server, "nested")).await.text(), "1");
    assert_eq!(journal.taken(), ["open first", "read", "close first"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_cannot_open_refuses_the_call_and_the_others_close() {
    let journal = Journal::default();
    let answered = drive(start(&built(&journal), "shut")).await;
    assert_eq!(answered.code(), -32603);
    assert!(!answered.reply.to_string().contains("database"));
    assert_eq!(journal.taken(), ["open first", "refuse", "close first"]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_closes_in_the_background() {
    let journal = Journal::default();
    let server = built(&journal);
    let mut connection = shaken(&server, HANDSHAKE).await;
    let mut exchange = receive(&mut connection, &plain(1, "tools/call", json!({ "name": "wait" }))).unwrap();
    assert!(ready(&mut exchange).is_empty());
    drop(exchange);
    assert_eq!(ask(&mut connection, &plain(1, "ping", json!({}))).await.reply["result"], json!({}));
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(journal.taken(), BOTH);
}

#[tokio::test(start_paused = true)]
async fn closing_has_a_deadline() {
    let journal = Journal::default();
    let server = built(&journal);
    let begin = tokio::time::Instant::now();
    assert_eq!(drive(start(&server, "slow")).await.text(), "done");
    assert_eq!(begin.elapsed().as_secs(), 5);
    assert_eq!(journal.taken(), ["open first", "open slow", "close slow"]);
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert!(journal.taken().is_empty(), "what did not close in time was dropped");
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_while_it_closes_goes_on_closing() {
    let journal = Journal::default();
    let mut exchange = start(&built(&journal), "slow");
    assert!(ready(&mut exchange).is_empty());
    drop(exchange);
    assert_eq!(journal.taken(), ["open first", "open slow", "close slow"]);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(journal.taken().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_panic_on_closing_harms_neither_the_reply_nor_the_other_dependencies() {
    let journal = Journal::default();
    assert_eq!(drive(start(&built(&journal), "fragile")).await.text(), "done");
    assert_eq!(journal.taken(), ["open first", "open fragile", "close fragile", "close first"]);
}
