//! The desk: opening hours, advice, the yearly count of all books, and a prompt.

use crate::{
    library::Library,
    members::{Member, Staff},
    problem::Problem,
};
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use mcp_server::{
    Progress,
    routes::{AgentCall, Expose, Headers, Routes, get, post},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Language {
    /// The language of the answer: `en` or `de`
    #[serde(rename = "accept-language")]
    language: Option<String>,
}

async fn hours(_: Member, Headers(Language { language }): Headers<Language>) -> &'static str {
    match language.as_deref() {
        Some(language) if language.starts_with("de") => "Täglich von 9 bis 18 Uhr",
        _ => "Every day from 9 to 18",
    }
}

#[derive(Deserialize, JsonSchema)]
struct Taste {
    /// The year before which it came out
    before: u16,
}

/// People get the book, agents a link to it: whoever wants to know more reads the resource.
async fn recommend(
    _: Member,
    State(library): State<Library>,
    Query(Taste { before }): Query<Taste>,
) -> Result<Response, Problem> {
    let books = library.books();
    let newest = books.into_iter().filter(|book| book.year < before).max_by_key(|book| book.year);
    let book = newest.ok_or(Problem::NothingFits)?;
    let link = ("x-mcp-resource-link", format!("book://{}", book.id));
    Ok(([link], Json(book)).into_response())
}

#[derive(Serialize, JsonSchema)]
struct Counted {
    books: usize,
}

/// Counts for people and agents alike; an agent hears how far it is.
async fn take_stock(_: Staff, agent: Option<AgentCall>, State(library): State<Library>) -> Json<Counted> {
    let books = library.books();
    let total = u32::try_from(books.len()).ok().map(f64::from);
    if let Some(progress) = agent.as_ref().and_then(AgentCall::context).map(Progress::from) {
        for (done, book) in (1_u32..).zip(&books) {
            progress.report_with(f64::from(done), total, &book.title);
        }
    }
    Json(Counted { books: books.len() })
}

#[derive(Deserialize, JsonSchema)]
struct Interest {
    /// What the list is about
    topic: String,
}

async fn reading_list(Query(Interest { topic }): Query<Interest>, State(library): State<Library>) -> String {
    let titles: Vec<String> = library.books().into_iter().map(|book| book.title).collect();
    format!("Make a reading list about {topic} from these books: {}.", titles.join(", "))
}

/// `GET /hours`, `GET /recommendation`, `POST /stocktaking`.
pub(super) fn routes() -> Routes<Library> {
    Routes::new()
        .route(
            "/hours",
            get(hours)
                .tool("Tells when the library is open")
                .resource("library://hours", Expose::new("The opening hours").mime_type("text/plain")),
        )
        .route("/recommendation", get(recommend).tool("Recommends the newest book from before a year"))
        .route("/stocktaking", post(take_stock).tool(Expose::new("Counts all books").read_only()))
        .prompt("reading_list", reading_list, "Asks for a reading list from the books that are here")
}
