//! One page of a list, as one caller sees it.

use super::{Cursor, Place, budget::Budget, cursor::Trail};
use crate::{
    context::Context,
    handler::{ProtocolError, ResourceListing},
    json::JsonWriter,
    lower::{self, ListKind},
    output::{OutputFault, Weight},
    ports::ListView,
    protocol::Resource,
    refusal::Refusal,
    uri::AbsoluteUri,
    view::{Filter, Listed, Verdict},
};
use std::sync::Arc;

/// One page, as JSON text with commas between the entries.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) entries: Vec<u8>,
    /// Where the next page begins; `None` on the last one.
    pub(crate) next: Option<Cursor>,
}

/// Why there is no page.
#[derive(Debug)]
pub(crate) enum NotListed {
    Refused(Refusal),
    /// A policy or a callback failed.
    Failed(ProtocolError),
    /// What callbacks list is more than may go out.
    HeldBack(OutputFault),
}

/// Decides which entries the caller sees.
pub(crate) struct Sight<'a> {
    context: &'a Context,
    view: Arc<ListView>,
    filter: Option<&'a Filter>,
}

impl<'a> Sight<'a> {
    pub(crate) fn of(context: &'a Context, kind: ListKind) -> Self {
        let view = context.0.caller.view.lists();
        Self { context, view, filter: context.0.server.lists().filter_of(kind) }
    }

    async fn sees(&self, listed: Listed) -> Result<bool, ProtocolError> {
        if !self.context.0.server.presentation().lists(&listed, &self.view) {
            return Ok(false);
        }
        self.may_see(listed).await
    }

    /// Tells whether the caller sees an entry wherever it is told of: its own list aside.
    ///
    /// # Errors
    /// When a policy cannot tell.
    pub(crate) async fn may_see(&self, listed: Listed) -> Result<bool, ProtocolError> {
        if self.view.hides(&listed) {
            return Ok(false);
        }
        // A policy speaks of what the author offers, not of what leads there.
        if self.context.0.server.presentation().is_own(&listed) {
            return Ok(true);
        }
        let Some(filter) = self.filter else { return Ok(true) };
        match filter.decide(self.context, listed.clone()).await {
            Ok(verdict) => Ok(verdict == Verdict::Show),
            Err(error) => {
                tracing::error!(method = self.context.method(), ?listed, %error, "a list policy failed; nothing is listed");
                Err(ProtocolError::policy_failed())
            }
        }
    }
}

/// Makes the page that begins at a place of the call's own catalogue.
pub(crate) async fn collect(context: Context, kind: ListKind, from: Place) -> Result<Page, NotListed> {
    let server = &context.0.server;
    let catalogue = &context.0.catalogue;
    let sight = Sight::of(&context, kind);
    let mut budget = Budget::of(server.lists().page());
    let mut page = Page::default();
    let mut weight = Weight::new(context.limits());
    let ends_at =
        |page: Page, place| Page { next: Some(Cursor::new(catalogue.digest_bytes(), place)), ..page };
    let (mut callback, mut trail) = match from {
        Place::Callback { number, trail } => (number, trail),
        Place::Entries(passed) => {
            let encoded = catalogue.encoded(kind, context.version());
            for place in passed..encoded.len() {
                if budget.is_spent() {
                    return Ok(ends_at(page, Place::Entries(place)));
                }
                budget.examined();
                let Some(listed) = Listed::at(catalogue, kind, place) else { break };
                if sight.sees(listed).await.map_err(NotListed::Failed)? {
                    budget.shown();
                    append(&mut page.entries, |out| out.extend_from_slice(encoded.slice(place..place + 1)));
                }
            }
            (0, Trail::default())
        }
    };
    if kind != ListKind::Resources {
        return Ok(page);
    }
    while let Some(listing) = catalogue.listings().0.get(callback) {
        if budget.is_spent() {
            return Ok(ends_at(page, Place::Callback { number: callback, trail }));
        }
        let request = ResourceListing { context: context.clone() };
        let resources = listing(request).await.map_err(NotListed::Failed)?;
        let passed = trail.take_up(resources.iter().map(|resource| &*resource.uri));
        let passed = passed.ok_or(NotListed::Refused(Refusal::InvalidCursor))?;
        for resource in resources.into_iter().skip(passed).map(Arc::new) {
            if budget.is_spent() {
                return Ok(ends_at(page, Place::Callback { number: callback, trail }));
            }
            budget.examined();
            trail.push(&resource.uri);
            let listed = Listed::from_callback(Arc::clone(&resource));
            if is_sound(&resource) && sight.sees(listed).await.map_err(NotListed::Failed)? {
                budget.shown();
                weight.resource(&resource).map_err(NotListed::HeldBack)?;
                append(&mut page.entries, |out| {
                    lower::resource(JsonWriter::new(out), &resource, context.version());
                });
            }
        }
        (callback, trail) = (callback + 1, Trail::default());
    }
    Ok(page)
}

fn append(entries: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    if !entries.is_empty() {
        entries.push(b',');
    }
    write(entries);
}

/// Clients refuse whole lists for a bad URI.
fn is_sound(resource: &Resource) -> bool {
    match AbsoluteUri::parse(&resource.uri) {
        Ok(_) => true,
        Err(fault) => {
            tracing::error!(uri = &*resource.uri, %fault, "a listed resource was left out");
            false
        }
    }
}

/// All resources the caller sees: those that are registered, then those of callbacks.
pub(crate) async fn resources_seen(context: &Context) -> Result<Vec<Resource>, ProtocolError> {
    let sight = Sight::of(context, ListKind::Resources);
    let mut all = Vec::new();
    let catalogue = &context.0.catalogue;
    for (place, entry) in catalogue.static_resources().iter().enumerate() {
        let Some(listed) = Listed::at(catalogue, ListKind::Resources, place) else { break };
        if sight.sees(listed).await? {
            all.push(entry.resource.clone());
        }
    }
    for listing in &catalogue.listings().0 {
        for resource in listing(ResourceListing { context: context.clone() }).await? {
            let resource = Arc::new(resource);
            if sight.sees(Listed::from_callback(Arc::clone(&resource))).await? {
                all.push(Arc::unwrap_or_clone(resource));
            }
        }
    }
    Ok(all)
}
