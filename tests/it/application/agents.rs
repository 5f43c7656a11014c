//! What agents get is what people get.

use super::{Agent, ERAS, LIBRARIAN, READER, page};
use mcp_tests::{fixture::Fixture, http_client::Request};
use serde_json::{Value, json};

/// The routes that answer with a body, as people and agents ask for them.
fn readings() -> [(&'static str, &'static str, Value); 8] {
    [
        ("/books?limit=3", "books_search", json!({})),
        ("/books?text=wells&limit=1", "books_search", json!({ "text": "wells", "limit": 1 })),
        ("/books/2", "books_show", json!({ "id": 2 })),
        ("/books/99", "books_show", json!({ "id": 99 })),
        ("/books/1/pages?layout=plain", "book_pages", json!({ "id": 1 })),
        ("/books/1/reading", "book_read_aloud", json!({ "id": 1 })),
        ("/hours", "hours", json!({})),
        ("/rooms/garden/state", "room_state", json!({ "room_id": "garden" })),
    ]
}

#[tokio::test]
async fn a_tool_tells_agents_what_its_route_tells_people() {
    let application = Fixture::start_application();
    for era in ERAS {
        let agent = Agent::at(&application, "/mcp", READER, era).await;
        for (path, tool, arguments) in readings() {
            let page = application.send(&page("GET", path, READER)).await;
            let result = agent.call(tool, arguments).await;
            assert_eq!(result["content"][0]["text"], page.text(), "{era}: {tool}");
            assert_eq!(result["isError"] == true, page.status >= 400, "{era}: {tool}");
            if page.status == 200 && page.header("content-type") == Some("application/json") {
                assert_eq!(result["structuredContent"], page.reply(), "{era}: {tool}");
            }
        }
    }
}

#[tokio::test]
async fn a_header_field_a_picture_and_a_link_arrive_as_what_they_are() {
    let application = Fixture::start_application();
    for era in ERAS {
        let agent = Agent::at(&application, "/mcp", READER, era).await;
        let hours = agent.call("hours", json!({ "accept-language": "de" })).await;
        assert_eq!(hours["content"][0]["text"], "Täglich von 9 bis 18 Uhr", "{era}");
        let cover = agent.call("book_cover", json!({ "id": 1 })).await;
        let block = &cover["content"][0];
        assert_eq!((&block["type"], &block["mimeType"]), (&json!("image"), &json!("image/png")), "{era}");
        let link = agent.call("recommend", json!({ "before": 1870 })).await["content"][0].clone();
        assert_eq!((&link["type"], &link["uri"]), (&json!("resource_link"), &json!("book://2")), "{era}");
        let read = agent.result("resources/read", json!({ "uri": link["uri"] })).await;
        let contents = &read["contents"][0];
        assert_eq!(contents["mimeType"], link["mimeType"], "{era}");
        assert!(contents["text"].as_str().unwrap().contains("Moby-Dick"), "{era}: {read}");
    }
}

#[tokio::test]
async fn resources_are_read_through_their_routes_and_a_404_is_not_found() {
    let application = Fixture::start_application();
    for (era, unknown) in ERAS.into_iter().zip([-32602, -32002]) {
        let agent = Agent::at(&application, "/mcp", READER, era).await;
        assert_eq!(agent.names("resources").await, ["hours"], "{era}");
        let templates = agent.result("resources/templates/list", json!({})).await;
        assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "book://{id}", "{era}");
        let hours = agent.result("resources/read", json!({ "uri": "library://hours" })).await;
        assert_eq!(hours["contents"][0]["text"], "Every day from 9 to 18", "{era}");
        let missing = agent.ask("resources/read", json!({ "uri": "book://99" })).await;
        assert_eq!(missing.error_code(), Some(unknown), "{era}");
    }
}

#[tokio::test]
async fn a_loan_is_told_with_its_status_and_its_place_and_people_see_it() {
    let application = Fixture::start_application();
    for era in ERAS {
        let agent = Agent::at(&application, "/mcp", READER, era).await;
        let wish = json!({ "body": { "book": 3, "days": 14 } });
        let borrowed = agent.call("loans_borrow", wish.clone()).await["structuredContent"].clone();
        assert_eq!(
            (&borrowed["status"], &borrowed["headers"]["location"]),
            (&json!(201), &json!("/loans/3"))
        );
        assert_eq!(borrowed["body"]["title"], "The Time Machine", "{era}");
        let again = agent.call("loans_borrow", wish).await;
        // Its body is no loan, so that it does not fit the published schema: it is text alone.
        let said = again["content"][0]["text"].as_str().unwrap();
        assert_eq!((&again["isError"], again.get("structuredContent")), (&json!(true), None), "{era}");
        assert!(said.contains(r#""status":409"#) && said.contains("book 3 is lent"), "{era}: {said}");
        let own = application.send(&page("GET", "/loans", READER)).await.reply();
        assert_eq!(own["loans"][0]["book"], 3, "{era}");
        let of_another = application.send(&page("GET", "/loans", LIBRARIAN)).await.reply();
        assert_eq!(of_another["loans"], json!([]), "{era}");
        let back = agent.call("loans_give_back", json!({ "book": 3 })).await;
        assert_eq!(back["structuredContent"], json!({ "status": 204 }), "{era}");
        let twice = agent.call("loans_give_back", json!({ "book": 3 })).await;
        assert_eq!(twice["structuredContent"]["status"], 404, "{era}");
    }
}

#[tokio::test]
async fn the_document_the_router_and_the_catalogue_agree() {
    let application = Fixture::start_application();
    let document = application.send(&Request::new("GET", "/openapi.json")).await.reply();
    let agent = Agent::at(&application, "/mcp", READER, ERAS[0]).await;
    let tools = agent.result("tools/list", json!({})).await["tools"].clone();
    let mut exposed = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let concrete = path.replace("{id}", "99");
            let answered = application.send(&page(&method.to_uppercase(), &concrete, READER)).await;
            assert!(answered.status != 405, "{method} {path}: {}", answered.status);
            let name = format!("books_{}", operation["operationId"].as_str().unwrap());
            let Some(tool) = tools.as_array().unwrap().iter().find(|tool| tool["name"] == *name) else {
                continue;
            };
            assert_eq!(tool["title"], operation["summary"], "{name}");
            assert_eq!(tool["description"], operation["description"], "{name}");
            for parameter in operation["parameters"].as_array().unwrap() {
                let published = &tool["inputSchema"]["properties"][parameter["name"].as_str().unwrap()];
                assert_eq!(published["description"], parameter["description"], "{name}: {parameter}");
            }
            exposed.push(name);
        }
    }
    exposed.sort();
    assert_eq!(exposed, ["books_add", "books_search", "books_show"]);
    assert_eq!(document["components"]["securitySchemes"]["card"]["scheme"], "bearer");
}
