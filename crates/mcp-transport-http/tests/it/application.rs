//! The endpoint inside an application of its own.

use crate::request::{Probe, call, endpoint, sample};
use axum::{Extension, Router, body::Body, extract::State, routing::get};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_auth::StaticTokens;
use mcp_server::{
    McpRouter, Principal, ProtocolVersion, ServedVersions, ServerBuilder, TaskSupport, server, tool,
};
use mcp_transport_http::{Endpoint, HttpOptions};
use std::sync::Arc;
use tower::ServiceExt as _;

#[derive(Clone)]
struct AppState(&'static str);

fn application() -> Router {
    let endpoint = Endpoint::new(sample(&Probe::default()), HttpOptions::default()).unwrap();
    let api = endpoint.routes::<AppState>().layer(Extension(Principal::new("carol")));
    Router::new()
        .route("/health", get(async |State(AppState(text)): State<AppState>| text))
        .nest("/api", api)
        .with_state(AppState("well"))
}

async fn text(request: Request<Body>) -> (StatusCode, String) {
    let response = application().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn it_nests_beside_other_routes_and_takes_the_principal_of_the_applications_layer() {
    assert_eq!(text(Request::get("/health").body(Body::empty()).unwrap()).await.1, "well");
    for path in ["/api/mcp", "/api/mcp/"] {
        let mut request = call("whoami");
        *request.uri_mut() = path.parse().unwrap();
        let (status, body) = text(request).await;
        assert_eq!(status, StatusCode::OK);
        assert!(body.contains("\"structuredContent\":\"carol\""), "{body}");
    }
}

#[tokio::test]
async fn endpoints_beside_each_other_are_served_and_ended_together_however_they_were_put_there() {
    let at = |path: &str| endpoint(HttpOptions { path: path.into(), ..HttpOptions::default() });
    let all = at("/mcp").beside([at("/rooms/{room_id}/mcp"), at("/one").beside([at("/two")])]);
    let paths: Vec<&str> = all.all().map(|endpoint| &*endpoint.options().path).collect();
    assert_eq!(paths, ["/mcp", "/rooms/{room_id}/mcp", "/one", "/two"]);
    let router: Router = all.routes();
    for (path, status) in [
        ("/mcp", StatusCode::OK),
        ("/rooms/hall/mcp", StatusCode::OK),
        ("/rooms/hall/mcp/", StatusCode::OK),
        ("/two", StatusCode::OK),
        ("/rooms/mcp", StatusCode::NOT_FOUND),
    ] {
        let mut request = call("whoami");
        *request.uri_mut() = path.parse().unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), status, "{path}");
    }
}

#[test]
fn a_path_may_have_whole_segments_as_parameters_and_nothing_that_cannot_be_routed() {
    let starts = |path: &str| {
        let options = HttpOptions { path: path.into(), ..HttpOptions::default() };
        Endpoint::new(sample(&Probe::default()), options)
    };
    for path in ["/", "/mcp", "/a/b/", "/rooms/{room_id}/mcp", "/{account}/{room}/mcp"] {
        drop(starts(path).unwrap().routes::<()>());
    }
    for path in [
        "mcp", "/a{b}", "/{b}a", "/{}", "/{a}{b}", "/{*rest}", "/*", "/a?b", "/a#b", "/a b", "/{a b}",
        "/{x}/{x}",
    ] {
        let faults = starts(path).unwrap_err().to_string();
        assert!(faults.contains("path"), "{path}: {faults}");
    }
}

#[tokio::test]
async fn tasks_that_nobody_would_own_are_refused_at_the_start() {
    let serving = || {
        let work = tool(async || "done").describe("Works").task_support(TaskSupport::Optional);
        server(McpRouter::new().tool("work", work)).name("n").version("1")
    };
    let starts = |server: ServerBuilder, options| Endpoint::new(server.build().unwrap(), options);
    let faults = starts(serving().without_sessions(), HttpOptions::default()).unwrap_err().to_string();
    assert!(
        faults.contains("tasks") && faults.contains(".sessions(") && faults.contains("verifier"),
        "{faults}"
    );
    let verifier = Arc::new(StaticTokens::parse("a-long-enough-token-1 alice\n").unwrap());
    let guarded = HttpOptions { verifier: Some(verifier), ..HttpOptions::default() };
    let newest = ServedVersions::only([ProtocolVersion::LATEST]).unwrap();
    for (server, options) in [
        (serving(), HttpOptions::default()),
        (serving().without_sessions(), guarded),
        (serving().without_sessions().versions(newest), HttpOptions::default()),
    ] {
        starts(server, options).unwrap();
    }
}
