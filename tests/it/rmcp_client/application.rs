//! The application whose routes agents use: its tools, resources and prompts, a room of it, and who may come in.

use super::visitor::{Begin, Reports, Visitor, text, tool_call, try_at, within};
use mcp_tests::fixture::Fixture;
use rmcp::{
    model::{
        CallToolRequest, ClientRequest, GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams,
        ResourceContents,
    },
    service::PeerRequestOptions,
};
use serde_json::json;

const READER: &str = "card-7";
const LIBRARIAN: &str = "card-1";

/// Each era, begun as its clients begin.
fn eras() -> [Begin; 2] {
    [Begin::Discover, Begin::Handshake(ProtocolVersion::V_2025_11_25)]
}

async fn at(application: &Fixture, path: &str, card: &str, begin: Begin) -> (Visitor, Reports) {
    let url = format!("http://{}{path}", application.address());
    try_at(&url, Some(card), begin).await.unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[tokio::test]
async fn every_route_that_is_exposed_is_a_tool_that_works() {
    let application = Fixture::start_application();
    for begin in eras() {
        let (reader, _) = at(&application, "/mcp", READER, begin).await;
        let calls = [
            ("books_search", json!({ "text": "wells" })),
            ("books_show", json!({ "id": 2 })),
            ("book_cover", json!({ "id": 2 })),
            ("book_pages", json!({ "id": 2 })),
            ("book_read_aloud", json!({ "id": 2 })),
            ("loans_borrow", json!({ "body": { "book": 2, "days": 7 } })),
            ("loans_mine", json!({})),
            ("loans_give_back", json!({ "book": 2 })),
            ("room_state", json!({ "room_id": "garden" })),
            ("room_lights", json!({ "room_id": "garden", "on": true })),
            ("room_seats", json!({ "room_id": "garden", "body": { "seats": 1 } })),
            ("hours", json!({ "accept-language": "de" })),
            ("recommend", json!({ "before": 1900 })),
        ];
        for (tool, arguments) in &calls {
            let result = reader.call(tool, arguments.clone()).await;
            assert_ne!(result.is_error, Some(true), "{reader}: {tool}: {result:?}");
        }
        let tools = reader.client.list_all_tools().await.unwrap();
        let mut listed: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        let mut called: Vec<&str> = calls.iter().map(|(tool, _)| *tool).collect();
        called.extend(["books_add", "take_stock"]); // for librarians
        listed.sort_unstable();
        called.sort_unstable();
        assert_eq!(listed, called, "{reader}");
        reader.leave().await;
    }
}

#[tokio::test]
async fn results_of_routes_come_as_structure_pictures_links_and_failures() {
    let application = Fixture::start_application();
    for begin in eras() {
        let (reader, _) = at(&application, "/mcp", READER, begin).await;
        let book = reader.call("books_show", json!({ "id": 2 })).await.structured_content.unwrap();
        assert_eq!(book["title"], "Moby-Dick", "{reader}");
        let cover = reader.call("book_cover", json!({ "id": 2 })).await;
        assert_eq!(cover.content[0].as_image().unwrap().mime_type, "image/png", "{reader}");
        let link = reader.call("recommend", json!({ "before": 1870 })).await;
        let link = link.content[0].as_resource_link().unwrap().uri.clone();
        let read = reader.client.read_resource(ReadResourceRequestParams::new(link));
        let read = within("reading", read).await.unwrap();
        let [ResourceContents::TextResourceContents { text: contents, .. }] = &read.contents[..] else {
            panic!("{reader}: one text was expected: {read:?}");
        };
        assert!(contents.contains("Moby-Dick"), "{reader}: {contents}");
        let missing = reader.call("books_show", json!({ "id": 99 })).await;
        assert_eq!(missing.is_error, Some(true), "{reader}");
        assert!(text(&missing).contains("no book 99"), "{reader}: {missing:?}");
        let refused =
            reader.call("books_add", json!({ "body": { "title": "a", "author": "b", "year": 1 } })).await;
        assert_eq!(
            (refused.is_error, text(&refused)),
            (Some(true), "only librarians may do that"),
            "{reader}"
        );
        reader.leave().await;
    }
}

#[tokio::test]
async fn what_runs_behind_a_route_reports_progress_to_its_agent() {
    let application = Fixture::start_application();
    for begin in eras() {
        let (librarian, mut reports) = at(&application, "/mcp", LIBRARIAN, begin).await;
        let call = tool_call("take_stock", json!({}));
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(call));
        let options = PeerRequestOptions::no_options();
        let handle = librarian.client.send_cancellable_request(request, options).await.unwrap();
        within("the call", handle.await_response()).await.unwrap();
        for done in 1_u32..=4 {
            let report = within("progress", reports.recv()).await.unwrap();
            assert_eq!((report.progress, report.total), (f64::from(done), Some(4.0)), "{librarian}");
        }
        librarian.leave().await;
    }
}

#[tokio::test]
async fn a_room_is_a_server_of_its_own() {
    let application = Fixture::start_application();
    for begin in eras() {
        let (visitor, _) = at(&application, "/rooms/attic/mcp", READER, begin).await;
        let server = visitor.client.peer_info().unwrap();
        assert!(server.instructions.as_ref().unwrap().contains("the attic"), "{visitor}");
        let tools = visitor.client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["state", "lights", "seats"], "{visitor}");
        let lit = visitor.call("lights", json!({ "on": true })).await.structured_content.unwrap();
        assert_eq!(lit["lights"], true, "{visitor}");
        let prompt = visitor.client.get_prompt(GetPromptRequestParams::new("tour"));
        let prompt = within("the prompt", prompt).await.unwrap();
        assert!(format!("{:?}", prompt.messages).contains("attic"), "{visitor}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_client_without_a_card_or_in_no_room_does_not_connect() {
    let application = Fixture::start_application();
    for begin in eras() {
        for (path, card) in [("/mcp", None), ("/mcp", Some("card-8")), ("/rooms/cellar/mcp", Some(READER))] {
            let url = format!("http://{}{path}", application.address());
            let connected = try_at(&url, card, begin.clone()).await;
            assert!(connected.is_err(), "{begin:?}: {path} with {card:?}");
        }
    }
}
