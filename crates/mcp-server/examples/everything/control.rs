//! A way to change the server from outside MCP while clients are connected.

use crate::catalogue::Ticks;
use axum::{
    Router,
    extract::{Path, Query, State},
    http::StatusCode,
    routing::post,
};
use mcp_server::{BuildFaults, Server, tool};
use serde::Deserialize;

#[derive(Clone)]
struct Controlled {
    server: Server,
    ticks: Ticks,
}

/// What the control channel answers: nothing, or a reason.
type Outcome = Result<StatusCode, (StatusCode, String)>;

/// `POST` and `DELETE /tools/NAME`, `POST /changed/tools|resources|prompts`, `POST /updated?uri=URI`.
pub(crate) fn routes(server: Server, ticks: Ticks) -> Router {
    Router::new()
        .route("/tools/{name}", post(add_tool).delete(remove_tool))
        .route("/changed/{list}", post(list_changed))
        .route("/updated", post(updated))
        .with_state(Controlled { server, ticks })
}

async fn add_tool(State(controlled): State<Controlled>, Path(name): Path<String>) -> Outcome {
    let added = controlled.server.update(|edit| {
        edit.tool(name, tool(late).describe("Was added while the server ran"));
    });
    settled(added, StatusCode::CONFLICT)
}

async fn late() -> &'static str {
    "better late than never"
}

async fn remove_tool(State(controlled): State<Controlled>, Path(name): Path<String>) -> Outcome {
    let mut found = false;
    let removed = controlled.server.update(|edit| found = edit.remove_tool(&name));
    if found {
        settled(removed, StatusCode::INTERNAL_SERVER_ERROR)
    } else {
        Err((StatusCode::NOT_FOUND, format!("there is no tool {name}")))
    }
}

fn settled(outcome: Result<(), BuildFaults>, otherwise: StatusCode) -> Outcome {
    outcome.map(|()| StatusCode::NO_CONTENT).map_err(|faults| (otherwise, faults.to_string()))
}

async fn list_changed(State(controlled): State<Controlled>, Path(list): Path<String>) -> Outcome {
    match list.as_str() {
        "tools" => controlled.server.notify_tools_changed(),
        "resources" => controlled.server.notify_resources_changed(),
        "prompts" => controlled.server.notify_prompts_changed(),
        other => return Err((StatusCode::NOT_FOUND, format!("there is no list {other}"))),
    }
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Updated {
    uri: String,
}

async fn updated(State(controlled): State<Controlled>, Query(Updated { uri }): Query<Updated>) -> StatusCode {
    controlled.ticks.advance();
    controlled.server.notify_resource_updated(&uri);
    StatusCode::NO_CONTENT
}
