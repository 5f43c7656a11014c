//! Reading a file within its bound.

use mcp_core::handler::ProtocolError;
use std::io::{self, Read};

/// Why a file is not read.
#[derive(Debug)]
pub(crate) enum ReadFault {
    /// There is nothing to read, or nothing that may be.
    Missing(io::Error),
    /// The file is too large.
    TooLarge {
        /// The most that is served, in bytes.
        most: u64,
    },
}

impl ReadFault {
    /// The error that a client reads: one and the same whether a file is absent, forbidden or outside.
    pub(super) fn told(self, uri: Option<String>) -> ProtocolError {
        let uri = uri.unwrap_or_default();
        match self {
            Self::Missing(cause) => {
                tracing::debug!(uri, %cause, "a file is not served");
                ProtocolError::resource_not_found(uri)
            }
            Self::TooLarge { most } => ProtocolError::invalid_params(format!(
                "the file behind {uri} is larger than the {most} bytes that are served"
            )),
        }
    }
}

impl From<io::Error> for ReadFault {
    fn from(error: io::Error) -> Self {
        Self::Missing(error)
    }
}

/// Something that is there, perhaps, and not served; the reason is for the log.
pub(super) fn refused(reason: &'static str) -> ReadFault {
    ReadFault::Missing(io::Error::other(reason))
}

/// Reads to the end, or to the bound: a file may grow while it is read.
pub(crate) fn read_within(file: impl Read, length: u64, most: u64) -> Result<Vec<u8>, ReadFault> {
    if length > most {
        return Err(ReadFault::TooLarge { most });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ReadFault::TooLarge { most }) } else { Ok(bytes) }
}
