//! Pages that the user opens: their ids, their completion, and clients that cannot be asked.

use super::fixture::{Live, Rounds, everything, keys, sent, server, told};
use crate::wire::HANDSHAKE;
use mcp_core::{
    extract::Client,
    handler::{ProtocolError, ToolError},
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
    version::ProtocolVersion,
};
use serde_json::json;

const PAGE: &str = "https://example.com/pay?order=7";

async fn pay(client: Client) -> Result<String, ToolError> {
    let id = client.elicitation_id("pay");
    client.elicit_url("pay", "Pay for it", PAGE).await?.require()?;
    Ok(id)
}

async fn pay_by_id(client: Client) -> Result<&'static str, ToolError> {
    client.elicit_url("pay", "Pay for it", PAGE).elicitation_id("order-7").await?.require()?;
    Ok("opened")
}

async fn elsewhere(client: Client) -> Result<&'static str, ProtocolError> {
    client.elicit_url("pay", "Pay for it", PAGE).elicitation_id("order-7").await?.require()?;
    Ok("opened")
}

async fn bad(client: Client) -> String {
    let mut all = Vec::new();
    for page in ["", "/pay", "example.com", "ht tp://x"] {
        all.push(told(client.elicit_url("pay", "Pay", page).await));
    }
    all.join(" ")
}

fn offering() -> Server {
    let router = McpRouter::new()
        .tool("pay", tool(pay).describe("."))
        .tool("pay-by-id", tool(pay_by_id).describe("."))
        .tool("bad", tool(bad).describe("."))
        .prompt("pay", prompt(elsewhere))
        .resource("test://pay", resource(elsewhere));
    server(router)
}

#[tokio::test]
async fn a_page_has_an_id_of_its_own_or_the_callers_on_the_revision_that_has_ids() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "pay");
    let request = sent(&mut call).request().clone();
    let params = &request["params"];
    assert_eq!(
        (&params["mode"], &params["url"], &params["message"]),
        (&json!("url"), &json!(PAGE), &json!("Pay for it"))
    );
    live.answer(&request, json!({ "action": "accept" }));
    assert_eq!(sent(&mut call).text(), params["elicitationId"].as_str().unwrap());
    let mut call = live.call(2, "pay-by-id");
    assert_eq!(sent(&mut call).request()["params"]["elicitationId"], "order-7");

    let call = Rounds::of_tool(&server, "pay-by-id");
    let ended = call.begin().await;
    assert_eq!(keys(&ended), ["pay"]);
    let params = &ended.result()["inputRequests"]["pay"]["params"];
    assert_eq!(params, &json!({ "mode": "url", "message": "Pay for it", "url": PAGE }));
    assert_eq!(call.retry(&ended, json!({ "pay": { "action": "accept" } })).await.text(), "opened");
}

#[tokio::test]
async fn the_completion_reaches_the_client_that_was_asked_and_no_other_once() {
    let server = offering();
    let mut one = Live::begin(&server, HANDSHAKE).await;
    let mut other = Live::begin(&server, HANDSHAKE).await;
    let mut call = one.call(1, "pay");
    let request = sent(&mut call).request().clone();
    let id = request["params"]["elicitationId"].as_str().unwrap().to_owned();
    one.answer(&request, json!({ "action": "accept" }));
    assert_eq!(sent(&mut call).text(), id);
    assert!(!server.complete_elicitation("unknown"));
    assert!(server.complete_elicitation(&id));
    let notice = json!({
        "jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": { "elicitationId": id },
    });
    assert_eq!((one.change(), one.change(), other.change()), (Some(notice), None, None));
    assert!(!server.complete_elicitation(&id), "once");
    assert_eq!(one.change(), None);
}

#[tokio::test]
async fn nobody_hears_of_a_page_whose_client_is_gone() {
    let server = offering();
    let mut live = Live::begin(&server, HANDSHAKE).await;
    let mut call = live.call(1, "pay-by-id");
    assert_eq!(sent(&mut call).requests.len(), 1);
    drop((call, live));
    assert!(!server.complete_elicitation("order-7"));
}

#[tokio::test]
async fn without_a_channel_the_page_goes_out_as_an_error_where_the_revision_has_one() {
    let server = offering();
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version <= HANDSHAKE) {
        let client = server.client(version).with_capabilities(everything());
        let tool = client.call_tool("pay-by-id", json!({})).await;
        let others = [client.get_prompt("pay", json!({})).await, client.read_resource("test://pay").await];
        if version == HANDSHAKE {
            for answer in others.iter().chain([&tool]) {
                assert_eq!(answer.code(), Some(-32042), "{answer:?}");
                let page = json!({ "mode": "url", "elicitationId": "order-7", "message": "Pay for it", "url": PAGE });
                assert_eq!(answer.outcome.as_ref().unwrap_err()["data"], json!({ "elicitations": [page] }));
            }
        } else {
            assert!(tool.is_error() && tool.text().contains("elicitation.url"), "{version} {tool:?}");
            assert!(others.iter().all(|answer| answer.code() == Some(-32603)), "{version} {others:?}");
        }
    }
    let silent = server.client(HANDSHAKE).call_tool("pay-by-id", json!({})).await;
    assert!(silent.is_error() && silent.text().contains("elicitation.url"), "not declared: {silent:?}");
}

#[tokio::test]
async fn an_address_that_is_no_absolute_uri_is_not_sent() {
    for (client, answer) in super::fixture::everywhere(&offering(), "bad").await {
        assert_eq!(answer.text().matches("Err(InvalidRequest(").count(), 4, "{client} {answer:?}");
        assert!(answer.asked.is_empty());
    }
}
