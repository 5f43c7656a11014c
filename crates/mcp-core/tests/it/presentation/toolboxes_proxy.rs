//! What the proxies call, and what they refuse.

use super::toolboxes::{OWN, boxed, house};
use crate::{
    log::capture,
    wire::{HANDSHAKE, MODERN, agreeing, modern, post, serving},
};
use mcp_core::{
    context::Context,
    extract::{Args, Client},
    handler::ToolError,
    presentation::{Presentation, Toolboxes},
    protocol::{SamplingMessage, SamplingRequest},
    registry::{McpRouter, ToolVisibility, tool, tool_args},
    testing::{Answer, TestClient},
    version::{Feature, ProtocolVersion},
};
use serde_json::{Map, Value, json};
use tracing::Level;

const PROXIES: [&str; 2] = ["call_read_only", "call_tool"];

async fn through(client: &TestClient, proxy: &str, name: &str, arguments: Value) -> Answer {
    client.call_tool(proxy, json!({ "name": name, "arguments": arguments })).await
}

#[tokio::test]
async fn any_tool_is_called_through_call_tool_and_read_only_ones_through_both() {
    let server = boxed(house()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(
            through(&client, "call_tool", "lights_set", json!({ "on": true })).await.text(),
            "on: true"
        );
        assert_eq!(through(&client, "call_tool", "weather", json!({})).await.text(), "fine", "{version}");
        for proxy in PROXIES {
            assert_eq!(through(&client, proxy, "lights_state", json!({})).await.text(), "on", "{version}");
            let without = client.call_tool(proxy, json!({ "name": "lights_state" })).await;
            assert_eq!(without.text(), "on", "arguments may be left out");
        }
    }
}

#[tokio::test]
async fn call_read_only_refuses_everything_else_and_says_which_proxy_to_use() {
    let server = boxed(house()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for name in ["lights_set", "weather"] {
            let refused = through(&client, "call_read_only", name, json!({})).await;
            assert!(refused.is_error(), "{version} {refused:?}");
            let text = format!("`{name}` is not hinted as read-only; run it with `call_tool`");
            assert_eq!(refused.text(), text);
        }
    }
}

#[tokio::test]
async fn what_there_is_not_and_what_a_model_may_not_call_read_the_same() {
    let server = boxed(house()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for proxy in PROXIES {
            for name in OWN.into_iter().chain(["nothing", "lights_tap", "lights_quiet_tap", ""]) {
                let refused = through(&client, proxy, name, json!({})).await;
                assert!(refused.is_error(), "{version} {proxy} {refused:?}");
                let text = format!(
                    "there is no tool `{name}` that `{proxy}` could run; `open_toolbox` tells the tools of a toolbox"
                );
                assert_eq!(refused.text(), text);
            }
            let long = through(&client, proxy, &"x".repeat(10_000), json!({})).await;
            assert!(long.text().len() < 300);
        }
    }
}

#[tokio::test]
async fn what_a_proxy_is_given_is_checked_against_its_own_schema_first() {
    let server = boxed(house()).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        for (arguments, names) in [
            (json!({}), "name"),
            (json!({ "name": 5 }), "name"),
            (json!({ "name": "weather", "arguments": "{}" }), "arguments"),
            (json!({ "name": "weather", "stray": 1 }), "stray"),
        ] {
            let answer = client.call_tool("call_tool", arguments).await;
            let text = match version.has(Feature::InputErrorsAsResults) {
                true => answer.text().to_owned(),
                false => answer.outcome.as_ref().unwrap_err()["message"].as_str().unwrap().to_owned(),
            };
            assert!(text.contains(names), "{version} {answer:?}");
        }
        let answer = client.request("tools/call", json!({ "name": "call_tool", "arguments": [] })).await;
        let direct = client.request("tools/call", json!({ "name": "weather", "arguments": [] })).await;
        assert_eq!(answer, direct, "{version}");
    }
}

#[tokio::test]
async fn a_version_that_meta_picks_is_called_and_judged() {
    let versioned =
        |version: &'static str| tool(move || async move { version }).describe("Finds").tool_version(version);
    let router = McpRouter::new()
        .tool("find", versioned("1.0").read_only())
        .tool("find", versioned("2.0"))
        .tool("find", versioned("0.9").visibility(ToolVisibility::App));
    let server = boxed(router).build().unwrap();
    let pick = |picked: Value| Map::from_iter([("toolVersion".to_owned(), picked)]);
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let call = async |proxy: &str, picked: Value| {
            client
                .request_with_meta(
                    "tools/call",
                    json!({ "name": proxy, "arguments": { "name": "find" } }),
                    pick(picked),
                )
                .await
        };
        assert_eq!(call("call_tool", Value::Null).await.text(), "2.0", "{version}");
        assert_eq!(call("call_tool", json!("1.0")).await.text(), "1.0");
        assert_eq!(call("call_read_only", json!("1.0")).await.text(), "1.0");
        assert!(call("call_read_only", json!("2.0")).await.text().contains("run it with `call_tool`"));
        assert!(call("call_tool", json!("0.9")).await.text().starts_with("there is no tool `find`"));
        for unknown in [json!("3.0"), json!(3)] {
            let direct = client
                .request_with_meta("tools/call", json!({ "name": "find" }), pick(unknown.clone()))
                .await;
            assert_eq!(call("call_tool", unknown).await, direct);
        }
    }
}

async fn about(context: Context) -> String {
    format!("{} {} {}", context.target().unwrap(), context.arguments_text(), context.request_id())
}

#[tokio::test]
async fn a_handler_and_the_log_know_the_tool_that_is_called() {
    let about = tool(about).describe("About").input_schema(json!({ "type": "object" }));
    let server = boxed(McpRouter::new().tool("about", about)).build().unwrap();
    let (lines, guard) = capture(Level::INFO);
    for version in ProtocolVersion::ALL {
        let answer =
            through(&server.client(version), "call_tool", "about", json!({ "n": 9_007_199_254_740_993_u64 }))
                .await;
        assert_eq!(answer.text(), r#"about {"n":9007199254740993} 1"#, "{version}");
        let lines = lines.take();
        assert!(lines.len() == 1 && lines[0].contains("target=\"about\""), "{lines:?}");
    }
    drop(guard);
}

#[tokio::test]
async fn the_headers_of_a_modern_request_name_the_proxy() {
    let server = boxed(house()).build().unwrap();
    let message = modern(
        1,
        "tools/call",
        json!({ "name": "call_tool", "arguments": { "name": "lights_set", "arguments": { "on": false } } }),
    );
    let answered = post(&server, &message, &agreeing(&message)).await;
    assert_eq!((answered.status, answered.text()), (200, "on: false"));
    let headers = agreeing(&message).without("mcp-name").with("mcp-name", "lights_set");
    let refused = post(&server, &message, &headers).await;
    assert_eq!((refused.status, refused.code()), (400, -32020));
}

#[tokio::test]
async fn a_tool_whose_arguments_go_into_headers_too_is_called_without_them_through_a_proxy() {
    let schema = json!({
        "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
        "required": ["region"],
        "additionalProperties": false,
    });
    let region = tool_args(["region"], async |region: String| region).describe("R").input_schema(schema);
    let server = boxed(McpRouter::new().tool("region", region)).build().unwrap();
    let direct = modern(1, "tools/call", json!({ "name": "region", "arguments": { "region": "south" } }));
    assert_eq!(post(&server, &direct, &agreeing(&direct)).await.status, 400, "the header is missing");
    let proxied =
        json!({ "name": "call_tool", "arguments": { "name": "region", "arguments": { "region": "south" } } });
    let proxied = modern(1, "tools/call", proxied);
    assert_eq!(post(&server, &proxied, &agreeing(&proxied)).await.text(), "south");
}

async fn delegate(client: Client) -> Result<String, ToolError> {
    let request = SamplingRequest::new(100).message(SamplingMessage::user("Go on."));
    let run = client.sample_with_tools("go", request, ["call_tool"]).await?;
    Ok(run.text())
}

#[tokio::test]
async fn a_run_of_the_clients_model_goes_through_a_proxy_like_everyone() {
    let server = boxed(house().tool("delegate", tool(delegate).describe("Delegates"))).build().unwrap();
    for version in [HANDSHAKE, MODERN] {
        let client = server.client(version).answering(|asked| {
            let results = asked.params["messages"].as_array().unwrap().len();
            let call = |id: &str, name: &str| {
                json!({ "type": "tool_use", "id": id, "name": "call_tool", "input": { "name": name, "arguments": { "on": true } } })
            };
            match results {
                1 => json!({ "role": "assistant", "model": "m", "stopReason": "toolUse",
                    "content": [call("1", "lights_set"), call("2", "lights_tap"), call("3", "open_toolbox")] }),
                _ => {
                    let told = asked.params["messages"][2]["content"].to_string();
                    json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": told } })
                }
            }
        });
        let answer = client.call_tool("delegate", json!({})).await;
        assert!(answer.text().contains("on: true"), "{version} {answer:?}");
        assert_eq!(answer.text().matches("there is no tool").count(), 2, "{}", answer.text());
    }
}

#[tokio::test]
async fn a_proxy_is_nothing_to_a_server_that_lists_everything() {
    for presentation in
        [Presentation::whole(), Presentation::toolboxes(Toolboxes::default().without_proxies())]
    {
        let call = |Args(sent): Args<Map<String, Value>>| async move { json!(sent).to_string() };
        let router = McpRouter::new()
            .tool("call_tool", tool(call).describe("Mine").input_schema(json!({ "type": "object" })));
        let server = serving(router).presentation(presentation).build().unwrap();
        let answer = through(&server.client(MODERN), "call_tool", "weather", json!({})).await;
        let sent: Value = serde_json::from_str(answer.text()).unwrap();
        assert_eq!(sent, json!({ "name": "weather", "arguments": {} }));
    }
}
