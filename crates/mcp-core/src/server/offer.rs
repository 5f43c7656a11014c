//! What the server says it offers: the same for every caller of one kind.

use super::Server;
use crate::{
    lower::{Offer, ServerCapabilities},
    protocol::{CacheHints, CacheScope, Extension},
};

impl Server {
    /// Lists may change at run time.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.0.switches.dynamic
    }

    pub(crate) fn announces_updates(&self) -> bool {
        self.0.switches.resource_updates
    }

    pub(crate) fn shows_errors(&self) -> bool {
        self.0.switches.show_errors
    }

    pub(crate) fn offers_resources(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_resources()
    }

    pub(crate) fn offers_prompts(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_prompts()
    }

    pub(crate) fn offers_completions(&self) -> bool {
        self.is_dynamic() || self.catalogue().has_completers()
    }

    /// What is offered to a caller that has, or has not, a channel for changes and for log messages.
    ///
    /// Identical for every caller of one kind, whatever they may use.
    pub(crate) fn capabilities(&self, channel: Offer, logging: Offer) -> ServerCapabilities {
        ServerCapabilities {
            resources: Offer::when(self.offers_resources()),
            prompts: Offer::when(self.offers_prompts()),
            completions: Offer::when(self.offers_completions()),
            logging,
            list_changed: Offer::when(channel.is_made() && self.is_dynamic()),
            subscribe: Offer::when(channel.is_made() && self.announces_updates()),
            extensions: self.extensions(),
        }
    }

    /// The extensions that are advertised: the author's, then those of the server's own that have something to serve.
    fn extensions(&self) -> Vec<Extension> {
        self.0.extensions.clone()
    }

    /// How long lists stay fresh. Without authorization decisions in them they are the same for every caller.
    pub(crate) fn list_cache(&self) -> CacheHints {
        CacheHints { ttl: self.0.list_ttl, scope: CacheScope::Public }
    }
}
