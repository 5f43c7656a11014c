//! Why a server did not run, or stopped running.

use std::{error::Error, io};

type Source = Box<dyn Error + Send + Sync>;

/// Why a server did not run, or stopped running.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The process cannot listen for signals.
    #[error("signals cannot be listened for")]
    Signals(#[source] io::Error),
    /// The address cannot be listened on: it is taken, forbidden, or not of this machine.
    #[error("cannot listen on {address}")]
    Bind {
        /// The address as it was given.
        address: String,
        /// What the operating system says.
        #[source]
        source: io::Error,
    },
    /// A setting cannot be used; the source names it.
    #[error("the settings cannot be used")]
    Settings(#[source] Source),
    /// The transport failed.
    #[error("the transport failed")]
    Transport(#[source] Source),
}

impl RunError {
    /// Tells whether other settings would help: nothing was served then.
    #[must_use]
    pub fn is_settings(&self) -> bool {
        matches!(self, Self::Settings(_))
    }
}
