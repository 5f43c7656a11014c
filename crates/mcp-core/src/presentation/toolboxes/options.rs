//! Settings of toolboxes, and what models are told of them.

/// What models are told of toolboxes where the author of the server says nothing else; to be embedded in what the
/// author says.
///
/// ```
/// use mcp_core::presentation::TOOLBOX_INSTRUCTIONS;
///
/// let instructions = format!("The house of the Ruiz family. {TOOLBOX_INSTRUCTIONS}");
/// # assert!(instructions.contains("list_toolboxes"));
/// ```
pub const TOOLBOX_INSTRUCTIONS: &str = "Most tools are in toolboxes. Call `list_toolboxes` to see which there are, \
then `open_toolbox` for the tools of one with their input schemas. If a tool of an opened toolbox is not among your \
own tools, run it with the tool that its `proxy` names, `call_read_only` or `call_tool`, passing its `name` and its \
`arguments`.";

/// The same for a server without proxies.
const WITHOUT_PROXIES: &str = "Most tools are in toolboxes. Call `list_toolboxes` to see which there are, then \
`open_toolbox` to have the tools of one added to your own.";

/// Presents tools and prompts in toolboxes, which a client opens when it needs them; see
/// [`Presentation::toolboxes`](super::super::Presentation::toolboxes).
///
/// The tool list begins with `list_toolboxes`, `open_toolbox`, `close_toolbox`, `call_read_only` and `call_tool`. Their
/// names are taken: a tool of the author's with one of them is a fault when the server is built or changed. Policies of
/// [`Lists`](crate::page::Lists) are not asked about them.
///
/// Listed from the beginning are, besides, every tool and prompt that is in no toolbox, what is marked as root
/// ([`ToolBuilder::root`](crate::registry::ToolBuilder::root)), and tools that hosts must see in the list to work with:
/// those with a card and those that only cards call, unless they are
/// [`not_root`](crate::registry::ToolBuilder::not_root). A toolbox of which a caller would see nothing but that is not
/// offered to it.
///
/// **None of this is access control**: every tool can be called by its name, whether its toolbox is open or not.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Toolboxes {
    proxies: Proxies,
}

/// Whether tools can be called through others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Proxies {
    #[default]
    Offered,
    Off,
}

impl Toolboxes {
    /// Leaves out `call_read_only` and `call_tool`, for clients that all look at their tools again when they hear that
    /// the list has changed.
    ///
    /// Others cannot call what is in a toolbox then, and neither can anyone without a connection: clients of 2026-07-28,
    /// and those over HTTP without a session.
    pub fn without_proxies(mut self) -> Self {
        self.proxies = Proxies::Off;
        self
    }

    /// What models are told of toolboxes with these settings: [`TOOLBOX_INSTRUCTIONS`] where there are proxies.
    ///
    /// They are the server's instructions unless
    /// [`ServerBuilder::instructions`](crate::server::ServerBuilder::instructions) says something else; an empty text
    /// there leaves them out.
    #[must_use]
    pub const fn instructions(&self) -> &'static str {
        match self.proxies {
            Proxies::Offered => TOOLBOX_INSTRUCTIONS,
            Proxies::Off => WITHOUT_PROXIES,
        }
    }

    /// Tells whether tools can be called through others.
    pub(super) fn has_proxies(&self) -> bool {
        self.proxies == Proxies::Offered
    }
}
