//! What can be asked of the library, and what of it agents may use.

mod books;
mod desk;
mod loans;
mod reading;
mod rooms;

use crate::library::Library;
use mcp_server::routes::Routes;
use utoipa::openapi::{
    Components, Info, OpenApi, Paths,
    security::{Http, HttpAuthScheme, SecurityScheme},
};

/// Every route of the library.
pub(crate) fn all(library: &Library) -> Routes<Library> {
    Routes::new()
        .document(document())
        .nest("/books", books::routes())
        .nest("/books/{id}", reading::routes())
        .nest("/loans", loans::routes())
        .nest("/rooms/{room_id}", rooms::routes(library))
        .merge(desk::routes())
}

/// What the OpenAPI document begins with: its title, and how callers show who they are.
fn document() -> OpenApi {
    let mut document = OpenApi::new(Info::new("The town library", "1.0.0"), Paths::new());
    let mut components = Components::new();
    components.add_security_scheme("card", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    document.components = Some(components);
    document
}
