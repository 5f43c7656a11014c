//! The two ways a handler fails: for the model to read, or as a JSON-RPC error.

use crate::{
    jsonrpc::ErrorCode,
    protocol::RequiredUrl,
    refusal::{Refusal, WireError, not_found},
    version::{Feature, ProtocolVersion},
};
use serde_json::{Value, json};
use std::{error::Error, fmt};

type Cause = Box<dyn Error + Send + Sync>;

/// A tool that ran and failed: the text goes to the model as a result with `isError`.
///
/// Any error converts with `?`. The model then reads a general text, and the error with all its
/// sources goes to the log only. [`ToolError::new`] says something better, [`ToolError::caused_by`]
/// keeps the cause for the log. A [`ProtocolError`] converts, too, and stays a JSON-RPC error.
///
/// ```
/// use mcp_core::handler::ToolError;
///
/// async fn total(rows: Vec<String>) -> Result<i64, ToolError> {
///     let mut total = 0;
///     for (number, row) in rows.iter().enumerate() {
///         // A text says what to do about it, and the cause is logged.
///         let value: i64 = row
///             .parse()
///             .map_err(|error| ToolError::new(format!("row {number} is no whole number")).caused_by(error))?;
///         // `?` alone: the model reads a general text.
///         total += i64::from(u32::try_from(value)?);
///     }
///     Ok(total)
/// }
/// ```
///
/// Spec: 2026-07-28, server/tools#error-handling.
pub struct ToolError(pub(crate) Failure);

#[derive(Debug)]
pub(crate) enum Failure {
    Execution(Execution),
    /// The arguments fit the schema and not the type; the text is what a failed check would say.
    Unfit(String),
    Protocol(ProtocolError),
}

#[derive(Debug)]
pub(crate) struct Execution {
    /// The author's text; `None` when only the cause is known.
    pub(crate) text: Option<String>,
    pub(crate) cause: Option<Cause>,
}

impl ToolError {
    /// A failure with a text the model can act on.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Failure::Execution(Execution { text: Some(text.into()), cause: None }))
    }

    /// Arguments that are refused like those that do not fit the schema.
    pub(crate) fn unfit(text: String) -> Self {
        Self(Failure::Unfit(text))
    }

    /// The JSON-RPC error that it is; otherwise itself.
    ///
    /// # Errors
    /// Itself, where it is for the model to read.
    pub fn into_protocol(self) -> Result<ProtocolError, Self> {
        match self.0 {
            Failure::Protocol(error) => Ok(error),
            other => Err(Self(other)),
        }
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Cause>) -> Self {
        match &mut self.0 {
            Failure::Unfit(_) => {}
            Failure::Execution(execution) => execution.cause = Some(cause.into()),
            Failure::Protocol(error) => error.0.cause = Some(cause.into()),
        }
        self
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Failure::Execution(Execution { text: None, cause: Some(Box::new(error)) }))
    }
}

impl From<ProtocolError> for ToolError {
    fn from(error: ProtocolError) -> Self {
        Self(Failure::Protocol(error))
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, formatter)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Failure::Execution(Execution { text: Some(text), .. }) | Failure::Unfit(text) => {
                formatter.write_str(text)
            }
            Failure::Execution(_) => formatter.write_str("the tool failed"),
            Failure::Protocol(error) => fmt::Display::fmt(error, formatter),
        }
    }
}

/// A JSON-RPC error: the request itself cannot be served.
///
/// Any error converts with `?` and becomes `-32603` with the standard message; the error with all
/// its sources goes to the log only.
///
/// ```
/// use mcp_core::{extract::Vars, handler::ProtocolError};
///
/// async fn page(Vars(number): Vars<String>) -> Result<String, ProtocolError> {
///     let number: u32 = number
///         .parse()
///         .map_err(|_| ProtocolError::resource_not_found(format!("book://{number}")))?;
///     // `?` alone: the client reads "Internal error", the log has the reason.
///     Ok(String::from_utf8(vec![b'x'; usize::try_from(number)?])?)
/// }
/// ```
///
/// Spec: 2026-07-28, basic#error-codes; JSON-RPC 2.0 section 5.1.
pub struct ProtocolError(Box<Inner>);

/// Boxed, so that results which carry an error stay small.
#[derive(Debug)]
struct Inner {
    kind: Kind,
    message: Option<Box<str>>,
    data: Option<Value>,
    cause: Option<Cause>,
}

#[derive(Debug)]
enum Kind {
    Code(ErrorCode),
    NotFound(Box<str>),
    PolicyFailed,
    Unauthorized,
    Forbidden(Vec<Box<str>>),
    MissingCapability(Box<str>),
    UrlElicitation(Box<RequiredUrl>),
}

impl ProtocolError {
    fn of(kind: Kind, message: Option<Box<str>>) -> Self {
        Self(Box::new(Inner { kind, message, data: None, cause: None }))
    }

    /// An error with a code of the application's own.
    ///
    /// Applications choose codes outside `-32768..=-32000`, which JSON-RPC and MCP reserve; a code
    /// inside is sent as `-32603`, and a log line says so.
    #[must_use]
    pub fn new(code: i32, message: impl Into<Box<str>>) -> Self {
        let code = match code {
            -32602 => ErrorCode::InvalidParams,
            -32768..=-32000 => {
                if code != ErrorCode::InternalError.number() {
                    tracing::warn!(code, "a handler chose a reserved error code; -32603 goes out instead");
                }
                ErrorCode::InternalError
            }
            other => ErrorCode::Custom(other),
        };
        Self::of(Kind::Code(code), Some(message.into()))
    }

    /// The parameters do not fit (`-32602`); the message says which and why.
    #[must_use]
    pub fn invalid_params(message: impl Into<Box<str>>) -> Self {
        Self::of(Kind::Code(ErrorCode::InvalidParams), Some(message.into()))
    }

    /// The resource does not exist (`-32002` before 2026-07-28, `-32602` since).
    #[must_use]
    pub fn resource_not_found(uri: impl Into<Box<str>>) -> Self {
        Self::of(Kind::NotFound(uri.into()), None)
    }

    /// The server failed (`-32603`).
    #[must_use]
    pub fn internal() -> Self {
        Self::of(Kind::Code(ErrorCode::InternalError), None)
    }

    /// A failure of the server whose reason the client may know.
    pub(crate) fn internal_because(reason: impl Into<Box<str>>) -> Self {
        Self::of(Kind::Code(ErrorCode::InternalError), Some(reason.into()))
    }

    /// A policy could not tell what the caller sees; the failure is in the log already.
    pub(crate) fn policy_failed() -> Self {
        Self::of(Kind::PolicyFailed, None)
    }

    /// The caller's credentials were refused further on; the client is to authenticate again.
    ///
    /// Over HTTP with authorization it becomes a 401 challenge, as long as nothing has been sent; elsewhere, and
    /// where nobody asks for credentials ([`Context::asks_for_credentials`](crate::context::Context)), `-32602`.
    ///
    /// Spec: 2026-07-28, basic/authorization#token-handling.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::of(Kind::Unauthorized, Some("the credentials were refused; authenticate again".into()))
    }

    /// The caller lacks these scopes.
    ///
    /// Over HTTP with authorization it becomes a 403 challenge that names them, as long as nothing
    /// has been sent; elsewhere `-32602` with the scopes in `data.requiredScopes`.
    ///
    /// Spec: 2026-07-28, basic/authorization#scope-challenge-handling.
    #[must_use]
    pub fn forbidden<T: Into<Box<str>>>(scopes: impl IntoIterator<Item = T>) -> Self {
        Self::of(Kind::Forbidden(scopes.into_iter().map(Into::into).collect()), None)
    }

    /// The request needs a client capability that it did not declare, by path such as
    /// `sampling` or `elicitation.url`.
    ///
    /// `-32021` on 2026-07-28; before, a tool's result with `isError`, and `-32603` from everything else.
    #[must_use]
    pub fn missing_capability(path: impl Into<Box<str>>) -> Self {
        Self::of(Kind::MissingCapability(path.into()), None)
    }

    /// The client would have to be asked and cannot be; the text says what to do about it.
    pub(crate) fn unaskable(path: &str) -> Self {
        let text = format!(
            "the client cannot be asked: it did not declare the capability `{path}`, its protocol version has no such \
             question, or there is no channel for it. Use a client that declares the capability in `initialize`; over \
             HTTP it needs a session and requests that accept `text/event-stream`"
        );
        Self::of(Kind::MissingCapability(path.into()), Some(text.into()))
    }

    /// The user has to open a page first, and the client cannot be asked to have it opened.
    ///
    /// `-32042` on 2025-11-25, which alone has the code; elsewhere as a missing capability `elicitation.url`.
    ///
    /// Spec: 2025-11-25, client/elicitation#url-elicitation-required-error.
    #[must_use]
    pub fn url_elicitation_required(required: RequiredUrl) -> Self {
        Self::of(Kind::UrlElicitation(Box::new(required)), None)
    }

    /// Adds structured data for the client.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Cause>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// What went wrong, for the log.
    pub(crate) fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.0.cause.as_deref()
    }

    /// The scopes that are missing, for an error made by [`ProtocolError::forbidden`].
    pub(crate) fn required_scopes(&self) -> Option<&[Box<str>]> {
        match &self.0.kind {
            Kind::Forbidden(scopes) => Some(scopes),
            _ => None,
        }
    }

    /// What a model reads when a tool lacks a client capability and the revision has no code for that.
    pub(crate) fn missing_capability_text(&self, version: ProtocolVersion) -> Option<String> {
        match &self.0.kind {
            Kind::MissingCapability(path) if !version.has(Feature::ModernMethods) => {
                Some(self.0.message.as_deref().map_or_else(|| undeclared(path), str::to_owned))
            }
            Kind::UrlElicitation(_)
                if !version.has(Feature::ModernMethods) && !version.has(Feature::ElicitationIds) =>
            {
                Some(undeclared(URL_CAPABILITY))
            }
            _ => None,
        }
    }

    /// Code, message, data and HTTP status for a caller of the given revision.
    pub(crate) fn on_wire(&self, version: Option<ProtocolVersion>) -> WireError {
        let modern = version.is_some_and(|version| version.has(Feature::ModernMethods));
        let plain = |code: ErrorCode, data, status| WireError {
            message: self.0.message.clone().unwrap_or_else(|| code.message().into()),
            code,
            data,
            status,
        };
        match &self.0.kind {
            Kind::Code(code) => plain(*code, self.0.data.clone(), 200),
            Kind::NotFound(uri) => not_found(uri, version),
            Kind::PolicyFailed => Refusal::PolicyFailed.on_wire(version),
            Kind::Unauthorized => plain(ErrorCode::InvalidParams, None, 401),
            Kind::Forbidden(scopes) => WireError {
                message: format!("insufficient scope: {}", scopes.join(" ")).into(),
                ..plain(ErrorCode::InvalidParams, Some(json!({ "requiredScopes": scopes })), 403)
            },
            Kind::UrlElicitation(required) if version.is_some_and(|it| it.has(Feature::ElicitationIds)) => {
                let RequiredUrl { id, message, url } = &**required;
                let page = json!({ "mode": "url", "elicitationId": id, "message": message, "url": url });
                plain(ErrorCode::UrlElicitationRequired, Some(json!({ "elicitations": [page] })), 200)
            }
            Kind::UrlElicitation(_) => self.undeclared_on_wire(URL_CAPABILITY, modern),
            Kind::MissingCapability(path) => self.undeclared_on_wire(path, modern),
        }
    }

    fn undeclared_on_wire(&self, path: &str, modern: bool) -> WireError {
        let (code, data, status) = if modern {
            let data = json!({ "requiredCapabilities": capability_object(path) });
            (ErrorCode::MissingClientCapability, Some(data), 400)
        } else {
            (ErrorCode::InternalError, None, 200)
        };
        let message = match &self.0.message {
            _ if modern => code.message().into(),
            Some(message) => message.clone(),
            None => undeclared(path).into(),
        };
        WireError { code, message, data, status }
    }
}

const URL_CAPABILITY: &str = "elicitation.url";

fn undeclared(path: &str) -> String {
    format!("the client did not declare the capability `{path}`")
}

/// The capability at a path, shaped as a client would declare it.
fn capability_object(path: &str) -> Value {
    let names: Vec<&str> = match path.split_once('.') {
        Some((open @ ("extensions" | "experimental"), rest)) => vec![open, rest],
        _ => path.split('.').collect(),
    };
    names.into_iter().rev().fold(json!({}), |inner, name| json!({ name: inner }))
}

impl<E: Error + Send + Sync + 'static> From<E> for ProtocolError {
    fn from(error: E) -> Self {
        Self::internal().caused_by(error)
    }
}

impl fmt::Debug for ProtocolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, formatter)
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.on_wire(Some(ProtocolVersion::LATEST)).message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_error_converts_and_keeps_its_cause_out_of_the_text() {
        fn fails() -> Result<(), ToolError> {
            Err(std::io::Error::other("password=hunter2"))?;
            Ok(())
        }
        let error = fails().unwrap_err();
        assert_eq!(error.to_string(), "the tool failed");
        assert!(format!("{error:?}").contains("hunter2"));
    }

    #[test]
    fn a_missing_capability_is_shaped_like_a_declaration() {
        let wire =
            ProtocolError::missing_capability("elicitation.url").on_wire(Some(ProtocolVersion::LATEST));
        assert_eq!((wire.code.number(), wire.status), (-32021, 400));
        assert_eq!(wire.data.unwrap(), json!({ "requiredCapabilities": { "elicitation": { "url": {} } } }));
        let extension = capability_object("extensions.io.modelcontextprotocol/tasks");
        assert_eq!(extension, json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } }));
    }

    #[test]
    fn reserved_codes_do_not_leave_the_server() {
        for code in [-32020, -32001, -32700] {
            assert_eq!(ProtocolError::new(code, "x").on_wire(None).code.number(), -32603);
        }
        assert_eq!(ProtocolError::new(-31010, "x").on_wire(None).code.number(), -31010);
    }
}
