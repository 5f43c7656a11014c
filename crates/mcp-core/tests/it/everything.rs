//! A server with one of everything that is lowered, and what to ask it.

use crate::wire::serving;
use bytes::Bytes;
use mcp_core::{
    context::Context,
    extract::{Args, Log, Progress},
    handler::{ProtocolError, Structured, ToolError},
    json::RawJson,
    protocol::{
        Annotations, CallToolResult, Completion, Content, GetPromptResult, Icon, IconTheme, Implementation,
        LogLevel, Meta, PromptMessage, RequiredUrl, Resource, ResourceContents, Role,
    },
    registry::{McpRouter, prompt, resource, tool, tool_args},
    server::Server,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;

#[derive(Serialize, JsonSchema)]
struct Total {
    /// The sum of both.
    sum: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Trip {
    /// Where to go.
    #[schemars(title = "City")]
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
    #[expect(dead_code, reason = "only its name matters")]
    nights: Option<u8>,
}

fn meta() -> Meta {
    json!({ "example.com/a": [1, "x"] }).as_object().unwrap().clone()
}

fn icon() -> Icon {
    Icon::embedded("image/png", b"icon").sizes(["48x48", "any"]).theme(IconTheme::Dark)
}

fn hints() -> Annotations {
    Annotations::new()
        .audience([Role::User, Role::Assistant])
        .priority(0.5)
        .last_modified("2025-01-12T15:00:58Z")
}

fn link() -> Resource {
    Resource::new("test://linked", "linked")
        .title("Linked")
        .description("A linked one")
        .mime_type("text/plain")
        .size(3)
        .annotate(hints())
        .icon(icon())
        .meta(meta())
}

async fn content() -> Vec<Content> {
    vec![
        Content::text("a \"text\" with\n\u{2028}breaks").annotate(hints()).meta(meta()),
        Content::image(&b"image"[..], "image/png").annotate(hints()).meta(meta()),
        Content::audio(&b"audio"[..], "audio/wav").annotate(hints()).meta(meta()),
        Content::resource_link(link()),
        Content::resource_link(Resource::new("test://bare", "bare")).annotate(hints()),
        Content::resource(
            ResourceContents::text("inside").uri("test://text").mime_type("text/plain").meta(meta()),
        ),
        Content::resource(ResourceContents::blob(&b"bytes"[..]).uri("test://blob").meta(meta()))
            .annotate(hints())
            .meta(meta()),
    ]
}

/// Content, with entries of `_meta` for the result around it.
async fn marked(context: Context) -> Vec<Content> {
    context.put_result_meta("example.com/b", json!(true));
    content().await
}

async fn paying() -> Result<String, ProtocolError> {
    Err(ProtocolError::url_elicitation_required(RequiredUrl {
        id: "e-1".into(),
        message: "Pay first".into(),
        url: "https://example.com/pay".into(),
    }))
}

async fn speaking(progress: Progress, log: Log, context: Context) -> Result<&'static str, ToolError> {
    progress.report_with(1.0, 3.0, "one of three");
    progress.report(2.5, None);
    log.send_from(Some("core"), LogLevel::Warning, &json!({ "disk": "full" }));
    context.notify("notifications/vendor", &json!({ "a": 1 }))?;
    Ok("said")
}

pub(crate) fn everything() -> Server {
    let structured =
        || async { CallToolResult::text("three").structured(RawJson::parse("[3, 1.50]").unwrap()) };
    let router = McpRouter::new()
        .tool(
            "add",
            tool_args(["a", "b"], |a: i64, b: Option<i64>| async move {
                Structured(Total { sum: a + b.unwrap_or(0) })
            })
            .describe("Adds two numbers")
            .title("Add")
            .argument("a", "The first")
            .read_only()
            .idempotent()
            .closed_world()
            .icon(icon())
            .meta(meta())
            .tag("never listed"),
        )
        .tool("list", tool(structured).describe("Lists").output_schema(json!({ "type": "array" })))
        .tool("content", tool(marked).describe("Shows every kind of content").destructive())
        .tool("speak", tool(speaking).describe("Says much"))
        .tool("fail", tool(|| async { Err::<String, _>(ToolError::new("row 3 is empty")) }).describe("Fails"))
        .tool(
            "refuse",
            tool(|| async {
                Err::<String, _>(ProtocolError::new(-31010, "slow down").data(json!({ "after": 3 })))
            })
            .describe("Refuses"),
        )
        .tool(
            "forbid",
            tool(|| async { Err::<String, _>(ProtocolError::forbidden(["a:read", "a:write"])) })
                .describe("Forbids"),
        )
        .tool(
            "need",
            tool(|| async { Err::<String, _>(ProtocolError::missing_capability("elicitation.url")) })
                .describe("Needs a capability"),
        )
        .tool("page", tool(paying).describe("Needs a page to be opened"))
        .tool(
            "break",
            tool(|| async { Err::<String, ProtocolError>(std::io::Error::other("secret").into()) })
                .describe("Breaks"),
        )
        .resource(
            "test://a",
            resource(|context: Context| async move {
                context.put_result_meta("example.com/b", json!(true));
                vec![
                    ResourceContents::text("text").meta(meta()),
                    ResourceContents::blob(Bytes::from_static(b"bytes")).uri("test://a/part"),
                ]
            })
            .name("a")
            .title("The first")
            .describe("Text and bytes")
            .mime_type("text/plain")
            .size(9)
            .annotate(hints())
            .icon(icon())
            .meta(meta()),
        )
        .list_resources(|| async { vec![link(), Resource::new("test://bare", "bare")] })
        .resource(
            "users://{id}{?page}",
            resource(|| async { "user" })
                .name("user")
                .title("A user")
                .describe("One user")
                .mime_type("application/json")
                .annotate(hints())
                .icon(icon())
                .meta(meta())
                .complete("id", || async { Completion::new(["1", "2"]).total(250) }),
        )
        .prompt(
            "trip",
            prompt(|_: Args<Trip>| async {
                let mut messages: Vec<_> = content().await.into_iter().map(PromptMessage::user).collect();
                messages.push(PromptMessage::assistant("Bon voyage"));
                GetPromptResult::new(messages).meta(meta())
            })
            .describe("Plans a trip")
            .title("Trip")
            .icon(icon())
            .meta(meta()),
        )
        .prompt("bare", prompt(|| async { "x" }));
    let identity = Implementation::new("everything", "1.2.3")
        .title("Everything")
        .description("One of each")
        .website_url("https://example.com")
        .icon(icon());
    serving(router)
        .identity(identity)
        .instructions("Ask for anything.")
        .list_ttl(Duration::from_secs(60))
        .dynamic()
        .resource_updates()
        .build()
        .unwrap()
}
