//! What can go wrong, and the status it ends the process with.

use mcp_server::{BuildFaults, RunError, auth::TokenFileFault};
use std::{error::Error, fmt::Write as _, io, path::PathBuf, process::ExitCode};

/// Why the process ends without success.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// There is no runtime to run on.
    #[error("the async runtime cannot be started")]
    Runtime(#[source] io::Error),
    /// The catalogue is at odds with itself.
    #[error("the notes service cannot be built")]
    Catalogue(#[from] BuildFaults),
    /// The token file cannot be read.
    #[error("--tokens {}: the file cannot be read", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        #[source]
        source: io::Error,
    },
    /// The token file holds something that is no token line.
    #[error("--tokens {}: the file cannot be used", path.display())]
    Tokens {
        /// The file.
        path: PathBuf,
        /// Which line, and why.
        #[source]
        source: TokenFileFault,
    },
    /// The token file would refuse everybody.
    #[error("--tokens {}: the file holds no token, so nobody could call", .0.display())]
    NoTokens(PathBuf),
    /// The endpoint can be reached by others and nobody checks them.
    #[error(
        "{0} can be reached from other machines and callers are not authenticated; give --tokens FILE, or --insecure-no-auth to serve everyone"
    )]
    Unguarded(std::net::SocketAddr),
    /// The server did not run, or stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Fault {
    /// The fault with everything that led to it, on one line each.
    pub(crate) fn told(&self) -> String {
        let mut text = self.to_string();
        let mut source = self.source();
        while let Some(error) = source {
            let _ = write!(text, ": {error}");
            source = error.source();
        }
        text
    }

    /// 2 where other arguments would help, else 1.
    pub(crate) fn status(&self) -> ExitCode {
        match self {
            Self::TokenFile { .. } | Self::Tokens { .. } | Self::NoTokens(_) | Self::Unguarded(_) => 2,
            Self::Run(error) if error.is_settings() => 2,
            Self::Run(_) | Self::Runtime(_) | Self::Catalogue(_) => 1,
        }
        .into()
    }
}
