//! Who may ask: tools, prompts and resource reads, and what they use.

use super::fixture::{Channel, Name, Rounds, Sure, clients, everything, keys, server, told, willing};
use crate::wire::MODERN;
use mcp_core::{
    context::Context,
    extract::Client,
    handler::{ProtocolError, ToolError},
    protocol::Resource,
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Trip {
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
}

async fn roots(client: Client) -> Result<String, ProtocolError> {
    let roots = client.roots("r").await?;
    Ok(roots.iter().map(|root| root.uri().to_owned()).collect())
}

async fn whoever_reads(client: Client) -> Result<String, ProtocolError> {
    Ok(client.elicit::<Name>("who", "Who reads?").await?.require()?.name)
}

/// Asks, and reads a resource that asks.
async fn nested(context: Context, client: Client) -> Result<String, ToolError> {
    let Sure { sure } = client.elicit("sure", "Read it?").await?.require()?;
    let read = context.read_resource("test://asking").await?;
    let [contents] = &read[..] else { return Err(ToolError::new("not one")) };
    Ok(format!("{sure} {:?}", contents.body()))
}

fn offering() -> Server {
    let router = McpRouter::new()
        .tool("roots", tool(roots).describe("."))
        .tool("nested", tool(nested).describe("."))
        .resource("test://asking", resource(whoever_reads))
        .resource("test://roots", resource(roots))
        .resource(
            "test://{id}",
            resource(roots)
                .complete("id", |client: Client| async move { vec![told(client.roots("r").await)] }),
        )
        .prompt("roots", prompt(roots))
        .prompt(
            "trip",
            prompt(|_: mcp_core::extract::Args<Trip>| async { "trip" })
                .complete("city", |client: Client| async move { vec![told(client.roots("r").await)] }),
        )
        .list_resources(|client: Client| async move {
            vec![Resource::new("test://listed", told(client.roots("r").await))]
        });
    server(router)
}

#[tokio::test]
async fn tools_prompts_and_resource_reads_ask_in_every_era() {
    for (version, channel, client) in clients(&offering(), willing) {
        let tool = client.call_tool("roots", json!({})).await;
        assert_eq!((tool.text(), tool.asked.len()), ("file:///home", 1), "{version} {channel:?}");
        let read = client.read_resource("test://roots").await;
        assert_eq!(read.result().unwrap()["contents"][0]["text"], "file:///home", "{version} {channel:?}");
        let rendered = client.get_prompt("roots", json!({})).await;
        let text = &rendered.result().unwrap()["messages"][0]["content"]["text"];
        assert_eq!(text, "file:///home", "{version} {channel:?}");
        let template = client.read_resource("test://7").await;
        assert_eq!(
            template.result().unwrap()["contents"][0]["text"],
            "file:///home",
            "{version} {channel:?}"
        );
    }
}

#[tokio::test]
async fn completers_and_listings_may_not_ask() {
    let unsupported = "Err(Unsupported)";
    for (version, channel, client) in clients(&offering(), willing) {
        let listed = client.request("resources/list", json!({})).await;
        assert!(
            listed.result().unwrap().to_string().contains(unsupported),
            "{version} {channel:?} {listed:?}"
        );
        let completed = client
            .request(
                "completion/complete",
                json!({ "ref": { "type": "ref/prompt", "name": "trip" }, "argument": { "name": "city", "value": "" } }),
            )
            .await;
        assert_eq!(completed.result().unwrap()["completion"]["values"], json!([unsupported]), "{version}");
        assert!(listed.asked.is_empty() && completed.asked.is_empty());
    }
}

#[tokio::test]
async fn answers_and_state_on_other_methods_are_ignored() {
    for (method, params) in [
        ("tools/list", json!({})),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "trip" }, "argument": { "name": "city", "value": "" } }),
        ),
    ] {
        let call = Rounds::of(&offering(), method, params);
        let answered = call.send(json!({ "inputResponses": 5, "requestState": "x" })).await;
        assert_eq!(answered.result()["resultType"], "complete", "{method}");
    }
}

#[tokio::test]
async fn a_resource_that_a_tool_reads_asks_within_the_call_of_the_tool() {
    let server = offering();
    for (version, channel, client) in clients(&server, willing) {
        let answer = client.call_tool("nested", json!({})).await;
        if version.as_str() < "2025-06-18" {
            assert!(answer.is_error() || answer.code().is_some(), "{version}");
            continue;
        }
        assert!(answer.text().starts_with("true "), "{version} {channel:?} {answer:?}");
        assert!(answer.text().contains("Who reads?"), "{version} {channel:?} {answer:?}");
        assert_eq!(answer.asked.len(), 2, "{version} {channel:?}");
        assert!(channel == Channel::Live || answer.outcome.is_ok());
    }
    let call = Rounds { capabilities: everything(), ..Rounds::of_tool(&server, "nested") };
    let first = call.begin().await;
    assert_eq!(keys(&first), ["sure"]);
    let second =
        call.retry(&first, json!({ "sure": { "action": "accept", "content": { "sure": true } } })).await;
    assert_eq!(keys(&second), ["who"]);
    assert_eq!(server.client(MODERN).list_tools().await.code(), None);
}
