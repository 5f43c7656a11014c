//! Whom stored state belongs to.

use crate::principal::Principal;
use std::sync::Arc;

/// The identity that owns a session and its streams: what stays of a principal when its scopes are left out.
///
/// A later token of the same subject may carry other scopes and still reaches the session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a caller is authenticated or not")]
pub enum Owner {
    /// Nobody in particular: the server does not authenticate, and whoever knows the id owns the session.
    Anonymous,
    /// An authenticated caller.
    Principal {
        /// Who vouches for the subject.
        issuer: Option<Arc<str>>,
        /// The subject.
        subject: Arc<str>,
        /// The OAuth client that acts for the subject.
        client: Option<Arc<str>>,
    },
}

impl Owner {
    /// Tells whether this is the identity of a caller, without making another one.
    #[must_use]
    pub fn is(&self, principal: Option<&Principal>) -> bool {
        match (self, principal) {
            (Self::Anonymous, None) => true,
            (Self::Principal { issuer, subject, client }, Some(principal)) => {
                **subject == *principal.subject()
                    && issuer.as_deref() == principal.issuer()
                    && client.as_deref() == principal.client_id()
            }
            _ => false,
        }
    }

    /// The identity of a caller; [`Owner::Anonymous`] when there is no principal.
    #[must_use]
    pub fn of(principal: Option<&Principal>) -> Self {
        match principal {
            None => Self::Anonymous,
            Some(principal) => Self::Principal {
                issuer: principal.issuer().map(Arc::from),
                subject: principal.subject().into(),
                client: principal.client_id().map(Arc::from),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuer_subject_and_client_make_an_owner_and_scopes_do_not() {
        let ada = Principal::new("ada");
        let owner = |principal: &Principal| Owner::of(Some(principal));
        assert_eq!(owner(&ada), owner(&ada.clone().with_scopes(["read"])));
        assert_ne!(owner(&ada), owner(&Principal::new("bob")));
        assert_ne!(owner(&ada), owner(&ada.clone().with_issuer("https://id.example")));
        assert_ne!(owner(&ada), owner(&ada.clone().with_client_id("cli")));
        assert_ne!(owner(&ada.clone().with_client_id("x")), owner(&ada.clone().with_issuer("x")));
        assert_ne!(owner(&ada), Owner::of(None));
        let callers =
            [None, Some(ada.clone()), Some(ada.clone().with_client_id("x")), Some(ada.with_issuer("x"))];
        for (one, other) in callers.iter().flat_map(|one| callers.iter().map(move |other| (one, other))) {
            let same = Owner::of(one.as_ref()) == Owner::of(other.as_ref());
            assert_eq!(Owner::of(one.as_ref()).is(other.as_ref()), same);
        }
    }
}
