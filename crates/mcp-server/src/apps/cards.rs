//! Cards that were read.

use super::{icon::Icons, make::Card};
use mcp_core::{
    protocol::{Icon, ResourceContents},
    registry::{McpRouter, resource},
};
use std::{fmt, sync::Arc};

/// Cards that were read, and the files beside them that become icons.
pub struct Cards {
    cards: Vec<Card>,
    icons: Icons,
    public_url: String,
}

impl Cards {
    pub(super) fn new(cards: Vec<Card>, icons: Icons, public_url: String) -> Self {
        Self { cards, icons, public_url }
    }

    /// Every card as a resource, in the order of their paths.
    ///
    /// Each has the URI `ui://` and its path, and as its version a digest of the document and its settings: tools name
    /// it as `ui://bookings/card.html?v=<digest>`, and it is read with and without.
    pub fn router<S: Send + Sync + 'static>(&self) -> McpRouter<S> {
        self.cards.iter().fold(McpRouter::new(), |router, card| {
            let html = Arc::clone(&card.html);
            let read = move || {
                let html = Arc::clone(&html);
                async move { ResourceContents::text(&*html) }
            };
            let built = resource(read)
                .name(card.path.clone())
                .size(card.html.len() as u64)
                .card(card.settings.clone())
                .card_version(card.version.clone());
            router.resource(card.uri.clone(), built)
        })
    }

    /// An icon: a file beside the cards, an `https:` or `data:` URI, or a path of the application.
    ///
    /// A file becomes a `data:` URI, if it is PNG, SVG, WebP or JPEG and has at most
    /// [`MAX_ICON_BYTES`](crate::files::MAX_ICON_BYTES). What is no file becomes a URL below the
    /// [`public_url`](super::CardsBuilder::public_url), or on its host where it begins with `/`. Whatever is wrong is
    /// told when the server is built, with the tool, prompt or resource that has the icon. Blocks while it reads, so it
    /// belongs to the start of a program.
    ///
    /// ```
    /// use mcp_server::{IconTheme, apps};
    /// # let svg = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    /// let cards = apps::in_program([("icons/book-dark.svg", svg)]).read()?;
    /// let icon = cards.icon("icons/book-dark.svg").sizes(["any"]).theme(IconTheme::Dark);
    /// # Ok::<(), apps::CardFileFaults>(())
    /// ```
    ///
    /// Spec: 2026-07-28, basic#icons.
    #[must_use]
    pub fn icon(&self, src: &str) -> Icon {
        self.icons.icon(src, &self.public_url)
    }

    /// The paths of the cards, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.cards.iter().map(|card| &*card.path)
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.paths()).finish()
    }
}
