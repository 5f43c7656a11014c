//! What the server tells on its own, what only a handshake has, and a stream that the server closes early.

use super::visitor::{Begin, News, Over, Visitor, connect, everywhere, text, within};
use rmcp::model::{
    ClientRequest, LoggingLevel, PingRequest, PingRequestMethod, ProtocolVersion, ServerNotification,
    ServerResult, SetLevelRequest, SetLevelRequestParams, SubscribeRequest, SubscribeRequestParams,
    SubscriptionFilter,
};
use serde_json::json;

/// A visitor that shook hands, over each transport.
async fn after_a_handshake() -> Vec<Visitor> {
    let mut visitors = Vec::new();
    for over in [Over::Http, Over::Stdio] {
        visitors.push(connect(over, Begin::Handshake(ProtocolVersion::V_2025_11_25)).await.0);
    }
    visitors
}

async fn ask(visitor: &Visitor, request: impl Into<ClientRequest>) {
    let answer = within("the answer", visitor.client.send_request(request.into())).await;
    assert!(matches!(answer, Ok(ServerResult::EmptyResult(_))), "{visitor}: {answer:?}");
}

async fn hears(visitor: &mut Visitor, expected: &News) {
    loop {
        let news = within("news", visitor.news.recv()).await.expect("the client goes on");
        if news == *expected {
            return;
        }
    }
}

#[tokio::test]
async fn messages_arrive_from_the_level_on_that_was_asked_for() {
    for mut visitor in after_a_handshake().await {
        ask(&visitor, SetLevelRequest::new(SetLevelRequestParams::new(LoggingLevel::Error))).await;
        visitor.call("log_all", json!({})).await;
        for level in
            [LoggingLevel::Error, LoggingLevel::Critical, LoggingLevel::Alert, LoggingLevel::Emergency]
        {
            let message = within("a message", visitor.news.recv()).await;
            assert_eq!(message, Some(News::Message(level)), "{visitor}");
        }
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_ping_is_answered() {
    for visitor in after_a_handshake().await {
        ask(&visitor, PingRequest { method: PingRequestMethod, extensions: Default::default() }).await;
        visitor.leave().await;
    }
}

#[tokio::test]
async fn changed_lists_are_told_after_a_handshake() {
    for mut visitor in after_a_handshake().await {
        visitor.call("test_trigger_tool_change", json!({})).await;
        hears(&mut visitor, &News::Tools).await;
        visitor.call("test_trigger_prompt_change", json!({})).await;
        hears(&mut visitor, &News::Prompts).await;
        visitor.leave().await;
    }
}

#[tokio::test]
async fn an_update_of_a_resource_is_told_to_who_subscribed_to_it() {
    let begin = Begin::Handshake(ProtocolVersion::V_2025_11_25);
    let (mut visitor, _) = connect(Over::Http, begin).await;
    ask(&visitor, SubscribeRequest::new(SubscribeRequestParams::new("test://tick"))).await;
    let server = visitor.server.as_ref().expect("the server was started here");
    server.control("POST", "/updated?uri=test://other").await;
    server.control("POST", "/updated?uri=test://tick").await;
    let news = within("news", visitor.news.recv()).await;
    assert_eq!(news, Some(News::Updated("test://tick".to_owned())));
    visitor.leave().await;
}

#[tokio::test]
async fn a_subscription_hears_what_it_asked_for() {
    for over in [Over::Http, Over::Stdio] {
        let (visitor, _) = connect(over, Begin::Discover).await;
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let mut subscription = within("listening", visitor.client.listen(filter)).await.unwrap();
        assert_eq!(subscription.acknowledged().tools_list_changed, Some(true), "{visitor}");
        // The filter leaves prompts out.
        visitor.call("test_trigger_prompt_change", json!({})).await;
        visitor.call("test_trigger_tool_change", json!({})).await;
        let news = within("news", subscription.next()).await.unwrap();
        assert!(
            matches!(news, Some(ServerNotification::ToolListChangedNotification(_))),
            "{visitor}: {news:?}"
        );
        within("the end", subscription.cancel()).await.unwrap();
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_result_arrives_though_the_server_closed_the_stream_of_its_call() {
    for (visitor, _) in everywhere().await {
        let result = visitor.call("test_reconnection", json!({})).await;
        assert_eq!(text(&result), "The client came back, or never had to leave.", "{visitor}");
        visitor.leave().await;
    }
}
