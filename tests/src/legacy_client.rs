//! A client of HTTP+SSE: one stream that is read, a URL that messages are posted to.

use crate::{
    fixture::Fixture,
    http_client::{EventStream, HttpClient, Request},
};
use serde_json::Value;
use std::net::SocketAddr;

/// An open stream of the example server; dropping it ends the session.
#[derive(Debug)]
pub struct LegacyClient {
    address: SocketAddr,
    stream: EventStream,
    /// Where messages are posted, as the stream told it.
    pub url: String,
}

impl LegacyClient {
    /// Opens a stream at `/sse`.
    ///
    /// # Panics
    /// When the stream does not begin with the URL for POSTs.
    pub async fn open(fixture: &Fixture) -> Self {
        let get = Request::new("GET", "/sse").header("Accept", "text/event-stream");
        let mut stream = fixture.connect().await.listen(&get).await;
        let first = stream.event().await.expect("the stream begins with an event");
        assert_eq!(first.name.as_deref(), Some("endpoint"), "{first:?}");
        let reference = first.data.expect("the first event has data");
        Self { address: fixture.address(), stream, url: format!("/{reference}") }
    }

    /// A POST of a message on its stream's URL.
    #[must_use]
    pub fn post(&self, message: &Value) -> Request {
        Request::new("POST", &self.url).header("Content-Type", "application/json").body(message.to_string())
    }

    /// Posts a message, which must be accepted.
    ///
    /// # Panics
    /// When it is not.
    pub async fn write(&self, message: &Value) {
        let status = HttpClient::connect(self.address).await.send(&self.post(message)).await.status;
        assert_eq!(status, 202, "{message}");
    }

    /// The next message.
    ///
    /// # Panics
    /// When the stream ends, or none comes in time.
    pub async fn next(&mut self) -> Value {
        let event = self.stream.event().await.expect("the stream goes on");
        assert_eq!(event.name.as_deref(), Some("message"), "{event:?}");
        event.message.expect("each event is a message")
    }

    /// Tells whether the stream ends without a further message.
    pub async fn ends(&mut self) -> bool {
        self.stream.event().await.is_none()
    }
}
