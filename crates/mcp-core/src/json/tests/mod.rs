//! The index, the schema checks and the writers, against their limits and against serde_json.

mod index;
mod limits;
mod oracle;
mod schema;
mod write;

use super::{Document, JsonFault, JsonFaultKind, JsonLimits};
use bytes::Bytes;

fn parse(text: impl AsRef<[u8]>) -> Result<Document, JsonFault> {
    parse_within(text, &JsonLimits::default())
}

fn parse_within(text: impl AsRef<[u8]>, limits: &JsonLimits) -> Result<Document, JsonFault> {
    Document::parse(Bytes::copy_from_slice(text.as_ref()), limits)
}

fn refusal(text: impl AsRef<[u8]>) -> (JsonFaultKind, usize) {
    let fault = parse(text).expect_err("the text should be refused");
    (fault.kind, fault.position)
}
