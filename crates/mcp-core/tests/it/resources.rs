//! Reading resources: which one is found, what is told, what is missing.

use crate::wire::{HANDSHAKE, MODERN, server, serving};
use mcp_core::{
    extract::Vars,
    handler::{ProtocolError, ResourceRead},
    protocol::{Blob, ResourceContents},
    registry::{McpRouter, ResourceBuilder, resource},
    server::{Limits, Server},
    testing::Answer,
    version::ProtocolVersion,
};
use serde_json::json;

fn saying(text: &'static str) -> ResourceBuilder<()> {
    resource(move || async move { text })
}

/// Takes the request as it is.
struct Whole(String);

impl<S: Sync> mcp_core::extract::Extract<ResourceRead, S> for Whole {
    type Rejection = std::convert::Infallible;

    async fn extract(read: &ResourceRead, _: &S) -> Result<Self, std::convert::Infallible> {
        Ok(Self(read.uri().to_owned()))
    }
}

async fn read(server: &Server, uri: &str) -> Answer {
    server.client(MODERN).read_resource(uri).await
}

async fn text(server: &Server, uri: &str) -> String {
    let answer = read(server, uri).await;
    answer.result().unwrap_or_else(|| panic!("{uri}: {answer:?}"))["contents"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn static_before_template_specific_before_general_first_before_second() {
    let router = McpRouter::new()
        .resource("docs://{+path}", saying("any path"))
        .resource("docs://{+path}/meta", saying("its meta"))
        .resource("docs://{name}", saying("one name"))
        .resource("docs://{other}", saying("never"))
        .resource("docs://index", saying("the index"));
    let server = server(router);
    assert_eq!(text(&server, "docs://index").await, "the index");
    assert_eq!(text(&server, "docs://a").await, "one name");
    assert_eq!(text(&server, "docs://a/b").await, "any path");
    assert_eq!(text(&server, "docs://a/b/meta").await, "its meta");
}

#[tokio::test]
async fn variables_are_decoded_once_and_typed() {
    #[derive(serde::Deserialize)]
    struct Both {
        owner: String,
        number: u32,
    }
    let router = McpRouter::new()
        .resource(
            "repo://{owner}/{number}",
            resource(|Vars(Both { owner, number }): Vars<Both>| async move { format!("{owner} {number}") }),
        )
        .resource("user://{id}", resource(|Vars(id): Vars<String>| async move { id }))
        .resource(
            "file:///{+path}",
            resource(|Vars(path): Vars<String>, Whole(uri): Whole| async move { format!("{path} {uri}") }),
        )
        .resource(
            "search://{q}{?page,sort}",
            resource(|Vars((q, page, sort)): Vars<(String, Option<u32>, Option<String>)>| async move {
                format!("{q} {page:?} {sort:?}")
            }),
        );
    let server = server(router);
    assert_eq!(text(&server, "repo://a%20b/7").await, "a b 7");
    assert_eq!(text(&server, "user://a%252Fb").await, "a%2Fb");
    assert_eq!(text(&server, "user://%E2%82%AC").await, "€");
    assert_eq!(text(&server, "file:///d/../x y").await, "d/../x y file:///d/../x%20y");
    assert_eq!(text(&server, "search://cats?page=2").await, "cats Some(2) None");
    assert_eq!(
        read(&server, "repo://a/x").await.code(),
        Some(-32602),
        "a value that does not parse is no resource"
    );
    assert_eq!(read(&server, "repo://a/b/c").await.code(), Some(-32602));
}

#[tokio::test]
async fn the_uri_comes_back_as_it_was_asked_for() {
    let router =
        McpRouter::new().resource("file:///d/caf%C3%A9%201.txt", saying("menu").mime_type("text/plain"));
    let server = server(router);
    for uri in ["file:///d/caf%C3%A9%201.txt", "file:///d/café 1.txt", "FILE:///d/caf%c3%a9%201.txt"] {
        let contents = read(&server, uri).await.result().unwrap()["contents"].clone();
        assert_eq!(contents, json!([{ "uri": uri, "mimeType": "text/plain", "text": "menu" }]));
    }
}

#[tokio::test]
async fn the_declared_media_type_stands_above_the_handlers() {
    let contents = || async { ResourceContents::text("x").mime_type("text/csv") };
    let router = McpRouter::new()
        .resource("a:declared", resource(contents).mime_type("text/plain"))
        .resource("a:handler", resource(contents))
        .resource("a:none", saying("x"))
        .resource("a:blob", resource(|| async { Blob::from(&[0xFB, 0xFF, 0xBE][..]) }).mime_type("image/png"))
        .resource("a:empty", resource(|| async { Vec::<u8>::new() }));
    let server = server(router);
    let first = |answer: Answer| answer.result().unwrap()["contents"][0].clone();
    assert_eq!(first(read(&server, "a:declared").await)["mimeType"], "text/plain");
    assert_eq!(first(read(&server, "a:handler").await)["mimeType"], "text/csv");
    assert_eq!(first(read(&server, "a:none").await), json!({ "uri": "a:none", "text": "x" }));
    assert_eq!(
        first(read(&server, "a:blob").await),
        json!({ "uri": "a:blob", "mimeType": "image/png", "blob": "+/++" })
    );
    assert_eq!(first(read(&server, "a:empty").await)["blob"], "");
}

#[tokio::test]
async fn what_is_missing_is_told_by_version_with_its_uri() {
    let router = McpRouter::new()
        .resource("a:empty", resource(|| async { Vec::<ResourceContents>::new() }))
        .resource(
            "a:gone",
            resource(|| async { Err::<String, _>(ProtocolError::resource_not_found("a:gone")) }),
        )
        .resource(
            "a:broken",
            resource(|| async { Err::<String, ProtocolError>(std::io::Error::other("disk 7").into()) }),
        );
    let server = server(router);
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let code = if version == MODERN { -32602 } else { -32002 };
        for uri in ["a:none", "a:empty", "a:gone"] {
            let error = client.read_resource(uri).await.outcome.unwrap_err();
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(code), &json!(uri)), "{version}");
        }
        let broken = client.read_resource("a:broken").await.outcome.unwrap_err();
        assert_eq!(broken, json!({ "code": -32603, "message": "Internal error" }));
        for uri in ["", "no scheme", "/a/b", "a:%4", "a:b#c#d"] {
            assert_eq!(
                client.read_resource(uri).await.code(),
                Some(if uri == "a:%4" { code } else { -32602 }),
                "{uri}"
            );
        }
        assert_eq!(client.request("resources/read", json!({ "uri": 5 })).await.code(), Some(-32602));
        assert_eq!(client.request("resources/read", json!({})).await.code(), Some(-32602));
    }
}

#[tokio::test]
async fn long_uris_are_refused_by_their_setting() {
    let limits = Limits { uri_bytes: 64, ..Limits::default() };
    let server = serving(McpRouter::new().resource("a:{x}", saying("x"))).limits(limits).build().unwrap();
    assert!(read(&server, &format!("a:{}", "x".repeat(62))).await.result().is_some());
    let error = read(&server, &format!("a:{}", "x".repeat(63))).await.outcome.unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("limits.uri_bytes"));
}

#[tokio::test]
async fn a_reply_with_a_uri_that_is_none_is_held_back() {
    let router = McpRouter::new()
        .resource("a:bad", resource(|| async { ResourceContents::text("x").uri("not a uri") }))
        .resource(
            "a:many",
            resource(|| async {
                vec![ResourceContents::text("1"), ResourceContents::text("2").uri("a:other")]
            }),
        );
    let server = server(router);
    assert_eq!(read(&server, "a:bad").await.code(), Some(-32603));
    let many = read(&server, "a:many").await;
    let uris: Vec<_> = many.result().unwrap()["contents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["uri"].clone())
        .collect();
    assert_eq!(uris, ["a:many", "a:other"]);
}

#[tokio::test]
async fn a_reading_is_private_and_asked_for_each_time() {
    let server = server(McpRouter::new().resource("a:b", saying("x")));
    let answer = read(&server, "a:b").await;
    let result = answer.result().unwrap();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    let old = server.client(HANDSHAKE).read_resource("a:b").await;
    assert_eq!(old.result().unwrap().as_object().unwrap().keys().collect::<Vec<_>>(), ["contents"]);
}
