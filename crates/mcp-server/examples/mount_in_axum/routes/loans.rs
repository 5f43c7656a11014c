//! Loans: a group whose tools answer with status and header fields, because these say what happened.

use crate::{
    library::{Library, Loan},
    members::Member,
    problem::Problem,
};
use axum::{
    Form, Json,
    extract::{Path, State},
};
use http::{HeaderName, StatusCode, header::LOCATION};
use mcp_server::routes::{Expose, Routes, Urls, delete, get, post};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Wish {
    /// The number of the book
    book: u32,
    /// For how many days, 1 to 28
    days: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Which {
    /// The number of the book
    book: u32,
}

#[derive(Serialize, JsonSchema)]
struct Loans {
    loans: Vec<Loan>,
}

type Created<T> = (StatusCode, [(HeaderName, String); 1], T);

async fn borrow(
    member: Member,
    State(library): State<Library>,
    urls: Urls,
    Form(Wish { book, days }): Form<Wish>,
) -> Result<Created<Json<Loan>>, Problem> {
    let loan = library.lend(&member.name, book, days)?;
    let place = urls.to("give_back", &[("book", &book.to_string())]).unwrap_or_default();
    Ok((StatusCode::CREATED, [(LOCATION, place)], Json(loan)))
}

async fn mine(member: Member, State(library): State<Library>) -> Json<Loans> {
    Json(Loans { loans: library.loans_of(&member.name) })
}

async fn give_back(
    member: Member,
    State(library): State<Library>,
    Path(Which { book }): Path<Which>,
) -> Result<StatusCode, Problem> {
    library.take_back(&member.name, book)?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET` and `POST /loans`, `DELETE /loans/{book}`.
pub(super) fn routes() -> Routes<Library> {
    Routes::new()
        .name("loans")
        .envelope()
        .route("/", get(mine).tool("Lists the books that you have"))
        .route("/", post(borrow).tool(Expose::new("Borrows a book").title("Borrow a book")))
        .route("/{book}", delete(give_back).tool("Gives a book back"))
}
