//! The endpoint inside an application of its own.

use crate::request::{Probe, call, sample};
use axum::{Extension, Router, body::Body, extract::State, routing::get};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_server::Principal;
use mcp_transport_http::{Endpoint, HttpOptions};
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
