//! Code before an ask runs again; what is remembered does not.

use super::fixture::{Rounds, keys, says_everywhere, serving};
use mcp_core::{
    ask::AskError,
    extract::{App, Client},
    handler::ToolError,
    registry::{McpRouter, tool},
    server::{Limits, Server},
};
use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

/// How often each piece of work was done.
#[derive(Clone, Debug, Default)]
struct Work {
    plain: Arc<AtomicU32>,
    remembered: Arc<AtomicU32>,
    between: Arc<AtomicU32>,
    failing: Arc<AtomicU32>,
}

impl Work {
    fn counts(&self) -> [u32; 4] {
        [&self.plain, &self.remembered, &self.between, &self.failing]
            .map(|count| count.load(Ordering::Relaxed))
    }
}

fn once(count: &AtomicU32) -> u32 {
    count.fetch_add(1, Ordering::Relaxed) + 1
}

async fn works(client: Client, App(work): App<Work>) -> Result<String, ToolError> {
    once(&work.plain);
    let first = client.remember("first", async { once(&work.remembered) }).await?;
    let failing: Result<u32, ToolError> = client
        .try_remember("failing", async {
            match once(&work.failing) {
                ..=2 => Err(ToolError::new("not yet")),
                count => Ok(count),
            }
        })
        .await;
    client.roots("one").await?;
    let between = client.remember("between", async { once(&work.between) }).await?;
    client.roots("two").await?;
    let failing = failing.map_or_else(|error| error.to_string(), |count| count.to_string());
    Ok(format!("{first} {between} {failing}"))
}

fn offering(work: &Work) -> Server {
    let router = McpRouter::new().tool("work", tool(works).describe(".")).with_state(work.clone());
    serving(router).build().unwrap()
}

#[tokio::test]
async fn what_is_remembered_runs_once_over_the_rounds_and_a_failure_is_not_remembered() {
    let work = Work::default();
    let call = Rounds::of_tool(&offering(&work), "work");
    let first = call.begin().await;
    assert_eq!((keys(&first), work.counts()), (vec!["one"], [1, 1, 0, 1]));
    let second = call.retry(&first, json!({ "one": { "roots": [] } })).await;
    assert_eq!((keys(&second), work.counts()), (vec!["two"], [2, 1, 1, 2]));
    let last = call.retry(&second, json!({ "two": { "roots": [] } })).await;
    assert_eq!((last.text(), work.counts()), ("1 1 3", [3, 1, 1, 3]));
    let again = call.retry(&second, json!({ "two": { "roots": [] } })).await;
    assert_eq!((again.text(), work.counts()), ("1 1 4", [4, 1, 1, 4]), "the state holds no failure");
}

#[tokio::test]
async fn a_repeated_retry_does_again_what_comes_after_its_state() {
    let work = Work::default();
    let call = Rounds::of_tool(&offering(&work), "work");
    let first = call.begin().await;
    for count in 1..=3 {
        let second = call.retry(&first, json!({ "one": { "roots": [] } })).await;
        assert_eq!((keys(&second), work.counts()[2]), (vec!["two"], count));
        let last = call.retry(&second, json!({ "two": { "roots": [] } })).await;
        assert!(last.text().starts_with(&format!("1 {count}")), "{}", last.text());
    }
}

#[tokio::test]
async fn a_remembered_value_is_the_same_within_one_run() {
    async fn handler(client: Client) -> Result<String, ToolError> {
        let one: u8 = client.remember("k", async { 1 }).await?;
        let other: u8 = client.remember("k", async { 2 }).await?;
        Ok(format!("{one}{other}"))
    }
    let server = serving(McpRouter::new().tool("same", tool(handler).describe("."))).build().unwrap();
    says_everywhere(&server, "same", "11").await;
}

#[tokio::test]
async fn a_value_of_another_type_is_an_error_of_its_own() {
    async fn handler(client: Client) -> String {
        let stored = client.remember("k", async { "text".to_owned() }).await.is_ok();
        let read = client.remember("k", async { 1_u8 }).await;
        let nan = client.remember("nan", async { f64::NAN }).await;
        format!(
            "{stored} {} {}",
            matches!(read, Err(AskError::Value(_))),
            matches!(nan, Err(AskError::Value(_)))
        )
    }
    let server = serving(McpRouter::new().tool("value", tool(handler).describe("."))).build().unwrap();
    says_everywhere(&server, "value", "true true true").await;
}

#[tokio::test]
async fn what_is_too_large_to_remember_names_the_setting_in_every_era() {
    async fn one(client: Client) -> Result<String, ToolError> {
        client.remember("k", async { "x".repeat(2_000) }).await?;
        Ok("kept".to_owned())
    }
    async fn many(client: Client) -> Result<&'static str, ToolError> {
        for key in 0..20 {
            client.remember(&key.to_string(), async { "x".repeat(100) }).await?;
        }
        client.roots("r").await?;
        Ok("kept")
    }
    let limits = Limits { ask_state_bytes: 1_024, ..Limits::default() };
    let router = McpRouter::new().tool("one", tool(one).describe(".")).tool("many", tool(many).describe("."));
    let server = serving(router).limits(limits).build().unwrap();
    for (client, answer) in super::fixture::everywhere(&server, "one").await {
        assert!(answer.is_error() && answer.text().contains("limits.ask_state_bytes"), "{client} {answer:?}");
    }
    for (client, answer) in super::fixture::everywhere(&server, "many").await {
        // While the handler waits nothing has to be carried.
        if client.ends_with("Live") {
            assert_eq!(answer.text(), "kept", "{client}");
        } else {
            assert_eq!(answer.code(), Some(-32603), "{client}");
            let error = answer.outcome.unwrap_err().to_string();
            assert!(error.contains("limits.ask_state_bytes"), "{client} {error}");
        }
    }
}

#[tokio::test]
async fn the_operation_id_is_one_per_call_through_all_its_rounds() {
    async fn handler(client: Client) -> Result<String, ToolError> {
        let before = client.operation_id();
        client.roots("r").await?;
        assert_eq!(before, client.operation_id());
        client.roots("s").await?;
        Ok(format!("{before} {}", client.elicitation_id("k")))
    }
    let server = serving(McpRouter::new().tool("id", tool(handler).describe("."))).build().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for (client, answer) in super::fixture::everywhere(&server, "id").await {
        let (id, elicitation) =
            answer.text().split_once(' ').unwrap_or_else(|| panic!("{client} {answer:?}"));
        assert_eq!((id.len(), elicitation), (22, &*format!("{id}.k")), "{client}");
        assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{id}");
        assert!(seen.insert(id.to_owned()), "{client} has the id of another call");
    }
    let call = Rounds::of_tool(&server, "id");
    let first = call.begin().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let second = call.retry(&first, json!({ "r": { "roots": [] } })).await;
        let last = call.retry(&second, json!({ "s": { "roots": [] } })).await;
        ids.push(last.text().to_owned());
    }
    assert_eq!(ids[0], ids[1], "a repeated retry is the same operation");
}
