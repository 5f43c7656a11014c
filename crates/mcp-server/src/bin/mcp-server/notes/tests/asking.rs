//! What is asked of the user and of the client's model.

use super::clients::{add, complaint, every_version, notes, told};
use crate::notes::{
    Notes,
    catalogue::server,
    memory::MemoryNotes,
    note::{Edit, NoteId},
};
use mcp_server::{Era, ProtocolVersion, TestClient};
use serde_json::{Value, json};
use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
};

/// A client whose user decides so about every deletion.
fn deciding(client: TestClient, answer: Value) -> TestClient {
    client.answering(move |_| answer.clone())
}

/// Those who have forms, asked in rounds and asked while the handler waits.
fn asked_clients() -> impl Iterator<Item = (String, TestClient)> {
    let rounds = every_version().map(|(version, client)| (version, "in rounds", client));
    let live = every_version().map(|(version, client)| (version, "live", client.live()));
    let with_forms = rounds.chain(live).filter(|(version, ..)| *version >= ProtocolVersion::ALL[2]);
    with_forms.map(|(version, how, client)| (format!("{version} {how}"), client))
}

#[tokio::test]
async fn a_note_goes_only_if_the_user_wants_it_to() {
    for (how, client) in asked_clients() {
        let id = add(&client, "Tea", "green", &[]).await;
        let refusals = [
            json!({ "action": "decline" }),
            json!({ "action": "cancel" }),
            json!({ "action": "accept", "content": { "delete": false } }),
        ];
        for refusal in refusals {
            let client = deciding(client.clone(), refusal.clone());
            // What the model claims does not count where the user can be asked.
            let kept = client.call_tool("delete_note", json!({ "id": id, "confirmed": true })).await;
            assert!(complaint(&kept).contains("n1 is kept"), "{how}, {refusal}: {kept:?}");
            assert!(!client.call_tool("get_note", json!({ "id": id })).await.is_error(), "{how}");
        }
        let client = deciding(client, json!({ "action": "accept", "content": { "delete": true } }));
        let gone = client.call_tool("delete_note", json!({ "id": id })).await;
        assert_eq!(gone.asked[0]["params"]["message"], "Delete \"Tea\" (n1, revision 1) for good?", "{how}");
        assert_eq!(gone.asked.len(), 1, "{how}: {gone:?}");
        assert_eq!(told(&gone)["deleted"]["id"], "n1", "{how}");
    }
}

#[tokio::test]
async fn where_nobody_can_be_asked_the_model_has_to_have_asked() {
    for (version, client) in every_version() {
        let id = add(&client, "Tea", "green", &[]).await;
        for arguments in [json!({ "id": id }), json!({ "id": id, "confirmed": false })] {
            let refused = complaint(&client.call_tool("delete_note", arguments).await);
            assert!(refused.contains("`confirmed: true`"), "{version}: {refused}");
        }
        let gone = client.call_tool("delete_note", json!({ "id": id, "confirmed": true })).await;
        assert_eq!(told(&gone)["deleted"]["id"], "n1", "{version}");
    }
}

#[tokio::test]
async fn a_note_that_changes_while_the_user_decides_does_not_go() {
    for version in [ProtocolVersion::LATEST, ProtocolVersion::LATEST_HANDSHAKE] {
        let store: Notes = Arc::new(MemoryNotes::new());
        let client = server(Arc::clone(&store)).unwrap().client(version).live();
        let id = add(&client, "Tea", "green", &[]).await;
        let client = client.answering(move |asked| {
            let first = asked.params["message"].as_str().unwrap().contains("revision 1)");
            if first {
                let edit = Edit { text: Some("black".into()), ..Edit::default() };
                let id = NoteId::numbered(1);
                // A store in memory never waits.
                assert!(
                    pin!(store.update(&id, edit)).poll(&mut Context::from_waker(Waker::noop())).is_ready()
                );
            }
            json!({ "action": "accept", "content": { "delete": first } })
        });
        let answer = client.call_tool("delete_note", json!({ "id": id })).await;
        let refused = complaint(&answer);
        match version.era() {
            // The handler runs again, finds another note, and asks about that one.
            Era::Modern => assert!(answer.asked.len() == 2 && refused.contains("is kept"), "{answer:?}"),
            Era::Handshake => assert!(refused.contains("revision 2, not 1"), "{refused}"),
        }
        let kept = told(&client.call_tool("get_note", json!({ "id": id })).await);
        assert_eq!(kept["text"], "black", "{version}");
    }
}

#[tokio::test]
async fn a_summary_is_what_the_clients_model_says() {
    for (version, client) in every_version() {
        let id = add(&client, "Tea", "Green tea, two boxes.", &[]).await;
        let client = client.answering(|_| {
            json!({ "role": "assistant", "model": "m-1", "stopReason": "maxTokens",
                "content": { "type": "text", "text": "Two boxes of" } })
        });
        let answer = client.call_tool("summarise_note", json!({ "id": id })).await;
        assert_eq!(
            told(&answer),
            json!({ "id": "n1", "revision": 1, "summary": "Two boxes of", "model": "m-1", "cut": true }),
            "{version}"
        );
        let [asked] = &*answer.asked else { panic!("{version}: {answer:?}") };
        assert_eq!(asked["method"], "sampling/createMessage", "{version}");
        let message = &asked["params"]["messages"][0];
        assert_eq!(message["content"]["text"], "# Tea\n\nGreen tea, two boxes.", "{version}");
    }
}

#[tokio::test]
async fn a_summary_that_cannot_be_had_is_refused_with_another_way() {
    for (version, client) in every_version() {
        let id = add(&client, "Tea", "green", &[]).await;
        let blank = add(&client, "Blank", "", &[]).await;
        let refused = complaint(&client.call_tool("summarise_note", json!({ "id": id })).await);
        assert!(refused.contains("read n1 with get_note"), "{version}: {refused}");
        let refused = complaint(&client.call_tool("summarise_note", json!({ "id": blank })).await);
        assert!(refused.contains("no text to summarise"), "{version}: {refused}");
        let silent = client.answering(
            |_| json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": " " } }),
        );
        let refused = complaint(&silent.call_tool("summarise_note", json!({ "id": id })).await);
        assert!(refused.contains("without text"), "{version}: {refused}");
    }
    let unknown =
        notes(1).client(ProtocolVersion::LATEST).call_tool("summarise_note", json!({ "id": "n9" })).await;
    assert!(complaint(&unknown).contains("there is no note"), "{unknown:?}");
}
