//! Log messages to the client.

use super::Extract;
use crate::{
    context::{Context, LogThreshold},
    handler::Request,
    json::on_one_line,
    lower,
    protocol::LogLevel,
};
use serde::Serialize;
use std::convert::Infallible;

/// Sends log messages to the client, on the call's own stream.
///
/// A modern request hears the levels it asked for and nothing when it asked for none; a handshake
/// session hears everything until it sets a level. Sending never waits; a slow reader loses messages.
///
/// Spec: 2026-07-28, server/utilities/logging.
#[derive(Clone, Debug)]
pub struct Log(Context);

impl Log {
    /// Sends a message of the given level; `data` is any value that serialises to JSON.
    ///
    /// A value that does not serialise is left out and noted in the server's own log.
    pub fn send<T: Serialize + ?Sized>(&self, level: LogLevel, data: &T) {
        self.send_from(None, level, data);
    }

    /// Sends a message and names the logger it comes from.
    pub fn send_from<T: Serialize + ?Sized>(&self, logger: Option<&str>, level: LogLevel, data: &T) {
        if !self.wants(level) {
            return;
        }
        match crate::json::to_text_bounded(data, self.0.limits().write_bounds()) {
            Ok(text) => {
                let (text, task) = (on_one_line(&text), self.0.related_task());
                let message = lower::log_message(level, logger, text.as_bytes(), task.as_ref());
                self.0.root().0.outbox.put(message);
            }
            Err(error) => tracing::warn!(%error, "a log message to the client does not serialise"),
        }
    }

    /// Tells whether the caller wants messages of this level.
    #[must_use]
    pub fn wants(&self, level: LogLevel) -> bool {
        match self.0.0.caller.log {
            LogThreshold::Nothing => false,
            LogThreshold::From(least) => level >= least,
        }
    }

    /// Sends text at the level `debug`.
    pub fn debug(&self, text: &str) {
        self.send(LogLevel::Debug, text);
    }

    /// Sends text at the level `info`.
    pub fn info(&self, text: &str) {
        self.send(LogLevel::Info, text);
    }

    /// Sends text at the level `warning`.
    pub fn warning(&self, text: &str) {
        self.send(LogLevel::Warning, text);
    }

    /// Sends text at the level `error`.
    pub fn error(&self, text: &str) {
        self.send(LogLevel::Error, text);
    }
}

impl From<&Context> for Log {
    /// That of the call: for what serves a call in another way than as a handler, such as a route of an application.
    fn from(context: &Context) -> Self {
        Self(context.clone())
    }
}

impl<R: Request, S: Sync> Extract<R, S> for Log {
    type Rejection = Infallible;

    async fn extract(request: &R, _: &S) -> Result<Self, Infallible> {
        Ok(Self(request.context().clone()))
    }
}
