//! What a client did not declare, or its revision does not have, is not asked.

use super::fixture::{Live, Rounds, Sure, accept, everything, keys, sent, server};
use crate::wire::MODERN;
use mcp_core::{
    ask::AskError,
    extract::Client,
    handler::{ProtocolError, ToolError},
    protocol::{IncludeContext, SamplingMessage, SamplingRequest, SamplingTool},
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
enum Color {
    Red,
    Green,
}

#[derive(Deserialize, JsonSchema)]
struct Colors {
    #[expect(dead_code, reason = "only its kind matters")]
    colors: Vec<Color>,
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
}

/// What can be asked, by the name of its tool.
const KINDS: [&str; 7] = ["form", "many", "page", "sample", "tools", "context", "roots"];

async fn ask(client: &Client, kind: &str, key: &str) -> Result<(), AskError> {
    let request = SamplingRequest::new(10).message(SamplingMessage::user("Hi"));
    match kind {
        "form" => client.elicit::<Sure>(key, "Sure?").await.map(drop),
        "many" => client.elicit::<Colors>(key, "Which?").await.map(drop),
        "page" => client.elicit_url(key, "Pay", "https://example.com/pay").await.map(drop),
        "sample" => client.sample(key, request).await.map(drop),
        "tools" => {
            client.sample(key, request.tool(SamplingTool::of::<Place>("weather").unwrap())).await.map(drop)
        }
        "context" => client.sample(key, request.include_context(IncludeContext::ThisServer)).await.map(drop),
        _ => client.roots(key).await.map(drop),
    }
}

fn offering() -> Server {
    let mut router = McpRouter::new();
    for kind in KINDS {
        let in_tool = move |client: Client| async move {
            ask(&client, kind, "k").await?;
            Ok::<_, ToolError>("asked")
        };
        let elsewhere = move |client: Client| async move {
            ask(&client, kind, "k").await?;
            Ok::<_, ProtocolError>("asked")
        };
        router = router
            .tool(kind, tool(in_tool).describe("."))
            .prompt(kind, prompt(elsewhere))
            .resource(format!("test://{kind}"), resource(elsewhere));
    }
    router = router.tool(
        "two",
        tool(|client: Client| async move {
            ask(&client, "form", "first").await?;
            ask(&client, "roots", "second").await?;
            Ok::<_, ToolError>("asked")
        })
        .describe("."),
    );
    router = router.tool(
        "optional",
        tool(|client: Client| async move {
            match client.elicit::<Sure>("sure", "Sure?").await {
                Ok(_) => Ok("asked"),
                Err(AskError::MissingCapability("elicitation.form")) => Ok("not asked"),
                Err(other) => Err(ToolError::from(other)),
            }
        })
        .describe("."),
    );
    server(router)
}

/// What clients declare, and the kinds they may be asked for on 2025-11-25 and since.
fn declared() -> Vec<(Value, &'static [&'static str])> {
    vec![
        (everything(), &KINDS),
        (json!({}), &[]),
        (json!({ "elicitation": {} }), &["form", "many"]),
        (json!({ "elicitation": { "form": {} } }), &["form", "many"]),
        (json!({ "elicitation": { "url": {} } }), &["page"]),
        (json!({ "elicitation": { "vendor": {} } }), &[]),
        (json!({ "sampling": {} }), &["sample"]),
        (json!({ "sampling": { "tools": {} } }), &["sample", "tools"]),
        (json!({ "sampling": { "context": {} } }), &["sample", "context"]),
        (json!({ "roots": {} }), &["roots"]),
        (json!({ "roots": { "listChanged": true } }), &["roots"]),
        (json!({ "elicitation": null, "sampling": false, "roots": null }), &[]),
    ]
}

/// The capability that each kind needs, as a client would declare it.
fn needed(kind: &str) -> Value {
    match kind {
        "form" | "many" => json!({ "elicitation": { "form": {} } }),
        "page" => json!({ "elicitation": { "url": {} } }),
        "sample" => json!({ "sampling": {} }),
        "tools" => json!({ "sampling": { "tools": {} } }),
        "context" => json!({ "sampling": { "context": {} } }),
        _ => json!({ "roots": {} }),
    }
}

#[tokio::test]
async fn a_modern_client_is_told_which_capability_is_missing() {
    let server = offering();
    for (capabilities, allowed) in declared() {
        for kind in KINDS {
            let uri = format!("test://{kind}");
            for (method, params) in [
                ("tools/call", json!({ "name": kind })),
                ("prompts/get", json!({ "name": kind })),
                ("resources/read", json!({ "uri": uri })),
            ] {
                let call = Rounds::of(&server, method, params);
                let answered = Rounds { capabilities: capabilities.clone(), ..call }.begin().await;
                let what = format!("{method} {kind} of {capabilities}: {}", answered.reply);
                if allowed.contains(&kind) {
                    assert_eq!(keys(&answered), ["k"], "{what}");
                    continue;
                }
                assert_eq!((answered.code(), answered.status), (-32021, 400), "{what}");
                let required = &answered.reply["error"]["data"]["requiredCapabilities"];
                let whole = ["tools", "context"].contains(&kind)
                    && capabilities.get("sampling").is_none_or(|it| !it.is_object());
                let expected = if whole { json!({ "sampling": {} }) } else { needed(kind) };
                assert_eq!(required, &expected, "{what}");
            }
        }
    }
}

#[tokio::test]
async fn a_handshake_client_is_asked_only_what_it_declared_and_its_revision_has() {
    let server = offering();
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != MODERN) {
        for (capabilities, allowed) in declared() {
            let mut live = Live::with(&server, version, capabilities.clone()).await;
            for kind in KINDS {
                let declares = |name: &str| capabilities.get(name).is_some_and(Value::is_object);
                let may = match (version.as_str(), kind) {
                    ("2025-11-25", _) => allowed.contains(&kind),
                    // Before there were modes, a declaration of elicitation meant forms of single choices.
                    ("2025-06-18", "form") => declares("elicitation"),
                    (_, "form" | "many" | "page" | "tools") => false,
                    // Nor was there a capability for context.
                    (_, "sample" | "context") => declares("sampling"),
                    _ => declares("roots"),
                };
                let what = format!("{kind} of {capabilities} on {version}");
                let mut call = live.call(1, kind);
                let first = sent(&mut call);
                assert_eq!(first.requests.len(), usize::from(may), "{what}");
                if !may {
                    let reply = first.reply.as_ref().unwrap();
                    assert_eq!(reply["result"]["isError"], true, "{what}: {reply}");
                    let text = first.text();
                    assert!(
                        text.contains("did not declare the capability") && text.contains("Use a client"),
                        "{text}"
                    );
                    for (method, params) in [
                        ("prompts/get", json!({ "name": kind })),
                        ("resources/read", json!({ "uri": format!("test://{kind}") })),
                    ] {
                        let reply = sent(&mut live.request(2, method, params)).reply.unwrap();
                        assert_eq!(reply["error"]["code"], -32603, "{what}: {reply}");
                        assert!(
                            reply["error"]["message"].as_str().unwrap().contains("Use a client"),
                            "{reply}"
                        );
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn each_request_declares_anew_and_given_answers_stay_valid() {
    let server = offering();
    let call = Rounds::of_tool(&server, "two");
    let first = call.begin().await;
    assert_eq!(keys(&first), ["first"]);
    let answer = json!({ "first": accept(json!({ "sure": true })) });
    let less = |capabilities: Value| Rounds { capabilities, ..call.clone() };
    // The answer counts although forms are not declared any more; roots are asked for as they are declared.
    let second = less(json!({ "roots": {} })).retry(&first, answer.clone()).await;
    assert_eq!(keys(&second), ["second"]);
    let refused = less(json!({ "elicitation": {} })).retry(&first, answer).await;
    assert_eq!(refused.code(), -32021);
    assert_eq!(refused.reply["error"]["data"]["requiredCapabilities"], json!({ "roots": {} }));
    let again = less(json!({})).retry(&first, json!({})).await;
    assert_eq!(
        again.reply["error"]["data"]["requiredCapabilities"],
        json!({ "elicitation": { "form": {} } })
    );
    let done = less(json!({})).retry(&second, json!({ "second": { "roots": [] } })).await;
    assert_eq!(done.text(), "asked", "nothing is asked any more");
}

#[tokio::test]
async fn a_handler_that_can_do_without_goes_on() {
    let server = offering();
    for version in ProtocolVersion::ALL {
        let answer = server.client(version).call_tool("optional", json!({})).await;
        assert_eq!(answer.text(), "not asked", "{version}");
    }
}
