//! The head of a request, as an input gives it.

use mcp_core::admit::{HeaderField, RequestHead};

/// Header lines, names and values as they come.
pub(crate) struct Lines<'a>(pub(crate) Vec<(&'a [u8], &'a [u8])>);

impl RequestHead for Lines<'_> {
    fn field(&self, name: &str) -> HeaderField<'_> {
        let mut values = self.0.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name.as_bytes()));
        match (values.next(), values.next()) {
            (None, _) => HeaderField::Absent,
            (Some((_, value)), None) => HeaderField::Once(value),
            (Some(_), Some(_)) => HeaderField::Repeated,
        }
    }

    fn path(&self) -> &str {
        "/mcp"
    }

    fn accepts_event_stream(&self) -> bool {
        true
    }
}
