//! Who may call a tool in hosts that render cards.

/// Who may call a tool in a host that renders cards: the model, the cards, or both.
///
/// Hosts enforce it, and what calls tools for a model here does too; but it is no access control: a client can call
/// any tool by its name.
///
/// Spec: extension `io.modelcontextprotocol/ui` (SEP-1865), tool visibility.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the extension knows two callers")]
pub enum ToolVisibility {
    /// The model and the cards of the same server.
    #[default]
    ModelAndApp,
    /// The model only; cards cannot call it.
    Model,
    /// The cards only; it is kept from the model.
    App,
}

impl ToolVisibility {
    /// Tells whether models may call the tool.
    #[must_use]
    pub const fn includes_model(self) -> bool {
        matches!(self, Self::ModelAndApp | Self::Model)
    }

    /// Tells whether cards may call the tool.
    #[must_use]
    pub const fn includes_app(self) -> bool {
        matches!(self, Self::ModelAndApp | Self::App)
    }
}
