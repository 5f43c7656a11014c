//! Why cards cannot be read.

use crate::files::{FileFault, FileFaults, FileProblem, Problem};
use mcp_core::card::CardFaults;

/// Everything that is wrong with cards, at once.
pub type CardFileFaults = FileFaults<CardFileProblem>;

/// One fault: which file, folder or setting, and what is wrong with it.
pub type CardFileFault = FileFault<CardFileProblem>;

impl Problem for CardFileProblem {
    const HOLDS: &'static str = "cards";
}

/// What is wrong with a card, its settings, or the folder they are in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CardFileProblem {
    /// It cannot be read, or is not wanted in a folder of cards.
    #[error(transparent)]
    File(#[from] FileProblem),
    /// Its path cannot be that of a card.
    #[error("{0}")]
    Path(&'static str),
    /// It is there twice.
    #[error("it is there twice")]
    Twice,
    /// The card is no UTF-8.
    #[error("it is no UTF-8")]
    NotText,
    /// The card does not begin like an HTML document.
    #[error("it is no HTML document; begin it with `<!DOCTYPE html>`")]
    NoDocument,
    /// The settings cannot be used.
    #[error("these settings of a card cannot be used")]
    Settings(#[source] CardFaults),
    /// There are settings, and no card that they are of.
    #[error("there is no card `{card}` beside it")]
    NoCard {
        /// The path of the card that is not there.
        card: Box<str>,
    },
    /// The URL cannot begin those of icons.
    #[error("write an absolute `https://` URL without query and fragment, such as `https://example.com/app`")]
    PublicUrl,
}
