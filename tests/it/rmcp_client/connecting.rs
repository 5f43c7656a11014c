//! Which revision the client and the server agree on, and what the client learns of the server.

use super::visitor::{Begin, Over, connect, everywhere};
use rmcp::model::ProtocolVersion;

const WITH_HANDSHAKE: [ProtocolVersion; 4] = [
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
];

#[tokio::test]
async fn a_client_that_may_choose_speaks_the_newest_revision() {
    for over in [Over::Http, Over::Stdio] {
        for begin in [Begin::Auto, Begin::Discover] {
            let (visitor, _) = connect(over, begin).await;
            let server = visitor.client.peer_info().unwrap();
            assert_eq!(server.protocol_version, ProtocolVersion::V_2026_07_28, "{visitor}");
            visitor.leave().await;
        }
    }
}

#[tokio::test]
async fn a_client_that_shakes_hands_gets_the_revision_it_proposes() {
    for over in [Over::Http, Over::Stdio] {
        for version in WITH_HANDSHAKE {
            let (visitor, _) = connect(over, Begin::Handshake(version.clone())).await;
            assert_eq!(visitor.client.peer_info().unwrap().protocol_version, version, "{visitor}");
            let tools = visitor.client.list_all_tools().await.unwrap();
            assert!(!tools.is_empty(), "{visitor}");
            visitor.leave().await;
        }
    }
}

#[tokio::test]
async fn the_client_learns_who_the_server_is_and_what_it_offers() {
    for (visitor, _) in everywhere().await {
        let server = visitor.client.peer_info().unwrap();
        let identity = server.server_info.as_ref().expect("the server names itself");
        assert_eq!(identity.name, "everything", "{visitor}");
        let offers = &server.capabilities;
        assert!(offers.tools.is_some() && offers.resources.is_some(), "{visitor}");
        assert!(offers.prompts.is_some() && offers.completions.is_some(), "{visitor}");
        assert!(server.instructions.is_some(), "{visitor}");
        visitor.leave().await;
    }
}
