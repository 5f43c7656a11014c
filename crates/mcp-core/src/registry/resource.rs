//! Resources and resource templates.

use super::{
    Faults, Origin, TimeLimit,
    completer::{Completers, Unbound},
    icon::check_icons,
    index,
};
use crate::{
    card::{CardDefinition, CardEntry, CardSettings},
    handler::{Binder, CompletionRequest, Erased, Handler, ResourceRead, bind},
    protocol::{Annotations, CacheHints, CacheScope, Icon, Meta, Resource},
    uri::{AbsoluteUri, UriTemplate},
};
use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

/// Registers a function that reads a resource, or every resource of a URI template.
pub fn resource<S, P, H>(handler: H) -> ResourceBuilder<S>
where
    S: Send + Sync + 'static,
    H: Handler<ResourceRead, S, P>,
{
    ResourceBuilder {
        origin: Origin::default(),
        definition: ResourceDefinition::default(),
        completers: Unbound::default(),
        bind: bind(handler),
    }
}

/// A resource or template on its way into a router.
#[must_use]
pub struct ResourceBuilder<S> {
    pub(super) origin: Origin,
    pub(super) definition: ResourceDefinition,
    completers: Unbound<S>,
    bind: Binder<ResourceRead, S>,
}

/// What is published about a resource or a template.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceDefinition {
    pub(crate) name: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) mime_type: Option<Box<str>>,
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Annotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Meta,
    pub(crate) time: TimeLimit,
    pub(crate) tags: BTreeSet<Box<str>>,
    pub(crate) cache: CacheHints,
    card: Option<CardDefinition>,
}

impl<S: Send + Sync + 'static> ResourceBuilder<S> {
    /// Sets the programmatic name; otherwise the URI's last part serves.
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.definition.name = name.into();
        self
    }

    /// Sets the name shown to people.
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.definition.title = Some(title.into());
        self
    }

    /// Says what the resource holds.
    pub fn describe(mut self, description: impl Into<Box<str>>) -> Self {
        self.definition.description = Some(description.into());
        self
    }

    /// Declares the media type; it stands above what the handler says.
    pub fn mime_type(mut self, mime_type: impl Into<Box<str>>) -> Self {
        self.definition.mime_type = Some(mime_type.into());
        self
    }

    /// Declares the size in bytes; a template has none.
    pub fn size(mut self, bytes: u64) -> Self {
        self.definition.size = Some(bytes);
        self
    }

    /// Adds hints about audience and importance.
    pub fn annotate(mut self, annotations: Annotations) -> Self {
        self.definition.annotations = annotations;
        self
    }

    /// Adds an icon.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.definition.icons.push(icon);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.definition.meta = meta;
        self
    }

    /// Sets how long a read may take, 1 ms to 24 hours, in place of `limits.call_timeout`; then it is answered with
    /// an error.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.definition.time = TimeLimit::Own(timeout);
        self
    }

    /// Lets a read take as long as it likes, whatever `limits.call_timeout` says.
    pub fn without_timeout(mut self) -> Self {
        self.definition.time = TimeLimit::Never;
        self
    }

    /// Adds a tag; tags stay on the server.
    pub fn tag(mut self, tag: impl Into<Box<str>>) -> Self {
        self.definition.tags.insert(tag.into());
        self
    }

    /// Says how long clients may go on using what they have read, up to 365 days; by default they ask each time.
    ///
    /// What a client holds is stale the moment it hears that the resource was updated, whatever is said here. Results
    /// of calls that asked the client for something are never kept.
    ///
    /// Spec: 2026-07-28, server/utilities/caching.
    pub fn fresh_for(mut self, ttl: Duration) -> Self {
        self.definition.cache.ttl = ttl;
        self
    }

    /// Says that the resource reads the same for everyone, so that caches may share it.
    ///
    /// Otherwise what is read is for its reader only. Whatever is shared can reach callers who were never let in here:
    /// say this of nothing that not everybody may read.
    pub fn same_for_everyone(mut self) -> Self {
        self.definition.cache.scope = CacheScope::Public;
        self
    }

    /// Makes the resource a card, which tools name with [`ToolBuilder::card`](super::ToolBuilder::card): it gets the
    /// media type of cards, and tells hosts what it asks of them in the list and in its contents.
    ///
    /// Its URI begins with `ui://`, and it reads as an HTML document. What its handler says under `ui` in the `_meta`
    /// of its contents stands above these settings.
    ///
    /// Spec: extension `io.modelcontextprotocol/ui` (SEP-1865).
    pub fn card(mut self, settings: CardSettings) -> Self {
        self.definition.card.get_or_insert_default().settings = settings;
        self
    }

    /// Makes the resource a card in this version of it, such as a digest: 1 to 64 letters, digits, `-`, `.`, `_`, `~`.
    ///
    /// Hosts keep cards by their URIs. Tools name a card with a version as `ui://…?v=<version>`, so that a card that
    /// changed has another URI; it can be read with and without. Any other version is a resource that is not found:
    /// nothing is kept under a URI that it does not belong to, even while a new server takes over from an old one.
    pub fn card_version(mut self, version: impl Into<Box<str>>) -> Self {
        self.definition.card.get_or_insert_default().version = Some(version.into());
        self
    }

    /// Suggests values for a variable of the template.
    pub fn complete<P, H: Handler<CompletionRequest, S, P>>(
        mut self,
        variable: impl Into<Box<str>>,
        completer: H,
    ) -> Self {
        self.completers.add(variable.into(), bind(completer));
        self
    }

    pub(crate) fn with_state(self, state: &Arc<S>) -> ResourceBuilder<()> {
        let handler = (self.bind)(Arc::clone(state));
        ResourceBuilder {
            origin: self.origin,
            definition: self.definition,
            completers: self.completers.with_state(state),
            bind: Box::new(move |_| handler),
        }
    }
}

impl<S> fmt::Debug for ResourceBuilder<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ResourceBuilder")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

/// A resource of one URI.
pub(crate) struct StaticEntry {
    /// The URI in the form it is looked up by.
    key: Box<str>,
    pub(crate) origin: Origin,
    pub(crate) resource: Resource,
    pub(crate) time: TimeLimit,
    pub(crate) tags: BTreeSet<Box<str>>,
    pub(crate) cache: CacheHints,
    pub(crate) card: Option<CardEntry>,
    pub(crate) handler: Erased<ResourceRead>,
}

/// Every resource of one template.
pub(crate) struct TemplateEntry {
    pub(crate) template: UriTemplate,
    pub(crate) origin: Origin,
    pub(crate) definition: ResourceDefinition,
    pub(crate) completers: Completers,
    pub(crate) card: Option<CardEntry>,
    pub(crate) handler: Erased<ResourceRead>,
}

/// What a registration turned out to be.
pub(crate) enum Compiled {
    Static(Arc<StaticEntry>),
    Template(Arc<TemplateEntry>),
}

impl index::Named for StaticEntry {
    fn key(&self) -> &str {
        &self.key
    }

    fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl index::Named for TemplateEntry {
    fn key(&self) -> &str {
        self.template.as_str()
    }

    fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl ResourceBuilder<()> {
    /// Compiles the resource; every fault is added to `faults`.
    pub(crate) fn compile(self, uri: Box<str>, faults: &mut Faults) -> Option<Compiled> {
        if uri.contains('{') { self.compile_template(&uri, faults) } else { self.compile_static(uri, faults) }
    }

    fn compile_static(mut self, uri: Box<str>, faults: &mut Faults) -> Option<Compiled> {
        let subject = format!("resource `{uri}`");
        check_icons(&subject, &self.definition.icons, faults);
        self.definition.time.check(&subject, faults);
        check_ttl(&subject, self.definition.cache.ttl, faults);
        if !self.completers.is_empty() {
            faults.add(&*subject, "only the variables of a template can be completed");
        }
        let key = match AbsoluteUri::parse(&uri) {
            Ok(parsed) => parsed.lookup_key().into(),
            Err(fault) => {
                faults.add(subject, fault);
                return None;
            }
        };
        let card = self.definition.compile_card(&subject, &uri, faults);
        let handler = (self.bind)(Arc::new(()));
        let definition = std::mem::take(&mut self.definition);
        let time = definition.time;
        let name = if definition.name.is_empty() { last_part(&uri) } else { definition.name };
        let resource = Resource {
            name,
            uri,
            title: definition.title,
            description: definition.description,
            mime_type: definition.mime_type,
            size: definition.size,
            annotations: definition.annotations,
            icons: definition.icons,
            meta: definition.meta,
        };
        let (origin, tags, cache) = (self.origin, definition.tags, definition.cache);
        Some(Compiled::Static(Arc::new(StaticEntry {
            key,
            origin,
            resource,
            tags,
            cache,
            time,
            card,
            handler,
        })))
    }

    fn compile_template(mut self, uri: &str, faults: &mut Faults) -> Option<Compiled> {
        let subject = format!("resource template `{uri}`");
        check_icons(&subject, &self.definition.icons, faults);
        self.definition.time.check(&subject, faults);
        check_ttl(&subject, self.definition.cache.ttl, faults);
        let template = match UriTemplate::parse(uri) {
            Ok(template) => template,
            Err(fault) => {
                faults.add(subject, fault);
                return None;
            }
        };
        if !begins_with_scheme(uri) {
            faults.add(&*subject, "a URI begins with a scheme, such as `notes:`; a path alone is no URI");
        }
        let completers = self.completers.bind();
        completers.note_repeated(&subject, faults);
        for variable in completers.names() {
            if !template.variable_names().any(|name| name == variable) {
                faults.add(&*subject, format!("the template has no variable `{variable}` to complete"));
            }
        }
        if self.definition.size.is_some() {
            faults.add(&*subject, "a template has no size");
        }
        if self.definition.name.is_empty() {
            self.definition.name = uri.into();
        }
        let card = self.definition.compile_card(&subject, uri, faults);
        let handler = (self.bind)(Arc::new(()));
        Some(Compiled::Template(Arc::new(TemplateEntry {
            template,
            origin: self.origin,
            definition: self.definition,
            completers,
            card,
            handler,
        })))
    }
}

impl ResourceDefinition {
    /// Makes a card of it, where it is to be one.
    fn compile_card(&mut self, subject: &str, uri: &str, faults: &mut Faults) -> Option<CardEntry> {
        let card = self.card.take()?;
        Some(card.compile((subject, uri), &mut self.mime_type, &mut self.meta, faults))
    }
}

/// The longest time that a resource may say it stays fresh.
const LONGEST_TTL: Duration = Duration::from_secs(365 * 24 * 3_600);

fn check_ttl(subject: &str, ttl: Duration, faults: &mut Faults) {
    if ttl > LONGEST_TTL {
        faults.add(
            subject,
            "a resource stays fresh for at most 365 days; make the time of `fresh_for` shorter",
        );
    }
}

/// Tells whether a template's URIs can begin with a scheme: its own, or one that a leading variable gives.
fn begins_with_scheme(template: &str) -> bool {
    let literal = template.split('{').next().unwrap_or_default();
    let scheme = literal.split_once(':').map(|(scheme, _)| scheme);
    literal.is_empty()
        || scheme.is_some_and(|scheme| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        })
}

/// The part of a URI that a person would call its name.
fn last_part(uri: &str) -> Box<str> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri).trim_end_matches('/');
    path.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or(uri).into()
}

impl fmt::Debug for StaticEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StaticEntry").field("uri", &self.resource.uri).finish_non_exhaustive()
    }
}

impl fmt::Debug for TemplateEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TemplateEntry")
            .field("template", &self.template.as_str())
            .finish_non_exhaustive()
    }
}
