//! What a result weighs at least, before it is written.

use super::OutputFault;
use crate::{
    protocol::{
        CallToolResult, Content, ContentKind, GetPromptResult, Meta, Resource, ResourceBody, ResourceContents,
    },
    server::Limits,
};
use serde_json::Value;

/// Adds up what a result will have at least, and says when that is too much.
///
/// The bytes are those that no writing can save: texts without their escapes, Base64 without the names around it.
/// So what passes is written in a small multiple of the limit at most, and judged once more by its real length.
#[derive(Debug)]
pub(crate) struct Weight<'a> {
    limits: &'a Limits,
    bytes: usize,
    tokens: usize,
}

impl<'a> Weight<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self { limits, bytes: 0, tokens: 0 }
    }

    /// Bytes and values of any origin.
    pub(crate) fn add(&mut self, bytes: usize, tokens: usize) -> Result<(), OutputFault> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.tokens = self.tokens.saturating_add(tokens);
        if self.bytes > self.limits.output_bytes {
            return Err(OutputFault::Bytes(self.limits.output_bytes));
        }
        if self.tokens > self.limits.output_json.tokens {
            return Err(OutputFault::Tokens(self.limits.output_json.tokens));
        }
        Ok(())
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), OutputFault> {
        self.add(text.len() + 2, 1)
    }

    /// The content of a tool's result, and its `_meta`.
    pub(crate) fn contents_of(&mut self, result: &CallToolResult, meta: &Meta) -> Result<(), OutputFault> {
        result.content.iter().try_for_each(|block| self.content(block))?;
        self.meta(meta)
    }

    /// A content block: an object of a type and what it carries.
    pub(crate) fn content(&mut self, block: &Content) -> Result<(), OutputFault> {
        match &block.kind {
            ContentKind::Text(text) => self.add(text.len() + 25, 5)?,
            ContentKind::Image { data, mime_type } | ContentKind::Audio { data, mime_type } => {
                self.add(base64(data.len()) + mime_type.len(), 7)?;
            }
            ContentKind::ResourceLink(link) => self.resource(link)?,
            ContentKind::Resource(contents) => {
                self.add(0, 4)?;
                self.contents(contents)?;
            }
        }
        block.meta.as_deref().map_or(Ok(()), |meta| self.meta(meta))
    }

    /// A resource in a link or a list.
    pub(crate) fn resource(&mut self, resource: &Resource) -> Result<(), OutputFault> {
        let texts = [&resource.title, &resource.description, &resource.mime_type];
        self.add(resource.uri.len() + resource.name.len(), 7)?;
        texts.into_iter().flatten().try_for_each(|text| self.text(text))?;
        resource.icons.iter().try_for_each(|icon| self.text(&icon.src))?;
        self.meta(&resource.meta)
    }

    /// What a resource holds.
    pub(crate) fn contents(&mut self, contents: &ResourceContents) -> Result<(), OutputFault> {
        let bytes = match &contents.body {
            ResourceBody::Text(text) => text.len(),
            ResourceBody::Blob(bytes) => base64(bytes.len()),
        };
        self.add(bytes + contents.uri.as_deref().map_or(0, str::len), 5)?;
        self.meta(&contents.meta)
    }

    pub(crate) fn prompt(&mut self, result: &GetPromptResult) -> Result<(), OutputFault> {
        result.description.as_deref().map_or(Ok(()), |text| self.text(text))?;
        for message in &result.messages {
            self.add(27, 4)?;
            self.content(&message.content)?;
        }
        self.meta(&result.meta)
    }

    pub(crate) fn meta(&mut self, meta: &Meta) -> Result<(), OutputFault> {
        meta.iter().try_for_each(|(key, value)| self.member(key, value, 0))
    }

    /// A member of an object that lies this deep.
    fn member(&mut self, name: &str, value: &Value, depth: usize) -> Result<(), OutputFault> {
        self.text(name)?;
        self.value(value, depth + 1)
    }

    /// Any JSON value. Going down ends at the limit, so that writing it needs no more stack than there is.
    pub(crate) fn value(&mut self, value: &Value, depth: usize) -> Result<(), OutputFault> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => self.add(1, 1),
            Value::String(text) => self.text(text),
            Value::Array(_) | Value::Object(_) if depth >= self.limits.output_json.depth => {
                Err(OutputFault::Depth(self.limits.output_json.depth))
            }
            Value::Array(elements) => {
                self.add(2, 1)?;
                elements.iter().try_for_each(|element| self.value(element, depth + 1))
            }
            Value::Object(members) => {
                self.add(2, 1)?;
                members.iter().try_for_each(|(name, value)| self.member(name, value, depth))
            }
        }
    }
}

/// The length of bytes in Base64.
fn base64(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}
