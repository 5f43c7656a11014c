//! Who a request is made for.

use std::collections::BTreeSet;

/// An authenticated caller.
///
/// Sessions, streams and sealed state belong to a principal; two principals are the same when
/// issuer, subject and client agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    subject: Box<str>,
    issuer: Option<Box<str>>,
    client_id: Option<Box<str>>,
    scopes: BTreeSet<Box<str>>,
}

impl Principal {
    /// A principal by subject, without scopes.
    #[must_use]
    pub fn new(subject: impl Into<Box<str>>) -> Self {
        Self { subject: subject.into(), issuer: None, client_id: None, scopes: BTreeSet::new() }
    }

    /// Names who vouches for the subject.
    #[must_use]
    pub fn with_issuer(mut self, issuer: impl Into<Box<str>>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// Names the OAuth client that acts for the subject.
    #[must_use]
    pub fn with_client_id(mut self, client_id: impl Into<Box<str>>) -> Self {
        self.client_id = Some(client_id.into());
        self
    }

    /// Grants scopes, beside those that are granted already.
    #[must_use]
    pub fn with_scopes<T: Into<Box<str>>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// The subject.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The OAuth client, when one is known.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.client_id.as_deref()
    }

    /// Who vouches for the subject, when it is known.
    #[must_use]
    pub fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }

    /// Tells whether a scope is granted.
    #[must_use]
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.contains(scope)
    }

    /// The granted scopes, in alphabetical order.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(|scope| &**scope)
    }
}
