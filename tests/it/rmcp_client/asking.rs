//! Tools and a prompt that ask the user, the model and the client; the client answers through its handlers.
//!
//! With a handshake the server sends requests while the call is open; on 2026-07-28 the client repeats the call.

use super::visitor::{Visitor, everywhere, text, tool_call, within};
use rmcp::model::{CallToolResponse, GetPromptRequestParams};
use serde_json::{Value, json};

/// What a tool told of the user's answer.
async fn told(visitor: &Visitor, tool: &'static str, arguments: Value) -> (String, Value) {
    let result = visitor.call(tool, arguments).await;
    let (action, content) = text(&result).split_once(", content=").expect("the tool tells of the answer");
    let (_, action) = action.split_once("action=").expect("the tool tells of the action");
    (action.to_owned(), serde_json::from_str(content).expect("the content is JSON"))
}

#[tokio::test]
async fn the_user_accepts_declines_and_cancels() {
    for (visitor, _) in everywhere().await {
        for action in ["accept", "decline", "cancel"] {
            let (told, content) = told(&visitor, "test_elicitation", json!({ "message": action })).await;
            assert_eq!(told, action, "{visitor}");
            assert_eq!(content["username"].as_str(), (action == "accept").then_some("ada"), "{visitor}");
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_the_form_is_refused() {
    for (visitor, _) in everywhere().await {
        let call = tool_call("test_elicitation", json!({ "message": "incomplete" }));
        // A result marked as an error, or an error of the protocol: anything but a result.
        let refused = within("the call", visitor.client.call_tool(call)).await;
        assert!(refused.is_err() || refused.is_ok_and(|result| result.is_error == Some(true)), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn what_the_user_leaves_out_has_its_default() {
    for (visitor, _) in everywhere().await {
        let (action, content) = told(&visitor, "test_elicitation_sep1034_defaults", json!({})).await;
        let expected =
            json!({ "name": "John Doe", "age": 31, "score": 95.5, "status": "pending", "verified": true });
        assert_eq!((&*action, content), ("accept", expected), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn the_user_chooses_in_every_kind_of_list() {
    for (visitor, _) in everywhere().await {
        let (action, content) = told(&visitor, "test_elicitation_sep1330_enums", json!({})).await;
        let expected = json!({
            "untitledSingle": "option2", "titledSingle": "value3", "legacyEnum": "opt1",
            "untitledMulti": ["option1", "option3"], "titledMulti": ["value2"],
        });
        assert_eq!((&*action, content), ("accept", expected), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn the_model_is_asked() {
    for (visitor, _) in everywhere().await {
        let result = visitor.call("test_sampling", json!({ "prompt": "Which city?" })).await;
        assert_eq!(text(&result), "LLM response: Lisbon", "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn the_roots_are_asked_for() {
    for (visitor, _) in everywhere().await {
        let result = visitor.call("ask_roots", json!({})).await;
        let expected = json!({ "roots": [{ "uri": "file:///test/root", "name": "Test Root" }] });
        assert_eq!(result.structured_content, Some(expected), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn one_call_asks_more_than_once_and_more_than_one() {
    for (visitor, _) in everywhere().await {
        for (tool, expected) in [
            ("test_input_required_result_multi_round", "Ada likes green."),
            ("test_input_required_result_multiple_inputs", "Hello Ada, working in file:///test/root"),
            ("test_input_required_result_request_state", "state-ok: confirmed"),
            ("test_input_required_result_capabilities", "Asked: the user, the model, for roots"),
            ("test_streaming_elicitation", "Ada"),
        ] {
            assert_eq!(text(&visitor.call(tool, json!({})).await), expected, "{visitor}");
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_prompt_asks_too() {
    for (visitor, _) in everywhere().await {
        let get = GetPromptRequestParams::new("test_input_required_result_prompt");
        let prompt = within("the prompt", visitor.client.get_prompt(get)).await.unwrap();
        assert!(prompt.messages[0].content.as_text().unwrap().text.contains("a storm"), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_single_round_says_what_is_missing() {
    for (visitor, _) in everywhere().await {
        let call = tool_call("test_input_required_result_elicitation", json!({}));
        match within("the round", visitor.client.call_tool_once(call)).await.unwrap() {
            CallToolResponse::InputRequired(round) if !visitor.begin.with_handshake() => {
                assert!(round.input_requests.unwrap().contains_key("user_name"), "{visitor}");
            }
            CallToolResponse::Complete(result) if visitor.begin.with_handshake() => {
                assert_eq!(text(&result), "Hello, Ada!", "{visitor}");
            }
            other => panic!("{visitor}: {other:?}"),
        }
        visitor.leave().await;
    }
}
