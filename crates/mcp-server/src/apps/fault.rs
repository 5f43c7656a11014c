//! Why cards cannot be read.

use crate::files::FileProblem;
use mcp_core::card::CardFaults;
use std::{error::Error, fmt};

/// Everything that is wrong with cards, at once.
#[derive(Debug)]
pub struct CardFileFaults(pub(super) Vec<CardFileFault>);

impl CardFileFaults {
    /// The faults, at least one, in the order of the files.
    pub fn iter(&self) -> impl Iterator<Item = &CardFileFault> {
        self.0.iter()
    }
}

impl fmt::Display for CardFileFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [only] => write!(formatter, "the cards cannot be read: {only}"),
            all => {
                write!(formatter, "the cards cannot be read, {} faults:", all.len())?;
                all.iter().try_for_each(|fault| write!(formatter, "\n  {fault}"))
            }
        }
    }
}

impl Error for CardFileFaults {}

/// One fault: which file, folder or setting, and what is wrong with it.
#[derive(Debug)]
pub struct CardFileFault {
    pub(super) place: Box<str>,
    pub(super) problem: CardFileProblem,
}

impl CardFileFault {
    pub(super) fn new(place: impl Into<Box<str>>, problem: impl Into<CardFileProblem>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }

    /// The file or folder, below the folder of cards; that folder itself as it was given; or the name of a setting.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong with it.
    #[must_use]
    pub fn problem(&self) -> &CardFileProblem {
        &self.problem
    }
}

impl fmt::Display for CardFileFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.problem)?;
        let mut cause = self.problem.source();
        while let Some(error) = cause {
            write!(formatter, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
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
