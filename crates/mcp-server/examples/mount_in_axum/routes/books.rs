//! The catalogue of books: routes that utoipa documents, and agents are told the same.
#![expect(unused_qualifications, reason = "the macro writes them")]

use crate::{
    library::{Book, Library, NewBook},
    members::{Member, Staff},
    problem::{Problem, Refusal},
};
use axum::{
    Json,
    extract::{Path, Query, State},
};
use http::{Method, StatusCode};
use mcp_server::routes::{DocumentedRoute, Expose, Routes};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Search {
    /// Part of the title or of the author's name
    text: Option<String>,
    /// How many books to list, all of them where nothing is said
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

#[derive(Serialize, ToSchema)]
struct Found {
    /// How many books fit, those that are not listed included
    total: usize,
    books: Vec<Book>,
}

/// Searches the books
///
/// By a part of their title or author, in the order of their numbers.
#[utoipa::path(get, path = "/", operation_id = "search", params(Search),
    responses((status = OK, body = Found)), security(("card" = [])))]
async fn search(_: Member, State(library): State<Library>, Query(search): Query<Search>) -> Json<Found> {
    let text = search.text.unwrap_or_default().to_lowercase();
    let fits =
        |book: &Book| [&book.title, &book.author].iter().any(|name| name.to_lowercase().contains(&text));
    let mut books: Vec<Book> = library.books().into_iter().filter(fits).collect();
    let total = books.len();
    books.truncate(search.limit.unwrap_or(total));
    Json(Found { total, books })
}

/// Adds a book
///
/// For librarians. A book that is there already is refused.
#[utoipa::path(post, path = "/", operation_id = "add", request_body = NewBook,
    responses((status = CREATED, body = Book), (status = 403), (status = 409, body = Refusal)), security(("card" = [])))]
async fn add(
    _: Staff,
    State(library): State<Library>,
    Json(book): Json<NewBook>,
) -> Result<(StatusCode, Json<Book>), Problem> {
    Ok((StatusCode::CREATED, Json(library.add(book)?)))
}

/// Looks up a book
///
/// By the number on its back.
#[utoipa::path(get, path = "/{id}", operation_id = "show", params(("id" = u32, Path, description = "The number of the book")),
    responses((status = OK, body = Book), (status = 404, body = Refusal)), security(("card" = [])))]
async fn show(_: Member, State(library): State<Library>, Path(id): Path<u32>) -> Result<Json<Book>, Problem> {
    library.book(id).map(Json)
}

/// Withdraws a book
///
/// For librarians, and by their own hands: agents are not told of it.
#[utoipa::path(delete, path = "/{id}", operation_id = "withdraw", params(("id" = u32, Path)),
    responses((status = NO_CONTENT), (status = 403), (status = 404, body = Refusal)), security(("card" = [])))]
async fn withdraw(
    _: Staff,
    State(library): State<Library>,
    Path(id): Path<u32>,
) -> Result<StatusCode, Problem> {
    library.withdraw(id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET` and `POST /books`, `GET` and `DELETE /books/{id}`.
pub(super) fn routes() -> Routes<Library> {
    let expose_one = |route: DocumentedRoute| match *route.method() {
        Method::GET => route
            .tool(Expose::documented())
            .resource("book://{id}", Expose::new("A book: title, author and year")),
        _ => route,
    };
    Routes::new()
        .name("books")
        .openapi(routes!(search, add), |route| match *route.method() {
            // A person scrolls through everything; a model pays for every line.
            Method::GET => route.tool(Expose::documented().default_value("limit", 3)),
            _ => route.tool(Expose::documented()),
        })
        .openapi(routes!(show, withdraw), expose_one)
}
