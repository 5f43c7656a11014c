//! What is in a book: a picture, a text that comes in pieces, and server-sent events.

use crate::{library::Library, members::Member, problem::Problem};
use axum::{
    body::Body,
    extract::{Path, Query, State},
    response::sse::{Event, Sse},
};
use futures_util::stream::{self, Stream};
use http::{HeaderName, header::CONTENT_TYPE};
use mcp_server::routes::{Expose, Routes, get};
use schemars::JsonSchema;
use serde::Deserialize;
use std::convert::Infallible;

/// Every book here is bound in red.
const COVER: &[u8] = include_bytes!("cover.png");

const PAGES: u8 = 3;

/// The part of the path that the group is mounted below.
#[derive(Deserialize, JsonSchema)]
struct Which {
    /// The number of the book
    id: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Layout {
    layout: PageLayout,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PageLayout {
    /// For people: with lines between the pages.
    Print,
    /// The text alone.
    Plain,
}

type WithType<T> = ([(HeaderName, &'static str); 1], T);

async fn cover(
    _: Member,
    State(library): State<Library>,
    Path(Which { id }): Path<Which>,
) -> Result<WithType<&'static [u8]>, Problem> {
    library.book(id)?;
    Ok(([(CONTENT_TYPE, "image/png")], COVER))
}

async fn pages(
    _: Member,
    State(library): State<Library>,
    Path(Which { id }): Path<Which>,
    Query(Layout { layout }): Query<Layout>,
) -> Result<WithType<Body>, Problem> {
    let title = library.book(id)?.title;
    let pages = (1..=PAGES).map(move |page| {
        Ok::<_, Infallible>(match layout {
            PageLayout::Plain => format!("Page {page} of {title}.\n"),
            PageLayout::Print => format!("Page {page} of {title}.\n--------\n"),
        })
    });
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], Body::from_stream(stream::iter(pages))))
}

async fn read_aloud(
    _: Member,
    State(library): State<Library>,
    Path(Which { id }): Path<Which>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Problem> {
    let title = library.book(id)?.title;
    let pages = (1..=PAGES)
        .map(move |page| Ok(Event::default().event("page").data(format!("Page {page} of {title}."))));
    Ok(Sse::new(stream::iter(pages)))
}

/// `GET /books/{id}/cover`, `/pages` and `/reading`.
pub(super) fn routes() -> Routes<Library> {
    Routes::new()
        .name("book")
        .route("/cover", get(cover).tool("Shows the cover of a book"))
        .route("/pages", get(pages).tool(Expose::new("Reads a book").fixed("layout", "plain")))
        .route("/reading", get(read_aloud).tool("Reads a book aloud, page by page, and waits for the end"))
}
