//! What is wrong with the settings of a card.

use std::{error::Error, fmt};

/// One thing that is wrong with the settings of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFault {
    place: Box<str>,
    problem: Box<str>,
}

impl CardFault {
    /// Which member it concerns, such as `csp.connectDomains[1]`; empty for the settings as a whole.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong, and what to write instead.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for CardFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.place {
            "" => formatter.write_str(&self.problem),
            place => write!(formatter, "{place}: {}", self.problem),
        }
    }
}

/// Everything that is wrong with the settings of a card, at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardFaults(Vec<CardFault>);

impl CardFaults {
    /// The faults, at least one.
    pub fn iter(&self) -> impl Iterator<Item = &CardFault> {
        self.0.iter()
    }

    pub(super) fn add(&mut self, place: impl Into<Box<str>>, problem: impl fmt::Display) {
        self.0.push(CardFault { place: place.into(), problem: problem.to_string().into() });
    }

    pub(super) fn finish(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for CardFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, fault) in self.0.iter().enumerate() {
            let between = if position == 0 { "" } else { "; " };
            write!(formatter, "{between}{fault}")?;
        }
        Ok(())
    }
}

impl Error for CardFaults {}
