//! From responses to results.

use crate::world::{call, listed, world};
use axum::{
    Json,
    body::Body,
    response::{IntoResponse, Redirect, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt;
use mcp_server::routes::{Expose, Parameter, RouteOptions, Routes, by_hand, get, head};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;

/// Routes that answer with what is given.
fn answering(name: &str, respond: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Routes {
    Routes::new().route(
        "/it",
        by_hand(Method::GET, move || std::future::ready(respond())).tool(Expose::new("Answers").name(name)),
    )
}

async fn answer(respond: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Value {
    call(&world(answering("it", respond)), "it", json!({}), &[]).await.result().clone()
}

async fn envelope(respond: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Value {
    call(&world(answering("it", respond).envelope()), "it", json!({}), &[]).await.result().clone()
}

#[tokio::test]
async fn json_is_structured_and_text_beside_it_to_the_last_digit() {
    let exact = r#"{"big":9007199254740993,"fine":0.10000000000000001,"deep":[1,{"a":null}]}"#;
    let result =
        answer(move || ([("content-type", "application/problem+json")], exact).into_response()).await;
    assert_eq!(result["content"][0]["text"], exact);
    assert_eq!(
        result["structuredContent"].to_string(),
        serde_json::from_str::<Value>(exact).unwrap().to_string()
    );
}

#[tokio::test]
async fn text_is_text_images_and_sound_are_blocks_and_the_rest_is_embedded() {
    let result = answer(|| "plain".into_response()).await;
    assert_eq!(result["content"], json!([{ "type": "text", "text": "plain" }]));
    assert_eq!(result.get("structuredContent"), None);
    let result = answer(|| ([("content-type", "image/png")], vec![1_u8, 2]).into_response()).await;
    assert_eq!(result["content"], json!([{ "type": "image", "data": "AQI=", "mimeType": "image/png" }]));
    let result = answer(|| ([("content-type", "audio/ogg; codecs=opus")], vec![1_u8]).into_response()).await;
    assert_eq!(result["content"], json!([{ "type": "audio", "data": "AQ==", "mimeType": "audio/ogg" }]));
    let result = answer(|| ([("content-type", "application/pdf")], vec![1_u8]).into_response()).await;
    let resource = &result["content"][0]["resource"];
    assert_eq!((&resource["blob"], &resource["mimeType"]), (&json!("AQ=="), &json!("application/pdf")));
    let result = answer(|| ([("content-type", "application/json")], "{broken").into_response()).await;
    assert_eq!(result["content"][0]["text"], "{broken");
    let result = answer(|| ([("content-type", "text/plain")], vec![0xff_u8]).into_response()).await;
    assert_eq!(result["content"][0]["resource"]["blob"], "/w==");
}

#[tokio::test]
async fn a_failing_status_marks_the_result_and_keeps_its_body() {
    let result = answer(|| (StatusCode::CONFLICT, Json(json!({ "error": "taken" }))).into_response()).await;
    assert_eq!(
        (&result["isError"], &result["structuredContent"]),
        (&json!(true), &json!({ "error": "taken" }))
    );
    for status in [StatusCode::NOT_MODIFIED, StatusCode::SWITCHING_PROTOCOLS] {
        let result = answer(move || status.into_response()).await;
        assert_eq!(result["isError"], true, "{status}");
        assert!(result["content"][0]["text"].as_str().unwrap().contains(status.as_str()), "{result}");
    }
    let result = answer(|| (StatusCode::SEE_OTHER, [("location", "/there")]).into_response()).await;
    assert_eq!(result["isError"], Value::Null);
    assert_eq!(result["content"][0]["text"], "303 See Other; see /there");
}

#[tokio::test]
async fn header_fields_make_links_and_embedded_resources() {
    let headers = |name: &'static str, uri: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(name, uri.parse().unwrap());
        headers.insert("content-type", "text/csv".parse().unwrap());
        headers
    };
    let result = answer(move || {
        (headers("x-mcp-resource-link", "report://2026/latest.csv"), "see there").into_response()
    })
    .await;
    let link = json!([{ "type": "resource_link", "uri": "report://2026/latest.csv", "name": "latest.csv", "mimeType": "text/csv" }]);
    assert_eq!(result["content"], link);
    let result =
        answer(move || (headers("x-mcp-embedded-resource", "report://latest"), "a,b").into_response()).await;
    let resource = json!({ "uri": "report://latest", "mimeType": "text/csv", "text": "a,b" });
    assert_eq!(result["content"], json!([{ "type": "resource", "resource": resource }]));
    let result = answer(move || (headers("x-mcp-resource-link", "not a uri"), "x").into_response()).await;
    assert_eq!(result["isError"], true);
}

async fn report() -> (HeaderMap, Json<Value>) {
    let mut headers = HeaderMap::new();
    headers.append("x-mcp-resource-link", "report://1".parse().unwrap());
    headers.append("x-mcp-resource-link", "report://2".parse().unwrap());
    (headers, Json(json!({ "a": 1 })))
}

async fn embedded() -> ([(&'static str, &'static str); 1], Json<Value>) {
    ([("x-mcp-embedded-resource", "report://3")], Json(json!({ "a": 1 })))
}

async fn moved() -> Result<Json<Value>, Redirect> {
    Err(Redirect::to("/there"))
}

#[tokio::test]
async fn links_stand_beside_what_the_output_schema_promises() {
    let world = world(
        Routes::new()
            .route("/a", get(report).tool("Links"))
            .route("/b", get(report).tool(Expose::new("Links").name("enveloped").envelope()))
            .route("/c", get(embedded).tool(Expose::new("Embeds").envelope()))
            .route("/d", get(moved).tool("Moves")),
    );
    let uris = |result: &Value| [0, 1].map(|at| result["content"][at]["uri"].clone());
    let reply = call(&world, "report", json!({}), &[]).await;
    assert_eq!(uris(reply.result()), ["report://1", "report://2"]);
    assert_eq!(reply.result()["structuredContent"], json!({ "a": 1 }));
    let reply = call(&world, "enveloped", json!({}), &[]).await;
    assert_eq!(uris(reply.result()), ["report://1", "report://2"]);
    assert_eq!(reply.result()["structuredContent"], json!({ "status": 200, "body": { "a": 1 } }));
    // What is embedded is not told twice.
    let reply = call(&world, "embedded", json!({}), &[]).await;
    assert_eq!(reply.result()["content"][0]["resource"]["text"], r#"{"a":1}"#);
    assert_eq!(reply.result()["structuredContent"], json!({ "status": 200 }));
    let reply = call(&world, "moved", json!({}), &[]).await;
    assert!(reply.is_error(), "{reply:?}");
    assert_eq!(
        reply.text(),
        "the route answered without the JSON that it declares: 303 See Other; see /there"
    );
}

#[tokio::test]
async fn header_fields_of_any_bytes_a_wrong_length_and_trailers_do_no_harm() {
    let odd = || {
        let mut response = Json(json!({ "a": 1 })).into_response();
        let headers = response.headers_mut();
        headers.insert("content-length", "99999".parse().unwrap());
        headers.insert("x-bytes", HeaderValue::from_bytes(b"a\xff").unwrap());
        headers.append("link", "</1>".parse().unwrap());
        headers.append("link", "</2>".parse().unwrap());
        let trailers =
            async { Some(Ok(HeaderMap::from_iter([(header::ETAG, HeaderValue::from_static("x"))]))) };
        response.map(|body| Body::new(body.with_trailers(trailers)))
    };
    let expected = json!({ "status": 200, "headers": { "link": "</1>, </2>", "x-bytes": "a\u{fffd}" }, "body": { "a": 1 } });
    assert_eq!(envelope(odd).await["structuredContent"], expected);
    let many = || {
        let name = |number: u32| HeaderName::from_bytes(format!("x-{number}").as_bytes()).unwrap();
        let value = || HeaderValue::from_bytes(&[b'v'; 200]).unwrap();
        let headers: HeaderMap = (0..20_000).map(|number| (name(number), value())).collect();
        (headers, "x").into_response()
    };
    let reply = call(&world(answering("it", many).envelope()), "it", json!({}), &[]).await;
    assert!(reply.body.to_string().contains("limits.output_bytes"), "{:.300}", reply.body.to_string());
}

#[tokio::test]
async fn an_envelope_tells_status_header_fields_and_body_and_is_the_same_as_text() {
    let respond = || {
        let headers = [
            ("x-total-count", "120"),
            ("link", "</users?page=2>; rel=\"next\""),
            ("set-cookie", "session=secret"),
            ("x-request-id", "1"),
            ("strict-transport-security", "max-age=1"),
            ("access-control-allow-origin", "*"),
        ];
        (StatusCode::CREATED, headers, Json(json!([{ "id": 1 }]))).into_response()
    };
    let result = envelope(respond).await;
    let expected = json!({
        "status": 201,
        "headers": { "link": "</users?page=2>; rel=\"next\"", "x-total-count": "120" },
        "body": [{ "id": 1 }],
    });
    assert_eq!(result["structuredContent"], expected);
    assert_eq!(
        serde_json::from_str::<Value>(result["content"][0]["text"].as_str().unwrap()).unwrap(),
        expected
    );
    assert_eq!(
        envelope(|| StatusCode::NO_CONTENT.into_response()).await["structuredContent"],
        json!({ "status": 204 })
    );
    let failed = envelope(|| (StatusCode::NOT_FOUND, "no such user").into_response()).await;
    assert_eq!(failed["isError"], true);
    assert_eq!(failed["structuredContent"], json!({ "status": 404, "body": "no such user" }));
    let image =
        envelope(|| ([("content-type", "image/png"), ("x-size", "2")], vec![1_u8]).into_response()).await;
    assert_eq!(image["content"][0], json!({ "type": "image", "data": "AQ==", "mimeType": "image/png" }));
    assert_eq!(image["structuredContent"], json!({ "status": 200, "headers": { "x-size": "2" } }));
}

#[tokio::test]
async fn further_header_fields_are_left_out_on_request() {
    let respond = || ([("x-runtime", "1"), ("x-debug-a", "1"), ("x-keep", "1")], "x").into_response();
    let options = RouteOptions::default().exclude_header("X-Runtime").exclude_header("x-debug-*");
    let world = world(answering("it", respond).envelope().options(options));
    let reply = call(&world, "it", json!({}), &[]).await;
    assert_eq!(reply.result()["structuredContent"]["headers"], json!({ "x-keep": "1" }));
}

#[derive(Serialize, JsonSchema)]
struct User {
    /// Who it is
    id: u32,
}

async fn user() -> Result<Json<User>, StatusCode> {
    Ok(Json(User { id: 7 }))
}

async fn missing() -> Result<Json<User>, StatusCode> {
    Err(StatusCode::NOT_FOUND)
}

#[tokio::test]
async fn the_output_schema_is_that_of_the_body_or_of_the_envelope() {
    let world = world(
        Routes::new()
            .route("/user", get(user).tool("Tells"))
            .route("/missing", get(missing).tool("Fails"))
            .route("/enveloped", get(user).tool(Expose::new("Tells").name("enveloped").envelope()))
            .route(
                "/typed",
                by_hand(Method::GET, async || r#"{"id":1}"#)
                    .tool(Expose::new("x").name("typed").returns::<User>()),
            ),
    );
    let schema = listed(&world, "user").await["outputSchema"].clone();
    assert_eq!(schema["properties"]["id"]["description"], "Who it is");
    assert_eq!(call(&world, "user", json!({}), &[]).await.result()["structuredContent"], json!({ "id": 7 }));
    assert!(call(&world, "missing", json!({}), &[]).await.is_error());
    let schema = listed(&world, "enveloped").await["outputSchema"].clone();
    assert_eq!(schema["required"], json!(["status"]));
    assert!(schema.to_string().contains("Who it is"), "{schema}");
    let reply = call(&world, "enveloped", json!({}), &[]).await;
    assert_eq!(reply.result()["structuredContent"]["body"], json!({ "id": 7 }));
}

#[tokio::test]
async fn a_head_route_has_no_body_and_no_schema_of_one() {
    let world = world(
        Routes::new()
            .route("/a", head(user).tool("Asks"))
            .route("/b", head(user).tool(Expose::new("Asks").name("enveloped").envelope())),
    );
    assert_eq!(listed(&world, "user").await.get("outputSchema"), None);
    let reply = call(&world, "user", json!({}), &[]).await;
    assert_eq!((reply.is_error(), &reply.result()["content"]), (false, &json!([])));
    let reply = call(&world, "enveloped", json!({}), &[]).await;
    assert_eq!(reply.result()["structuredContent"], json!({ "status": 200 }));
}

#[tokio::test]
async fn what_the_exposure_fixes_is_not_told() {
    let route = || {
        let handler = async || ([("content-type", "application/pdf")], vec![0_u8]);
        by_hand(Method::GET, handler)
            .parameter(Parameter::query::<String>("key"))
            .parameter(Parameter::query::<String>("page"))
    };
    let expose = || Expose::new("Prints").name("it").fixed("key", "S3CRET").fixed("tenant", "T3NANT");
    for expose in [expose(), expose().envelope()] {
        let world = world(Routes::new().route("/{tenant}/{file}", route().tool(expose)));
        let reply = call(&world, "it", json!({ "file": "a b", "page": "2" }), &[]).await;
        assert_eq!(reply.result()["content"][0]["resource"]["uri"], "route:/-/a%20b?page=2");
        let told = reply.body.to_string();
        assert!(!told.contains("S3CRET") && !told.contains("T3NANT"), "{told}");
    }
}

#[tokio::test]
async fn encoded_bodies_are_decoded() {
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let encoded = gzip(r#"{"a":1}"#);
    let respond = move || {
        ([("content-encoding", "gzip"), ("content-type", "application/json")], encoded.clone())
            .into_response()
    };
    assert_eq!(answer(respond).await["structuredContent"], json!({ "a": 1 }));
    let result = answer(|| ([("content-encoding", "snappy")], "xx").into_response()).await;
    assert!(result["content"][0]["text"].as_str().unwrap().contains("`snappy`"), "{result}");
    let mut four = b"four".to_vec();
    for _ in 0..4 {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&four).unwrap();
        four = encoder.finish().unwrap();
    }
    let respond = move || {
        let headers = [("content-encoding", "gzip, gzip, gzip, gzip"), ("content-type", "text/plain")];
        (headers, four.clone()).into_response()
    };
    assert_eq!(answer(respond).await["content"][0]["text"], "four");
    let result = answer(|| ([("content-encoding", "gzip, gzip, br, gzip, br")], "x").into_response()).await;
    assert!(result["content"][0]["text"].as_str().unwrap().contains("more than 4 times"), "{result}");
    let result = answer(|| ([("content-encoding", "br")], "not brotli").into_response()).await;
    assert_eq!(result["isError"], true);
}
