//! From a response to a tool's result, or to the contents of a resource.

use super::{
    ResultForm,
    envelope::Excluded,
    media::{Family, MediaType},
};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use mcp_core::{
    handler::{ProtocolError, ToolError},
    json::RawJson,
    protocol::{Blob, CallToolResult, Content, Resource, ResourceContents},
    uri::AbsoluteUri,
};
use serde::Serialize;
use serde_json::value::RawValue;

/// The header field of a response that says: the result is a link to the resource of this URI.
pub(crate) const RESOURCE_LINK: &str = "x-mcp-resource-link";
/// The header field of a response that says: the body is the resource of this URI.
pub(crate) const EMBEDDED_RESOURCE: &str = "x-mcp-embedded-resource";

/// How much of a refusal's body is told.
const REFUSAL_CHARACTERS: usize = 500;

/// A response that has been read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The URL of the request, which names a body that has no URI of its own.
    pub(crate) url: String,
}

impl Answer {
    /// Forms the result of a tool.
    pub(crate) fn into_result(
        self,
        form: ResultForm,
        excluded: &Excluded,
    ) -> Result<CallToolResult, ToolError> {
        let failed = self.is_failure();
        if !failed && let Some(linked) = self.linked()? {
            return Ok(linked);
        }
        let result = match form {
            ResultForm::Body => self.as_body(),
            ResultForm::Envelope => self.as_envelope(excluded)?,
        };
        Ok(if failed { result.failed() } else { result })
    }

    /// A status of 400 and above is a failure, and so is one that has no content of its own to give.
    ///
    /// Nothing was switched, and nothing is cached on this side: RFC 9110, sections 15.2.2 and 15.4.5.
    fn is_failure(&self) -> bool {
        self.status.as_u16() >= 400
            || self.status == StatusCode::NOT_MODIFIED
            || self.status == StatusCode::SWITCHING_PROTOCOLS
    }

    /// What the header fields for resources say, when one is there.
    fn linked(&self) -> Result<Option<CallToolResult>, ToolError> {
        let media = MediaType::of(&self.headers);
        if let Some(uri) = self.resource_header(RESOURCE_LINK)? {
            let mut resource = Resource::new(uri.as_str(), name_of(uri.as_str()));
            if media.is_declared() {
                resource = resource.mime_type(media.essence);
            }
            return Ok(Some(CallToolResult::new([Content::resource_link(resource)])));
        }
        let Some(uri) = self.resource_header(EMBEDDED_RESOURCE)? else { return Ok(None) };
        let contents = contents(&self.body, &media).uri(uri.as_str());
        Ok(Some(CallToolResult::new([Content::resource(contents)])))
    }

    fn resource_header(&self, name: &str) -> Result<Option<AbsoluteUri>, ToolError> {
        let Some(value) = self.headers.get(name) else { return Ok(None) };
        let uri = value.to_str().ok().and_then(|text| AbsoluteUri::parse(text.trim()).ok());
        match uri {
            Some(uri) => Ok(Some(uri)),
            None => {
                Err(ToolError::new(format!("its response has no absolute URI in the header field `{name}`")))
            }
        }
    }

    /// The body, as what it is.
    fn as_body(&self) -> CallToolResult {
        let media = MediaType::of(&self.headers);
        if self.body.is_empty() {
            return if self.status.is_success() { CallToolResult::default() } else { self.as_status() };
        }
        match media.family() {
            Family::Json => {
                match std::str::from_utf8(&self.body).ok().and_then(|text| RawJson::parse(text).ok()) {
                    Some(value) => CallToolResult::default().structured(value),
                    None => self.as_text_or_blob(&media),
                }
            }
            Family::Image => CallToolResult::new([Content::image(self.body.clone(), media.essence)]),
            Family::Audio => CallToolResult::new([Content::audio(self.body.clone(), media.essence)]),
            Family::Text | Family::Other => self.as_text_or_blob(&media),
        }
    }

    fn as_text_or_blob(&self, media: &MediaType) -> CallToolResult {
        let is_text = media.family() != Family::Other || !media.is_declared();
        match std::str::from_utf8(&self.body) {
            Ok(text) if is_text => CallToolResult::text(text),
            _ => CallToolResult::new([self.embedded(media)]),
        }
    }

    /// The body as an embedded resource, which is named by the URL it was asked for at.
    ///
    /// The URL has no scheme and no host: a call in process knows neither.
    fn embedded(&self, media: &MediaType) -> Content {
        let uri = AbsoluteUri::parse(&format!("route:{}", self.url));
        let uri = uri.as_ref().map_or("route:/", AbsoluteUri::as_str);
        Content::resource(blob(&self.body, media).uri(uri))
    }

    /// What there is to say about a response without a body.
    fn as_status(&self) -> CallToolResult {
        let place = self.headers.get(header::LOCATION).and_then(|place| place.to_str().ok());
        CallToolResult::text(match place {
            Some(place) => format!("{}; see {place}", self.status),
            None => self.status.to_string(),
        })
    }

    /// One object of status, header fields and body.
    fn as_envelope(&self, excluded: &Excluded) -> Result<CallToolResult, ToolError> {
        let media = MediaType::of(&self.headers);
        let text = std::str::from_utf8(&self.body).ok();
        let block = match media.family() {
            _ if self.body.is_empty() => None,
            Family::Image => Some(Content::image(self.body.clone(), media.essence.clone())),
            Family::Audio => Some(Content::audio(self.body.clone(), media.essence.clone())),
            Family::Other if media.is_declared() || text.is_none() => Some(self.embedded(&media)),
            _ if text.is_none() => Some(self.embedded(&media)),
            _ => None,
        };
        let json = match media.family() {
            Family::Json if block.is_none() => text.and_then(|text| RawJson::parse(text).ok()),
            _ => None,
        };
        let (status, headers) = (self.status, &self.headers);
        let object = match (&json, text) {
            (Some(json), _) => {
                let raw: &RawValue = serde_json::from_str(json.get())?;
                to_json(&excluded.envelope(status, headers, Some(raw)))
            }
            (None, Some(text)) if block.is_none() && !text.is_empty() => {
                to_json(&excluded.envelope(status, headers, Some(text)))
            }
            _ => to_json(&excluded.envelope::<&str>(status, headers, None)),
        }?;
        let text = object.get().to_owned();
        let blocks = block.into_iter().chain([Content::text(text)]);
        Ok(CallToolResult::new(blocks).structured(object))
    }

    /// The body as text.
    ///
    /// # Errors
    /// [`ProtocolError`] with the status and the beginning of the body, unless the status is one of success.
    pub(crate) fn into_text(self) -> Result<String, ProtocolError> {
        let text = String::from_utf8_lossy(&self.body).into_owned();
        if self.status.is_success() {
            return Ok(text);
        }
        let detail: String = text.chars().take(REFUSAL_CHARACTERS).collect();
        let status = self.status;
        let message = if detail.is_empty() { status.to_string() } else { format!("{status}: {detail}") };
        Err(match status {
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
                ProtocolError::invalid_params(message)
            }
            _ => ProtocolError::new(-32603, message),
        })
    }

    /// Forms the contents of a resource, of this URI.
    pub(crate) fn into_contents(self) -> ResourceContents {
        let media = MediaType::of(&self.headers);
        contents(&self.body, &media)
    }
}

fn to_json<T: Serialize>(value: &T) -> Result<RawJson, ToolError> {
    RawJson::from_serialize(value).map_err(ToolError::from)
}

/// A body as the contents of a resource: text where it is text, bytes otherwise.
fn contents(body: &Bytes, media: &MediaType) -> ResourceContents {
    let is_text = matches!(media.family(), Family::Json | Family::Text) || !media.is_declared();
    match std::str::from_utf8(body) {
        Ok(text) if is_text => {
            let contents = ResourceContents::text(text);
            if media.is_declared() { contents.mime_type(&*media.essence) } else { contents }
        }
        _ => blob(body, media),
    }
}

fn blob(body: &Bytes, media: &MediaType) -> ResourceContents {
    let contents = ResourceContents::blob(Blob(body.clone()).0);
    if media.is_declared() {
        contents.mime_type(&*media.essence)
    } else {
        contents.mime_type("application/octet-stream")
    }
}

/// The name of a resource: the last part of its URI that says something.
fn name_of(uri: &str) -> &str {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    path.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or(uri)
}
