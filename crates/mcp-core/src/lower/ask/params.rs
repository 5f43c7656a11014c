//! The parameters of what is asked.

use super::sampling::sampling;
use crate::{
    ask::AskRequest,
    json::{JsonWriter, ObjectWriter},
    protocol::Form,
    version::{Feature, ProtocolVersion},
};

/// A form without fields, for a revision that has no pages.
const NO_FIELDS: &str = r#"{"type":"object","properties":{}}"#;

/// Whether a request has parameters to write.
pub(super) fn has_params(request: &AskRequest) -> bool {
    !matches!(request, AskRequest::Roots)
}

/// The `params` object of a request.
///
/// Something is written for every revision; that nothing is sent which a revision does not have is the business
/// of [`AskRequest::missing_capability`].
pub(crate) fn ask_params(writer: JsonWriter<'_>, request: &AskRequest, version: ProtocolVersion) {
    writer.object(|params| ask_param_members(params, request, version));
}

/// The members of the `params` object.
pub(in crate::lower) fn ask_param_members(
    params: &mut ObjectWriter<'_>,
    request: &AskRequest,
    version: ProtocolVersion,
) {
    match request {
        AskRequest::Form { message, form } => {
            if version.has(Feature::UrlElicitation) {
                params.string("mode", "form");
            }
            params.string("message", message);
            params.raw("requestedSchema", schema_text(form, version));
        }
        AskRequest::Url { message, url, id } => page(params, message, url, id, version),
        AskRequest::Sample(request) => sampling(params, request, version),
        AskRequest::Roots => {}
    }
}

fn schema_text(form: &Form, version: ProtocolVersion) -> &str {
    if version.has(Feature::RichForms) { form.text() } else { form.earlier_text() }
}

/// A page to open; a revision without pages gets its address as text above an empty form.
fn page(params: &mut ObjectWriter<'_>, message: &str, url: &str, id: &str, version: ProtocolVersion) {
    if !version.has(Feature::UrlElicitation) {
        params.string("message", &format!("{message}\n{url}"));
        return params.raw("requestedSchema", NO_FIELDS);
    }
    params.string("mode", "url");
    params.string("message", message);
    params.string("url", url);
    if version.has(Feature::ElicitationIds) {
        params.string("elicitationId", id);
    }
}
