//! From a response to a tool's result, or to the contents of a resource.

use super::{
    Promise, ResultForm,
    envelope::Excluded,
    media::{Family, MediaType},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
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
        promise: Promise,
    ) -> Result<CallToolResult, ToolError> {
        if self.is_failure() {
            let result = match form {
                ResultForm::Body => self.as_body(),
                ResultForm::Envelope => self.as_envelope(excluded, Vec::new())?,
            };
            return Ok(result.failed());
        }
        let linked = self.linked()?;
        if form == ResultForm::Envelope {
            return self.as_envelope(excluded, linked);
        }
        if promise == Promise::Nothing {
            return Ok(if linked.is_empty() { self.as_body() } else { CallToolResult::new(linked) });
        }
        match self.json() {
            Some(value) => Ok(CallToolResult::new(linked).structured(value)),
            None => {
                let said = self.status_text();
                Err(ToolError::new(format!("the route answered without the JSON that it declares: {said}")))
            }
        }
    }

    /// A status of 400 and above is a failure, and so is one that has no content of its own to give.
    ///
    /// Nothing was switched, and nothing is cached on this side: RFC 9110, sections 15.2.2 and 15.4.5.
    fn is_failure(&self) -> bool {
        self.status.as_u16() >= 400
            || self.status == StatusCode::NOT_MODIFIED
            || self.status == StatusCode::SWITCHING_PROTOCOLS
    }

    /// What the header fields for resources say: links, and the body as a resource.
    fn linked(&self) -> Result<Vec<Content>, ToolError> {
        let media = MediaType::of(&self.headers);
        let mut blocks = Vec::new();
        for value in self.headers.get_all(RESOURCE_LINK) {
            let uri = resource_uri(RESOURCE_LINK, value)?;
            let mut resource = Resource::new(uri.as_str(), name_of(uri.as_str()));
            if media.is_declared() {
                resource = resource.mime_type(media.essence.clone());
            }
            blocks.push(Content::resource_link(resource));
        }
        if let Some(value) = self.headers.get(EMBEDDED_RESOURCE) {
            let uri = resource_uri(EMBEDDED_RESOURCE, value)?;
            blocks.push(Content::resource(contents(&self.body, &media).uri(uri.as_str())));
        }
        Ok(blocks)
    }

    /// The body as JSON, where it says that it is and is.
    fn json(&self) -> Option<RawJson> {
        let is_json = MediaType::of(&self.headers).family() == Family::Json;
        let text = std::str::from_utf8(&self.body).ok().filter(|_| is_json)?;
        RawJson::parse(text).ok()
    }

    /// The body, as what it is.
    fn as_body(&self) -> CallToolResult {
        let media = MediaType::of(&self.headers);
        if self.body.is_empty() {
            let empty = CallToolResult::default();
            return if self.status.is_success() { empty } else { CallToolResult::text(self.status_text()) };
        }
        match media.family() {
            Family::Json => match self.json() {
                Some(value) => CallToolResult::default().structured(value),
                None => self.as_text_or_blob(&media),
            },
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

    /// What there is to say about a response beside its body.
    fn status_text(&self) -> String {
        match self.headers.get(header::LOCATION).and_then(|place| place.to_str().ok()) {
            Some(place) => format!("{}; see {place}", self.status),
            None => self.status.to_string(),
        }
    }

    /// One object of status, header fields and body, after the blocks that `linked` holds.
    fn as_envelope(
        &self,
        excluded: &Excluded,
        mut linked: Vec<Content>,
    ) -> Result<CallToolResult, ToolError> {
        let media = MediaType::of(&self.headers);
        let text = std::str::from_utf8(&self.body).ok();
        let is_embedded = !linked.is_empty() && self.headers.contains_key(EMBEDDED_RESOURCE);
        let block = match media.family() {
            _ if self.body.is_empty() || is_embedded => None,
            Family::Image => Some(Content::image(self.body.clone(), media.essence)),
            Family::Audio => Some(Content::audio(self.body.clone(), media.essence)),
            Family::Other if media.is_declared() || text.is_none() => Some(self.embedded(&media)),
            _ if text.is_none() => Some(self.embedded(&media)),
            _ => None,
        };
        let has_body = block.is_none() && !is_embedded;
        let json = if has_body { self.json() } else { None };
        let (status, headers) = (self.status, &self.headers);
        let object = match (&json, text) {
            (Some(json), _) => {
                let raw: &RawValue = serde_json::from_str(json.get())?;
                to_json(&excluded.envelope(status, headers, Some(raw)))
            }
            (None, Some(text)) if has_body && !text.is_empty() => {
                to_json(&excluded.envelope(status, headers, Some(text)))
            }
            _ => to_json(&excluded.envelope::<&str>(status, headers, None)),
        }?;
        let text = object.get().to_owned();
        linked.extend(block);
        linked.push(Content::text(text));
        Ok(CallToolResult::new(linked).structured(object))
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

/// The URI that a header field for resources gives.
fn resource_uri(name: &str, value: &HeaderValue) -> Result<AbsoluteUri, ToolError> {
    let uri = value.to_str().ok().and_then(|text| AbsoluteUri::parse(text.trim()).ok());
    uri.ok_or_else(|| {
        ToolError::new(format!("its response has no absolute URI in the header field `{name}`"))
    })
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
