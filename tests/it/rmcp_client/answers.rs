//! Resources, prompts and completion.

use super::visitor::{everywhere, object, within};
use rmcp::{
    model::{GetPromptRequestParams, ReadResourceRequestParams, ReadResourceResult, ResourceContents},
    service::ServiceError,
};
use serde_json::json;

#[track_caller]
fn only_text(result: &ReadResourceResult) -> (&str, &str) {
    match &result.contents[..] {
        [ResourceContents::TextResourceContents { uri, text, .. }] => (uri, text),
        other => panic!("one text was expected: {other:?}"),
    }
}

#[tokio::test]
async fn resources_and_templates_are_listed() {
    for (visitor, _) in everywhere().await {
        let resources = visitor.client.list_all_resources().await.unwrap();
        assert!(resources.iter().any(|resource| resource.uri == "test://static-text"), "{visitor}");
        let templates = visitor.client.list_all_resource_templates().await.unwrap();
        let expected = "test://template/{id}/data";
        assert!(templates.iter().any(|template| template.uri_template == expected), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_resource_is_read_by_its_uri() {
    for (visitor, _) in everywhere().await {
        let read = visitor.client.read_resource(ReadResourceRequestParams::new("test://static-text"));
        let result = within("reading", read).await.unwrap();
        let (uri, text) = only_text(&result);
        assert_eq!(uri, "test://static-text", "{visitor}");
        assert!(!text.is_empty(), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_resource_is_read_through_its_template() {
    for (visitor, _) in everywhere().await {
        let read = visitor.client.read_resource(ReadResourceRequestParams::new("users://a%20b"));
        let result = within("reading", read).await.unwrap();
        assert_eq!(only_text(&result), ("users://a%20b", r#"{"id":"a b"}"#), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn bytes_are_read_as_base64() {
    for (visitor, _) in everywhere().await {
        let read = visitor.client.read_resource(ReadResourceRequestParams::new("test://bin"));
        match &within("reading", read).await.unwrap().contents[..] {
            [ResourceContents::BlobResourceContents { blob, .. }] => {
                assert_eq!(blob, "+/+++w==", "{visitor}")
            }
            other => panic!("{visitor}: {other:?}"),
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn an_unknown_resource_is_an_error_of_the_protocol() {
    for (visitor, _) in everywhere().await {
        let expected = if visitor.begin.with_handshake() { -32002 } else { -32602 };
        match visitor.client.read_resource(ReadResourceRequestParams::new("test://no-such-resource")).await {
            Err(ServiceError::McpError(error)) => assert_eq!(error.code.0, expected, "{visitor}: {error}"),
            other => panic!("{visitor}: {other:?}"),
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn prompts_are_listed_with_their_arguments() {
    for (visitor, _) in everywhere().await {
        let prompts = visitor.client.list_all_prompts().await.unwrap();
        assert!(prompts.iter().any(|prompt| prompt.name == "hello"), "{visitor}");
        let pick = prompts.iter().find(|prompt| prompt.name == "pick").expect("`pick` is listed");
        let arguments = pick.arguments.as_ref().unwrap();
        assert_eq!((arguments.len(), &*arguments[0].name), (1, "city"), "{visitor}");
        assert_eq!(arguments[0].required, Some(true), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_prompt_gets_its_arguments() {
    for (visitor, _) in everywhere().await {
        let get = GetPromptRequestParams::new("pick").with_arguments(object(json!({ "city": "Porto" })));
        let prompt = within("the prompt", visitor.client.get_prompt(get)).await.unwrap();
        let asked = &prompt.messages[0].content.as_text().unwrap().text;
        assert_eq!(asked, "What is there to see in Porto?", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_prompt_without_its_argument_is_an_error_of_the_protocol() {
    for (visitor, _) in everywhere().await {
        match visitor.client.get_prompt(GetPromptRequestParams::new("pick")).await {
            Err(ServiceError::McpError(error)) => assert_eq!(error.code.0, -32602, "{visitor}: {error}"),
            other => panic!("{visitor}: {other:?}"),
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn an_argument_of_a_prompt_is_completed() {
    for (visitor, _) in everywhere().await {
        let complete = visitor.client.complete_prompt_simple("pick", "city", "Ber");
        assert_eq!(within("completion", complete).await.unwrap(), ["Berlin", "Bern"], "{visitor}");
        let complete = visitor.client.complete_prompt_simple("pick", "city", "Z");
        assert!(within("completion", complete).await.unwrap().is_empty(), "{visitor}");
        visitor.leave().await;
    }
}
