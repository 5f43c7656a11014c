//! What guards the application guards it from agents, too.

use super::{Agent, ERAS, LIBRARIAN, READER, hello, page, shown};
use mcp_tests::{fixture::Fixture, http_client::Request, message::modern};
use serde_json::json;

#[tokio::test]
async fn nobody_comes_in_without_a_card() {
    let application = Fixture::start_application();
    let requests = [
        Request::new("GET", "/books"),
        Request::new("GET", "/mcp"),
        modern(1, "tools/list", json!({})),
        modern(1, "server/discover", json!({})).at("/rooms/garden/mcp"),
        hello(),
        hello().at("/rooms/garden/mcp"),
    ];
    for request in &requests {
        for card in [None, Some("card-8")] {
            let response = application.send(&shown(request.clone(), card)).await;
            assert_eq!(response.status, 401, "{request:?}");
            assert_eq!(response.header("www-authenticate"), Some(r#"Bearer realm="library""#));
            assert_eq!(response.header("mcp-session-id"), None, "{request:?}");
        }
    }
    for open in ["/health", "/openapi.json"] {
        assert_eq!(application.send(&Request::new("GET", open)).await.status, 200, "{open}");
    }
}

#[tokio::test]
async fn what_only_librarians_may_do_readers_agents_cannot() {
    let application = Fixture::start_application();
    for (era, title) in ERAS.into_iter().zip(["Emma", "Persuasion"]) {
        let book = json!({ "title": title, "author": "Jane Austen", "year": 1815 });
        let reader = Agent::at(&application, "/mcp", READER, era).await;
        let librarian = Agent::at(&application, "/mcp", LIBRARIAN, era).await;
        let refused = reader.call("books_add", json!({ "body": book })).await;
        assert_eq!(refused["isError"], true, "{era}");
        assert_eq!(refused["content"][0]["text"], "only librarians may do that", "{era}");
        let added = librarian.call("books_add", json!({ "body": book })).await["structuredContent"].clone();
        assert_eq!(added["title"], title, "{era}");
        let doubled = librarian.call("books_add", json!({ "body": book })).await;
        assert_eq!(doubled["isError"], true, "{era}: {doubled}");
        assert_eq!(reader.call("books_show", json!({ "id": added["id"] })).await["structuredContent"], added);
    }
}

#[tokio::test]
async fn a_card_among_the_arguments_opens_nothing() {
    let application = Fixture::start_application();
    let book = json!({ "title": "Emma", "author": "Jane Austen", "year": 1815 });
    for era in ERAS {
        let reader = Agent::at(&application, "/mcp", READER, era).await;
        for arguments in [
            json!({ "body": book, "authorization": "Bearer card-1" }),
            json!({ "body": book, "headers": { "authorization": "Bearer card-1" } }),
        ] {
            let reply =
                reader.ask("tools/call", json!({ "name": "books_add", "arguments": arguments })).await;
            let reply = reply.reply();
            assert!(reply["error"].is_object() || reply["result"]["isError"] == true, "{era}: {reply}");
        }
    }
    let found = application.send(&page("GET", "/books?text=emma", READER)).await.reply();
    assert_eq!(found["total"], 0);
}

#[tokio::test]
async fn what_is_not_exposed_is_for_people_only() {
    let application = Fixture::start_application();
    for era in ERAS {
        let librarian = Agent::at(&application, "/mcp", LIBRARIAN, era).await;
        let tools = librarian.names("tools").await;
        assert!(!tools.iter().any(|name| name.contains("withdraw")), "{era}: {tools:?}");
        let call = json!({ "name": "books_withdraw", "arguments": { "id": 4 } });
        assert!(librarian.ask("tools/call", call).await.error_code().is_some(), "{era}");
    }
    assert_eq!(application.send(&page("DELETE", "/books/4", READER)).await.status, 403);
    assert_eq!(application.send(&page("DELETE", "/books/4", LIBRARIAN)).await.status, 204);
    assert_eq!(application.send(&page("GET", "/books/4", READER)).await.status, 404);
}
