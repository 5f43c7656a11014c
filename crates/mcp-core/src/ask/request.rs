//! What is asked of the client.

use crate::{
    json::ObjectWriter,
    lower::ask_params,
    protocol::{ClientCapabilities, Form, SamplingFault, SamplingRequest},
    uri::{AbsoluteUri, UriFault},
    version::{Feature, ProtocolVersion},
};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// What is asked of the client.
#[derive(Clone, Debug)]
pub(crate) enum AskRequest {
    /// A form for the user.
    Form { message: Box<str>, form: Arc<Form> },
    /// A page for the user to open. `id` is the elicitation id that 2025-11-25 carries and 2026-07-28 does not.
    Url { message: Box<str>, url: Box<str>, id: Box<str> },
    /// A text from the client's model.
    Sample(Box<SamplingRequest>),
    /// The folders the client works in.
    Roots,
}

impl AskRequest {
    /// A sampling request whose messages keep the rules for tools.
    ///
    /// # Errors
    /// The first [`SamplingFault`].
    pub(crate) fn sample(request: SamplingRequest) -> Result<Self, SamplingFault> {
        request.check()?;
        Ok(Self::Sample(Box::new(request)))
    }

    /// A page for the user to open, with the id that names it to clients of 2025-11-25.
    ///
    /// # Errors
    /// [`UriFault`] when `url` is no absolute URI.
    pub(crate) fn page(
        message: impl Into<Box<str>>,
        url: &str,
        id: impl Into<Box<str>>,
    ) -> Result<Self, UriFault> {
        AbsoluteUri::parse(url)?;
        Ok(Self::Url { message: message.into(), url: url.into(), id: id.into() })
    }

    /// The method of the request.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Form { .. } | Self::Url { .. } => "elicitation/create",
            Self::Sample(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// The request as a caller of a revision would read it, without an id.
    pub(crate) fn as_json(&self, version: ProtocolVersion) -> serde_json::Value {
        // What the server writes is JSON; anything else shows up as null in a test's assertion.
        serde_json::from_slice(&self.text(version)).unwrap_or_default()
    }

    fn text(&self, version: ProtocolVersion) -> Vec<u8> {
        let mut text = Vec::new();
        let mut object = ObjectWriter::new(&mut text);
        object.string("method", self.method());
        ask_params(object.member("params"), self, version);
        object.end();
        text
    }

    /// The path of the capability the request is about.
    pub(crate) fn capability(&self) -> &'static str {
        match self {
            Self::Form { .. } => FORM,
            Self::Url { .. } => URL,
            Self::Sample(_) => "sampling",
            Self::Roots => "roots",
        }
    }

    /// The path of a client capability, with its mode, that the request needs and the client did not declare, or
    /// that the revision does not have.
    ///
    /// Spec: 2026-07-28, client/elicitation#capabilities and client/sampling#capabilities.
    pub(crate) fn missing_capability(
        &self,
        version: ProtocolVersion,
        declared: &ClientCapabilities,
    ) -> Option<&'static str> {
        match self {
            Self::Form { form, .. } => {
                let speaks = version.has(Feature::Elicitation)
                    && (version.has(Feature::RichForms) || !form.has_multiple_choice());
                // Before there were modes, any declaration of elicitation meant forms.
                let needed = if version.has(Feature::UrlElicitation) { FORM } else { "elicitation" };
                (!speaks || !declared.supports(needed)).then_some(FORM)
            }
            Self::Url { .. } => {
                (!version.has(Feature::UrlElicitation) || !declared.supports(URL)).then_some(URL)
            }
            Self::Sample(request) => missing_for_sampling(request, version, declared),
            Self::Roots => (!declared.supports("roots")).then_some("roots"),
        }
    }

    /// SHA-256 of the request as 2026-07-28 encodes it, the elicitation id left out.
    ///
    /// By it a remembered answer is known to be one to this request.
    pub(crate) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text(ProtocolVersion::LATEST)).into()
    }
}

const FORM: &str = "elicitation.form";
const URL: &str = "elicitation.url";

fn missing_for_sampling(
    request: &SamplingRequest,
    version: ProtocolVersion,
    declared: &ClientCapabilities,
) -> Option<&'static str> {
    if !declared.supports("sampling") {
        return Some("sampling");
    }
    if request.uses_tools() && !(version.has(Feature::SamplingTools) && declared.supports("sampling.tools")) {
        return Some("sampling.tools");
    }
    // Earlier revisions have no capability for it: every client that samples may be asked.
    (request.wants_context()
        && version.has(Feature::SamplingContextCapability)
        && !declared.supports("sampling.context"))
    .then_some("sampling.context")
}
