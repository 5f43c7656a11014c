//! What a sealed state belongs to: the seal covers it, and it opens nowhere else.

use crate::{ports::Owner, protocol::Method, version::ProtocolVersion};

/// Names the format of what is sealed, so that a key's other uses can never be taken for it.
const FORMAT: &str = "mcp requestState 1";

/// The call that a state belongs to.
///
/// Every part must be the same when the state is opened as it was when it was sealed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    /// The server's name, which other servers that share the key must not have.
    pub(crate) server: &'a str,
    /// The revision the call is made in.
    pub(crate) version: ProtocolVersion,
    /// The method called.
    pub(crate) method: Method,
    /// What the method is applied to: a tool's or prompt's name, or a resource's URI as the client wrote it.
    pub(crate) target: &'a str,
    /// What [`arguments_digest`](super::arguments_digest) says of the arguments.
    pub(crate) arguments: [u8; 32],
    /// Who calls.
    pub(crate) owner: &'a Owner,
}

impl Binding<'_> {
    /// The binding as bytes, equal for equal bindings only: each part goes with its length.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        bind_part(&mut out, FORMAT);
        bind_part(&mut out, self.server);
        bind_part(&mut out, self.version.as_str());
        bind_part(&mut out, self.method.as_str());
        bind_part(&mut out, self.target);
        bind_part(&mut out, self.arguments);
        bind_owner(&mut out, self.owner);
        out
    }
}

/// Adds who calls to a binding.
pub(crate) fn bind_owner(out: &mut Vec<u8>, owner: &Owner) {
    match owner {
        Owner::Anonymous => out.push(0),
        Owner::Principal { issuer, subject, client } => {
            out.push(1);
            bind_optional(out, issuer.as_deref());
            bind_part(out, &**subject);
            bind_optional(out, client.as_deref());
        }
    }
}

/// Adds one part to a binding.
pub(crate) fn bind_part(out: &mut Vec<u8>, bytes: impl AsRef<[u8]>) {
    let bytes = bytes.as_ref();
    out.extend_from_slice(&u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
}

/// Adds a part that may be absent to a binding.
pub(crate) fn bind_optional(out: &mut Vec<u8>, text: Option<&str>) {
    out.push(u8::from(text.is_some()));
    if let Some(text) = text {
        bind_part(out, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn bindings_that_differ_anywhere_are_encoded_differently() {
        let owner = |issuer: Option<&str>, subject: &str, client: Option<&str>| Owner::Principal {
            issuer: issuer.map(Into::into),
            subject: subject.into(),
            client: client.map(Into::into),
        };
        let owners = [
            Owner::Anonymous,
            owner(None, "", None),
            owner(None, "a", None),
            owner(Some("a"), "", None),
            owner(None, "", Some("a")),
            owner(Some(""), "a", None),
            owner(None, "a", Some("")),
            owner(Some("a"), "a", Some("a")),
            owner(Some("aa"), "a", None),
        ];
        let mut seen = BTreeSet::new();
        let mut count = 0;
        for owner in &owners {
            for (server, target) in [("a", "b"), ("ab", ""), ("", "ab"), ("b", "a")] {
                for (version, method) in [
                    (ProtocolVersion::V2026_07_28, Method::CallTool),
                    (ProtocolVersion::V2026_07_28, Method::GetPrompt),
                    (ProtocolVersion::V2025_11_25, Method::CallTool),
                ] {
                    for arguments in [[0; 32], [1; 32]] {
                        let binding = Binding { server, version, method, target, arguments, owner };
                        seen.insert(binding.encode());
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(seen.len(), count);
    }
}
