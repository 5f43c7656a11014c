//! Reading rooms: a group that is an MCP endpoint of its own, one for each room.

use crate::{
    library::{Library, RoomState},
    members::Member,
    problem::Problem,
};
use axum::{
    Json,
    extract::{Path, Query, Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use mcp_server::routes::{Expose, Routes, get, post, put};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Room {
    /// The name of the room: `garden` or `attic`
    room_id: String,
}

#[derive(Deserialize, JsonSchema)]
struct Switch {
    /// Whether the lights are to be on
    on: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Party {
    /// How many seats to take
    #[schemars(range(min = 1, max = 20))]
    seats: u8,
}

async fn state(
    _: Member,
    State(library): State<Library>,
    Path(Room { room_id }): Path<Room>,
) -> Result<Json<RoomState>, Problem> {
    library.room(&room_id).map(Json)
}

async fn lights(
    _: Member,
    State(library): State<Library>,
    Path(Room { room_id }): Path<Room>,
    Query(Switch { on }): Query<Switch>,
) -> Result<Json<RoomState>, Problem> {
    library.switch(&room_id, on).map(Json)
}

async fn seats(
    _: Member,
    State(library): State<Library>,
    Path(Room { room_id }): Path<Room>,
    Json(Party { seats }): Json<Party>,
) -> Result<Json<RoomState>, Problem> {
    library.seat(&room_id, seats).map(Json)
}

async fn tour(Path(Room { room_id }): Path<Room>) -> String {
    format!("Show me around in the {room_id}: look at its state first, and tell me where to sit.")
}

/// Made for each client that connects to a room.
async fn instructions(
    State(library): State<Library>,
    Path(Room { room_id }): Path<Room>,
) -> Result<String, Problem> {
    let free = library.room(&room_id)?.free_seats;
    Ok(format!("You look after the {room_id}. When you came in, {free} seats were free."))
}

/// Refuses whatever is about a room that is not there: calls, prompts, and clients that connect.
async fn known_room(
    State(library): State<Library>,
    Path(Room { room_id }): Path<Room>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    library.room(&room_id)?;
    Ok(next.run(request).await)
}

/// `GET /rooms/{room_id}/state`, `PUT …/lights`, `POST …/seats`, and the endpoint `/rooms/{room_id}/mcp`.
///
/// At `/mcp` its tools are there, too, and take `room_id`: `show` says so.
pub(super) fn routes(library: &Library) -> Routes<Library> {
    Routes::new()
        .name("room")
        .describe("A reading room: its seats and its lights")
        .route("/state", get(state).tool("Tells the state of the room"))
        .route("/lights", put(lights).tool("Switches the lights"))
        .route("/seats", post(seats).tool(Expose::new("Takes seats for a party")))
        .prompt("tour", tour, "Shows a guest around")
        .instructions_from(instructions)
        .layer(from_fn_with_state(library.clone(), known_room))
        .endpoint()
        .show()
}
