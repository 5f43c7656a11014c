//! Asks in a session over HTTP: by events where the request accepts them, and what becomes of pages elsewhere.

use super::fixture::{Fresh, everything, sent, told};
use crate::wire::{Headers, plain};
use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{
    admit::{HeaderField, RequestHead},
    context::Transport,
    exchange::Exchange,
    extract::Client,
    handler::ToolError,
    ports::{
        Appended, EventId, EventLimits, EventLog, ListViewChange, ListViewUpdate, Replay, SessionKey,
        SessionLimits, SessionRecord, SessionStore, SessionUpdate, StoreError, StreamKey,
    },
    protocol::LogLevel,
    registry::{McpRouter, tool},
    server::{Opened, Peer, Posted, Server, Sessions},
    version::ProtocolVersion,
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    time::SystemTime,
};

/// Keeps one session for ever.
#[derive(Debug, Default)]
struct One(Mutex<Option<SessionRecord>>);

impl One {
    fn found(&self, key: &SessionKey) -> Option<SessionRecord> {
        self.0.lock().unwrap().clone().filter(|record| record.key == *key)
    }

    fn change(&self, key: &SessionKey, change: impl FnOnce(&mut SessionRecord)) -> SessionUpdate {
        match self.0.lock().unwrap().as_mut().filter(|record| record.key == *key) {
            Some(record) => {
                change(record);
                SessionUpdate::Changed
            }
            None => SessionUpdate::Unknown,
        }
    }
}

#[async_trait]
impl SessionStore for One {
    async fn create(
        &self,
        record: SessionRecord,
        _: &SessionLimits,
        _: SystemTime,
    ) -> Result<(), StoreError> {
        *self.0.lock().unwrap() = Some(record);
        Ok(())
    }

    async fn touch(&self, key: &SessionKey, _: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        Ok(self.found(key))
    }

    async fn load(&self, key: &SessionKey, _: SystemTime) -> Result<Option<SessionRecord>, StoreError> {
        Ok(self.found(key))
    }

    async fn mark_initialized(&self, key: &SessionKey, _: SystemTime) -> Result<SessionUpdate, StoreError> {
        Ok(self.change(key, |record| record.initialized = true))
    }

    async fn set_log_level(
        &self,
        key: &SessionKey,
        level: LogLevel,
        _: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        Ok(self.change(key, |record| record.log_level = Some(level)))
    }

    async fn subscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        _: &SessionLimits,
        _: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        Ok(self.change(key, |record| {
            record.subscriptions.insert(uri.into());
        }))
    }

    async fn unsubscribe(
        &self,
        key: &SessionKey,
        uri: &str,
        _: SystemTime,
    ) -> Result<SessionUpdate, StoreError> {
        Ok(self.change(key, |record| {
            record.subscriptions.remove(uri);
        }))
    }

    async fn change_view(
        &self,
        key: &SessionKey,
        change: &ListViewChange,
        _: &SessionLimits,
        _: SystemTime,
    ) -> Result<Option<ListViewUpdate>, StoreError> {
        let mut told = None;
        self.change(key, |record| {
            let after = record.view.changed_by(change);
            let before = std::mem::replace(&mut record.view, after.clone());
            told = Some(ListViewUpdate { before, after });
        });
        Ok(told)
    }

    async fn remove(&self, key: &SessionKey, _: SystemTime) -> Result<bool, StoreError> {
        let found = self.found(key).is_some();
        if found {
            self.0.lock().unwrap().take();
        }
        Ok(found)
    }

    async fn expire(&self, _: SystemTime) -> Result<usize, StoreError> {
        Ok(0)
    }

    async fn count(&self, _: SystemTime) -> Result<usize, StoreError> {
        Ok(self.0.lock().unwrap().iter().count())
    }
}

/// Keeps no events: these sessions are not resumed.
#[derive(Debug)]
struct Nothing;

#[async_trait]
impl EventLog for Nothing {
    async fn open_stream(&self, _: &StreamKey, _: &EventLimits, _: SystemTime) -> Result<(), StoreError> {
        Ok(())
    }

    async fn append_event(
        &self,
        _: &StreamKey,
        _: Bytes,
        _: &EventLimits,
        _: SystemTime,
    ) -> Result<Appended, StoreError> {
        Ok(Appended::Unknown)
    }

    async fn replay(
        &self,
        _: &SessionKey,
        _: &EventId,
        _: &EventLimits,
        _: SystemTime,
    ) -> Result<Option<Replay>, StoreError> {
        Ok(None)
    }

    async fn touch_stream(&self, _: &StreamKey, _: &EventLimits, _: SystemTime) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn close_stream(&self, _: &StreamKey, _: &EventLimits, _: SystemTime) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn remove_session(&self, _: &SessionKey) -> Result<usize, StoreError> {
        Ok(0)
    }

    async fn expire(&self, _: &EventLimits, _: SystemTime) -> Result<usize, StoreError> {
        Ok(0)
    }
}

async fn pay(client: Client) -> Result<&'static str, ToolError> {
    client.elicit_url("pay", "Pay", "https://example.com/pay").elicitation_id("order-7").await?.require()?;
    Ok("opened")
}

/// The head of a request, and whether its `Accept` has events.
struct Head<'a> {
    headers: &'a Headers,
    events: bool,
}

impl RequestHead for Head<'_> {
    fn field(&self, name: &str) -> HeaderField<'_> {
        self.headers.field(name)
    }

    fn path(&self) -> &str {
        self.headers.path()
    }

    fn accepts_event_stream(&self) -> bool {
        self.events
    }
}

/// A session of 2025-11-25 that was begun with a handshake.
struct Session {
    server: Server,
    headers: Headers,
}

impl Session {
    async fn begin() -> Self {
        let router = McpRouter::new()
            .tool("pay", tool(pay).describe("."))
            .tool("roots", tool(|client: Client| async move { told(client.roots("r").await) }).describe("."));
        let sessions = Sessions::new(Arc::new(One::default()), Arc::new(Nothing)).without_resumption();
        let server = Server::builder(router, Arc::new(Fresh::default()))
            .name("test")
            .version("1")
            .sessions(sessions)
            .build()
            .unwrap();
        let version = ProtocolVersion::V2025_11_25.as_str();
        let params = json!({ "protocolVersion": version, "capabilities": everything(), "clientInfo": { "name": "c", "version": "1" } });
        let mut session = Self { server, headers: Headers::default() };
        let mut exchange = session.request(&plain(0, "initialize", params), &session.headers.clone()).await;
        let Some(mcp_core::exchange::Outgoing::Reply(reply)) =
            poll_fn(|context| exchange.poll_message(context)).await
        else {
            panic!("no welcome")
        };
        let id = reply.session.as_ref().map(|id| id.as_str().to_owned()).unwrap();
        session.headers = session.headers.with("mcp-session-id", id).with("mcp-protocol-version", version);
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert!(matches!(session.post(&initialized, &session.headers).await, Posted::Accepted));
        session
    }

    async fn post(&self, message: &Value, headers: &Headers) -> Posted {
        self.server.post(Bytes::from(message.to_string()), headers, Peer::anonymous(Transport::Http)).await
    }

    async fn request(&self, message: &Value, headers: &Headers) -> Exchange {
        match self.post(message, headers).await {
            Posted::Exchange(exchange) => exchange,
            other => panic!("{other:?}"),
        }
    }

    /// Calls a tool.
    async fn call(&self, name: &str, events: bool) -> Exchange {
        let message = plain(1, "tools/call", json!({ "name": name })).to_string();
        let head = Head { headers: &self.headers, events };
        match self.server.post(Bytes::from(message), &head, Peer::anonymous(Transport::Http)).await {
            Posted::Exchange(exchange) => exchange,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_request_that_accepts_events_carries_the_question_and_a_post_the_answer() {
    let session = Session::begin().await;
    let mut call = session.call("roots", true).await;
    let request = sent(&mut call).request().clone();
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "roots": [] } });
    assert!(matches!(session.post(&answer, &session.headers).await, Posted::Accepted));
    assert_eq!(sent(&mut call).text(), "Ok([])");
    assert_eq!(session.server.counts().open_asks, 0);
}

#[tokio::test]
async fn a_request_that_accepts_no_events_is_told_so() {
    let session = Session::begin().await;
    let mut call = session.call("roots", false).await;
    let all = sent(&mut call);
    assert!(all.requests.is_empty());
    assert_eq!(all.text(), "Err(MissingCapability(\"roots\"))");
}

#[tokio::test]
async fn a_page_that_no_event_can_carry_is_an_error_and_its_completion_still_reaches_the_session() {
    let session = Session::begin().await;
    let mut call = session.call("pay", false).await;
    let reply = sent(&mut call).reply.unwrap();
    let page = json!({ "mode": "url", "elicitationId": "order-7", "message": "Pay", "url": "https://example.com/pay" });
    assert_eq!(
        (&reply["error"]["code"], &reply["error"]["data"]),
        (&json!(-32042), &json!({ "elicitations": [page] }))
    );

    let opened = session.server.open_stream(&session.headers, Peer::anonymous(Transport::Http)).await;
    let Opened::Stream(mut events) = opened else { panic!("{opened:?}") };
    assert!(poll_fn(|context| events.poll_event(context)).now_or_never().is_none());
    assert!(session.server.complete_elicitation("order-7"));
    let event = poll_fn(|context| events.poll_event(context)).now_or_never().flatten().unwrap();
    let notice: Value = serde_json::from_slice(&event.data.unwrap()).unwrap();
    assert_eq!(notice["method"], "notifications/elicitation/complete");
    assert_eq!(notice["params"]["elicitationId"], "order-7");
}
