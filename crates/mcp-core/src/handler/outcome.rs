//! What handlers return, and how it becomes a reply.

use super::{
    CompletionRequest, PromptGet, ProtocolError, Request, ResourceListing, ResourceRead, ToolCall, ToolError,
};
use crate::{
    context::Context,
    json::{RawJson, to_text_bounded},
    output::OutputFault,
    protocol::{
        Blob, CallToolResult, Completion, Content, GetPromptResult, PromptMessage, Resource, ResourceContents,
    },
    schema::{OutputSchema, output_of},
};
use bytes::Bytes;
use schemars::JsonSchema;
use serde::Serialize;
use std::convert::Infallible;

/// Converts what a handler returns into the reply of request kind `R`.
///
/// Tools return text, [`Content`] or lists of it, [`Structured`], [`CallToolResult`], nothing, or a
/// `Result` of these with [`ToolError`] or [`ProtocolError`]. Resources return text, [`Blob`],
/// [`ResourceContents`] or lists of it; prompts text, [`PromptMessage`] or lists of it, [`GetPromptResult`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a handler of `{R}` requests",
    note = "tools return text, numbers, `Content`, `Vec<Content>`, `Structured<T>`, `CallToolResult`, or a `Result` of these with `ToolError` or `ProtocolError`",
    note = "resources return text, `Blob`, `ResourceContents`; prompts text, `PromptMessage`, `Vec<PromptMessage>`; with `ProtocolError`"
)]
pub trait IntoReply<R: Request> {
    /// Makes the reply.
    fn into_reply(self, context: &Context) -> R::Reply;

    /// The schema of the structured output, when the type has one.
    #[must_use]
    fn output_schema() -> Option<OutputSchema> {
        None
    }
}

/// A value that goes out as `structuredContent`, and as JSON text beside it.
///
/// Its schema becomes the tool's `outputSchema`. Any JSON value is allowed; callers before
/// 2026-07-28 get values that are no objects as text only. NaN and infinities fail the call.
///
/// Spec: 2026-07-28, server/tools#structured-content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize + JsonSchema> IntoReply<ToolCall> for Structured<T> {
    fn into_reply(self, context: &Context) -> <ToolCall as Request>::Reply {
        let mut bounds = context.limits().write_bounds();
        if context.overflows() {
            // What is too large may go elsewhere.
            let limits = context.0.server.overflow().json_limits(bounds.depth);
            bounds.bytes = bounds.bytes.max(limits.document_bytes);
            bounds.tokens = bounds.tokens.max(limits.tokens);
        }
        match to_text_bounded(&self.0, bounds) {
            Ok(text) => Ok(CallToolResult::default().structured(RawJson::from_checked(text))),
            Err(fault) => Err(match OutputFault::of_writing(&fault) {
                Some(bound) => ProtocolError::internal_because(bound.to_string()).caused_by(fault).into(),
                None => ProtocolError::internal().caused_by(fault).into(),
            }),
        }
    }

    fn output_schema() -> Option<OutputSchema> {
        Some(output_of::<T>)
    }
}

/// An error type of handlers: what stands in the `Err` of a `Result`.
///
/// Apart from [`IntoReply`], so that an `Err` never goes out as a success: text is a reply and no failure.
///
/// ```compile_fail
/// use mcp_core::handler::{ToolCall, result};
/// const _: () = result::<ToolCall, Result<String, String>>();
/// ```
///
/// ```
/// use mcp_core::handler::{ToolCall, ToolError, result};
/// const _: () = result::<ToolCall, Result<String, ToolError>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a failure of a handler of `{R}` requests",
    note = "tools fail with `ToolError`, for the model to read, or with `ProtocolError`; everything else fails with `ProtocolError`",
    note = "any error type converts into both with `?`; give a text with `ToolError::new`"
)]
pub trait IntoFailure<R: Request> {
    /// Makes the reply that says what failed.
    fn into_failure(self, context: &Context) -> R::Reply;
}

impl<R: Request> IntoFailure<R> for Infallible {
    fn into_failure(self, _: &Context) -> R::Reply {
        match self {}
    }
}

impl<R: Request> IntoFailure<R> for ProtocolError {
    fn into_failure(self, _: &Context) -> R::Reply {
        R::refused(self)
    }
}

impl IntoFailure<ToolCall> for ToolError {
    fn into_failure(self, _: &Context) -> <ToolCall as Request>::Reply {
        Err(self)
    }
}

/// Names the result type at fault when a handler is refused:
/// `const _: () = result::<ToolCall, TheResult>();`
pub const fn result<R: Request, T: IntoReply<R>>() {}

impl<R: Request> IntoReply<R> for Infallible {
    fn into_reply(self, _: &Context) -> R::Reply {
        match self {}
    }
}

impl<R: Request> IntoReply<R> for ProtocolError {
    fn into_reply(self, _: &Context) -> R::Reply {
        R::refused(self)
    }
}

impl IntoReply<ToolCall> for ToolError {
    fn into_reply(self, _: &Context) -> <ToolCall as Request>::Reply {
        Err(self)
    }
}

impl<R: Request, T: IntoReply<R>, E: IntoFailure<R>> IntoReply<R> for Result<T, E> {
    fn into_reply(self, context: &Context) -> R::Reply {
        match self {
            Ok(value) => value.into_reply(context),
            Err(error) => error.into_failure(context),
        }
    }

    fn output_schema() -> Option<OutputSchema> {
        T::output_schema()
    }
}

/// Implements the conversions that cannot fail.
macro_rules! replies {
    ($($request:ty => { $($from:ty => |$value:pat_param| $reply:expr;)+ })+) => {$($(
        impl IntoReply<$request> for $from {
            fn into_reply(self, _: &Context) -> <$request as Request>::Reply {
                let $value = self;
                Ok($reply)
            }
        }
    )+)+};
}

replies! {
    ToolCall => {
        CallToolResult => |result| result;
        Content => |content| CallToolResult::new([content]);
        Vec<Content> => |content| CallToolResult::new(content);
        String => |text| CallToolResult::text(text);
        &'static str => |text| CallToolResult::text(text);
        std::borrow::Cow<'static, str> => |text| CallToolResult::text(text);
        () => |()| CallToolResult::default();
        bool => |value| CallToolResult::text(value.to_string());
        i32 => |value| CallToolResult::text(value.to_string());
        i64 => |value| CallToolResult::text(value.to_string());
        u32 => |value| CallToolResult::text(value.to_string());
        u64 => |value| CallToolResult::text(value.to_string());
        usize => |value| CallToolResult::text(value.to_string());
        f64 => |value| CallToolResult::text(value.to_string());
    }
    ResourceRead => {
        ResourceContents => |contents| vec![contents];
        Vec<ResourceContents> => |contents| contents;
        String => |text| vec![ResourceContents::text(text)];
        &'static str => |text| vec![ResourceContents::text(text)];
        Blob => |Blob(bytes)| vec![ResourceContents::blob(bytes)];
        Bytes => |bytes| vec![ResourceContents::blob(bytes)];
        Vec<u8> => |bytes| vec![ResourceContents::blob(bytes)];
    }
    PromptGet => {
        GetPromptResult => |result| result;
        PromptMessage => |message| GetPromptResult::new([message]);
        Vec<PromptMessage> => |messages| GetPromptResult::new(messages);
        String => |text| GetPromptResult::new([PromptMessage::user(text)]);
        &'static str => |text| GetPromptResult::new([PromptMessage::user(text)]);
    }
    ResourceListing => {
        Vec<Resource> => |resources| resources;
    }
    CompletionRequest => {
        Completion => |completion| completion;
        Vec<String> => |values| Completion::new(values);
        Vec<&'static str> => |values| Completion::new(values);
    }
}
