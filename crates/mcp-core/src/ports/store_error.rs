//! What can go wrong in a store.

use super::StoreLimit;
use std::error::Error;
use thiserror::Error as ThisError;

/// Why a store did not do what it was asked to.
///
/// That something does not exist is an answer, never an error: a client that is told 404 begins anew, one
/// that is told 503 keeps its session and comes back.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be reached, or did not answer in time; whether the operation happened is not known.
    #[error("the store is not available")]
    Unavailable {
        /// What the adapter's driver said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// What is stored cannot be read.
    #[error("a stored record cannot be read")]
    Corrupt {
        /// Where reading failed.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// Something with this id exists already; nothing was changed.
    #[error("the id is taken")]
    Conflict,
    /// A limit is reached; nothing was changed.
    #[error("the limit of {limit} is reached")]
    LimitReached {
        /// Which limit.
        limit: StoreLimit,
    },
}
