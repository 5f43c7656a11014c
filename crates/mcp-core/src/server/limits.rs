//! What requests and their answers may cost.

use crate::{
    json::JsonLimits,
    registry::{CALL_TIMEOUT, Faults},
    setting::SettingFaults,
};
use std::time::Duration;

/// The limits of a server, all with defaults; `build()` checks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What one message may cost to decode; `document_bytes` is the size of the message itself, which the
    /// transports bound once more while they read it.
    pub message: JsonLimits,
    /// What one result may cost: `tokens` and `depth` hold for everything that handlers return and say, the rest for
    /// the check of structured results. Its `document_bytes` is never above `output_bytes`.
    pub output_json: JsonLimits,
    /// The bytes of one reply, and of all replies to one batch together, 1,024 to 1,073,741,824; 2 MiB by default.
    ///
    /// Holds for results, lists and introductions of every kind, and for a request to the client. What is larger is
    /// held back, and `-32603` says so. An error may have 4 KiB in any case.
    pub output_bytes: usize,
    /// The bytes of all notifications of one call, 1,024 to 1,073,741,824; 2 MiB by default.
    ///
    /// Together with `output_bytes`, which are kept for the reply, this is what one call may send. Notifications that
    /// find no room are dropped; the reply never is.
    pub notification_bytes: usize,
    /// Blocking handlers that run at once, 1 to 4,096; 64 by default.
    pub blocking_calls: usize,
    /// Blocking handlers that wait for their turn, 0 to 1,000,000; 1,024 by default.
    pub blocking_queue: usize,
    /// Listen streams and handshake clients that hear of changes, 1 to 10,000,000; 10,000 by default.
    pub subscriptions: usize,
    /// Those of one authenticated caller, 1 to 10,000,000; 100 by default.
    pub subscriptions_per_principal: usize,
    /// URIs one of them may subscribe to, 1 to 1,000,000; 1,000 by default.
    pub subscription_uris: usize,
    /// The bytes of what is kept of one client that has no session in the store, 1,024 to 16,777,216; 64 KiB by
    /// default.
    ///
    /// Holds for what a client on a byte stream or of HTTP+SSE says of itself in its handshake, for the URIs that it
    /// subscribes to, and for those of a listen stream, each. Over HTTP
    /// [`SessionLimits::text_bytes`](crate::ports::SessionLimits::text_bytes) bounds what a session keeps.
    pub client_text_bytes: usize,
    /// Names, URIs and tags that one connection on a byte stream may hide from its lists, 0 to 1,000,000; 1,000 by
    /// default. Over HTTP [`SessionLimits::hidden`](crate::ports::SessionLimits::hidden) bounds them.
    pub hidden_selections: usize,
    /// Toolboxes that one connection on a byte stream may have open, 0 to 10,000; 100 by default. Over HTTP
    /// [`SessionLimits::open_toolboxes`](crate::ports::SessionLimits::open_toolboxes) bounds them.
    pub open_toolboxes: usize,
    /// Notifications of one call that wait for a slow reader, 1 to 1,000,000; 256 by default.
    pub outbox_messages: usize,
    /// Progress reports of one call that go out at once, 1 to 10,000; 10 by default.
    pub progress_burst: u32,
    /// The time from one further report to the next, 1 ms to 1 minute; 100 ms by default. The newest goes out.
    pub progress_interval: Duration,
    /// The bytes of a URI that is read or subscribed to, 64 to 1,048,576; 8,192 by default.
    pub uri_bytes: usize,
    /// Requests in flight on one connection of a byte stream, or in one HTTP session, 1 to 1,000,000; 1,024 by
    /// default.
    pub requests_in_flight: usize,
    /// The bytes of those requests together, 1,024 to 1,099,511,627,776; 64 MiB by default. One alone may have more.
    pub bytes_in_flight: usize,
    /// Messages in one batch, 1 to 10,000; 100 by default.
    pub batch_messages: usize,
    /// How long the client may take to answer a request of the server, 1 s to 24 hours; 5 minutes by default.
    pub ask_timeout: Duration,
    /// Requests to one client that it has not answered, 1 to 10,000; 64 by default.
    pub open_asks: usize,
    /// Round trips in which one call may ask, 1 to 100; 10 by default.
    pub ask_rounds: u32,
    /// Rounds in which tools are called for the client's model, 1 to 100; 5 by default.
    pub sampling_rounds: u32,
    /// Calls that are made for the client's model in one round, 1 to 1,000; 32 by default.
    pub sampling_calls: usize,
    /// How many such runs may be within each other, 1 to 10; 3 by default.
    pub sampling_depth: u32,
    /// The bytes of the state that a client carries from one round trip to the next, 1,024 to 1,048,576; 32 KiB
    /// by default.
    pub ask_state_bytes: usize,
    /// How long that state is valid, 1 s to 24 hours; 60 minutes by default.
    pub ask_state_ttl: Duration,
    /// How long a handler may take, 1 ms to 24 hours; 1 hour by default, `None` for as long as it likes.
    ///
    /// Then its future is dropped, and work that it started elsewhere sees
    /// [`Cancelled`](crate::extract::Cancelled). A tool answers with `isError` and a text that names the timeout,
    /// everything else with a JSON-RPC error. Progress does not prolong it. The time in which the client is to
    /// answer a question does not count: `ask_timeout` bounds that. A tool, prompt or resource may have a timeout
    /// of its own.
    pub call_timeout: Option<Duration>,
    /// How long the dependencies of one call may take to close, 1 ms to 1 hour; 5 s by default.
    pub teardown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let output_bytes = 2 * 1024 * 1024;
        Self {
            message: JsonLimits::default(),
            output_json: JsonLimits { document_bytes: output_bytes, ..JsonLimits::default() },
            output_bytes,
            notification_bytes: 2 * 1024 * 1024,
            blocking_calls: 64,
            blocking_queue: 1_024,
            subscriptions: 10_000,
            subscriptions_per_principal: 100,
            subscription_uris: 1_000,
            client_text_bytes: 64 * 1024,
            hidden_selections: 1_000,
            open_toolboxes: 100,
            outbox_messages: 256,
            progress_burst: 10,
            progress_interval: Duration::from_millis(100),
            uri_bytes: 8_192,
            requests_in_flight: 1_024,
            bytes_in_flight: 64 * 1024 * 1024,
            batch_messages: 100,
            ask_timeout: Duration::from_secs(5 * 60),
            open_asks: 64,
            ask_rounds: 10,
            sampling_rounds: 5,
            sampling_calls: 32,
            sampling_depth: 3,
            ask_state_bytes: 32 * 1024,
            ask_state_ttl: Duration::from_secs(60 * 60),
            call_timeout: Some(Duration::from_secs(3_600)),
            teardown: Duration::from_secs(5),
        }
    }
}

impl Limits {
    /// Sets the bytes of one reply, for text and structured results alike.
    #[must_use]
    pub fn with_output_bytes(mut self, bytes: usize) -> Self {
        self.output_bytes = bytes;
        self.output_json.document_bytes = bytes;
        self.output_json.string_chars = self.output_json.string_chars.max(bytes);
        self
    }

    /// Adds a fault for every limit that lies outside its range.
    pub(crate) fn check(&self, faults: &mut Faults) {
        faults.add_group("limits.message", self.message.check());
        faults.add_group("limits.output_json", self.output_json.check());
        let mut own = SettingFaults::default();
        own.within("limits.output_bytes", self.output_bytes, &(1_024..=1 << 30));
        own.within("limits.notification_bytes", self.notification_bytes, &(1_024..=1 << 30));
        own.within("limits.blocking_calls", self.blocking_calls, &(1..=4_096));
        own.within("limits.blocking_queue", self.blocking_queue, &(0..=1_000_000));
        own.within("limits.subscriptions", self.subscriptions, &(1..=10_000_000));
        own.within("limits.subscriptions_per_principal", self.subscriptions_per_principal, &(1..=10_000_000));
        own.within("limits.subscription_uris", self.subscription_uris, &(1..=1_000_000));
        own.within("limits.client_text_bytes", self.client_text_bytes, &(1_024..=16 * 1024 * 1024));
        own.within("limits.hidden_selections", self.hidden_selections, &(0..=1_000_000));
        own.within("limits.open_toolboxes", self.open_toolboxes, &(0..=10_000));
        own.within("limits.outbox_messages", self.outbox_messages, &(1..=1_000_000));
        own.within("limits.progress_burst", self.progress_burst, &(1..=10_000));
        let minute = Duration::from_millis(1)..=Duration::from_secs(60);
        own.within("limits.progress_interval", self.progress_interval, &minute);
        own.within("limits.uri_bytes", self.uri_bytes, &(64..=1 << 20));
        own.within("limits.requests_in_flight", self.requests_in_flight, &(1..=1_000_000));
        own.within("limits.bytes_in_flight", self.bytes_in_flight, &(1_024..=1 << 40));
        own.within("limits.batch_messages", self.batch_messages, &(1..=10_000));
        let day = Duration::from_secs(1)..=Duration::from_secs(24 * 3_600);
        own.within("limits.ask_timeout", self.ask_timeout, &day);
        own.within("limits.open_asks", self.open_asks, &(1..=10_000));
        own.within("limits.ask_rounds", self.ask_rounds, &(1..=100));
        own.within("limits.sampling_rounds", self.sampling_rounds, &(1..=100));
        own.within("limits.sampling_calls", self.sampling_calls, &(1..=1_000));
        own.within("limits.sampling_depth", self.sampling_depth, &(1..=10));
        own.within("limits.ask_state_bytes", self.ask_state_bytes, &(1_024..=1 << 20));
        own.within("limits.ask_state_ttl", self.ask_state_ttl, &day);
        if let Some(timeout) = self.call_timeout {
            own.within("limits.call_timeout", timeout, &CALL_TIMEOUT);
        }
        let teardown = Duration::from_millis(1)..=Duration::from_secs(3_600);
        own.within("limits.teardown", self.teardown, &teardown);
        if self.output_json.document_bytes > self.output_bytes {
            own.add("limits.output_json", "`document_bytes` must not exceed `limits.output_bytes`");
        }
        faults.add_settings(&own);
    }
}
