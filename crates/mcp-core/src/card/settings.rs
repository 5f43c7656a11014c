//! What a card asks of its host.

use super::{CardCsp, CardPermission, fault::CardFaults, source::domain_problem};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What a card asks of its host: which origins it reaches, what of the browser it uses, how it looks.
///
/// ```
/// use mcp_core::card::{CardCsp, CardPermission, CardSettings};
/// let settings = CardSettings::new()
///     .csp(CardCsp::new().connect("https://api.example.com").resources("https://cdn.example.com"))
///     .permission(CardPermission::ClipboardWrite)
///     .prefers_border();
/// # let _ = settings;
/// ```
///
/// What is left out is up to the host, whose defaults let a card reach nothing outside itself.
///
/// Spec: SEP-1865, `UIResourceMeta`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct CardSettings {
    pub(super) csp: Option<CardCsp>,
    pub(super) permissions: Option<BTreeSet<CardPermission>>,
    pub(super) domain: Option<Box<str>>,
    pub(super) prefers_border: Option<bool>,
}

impl CardSettings {
    /// Nothing beyond a host's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the origins that the card reaches.
    pub fn csp(mut self, csp: CardCsp) -> Self {
        self.csp = Some(csp);
        self
    }

    /// Asks for a capability of the browser.
    pub fn permission(mut self, permission: CardPermission) -> Self {
        self.permissions.get_or_insert_default().insert(permission);
        self
    }

    /// Sets the domain that the card wants to be shown from, for OAuth callbacks and CORS.
    ///
    /// Each host documents what such a domain looks like; one that no host gives is of no use.
    pub fn domain(mut self, domain: impl Into<Box<str>>) -> Self {
        self.domain = Some(domain.into());
        self
    }

    /// Asks for a border and a background around the card.
    pub fn prefers_border(mut self) -> Self {
        self.prefers_border = Some(true);
        self
    }

    /// Asks for no border and no background around the card.
    pub fn prefers_no_border(mut self) -> Self {
        self.prefers_border = Some(false);
        self
    }

    /// These settings with each member replaced, whole, that the others have.
    pub fn overridden_by(self, others: Self) -> Self {
        Self {
            csp: others.csp.or(self.csp),
            permissions: others.permissions.or(self.permissions),
            domain: others.domain.or(self.domain),
            prefers_border: others.prefers_border.or(self.prefers_border),
        }
    }

    /// Checks everything.
    ///
    /// # Errors
    /// [`CardFaults`] with every member that no host could use, or that could say something else to one.
    pub fn check(&self) -> Result<(), CardFaults> {
        let mut faults = CardFaults::default();
        if let Some(csp) = &self.csp {
            csp.check(&mut faults);
        }
        if let Some(problem) = self.domain.as_deref().and_then(domain_problem) {
            faults.add("domain", problem);
        }
        faults.finish()
    }

    /// What goes under `_meta.ui`; `None` where nothing is set.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        let mut members = Map::new();
        if let Some(csp) = &self.csp {
            members.insert("csp".into(), csp.to_value());
        }
        if let Some(permissions) = &self.permissions {
            let names = permissions.iter().map(|permission| permission.as_str().to_owned());
            let all: Map<_, _> = names.map(|name| (name, Value::Object(Map::new()))).collect();
            members.insert("permissions".into(), Value::Object(all));
        }
        if let Some(domain) = &self.domain {
            members.insert("domain".into(), Value::from(&**domain));
        }
        if let Some(prefers_border) = self.prefers_border {
            members.insert("prefersBorder".into(), Value::from(prefers_border));
        }
        (!members.is_empty()).then_some(Value::Object(members))
    }
}
