//! A group of routes that is an endpoint of its own: one for each reading room.

use super::{Agent, ERAS, HANDSHAKE, LIBRARIAN, READER, hello, page, shown};
use mcp_tests::fixture::Fixture;
use serde_json::json;

#[tokio::test]
async fn at_its_own_endpoint_a_room_needs_no_name_and_in_the_main_server_it_does() {
    let application = Fixture::start_application();
    for (era, room) in ERAS.into_iter().zip(["garden", "attic"]) {
        let path = format!("/rooms/{room}/mcp");
        let agent = Agent::at(&application, &path, READER, era).await;
        assert_eq!(agent.names("tools").await, ["state", "lights", "seats"], "{era}");
        let list = agent.result("tools/list", json!({})).await;
        assert!(!list.to_string().contains("room_id"), "{era}: {list}");
        let lit = agent.call("lights", json!({ "on": true })).await["structuredContent"].clone();
        assert_eq!(lit["lights"], true, "{era}");
        let seated = agent.call("seats", json!({ "body": { "seats": 2 } })).await;
        assert_eq!(seated.get("isError"), None, "{era}: {seated}");
        // The whole library sees the same room, by its name.
        let main = Agent::at(&application, "/mcp", READER, era).await;
        let state = main.call("room_state", json!({ "room_id": room })).await;
        assert_eq!(state["structuredContent"], seated["structuredContent"], "{era}");
        let full = main.call("room_seats", json!({ "room_id": room, "body": { "seats": 20 } })).await;
        assert_eq!(full["isError"], true, "{era}");
    }
}

#[tokio::test]
async fn each_client_is_told_of_its_room_and_one_that_is_not_there_refuses() {
    let application = Fixture::start_application();
    let discover = |path: &str| {
        shown(mcp_tests::message::modern(1, "server/discover", json!({})).at(path), Some(READER))
    };
    let begin = |path: &str| shown(hello().at(path), Some(READER));
    for request in [discover("/rooms/garden/mcp"), begin("/rooms/garden/mcp")] {
        let reply = application.send(&request).await.reply();
        let told = reply["result"]["instructions"].as_str().unwrap();
        assert_eq!(told, "You look after the garden. When you came in, 12 seats were free.");
    }
    for request in [discover("/rooms/cellar/mcp"), begin("/rooms/cellar/mcp")] {
        let response = application.send(&request).await;
        assert_eq!(response.header("mcp-session-id"), None);
        let reply = response.reply();
        assert!(reply["error"]["message"].as_str().unwrap().contains("no room `cellar`"), "{reply}");
    }
}

#[tokio::test]
async fn a_prompt_of_a_room_runs_under_its_guard() {
    let application = Fixture::start_application();
    for era in ERAS {
        let agent = Agent::at(&application, "/rooms/attic/mcp", READER, era).await;
        let tour = agent.result("prompts/get", json!({ "name": "tour" })).await;
        let text = tour["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.contains("the attic"), "{era}: {tour}");
        let main = Agent::at(&application, "/mcp", READER, era).await;
        assert_eq!(main.names("prompts").await, ["room_tour", "reading_list"], "{era}");
        let cellar = json!({ "name": "room_tour", "arguments": { "room_id": "cellar" } });
        let refused = main.ask("prompts/get", cellar).await.reply();
        assert!(refused["error"]["message"].as_str().unwrap().contains("no room `cellar`"), "{refused}");
    }
}

#[tokio::test]
async fn a_session_belongs_to_its_room_and_to_its_card() {
    let application = Fixture::start_application();
    let mut agent = Agent::at(&application, "/rooms/garden/mcp", READER, HANDSHAKE).await;
    assert_eq!(agent.ask("tools/list", json!({})).await.status, 200);
    for (path, card) in [("/rooms/attic/mcp", READER), ("/mcp", READER), ("/rooms/garden/mcp", LIBRARIAN)] {
        (agent.path, agent.card) = (path, card);
        assert_eq!(agent.ask("tools/list", json!({})).await.status, 404, "{path} {card}");
    }
    // Nothing was switched.
    let state = application.send(&page("GET", "/rooms/garden/state", READER)).await.reply();
    assert_eq!(state["lights"], false);
}
