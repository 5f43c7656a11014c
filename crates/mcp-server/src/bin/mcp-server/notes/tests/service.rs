//! What the service does, on every protocol version.

use super::clients::{add, complaint, every_version, notes, told};
use mcp_server::{Connection, Era, Peer, ProtocolVersion, Server, Transport};
use serde_json::{Map, Value, json};
use std::{future::poll_fn, task::Poll};

#[tokio::test]
async fn a_note_lives_from_adding_to_deletion() {
    for (version, client) in every_version() {
        let id = add(&client, "Tea", "Buy green tea", &["shop"]).await;
        assert_eq!(id, "n1", "{version}");
        let read = told(&client.call_tool("get_note", json!({ "id": id })).await);
        assert_eq!(
            read,
            json!({ "id": "n1", "title": "Tea", "text": "Buy green tea", "tags": ["shop"], "revision": 1 }),
            "{version}"
        );
        let changed = client
            .call_tool("update_note", json!({ "id": id, "text": "Buy black tea", "expected_revision": 1 }))
            .await;
        assert_eq!(told(&changed)["revision"], 2, "{version}");
        let deleted = client.call_tool("delete_note", json!({ "id": id, "confirmed": true })).await;
        assert_eq!(told(&deleted)["deleted"]["text"], "Buy black tea", "{version}");
        let gone = client.call_tool("get_note", json!({ "id": id })).await;
        assert_eq!(complaint(&gone), "there is no note `n1`; list_notes shows the ids there are");
        assert_eq!(add(&client, "Next", "", &[]).await, "n2", "an id is never given out twice");
    }
}

#[tokio::test]
async fn structured_results_and_links_go_to_the_versions_that_have_them() {
    for (version, client) in every_version() {
        let answer = client.call_tool("add_note", json!({ "title": "Tea", "text": "" })).await;
        let result = answer.result().unwrap();
        let structured = version >= ProtocolVersion::ALL[2];
        assert_eq!(result.get("structuredContent").is_some(), structured, "{version}: {result}");
        let link = &result["content"][1];
        let kind = if structured { "resource_link" } else { "text" };
        assert_eq!(link["type"], kind, "{version}: {result}");
        assert!(link.to_string().contains("notes://n1"), "{version}: {result}");
    }
}

#[tokio::test]
async fn lists_come_in_pages() {
    for (version, client) in every_version() {
        for number in 1..=5 {
            add(&client, &format!("Note {number}"), "", if number == 5 { &["last"] } else { &[] }).await;
        }
        let ids = |page: &Value| -> Vec<String> {
            page["notes"].as_array().unwrap().iter().map(|note| note["id"].as_str().unwrap().into()).collect()
        };
        let first = told(&client.call_tool("list_notes", json!({ "limit": 3 })).await);
        assert_eq!(
            (ids(&first), &first["total"]),
            (vec!["n1".into(), "n2".into(), "n3".into()], &json!(5)),
            "{version}"
        );
        let after = first["next"].clone();
        let second = told(&client.call_tool("list_notes", json!({ "limit": 3, "after": after })).await);
        assert_eq!(ids(&second), ["n4", "n5"], "{version}");
        assert_eq!(second.get("next"), None, "{version}");
        let tagged = told(&client.call_tool("list_notes", json!({ "tag": "last" })).await);
        assert_eq!((ids(&tagged), &tagged["total"]), (vec!["n5".into()], &json!(1)), "{version}");
    }
}

#[tokio::test]
async fn a_search_wants_every_word_and_puts_titles_first() {
    let client = notes(10).client(ProtocolVersion::LATEST);
    add(&client, "Shopping", "milk\nGreen TEA, two boxes", &[]).await;
    add(&client, "Tea ceremony", "a green bowl", &[]).await;
    add(&client, "Coffee", "not tea", &[]).await;
    let found = told(&client.call_tool("search_notes", json!({ "query": "tea green" })).await);
    let hits: Vec<(&str, &str)> = found["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| (hit["id"].as_str().unwrap(), hit["excerpt"].as_str().unwrap()))
        .collect();
    assert_eq!(hits, [("n2", "a green bowl"), ("n1", "Green TEA, two boxes")]);
    let blank = client.call_tool("search_notes", json!({ "query": "  " })).await;
    assert!(complaint(&blank).contains("list_notes"), "{blank:?}");
}

#[tokio::test]
async fn refusals_say_what_to_do_next() {
    let client = notes(1).client(ProtocolVersion::LATEST);
    let refused = |name: &'static str, arguments: Value| {
        let client = client.clone();
        async move { complaint(&client.call_tool(name, arguments).await) }
    };
    let tags = refused("add_note", json!({ "title": "a", "text": "", "tags": ["Two words"] })).await;
    assert!(tags.contains("lower-case letters"), "{tags}");
    let title = refused("add_note", json!({ "title": "two\nlines", "text": "" })).await;
    assert!(title.contains("one line"), "{title}");
    let text = refused("add_note", json!({ "title": "a", "text": "ä".repeat(40_000) })).await;
    assert!(text.contains("80000 bytes"), "{text}");
    add(&client, "only", "", &[]).await;
    let full = refused("add_note", json!({ "title": "a", "text": "" })).await;
    assert!(full.contains("delete_note"), "{full}");
    let stale = refused("update_note", json!({ "id": "n1", "text": "x", "expected_revision": 7 })).await;
    assert!(stale.contains("revision 1, not 7") && stale.contains("get_note"), "{stale}");
    let empty = refused("update_note", json!({ "id": "n1" })).await;
    assert!(empty.contains("`title`, `text` or `tags`"), "{empty}");
    for id in ["n01", "n+1", "1", "index", "n18446744073709551616"] {
        assert!(refused("get_note", json!({ "id": id })).await.contains("there is no note"), "{id}");
    }
}

#[tokio::test]
async fn an_import_reports_progress_and_names_what_it_refused() {
    for (version, client) in every_version() {
        let mut meta = Map::new();
        meta.insert("progressToken".into(), json!("p"));
        // The schema has nothing against a control character; the store has.
        let new = json!([{ "title": "a", "text": "" }, { "title": "\u{7}", "text": "" }, { "title": "c", "text": "" }]);
        let params = json!({ "name": "import_notes", "arguments": { "notes": new } });
        let answer = client.request_with_meta("tools/call", params, meta).await;
        let imported = told(&answer);
        assert_eq!(imported["added"], json!(["n1", "n2"]), "{version}");
        assert_eq!(imported["refused"][0]["position"], 1, "{version}");
        let steps: Vec<f64> = answer
            .notifications
            .iter()
            .filter(|message| message["method"] == "notifications/progress")
            .map(|message| message["params"]["progress"].as_f64().unwrap())
            .collect();
        assert_eq!(steps, [1.0, 2.0, 3.0], "{version}: {answer:?}");
        let logs = answer.notifications.len() - steps.len();
        assert_eq!(logs, if version.era() == Era::Handshake { 2 } else { 0 }, "{version}: {answer:?}");
    }
}

#[tokio::test]
async fn notes_are_resources() {
    for (version, client) in every_version() {
        add(&client, "Tea", "green", &["shop"]).await;
        let listed = client.request("resources/list", Value::Null).await;
        let uris: Vec<&str> = listed.result().unwrap()["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|resource| resource["uri"].as_str().unwrap())
            .collect();
        assert_eq!(uris, ["notes://index", "notes://n1"], "{version}");
        let read = async |uri: &str| client.read_resource(uri).await.result().unwrap()["contents"][0].clone();
        let note = read("notes://n1").await;
        assert_eq!((&note["text"], &note["mimeType"]), (&json!("# Tea\n\ngreen"), &json!("text/markdown")));
        assert_eq!(
            read("notes://index").await["text"],
            "# Notes (1)\n\n- [Tea](notes://n1) #shop",
            "{version}"
        );
        let missing = client.read_resource("notes://n9").await;
        let code = if version.era() == Era::Modern { -32602 } else { -32002 };
        assert_eq!(missing.code(), Some(code), "{version}");
    }
}

#[tokio::test]
async fn prompts_embed_notes_and_complete_their_arguments() {
    for (version, client) in every_version() {
        add(&client, "Tea", "green", &["shop", "shared"]).await;
        let summary = client.get_prompt("summarise_note", json!({ "id": "n1" })).await;
        let messages = summary.result().unwrap()["messages"].clone();
        assert_eq!(messages[1]["content"]["resource"]["text"], "green", "{version}");
        let plan = client.get_prompt("plan_from_notes", json!({ "topic": "tea", "tone": "brief" })).await;
        assert!(plan.result().unwrap().to_string().contains("five lines"), "{version}: {plan:?}");
        let unknown = client.get_prompt("summarise_note", json!({ "id": "n7" })).await;
        assert_eq!(unknown.code(), Some(-32602), "{version}");
        let complete = async |reference: Value, name: &str, value: &str| {
            let params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
            client.request("completion/complete", params).await.result().unwrap()["completion"]["values"]
                .clone()
        };
        let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
        assert_eq!(complete(prompt("summarise_note"), "id", "te").await, json!(["n1"]), "{version}");
        assert_eq!(complete(prompt("plan_from_notes"), "topic", "sh").await, json!(["shared", "shop"]));
        assert_eq!(complete(prompt("plan_from_notes"), "tone", "d").await, json!(["detailed"]));
        let template = json!({ "type": "ref/resource", "uri": "notes://{id}" });
        assert_eq!(complete(template, "id", "n").await, json!(["n1"]), "{version}");
    }
}

#[tokio::test]
async fn tools_say_what_they_do_and_show_an_icon() {
    for (version, client) in every_version() {
        let listed = client.list_tools().await;
        let tools = listed.result().unwrap()["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 8, "{version}");
        let named = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
        if version >= ProtocolVersion::ALL[1] {
            assert_eq!(named("search_notes")["annotations"]["readOnlyHint"], true, "{version}");
            assert_eq!(named("delete_note")["annotations"]["destructiveHint"], true, "{version}");
        }
        if version >= ProtocolVersion::ALL[3] {
            let icon = named("add_note")["icons"][0]["src"].as_str().unwrap();
            assert!(icon.starts_with("data:image/svg+xml;base64,"), "{version}: {icon}");
        }
    }
}

/// A connection of a handshake client that has said hello and subscribed to a note.
async fn subscribed(server: &Server, uri: &str) -> Connection {
    let mut connection = Connection::new(server.clone(), Peer::anonymous(Transport::InProcess));
    let version = ProtocolVersion::LATEST_HANDSHAKE.as_str();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
    let capabilities = reply(&mut connection, hello).await["result"]["capabilities"].clone();
    assert_eq!(capabilities["resources"], json!({ "subscribe": true, "listChanged": true }));
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(connection.receive(initialized.to_string().into()).is_none());
    let subscribe =
        json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": { "uri": uri } });
    assert_eq!(reply(&mut connection, subscribe).await["result"], json!({}));
    connection
}

async fn reply(connection: &mut Connection, message: Value) -> Value {
    let mut exchange = connection.receive(message.to_string().into()).unwrap();
    match poll_fn(|context| exchange.poll_message(context)).await {
        Some(mcp_server::Outgoing::Reply(reply)) => serde_json::from_slice(&reply.body).unwrap(),
        other => panic!("no reply but {other:?}"),
    }
}

/// The changes that wait for a connection, each as its method and URI.
async fn changes(connection: &mut Connection) -> Vec<(String, Option<String>)> {
    let mut heard = Vec::new();
    poll_fn(|context| {
        while let Poll::Ready(message) = connection.poll_change(context) {
            let message: Value = serde_json::from_slice(&message).unwrap();
            let uri = message["params"]["uri"].as_str().map(str::to_owned);
            heard.push((message["method"].as_str().unwrap().to_owned(), uri));
        }
        Poll::Ready(())
    })
    .await;
    heard.sort();
    heard
}

#[tokio::test]
async fn subscribers_hear_of_every_change_that_concerns_them() {
    let server = notes(10);
    let client = server.client(ProtocolVersion::LATEST);
    let id = add(&client, "Tea", "", &[]).await;
    let other = add(&client, "Coffee", "", &[]).await;
    let mut connection = subscribed(&server, &format!("notes://{id}")).await;
    let list = ("notifications/resources/list_changed".to_owned(), None);
    let updated = ("notifications/resources/updated".to_owned(), Some(format!("notes://{id}")));
    let calls = [
        ("update_note", json!({ "id": id, "text": "x" }), vec![list.clone(), updated.clone()]),
        ("update_note", json!({ "id": other, "text": "x" }), vec![list.clone()]),
        ("update_note", json!({ "id": id, "text": "x", "expected_revision": 9 }), vec![]),
        ("add_note", json!({ "title": "More", "text": "" }), vec![list.clone()]),
        ("get_note", json!({ "id": id }), vec![]),
        ("delete_note", json!({ "id": id }), vec![]),
        ("delete_note", json!({ "id": id, "confirmed": true }), vec![list, updated]),
    ];
    for (tool, arguments, expected) in calls {
        client.call_tool(tool, arguments).await;
        assert_eq!(changes(&mut connection).await, expected, "{tool}");
    }
}

#[tokio::test]
async fn a_full_store_of_the_longest_notes_can_still_be_listed() {
    let server = crate::notes::in_memory().unwrap();
    let client = server.client(ProtocolVersion::LATEST);
    let note = json!({ "title": "\u{1F375}".repeat(120), "text": "", "tags": vec!["a".repeat(32); 8] });
    for _ in 0..5 {
        let arguments = json!({ "notes": vec![note.clone(); 200] });
        let imported = told(&client.call_tool("import_notes", arguments).await);
        assert_eq!(imported["added"].as_array().unwrap().len(), 200, "{}", imported["refused"]);
    }
    assert!(complaint(&client.call_tool("add_note", note).await).contains("1000 notes"));
    let listed = client.request("resources/list", Value::Null).await;
    assert_eq!(listed.result().unwrap()["resources"].as_array().unwrap().len(), 1_001);
    assert!(client.read_resource("notes://index").await.result().is_some());
    assert!(!client.call_tool("list_notes", json!({ "limit": 200 })).await.is_error());
}
