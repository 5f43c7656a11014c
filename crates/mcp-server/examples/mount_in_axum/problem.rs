//! What the library refuses, and how it says so.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request comes to nothing.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("there is no book {0}")]
    NoBook(u32),
    #[error("there is no book that fits; ask for less")]
    NothingFits,
    #[error("there is such a book already: it has the number {0}")]
    Doubled(u32),
    #[error("book {0} is lent; it comes back in {1} days")]
    Lent(u32, u8),
    #[error("you do not have book {0}")]
    NotYours(u32),
    #[error("a book is lent for 1 to 28 days")]
    Days,
    #[error("there is no room `{0}`; there are `garden` and `attic`")]
    NoRoom(String),
    #[error("{0} seats are free in this room, not {1}")]
    Full(u8, u8),
}

/// The body of a refusal.
#[derive(Serialize, ToSchema)]
pub(crate) struct Refusal {
    /// What is wrong, for people and models
    error: String,
}

impl Problem {
    fn status(&self) -> StatusCode {
        match self {
            Self::NoBook(_) | Self::NothingFits | Self::NotYours(_) | Self::NoRoom(_) => {
                StatusCode::NOT_FOUND
            }
            Self::Doubled(_) | Self::Lent(..) | Self::Full(..) => StatusCode::CONFLICT,
            Self::Days => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), Json(Refusal { error: self.to_string() })).into_response()
    }
}
