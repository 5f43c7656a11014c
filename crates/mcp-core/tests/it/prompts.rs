//! Rendering prompts.

use crate::wire::{MODERN, server};
use mcp_core::{
    extract::Args,
    handler::ProtocolError,
    protocol::{Content, GetPromptResult, PromptMessage, Resource, ResourceContents},
    registry::{McpRouter, prompt},
    server::Server,
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Blunt,
}

/// The arguments of a review.
#[derive(Deserialize, JsonSchema)]
struct Review {
    /// The language of the code.
    language: String,
    depth: Option<u8>,
    tone: Option<Tone>,
    #[serde(default)]
    strict: bool,
}

async fn review(Args(review): Args<Review>) -> String {
    let tone = match review.tone {
        None => "no",
        Some(Tone::Kind) => "kind",
        Some(Tone::Blunt) => "blunt",
    };
    format!("{} {:?} {tone} {}", review.language, review.depth, review.strict)
}

fn offering() -> Server {
    let many = || async {
        GetPromptResult::new([
            PromptMessage::user(Content::image("png", "image/png")),
            PromptMessage::assistant("I see."),
            PromptMessage::user(Content::resource(
                ResourceContents::text("x").uri("test://a").mime_type("text/plain"),
            )),
        ])
        .description("This time")
    };
    server(
        McpRouter::new()
            .prompt("review", prompt(review).describe("Asks for a review"))
            .prompt("many", prompt(many).describe("Says much"))
            .prompt("fails", prompt(|| async { Err::<String, _>(ProtocolError::new(-31999, "no")) })),
    )
}

async fn rendered(server: &Server, arguments: Value) -> Result<String, Value> {
    let answer = server.client(MODERN).get_prompt("review", arguments).await;
    answer.outcome.map(|result| result["messages"][0]["content"]["text"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn arguments_parse_from_text() {
    let server = offering();
    assert_eq!(rendered(&server, json!({ "language": "Rust" })).await.unwrap(), "Rust None no false");
    let all = json!({ "language": "", "depth": "3", "tone": "blunt", "strict": "true" });
    assert_eq!(rendered(&server, all).await.unwrap(), " Some(3) blunt true");
    assert_eq!(
        rendered(&server, json!({ "language": "x", "depth": null })).await.unwrap(),
        "x None no false"
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_refused_by_name() {
    let server = offering();
    for (arguments, word) in [
        (json!({}), "`language`"),
        (json!({ "language": null }), "`language`"),
        (json!({ "language": 5 }), "language"),
        (json!({ "language": "x", "depth": "many" }), "depth"),
        (json!({ "language": "x", "depth": "300" }), "depth"),
        (json!({ "language": "x", "tone": "rude" }), "tone"),
        (json!({ "language": "x", "stray": "y" }), "`stray`"),
        (json!([]), "`arguments`"),
    ] {
        let error = rendered(&server, arguments.clone()).await.unwrap_err();
        assert_eq!(error["code"], -32602, "{arguments}");
        assert!(error["message"].as_str().unwrap().contains(word), "{arguments}: {error}");
    }
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(client.get_prompt("none", json!({})).await.code(), Some(-32602));
        assert_eq!(client.request("prompts/get", json!({})).await.code(), Some(-32602));
        assert_eq!(client.get_prompt("fails", json!({})).await.code(), Some(-31999));
    }
}

#[tokio::test]
async fn the_arguments_are_listed_from_their_type() {
    let answer = offering().client(MODERN).request("prompts/list", Value::Null).await;
    let arguments = answer.result().unwrap()["prompts"][0]["arguments"].clone();
    let named: Vec<_> = arguments
        .as_array()
        .unwrap()
        .iter()
        .map(|a| (a["name"].as_str().unwrap(), a["required"] == true))
        .collect();
    assert_eq!(named, [("language", true), ("depth", false), ("tone", false), ("strict", false)]);
    assert_eq!(arguments[0]["description"], "The language of the code.");
}

#[tokio::test]
async fn a_prompt_may_say_many_things_of_any_kind() {
    let answer = offering().client(MODERN).get_prompt("many", json!({})).await;
    let result = answer.result().unwrap();
    assert_eq!(result["description"], "This time");
    let roles: Vec<_> = result["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(result["messages"][2]["content"]["resource"]["uri"], "test://a");
}

#[tokio::test]
async fn uris_in_messages_are_absolute_or_the_result_is_held_back() {
    for content in [
        Content::resource_link(Resource::new("relative", "x")),
        Content::resource(ResourceContents::text("x")),
        Content::resource(ResourceContents::text("x").uri("a b")),
    ] {
        let handler = move || {
            let content = content.clone();
            async move { vec![PromptMessage::user("fine"), PromptMessage::user(content)] }
        };
        let server = server(McpRouter::new().prompt("p", prompt(handler)));
        for version in ProtocolVersion::ALL {
            assert_eq!(
                server.client(version).get_prompt("p", json!({})).await.code(),
                Some(-32603),
                "{version}"
            );
        }
    }
}
