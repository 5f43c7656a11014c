//! Icons a client may show beside a server, tool, resource or prompt.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// The background an icon is made for; an icon without a theme suits both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these two themes")]
pub enum IconTheme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

/// One icon: an `https:` or `data:` URI, with its sizes and theme.
///
/// A thing may have several icons, and a client shows the one whose size and theme suit best.
/// Clients before 2025-11-25 get none.
///
/// ```
/// use mcp_core::protocol::{Icon, IconTheme};
/// let small = Icon::new("https://example.com/note-48.png").mime_type("image/png").sizes(["48x48"]);
/// let any = Icon::embedded("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
///     .sizes(["any"])
///     .theme(IconTheme::Dark);
/// # let _ = (small, any);
/// ```
///
/// Spec: 2026-07-28, basic#icons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    pub(crate) src: Box<str>,
    pub(crate) mime_type: Option<Box<str>>,
    pub(crate) sizes: Vec<Box<str>>,
    pub(crate) theme: Option<IconTheme>,
    pub(crate) problem: Option<Box<str>>,
}

impl Icon {
    /// An icon by URI; anything but `https:` and `data:` is refused when the server is built.
    #[must_use]
    pub fn new(src: impl Into<Box<str>>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None, problem: None }
    }

    /// An icon from its bytes, carried as a `data:` URI with every list that shows it: keep it to some KiB.
    ///
    /// RFC 2397.
    #[must_use]
    pub fn embedded(mime_type: &str, bytes: &[u8]) -> Self {
        let src = format!("data:{mime_type};base64,{}", STANDARD.encode(bytes));
        Self { mime_type: Some(mime_type.into()), ..Self::new(src) }
    }

    /// An icon that could not be made, told when the server is built together with whatever else is wrong.
    ///
    /// For those who make icons of something else, such as a file that turns out not to be there.
    #[must_use]
    pub fn unusable(src: impl Into<Box<str>>, problem: impl Into<Box<str>>) -> Self {
        Self { problem: Some(problem.into()), ..Self::new(src) }
    }

    /// Declares the media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Box<str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Declares the sizes the icon is good for: width and height in pixels such as `48x48`, or `any` for
    /// a format that scales. Without sizes a client takes it for any.
    #[must_use]
    pub fn sizes<T: Into<Box<str>>>(mut self, sizes: impl IntoIterator<Item = T>) -> Self {
        self.sizes = sizes.into_iter().map(Into::into).collect();
        self
    }

    /// Declares the background the icon is made for.
    #[must_use]
    pub fn theme(mut self, theme: IconTheme) -> Self {
        self.theme = Some(theme);
        self
    }

    /// What keeps clients from showing the icon.
    pub(crate) fn problem(&self) -> Option<&str> {
        let foreign = "is neither an https: nor a data: URI";
        self.problem.as_deref().or_else(|| (!self.is_acceptable()).then_some(foreign))
    }

    /// Tells whether the URI has one of the two schemes clients accept.
    fn is_acceptable(&self) -> bool {
        let lower = self.src.get(..8).unwrap_or(&self.src).to_ascii_lowercase();
        lower.starts_with("https://") || lower.starts_with("data:")
    }
}
