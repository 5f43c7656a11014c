//! A way to change and to watch the server from outside MCP while clients are connected.

use crate::{bounds::Stores, catalogue::Ticks};
use axum::{
    Router,
    extract::{Path, Query, State},
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::{get, post},
};
use mcp_server::{BuildFaults, Server, SessionStore as _, StoreError, TaskStore as _, http::Endpoint, tool};
use serde::Deserialize;
use serde_json::json;
use std::time::SystemTime;

#[derive(Clone)]
struct Controlled {
    server: Server,
    endpoint: Option<Endpoint>,
    stores: Stores,
    ticks: Ticks,
}

/// What the control channel answers: nothing, or a reason.
type Outcome = Result<StatusCode, (StatusCode, String)>;

/// `POST` and `DELETE /tools/NAME`, `POST /changed/tools|resources|prompts`, `POST /updated?uri=URI`,
/// `GET /counts`.
pub(crate) fn routes(server: Server, endpoint: Option<Endpoint>, stores: Stores, ticks: Ticks) -> Router {
    Router::new()
        .route("/tools/{name}", post(add_tool).delete(remove_tool))
        .route("/changed/{list}", post(list_changed))
        .route("/updated", post(updated))
        .route("/counts", get(counts))
        .with_state(Controlled { server, endpoint, stores, ticks })
}

/// What is open now, as a JSON object of numbers.
async fn counts(State(controlled): State<Controlled>) -> Result<impl IntoResponse, (StatusCode, String)> {
    let Controlled { server, endpoint, stores, .. } = controlled;
    let now = SystemTime::now();
    let failed = |error: StoreError| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    let counts = server.counts();
    let open = json!({
        "live_sessions": counts.live_sessions,
        "session_work": counts.session_work,
        "requests_in_flight": counts.requests_in_flight,
        "open_asks": counts.open_asks,
        "subscriptions": counts.subscriptions,
        "tasks": counts.tasks,
        "stored_sessions": stores.sessions.count(now).await.map_err(failed)?,
        "stored_tasks": stores.tasks.count(now).await.map_err(failed)?,
        "calls": counts.calls,
        "event_streams": endpoint.as_ref().map_or(0, Endpoint::open_streams),
        "legacy_sessions": endpoint.as_ref().map_or(0, Endpoint::legacy_sessions),
    });
    Ok(([(CONTENT_TYPE, "application/json")], open.to_string()))
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
