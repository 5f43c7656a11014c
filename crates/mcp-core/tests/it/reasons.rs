//! The words that tell a program why it is refused, and what they never tell.

use crate::{
    log,
    wire::{
        Answered, CAPABILITIES_KEY, Headers, VERSION_KEY, agreeing, ask, connect, modern, plain, post,
        server, serving, shaken, with_meta,
    },
};
use mcp_core::{
    admit::Reason,
    extract::Progress,
    registry::{McpRouter, tool},
    server::Server,
    version::{ProtocolVersion, ServedVersions},
};
use serde_json::{Value, json};

fn offering() -> Server {
    server(
        McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds")).tool(
            "report",
            tool(async |progress: Progress| {
                progress.report(1.0, None);
                "done"
            })
            .describe("Reports once"),
        ),
    )
}

fn reason(answered: &Answered) -> &str {
    answered.reply["error"]["data"]["reason"].as_str().unwrap_or_default()
}

/// A `tools/call` of the newest revision with its headers, before anything is wrong with it.
fn call() -> (Value, Headers) {
    let message = modern(1, "tools/call", json!({ "name": "add" }));
    let headers = agreeing(&message);
    (message, headers)
}

/// A call in which header and body name this version.
fn naming(version: &str) -> (Value, Headers) {
    let (mut message, headers) = call();
    message["params"]["_meta"][VERSION_KEY] = json!(version);
    (message, headers.without("mcp-protocol-version").with("mcp-protocol-version", version))
}

#[tokio::test]
async fn a_header_that_is_missing_and_one_that_disagrees_have_words_of_their_own() {
    let server = offering();
    for header in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        let (message, headers) = call();
        let same = agreeing(&message);
        let wrong = |value: &[u8]| headers.clone().without(header).with(header, value);
        let twice = match header {
            "mcp-protocol-version" => same.with(header, "2026-07-28"),
            "mcp-method" => same.with(header, "tools/call"),
            _ => same.with(header, "add"),
        };
        for (what, headers, word) in [
            ("missing", headers.clone().without(header), "MISSING_HEADER"),
            ("another value", wrong(b"2025-11-25"), "HEADER_MISMATCH"),
            ("the same value twice", twice, "HEADER_MISMATCH"),
            ("no text", wrong(b"\xFF"), "HEADER_MISMATCH"),
        ] {
            let answered = post(&server, &message, &headers).await;
            let told = (answered.status, answered.code(), reason(&answered));
            assert_eq!(told, (400, -32020, word), "{header} {what}: {}", answered.reply);
            assert_eq!(answered.reply["error"]["data"]["header"], header);
        }
    }
}

#[tokio::test]
async fn a_version_header_that_is_there_twice_is_refused_in_every_era() {
    let server = offering();
    for message in [
        plain(1, "tools/list", json!({})),
        plain(1, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} })),
        json!([plain(1, "tools/list", json!({}))]),
    ] {
        let twice = Headers::default()
            .with("mcp-protocol-version", "2025-03-26")
            .with("mcp-protocol-version", "2025-03-26");
        let answered = post(&server, &message, &twice).await;
        assert_eq!((answered.status, reason(&answered)), (400, "HEADER_MISMATCH"), "{message}");
    }
}

#[tokio::test]
async fn a_version_is_a_short_printable_text() {
    let server = offering();
    for version in
        ["", " ", "\u{2003}", "2026-07-28\n", "\u{7f}", "2026\u{0}", &*"9".repeat(65), &*"é".repeat(65)]
    {
        let (message, _) = naming("x");
        let (mut shapeless, good) = (message, call().1);
        shapeless["params"]["_meta"][VERSION_KEY] = json!(version);
        for headers in [good.clone(), good.without("mcp-protocol-version"), naming(version).1] {
            let answered = post(&server, &shapeless, &headers).await;
            let told = (answered.status, answered.code(), reason(&answered));
            assert_eq!(told, (400, -32602, "META_SHAPE"), "{version:?}: {}", answered.reply);
        }
        let mut stream = connect(&server);
        assert_eq!(reason(&ask(&mut stream, &shapeless).await), "META_SHAPE", "{version:?}");
    }
    for version in [&*"9".repeat(64), "x", "é"] {
        let (message, headers) = naming(version);
        let answered = post(&server, &message, &headers).await;
        assert_eq!((answered.code(), reason(&answered)), (-32022, "UNSUPPORTED_VERSION"), "{version}");
        assert_eq!(answered.reply["error"]["data"]["requested"], version);
    }
}

#[tokio::test]
async fn a_version_header_of_no_possible_version_is_not_echoed() {
    let server = offering();
    let list = plain(1, "tools/list", json!({}));
    for value in ["", " \t ", &*"9".repeat(65), "a\tb"] {
        let answered = post(&server, &list, &Headers::default().with("mcp-protocol-version", value)).await;
        assert_eq!((answered.status, reason(&answered)), (400, "HEADER_MISMATCH"), "{value:?}");
        let told = answered.reply.to_string();
        assert!(value.trim().is_empty() || !told.contains(value), "{told}");
        let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }));
        let answered = post(&server, &hello, &Headers::default().with("mcp-protocol-version", value)).await;
        assert_eq!(answered.status, 200, "a handshake is negotiated in its body: {}", answered.reply);
    }
    let unknown = Headers::default().with("mcp-protocol-version", "1900-01-01");
    let answered = post(&server, &list, &unknown).await;
    assert_eq!((answered.status, answered.code()), (400, -32022));
    let data = &answered.reply["error"]["data"];
    assert_eq!((&data["requested"], &data["reason"]), (&json!("1900-01-01"), &json!("UNSUPPORTED_VERSION")));
    assert!(data["supported"].as_array().is_some_and(|supported| !supported.is_empty()));
}

#[tokio::test]
async fn what_meta_lacks_and_what_is_wrong_in_it_are_told_apart() {
    let server = offering();
    let with = |key: &str, value: Value| {
        let (mut message, headers) = call();
        match value {
            Value::Null => drop(message["params"]["_meta"].as_object_mut().unwrap().remove(key)),
            value => message["params"]["_meta"][key] = value,
        }
        (message, headers)
    };
    for ((message, headers), word) in [
        (with(VERSION_KEY, Value::Null), "MISSING_META"),
        (with(CAPABILITIES_KEY, Value::Null), "MISSING_META"),
        (with(VERSION_KEY, json!(5)), "META_SHAPE"),
        (with(CAPABILITIES_KEY, json!([])), "META_SHAPE"),
        (with("io.modelcontextprotocol/logLevel", json!("loud")), "META_SHAPE"),
        (with("progressToken", json!("t".repeat(4_097))), "META_SHAPE"),
    ] {
        let answered = post(&server, &message, &headers).await;
        let told = (answered.status, answered.code(), reason(&answered));
        assert_eq!(told, (400, -32602, word), "{}", answered.reply);
    }
}

#[tokio::test]
async fn a_stream_without_handshake_says_what_is_needed_and_what_is_served() {
    let answered = ask(&mut connect(&offering()), &plain(1, "tools/list", json!({}))).await;
    assert_eq!((answered.code(), reason(&answered)), (-32602, "HANDSHAKE_NEEDED"));
    let all: Vec<_> = ProtocolVersion::ALL.iter().rev().map(|version| version.as_str()).collect();
    assert_eq!(answered.reply["error"]["data"]["supported"], json!(all));
}

#[tokio::test]
async fn how_to_begin_is_told_by_what_is_served() {
    for (versions, said) in [
        (vec![ProtocolVersion::LATEST], "name the protocol version in `_meta`; served: 2026-07-28"),
        (vec![ProtocolVersion::LATEST_HANDSHAKE], "send `initialize` first; served: 2025-11-25"),
    ] {
        let server = serving(McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds")))
            .versions(ServedVersions::only(versions).unwrap())
            .build()
            .unwrap();
        let answered = ask(&mut connect(&server), &plain(1, "tools/list", json!({}))).await;
        assert_eq!(answered.message(), said);
    }
}

#[tokio::test]
async fn an_unknown_version_on_a_stream_is_answered_with_the_known_ones_and_the_stream_goes_on() {
    let mut stream = connect(&offering());
    let mut unknown = modern(1, "server/discover", json!({}));
    unknown["params"]["_meta"][VERSION_KEY] = json!("2099-01-01");
    let answered = ask(&mut stream, &unknown).await;
    assert_eq!((answered.code(), reason(&answered)), (-32022, "UNSUPPORTED_VERSION"));
    let data = &answered.reply["error"]["data"];
    assert_eq!(data["requested"], "2099-01-01");
    assert!(data["supported"].as_array().unwrap().contains(&json!("2026-07-28")));
    let known = ask(&mut stream, &modern(2, "server/discover", json!({}))).await;
    assert_eq!(known.result()["resultType"], "complete");
}

#[tokio::test]
async fn the_version_of_a_handshake_that_nobody_serves_comes_back_bounded() {
    let server = serving(McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds")))
        .versions(ServedVersions::only([ProtocolVersion::LATEST]).unwrap())
        .build()
        .unwrap();
    let version = format!("\u{1}\n{}", "9".repeat(100_000));
    let hello = plain(1, "initialize", json!({ "protocolVersion": version, "capabilities": {} }));
    for answered in
        [post(&server, &hello, &Headers::default()).await, ask(&mut connect(&server), &hello).await]
    {
        assert_eq!((answered.code(), reason(&answered)), (-32022, "UNSUPPORTED_VERSION"));
        assert_eq!(answered.reply["error"]["data"]["requested"], "9".repeat(64));
    }
}

#[tokio::test]
async fn a_progress_token_comes_back_exactly_up_to_its_limit_in_every_revision() {
    let server = offering();
    for version in ProtocolVersion::ALL {
        for (token, fits) in [
            (json!("t".repeat(4_096)), true),
            (json!("é".repeat(2_048)), true),
            (json!(9_007_199_254_740_993_i64), true),
            (json!("t".repeat(4_097)), false),
            (json!("é".repeat(2_049)), false),
        ] {
            let params = json!({ "name": "report", "_meta": { "progressToken": token } });
            let (message, mut stream) = match version {
                ProtocolVersion::LATEST => {
                    let message = plain(1, "tools/call", json!({ "name": "report" }));
                    (with_meta(message, json!({ "progressToken": token })), connect(&server))
                }
                version => (plain(1, "tools/call", params), shaken(&server, version).await),
            };
            let answered = ask(&mut stream, &message).await;
            if fits {
                assert_eq!(answered.text(), "done", "{version}");
                assert_eq!(answered.notifications[0]["params"]["progressToken"], token);
            } else {
                assert_eq!((answered.code(), reason(&answered)), (-32602, "META_SHAPE"), "{version}");
                assert_eq!((answered.notifications.len(), answered.reply.to_string().len() < 300), (0, true));
            }
        }
    }
}

#[tokio::test]
async fn each_refusal_is_one_line_of_the_log_without_anything_of_the_request() {
    let server = offering();
    let secret = "sesame-\u{2028}-open";
    let (message, headers) = call();
    let mut shapeless = message.clone();
    shapeless["params"]["_meta"][VERSION_KEY] = json!(format!("{secret}\n"));
    let mut incapable = message.clone();
    incapable["params"]["_meta"][CAPABILITIES_KEY] = json!(secret);
    for (message, headers, word) in [
        (&message, headers.clone().without("mcp-method"), "MISSING_HEADER"),
        (&message, headers.clone().without("mcp-name").with("mcp-name", secret), "HEADER_MISMATCH"),
        (&shapeless, headers.clone(), "META_SHAPE"),
        (&incapable, headers.clone(), "META_SHAPE"),
        (&naming(secret).0, naming(secret).1, "UNSUPPORTED_VERSION"),
    ] {
        let (lines, _capturing) = log::capture(tracing::Level::DEBUG);
        let answered = post(&server, message, &headers).await;
        let lines: Vec<_> = lines.take().into_iter().filter(|line| line.contains("is refused")).collect();
        let [line] = &lines[..] else { panic!("{word}: {lines:?}") };
        assert!(line.contains(word) && !line.contains("sesame"), "{line}");
        assert_eq!(reason(&answered), word);
        assert!(word == "UNSUPPORTED_VERSION" || !answered.reply.to_string().contains("sesame"));
    }
}

#[test]
fn the_words_are_a_closed_set() {
    let words = Reason::ALL.map(Reason::as_str);
    assert_eq!(
        words,
        [
            "MISSING_HEADER",
            "HEADER_MISMATCH",
            "MISSING_META",
            "META_SHAPE",
            "UNSUPPORTED_VERSION",
            "HANDSHAKE_NEEDED"
        ]
    );
}
