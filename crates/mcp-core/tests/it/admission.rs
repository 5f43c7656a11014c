//! The era of an HTTP request, and the order in which everything about it is checked.

use crate::wire::{
    Answered, CAPABILITIES_KEY, Headers, LOG_KEY, MODERN, VERSION_KEY, agreeing, modern, plain, post,
    post_text, server, serving, with_meta,
};
use mcp_core::{
    registry::{McpRouter, prompt, resource, tool},
    server::Server,
    version::{ProtocolVersion, ServedVersions},
};
use serde_json::{Value, json};

/// A server with one of each, and a tool whose arguments are repeated in headers.
fn offering() -> Server {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "n": { "type": "integer", "x-mcp-header": "N" },
            "flag": { "type": "boolean", "x-mcp-header": "Flag" },
            "o": { "type": "object", "properties": { "b": { "type": "string", "x-mcp-header": "Deep-B" } } },
        },
    });
    server(
        McpRouter::new()
            .tool("add", tool(|| async { "sum" }).describe("Adds"))
            .tool("größe", tool(|| async { "groß" }).describe("Measures"))
            .tool("run", tool(|| async { "ran" }).describe("Runs").input_schema(schema))
            .resource("test://a", resource(|| async { "a" }))
            .prompt("hello", prompt(|| async { "hi" }).describe("Greets")),
    )
}

/// One post and what must become of it.
struct Case {
    what: &'static str,
    message: Value,
    headers: Headers,
    status: u16,
    /// Zero for a result.
    code: i64,
}

async fn check(server: &Server, case: Case) -> Answered {
    let answered = post(server, &case.message, &case.headers).await;
    let described = (case.what, answered.status, answered.code());
    assert_eq!(described, (case.what, case.status, case.code), "{}", answered.reply);
    assert_eq!(answered.reply["id"], case.message["id"], "{}: the id is echoed", case.what);
    answered
}

/// A defect in a `tools/call`, by the position at which it is looked for.
struct Defect {
    what: &'static str,
    apply: fn(&mut Value, Headers) -> Headers,
    status: u16,
    code: i64,
}

/// Every defect of a modern request, in the order of the checks.
fn defects() -> [Defect; 9] {
    [
        Defect {
            what: "no version in the body",
            apply: |message, headers| {
                message["params"]["_meta"].as_object_mut().unwrap().remove(VERSION_KEY);
                headers
            },
            status: 400,
            code: -32602,
        },
        Defect {
            what: "no version header",
            apply: |_, headers| headers.without("mcp-protocol-version"),
            status: 400,
            code: -32020,
        },
        Defect {
            what: "a version that is not served",
            apply: |message, headers| {
                let versioned = message["params"]["_meta"].get(VERSION_KEY).is_some();
                if versioned {
                    message["params"]["_meta"][VERSION_KEY] = json!("v999.0.0");
                }
                match (versioned, headers.clone().without("mcp-protocol-version")) {
                    (true, other) if has_version(&headers) => other.with("mcp-protocol-version", "v999.0.0"),
                    _ => headers,
                }
            },
            status: 400,
            code: -32022,
        },
        Defect {
            what: "no capabilities",
            apply: |message, headers| {
                message["params"]["_meta"].as_object_mut().unwrap().remove(CAPABILITIES_KEY);
                headers
            },
            status: 400,
            code: -32602,
        },
        Defect {
            what: "no method header",
            apply: |_, headers| headers.without("mcp-method"),
            status: 400,
            code: -32020,
        },
        Defect {
            what: "an unknown method",
            apply: |message, headers| {
                message["method"] = json!("tools/knock");
                if has(&headers, "mcp-method") {
                    return headers.without("mcp-method").with("mcp-method", "tools/knock");
                }
                headers
            },
            status: 404,
            code: -32601,
        },
        Defect {
            what: "no name header",
            apply: |_, headers| headers.without("mcp-name"),
            status: 400,
            code: -32020,
        },
        Defect {
            what: "no header for an argument",
            apply: |message, headers| {
                message["params"]["arguments"]["region"] = json!("eu");
                headers
            },
            status: 400,
            code: -32020,
        },
        Defect {
            what: "arguments that do not fit",
            apply: |message, headers| {
                message["params"]["arguments"]["n"] = json!([]);
                headers
            },
            status: 200,
            code: 0,
        },
    ]
}

fn has(headers: &Headers, name: &str) -> bool {
    use mcp_core::admit::{HeaderField, RequestHead as _};
    headers.field(name) != HeaderField::Absent
}

fn has_version(headers: &Headers) -> bool {
    has(headers, "mcp-protocol-version")
}

#[tokio::test]
async fn of_two_defects_the_earlier_one_is_told() {
    let server = offering();
    for (first, earlier) in defects().iter().enumerate() {
        for later in &defects()[first..] {
            let mut message = modern(7, "tools/call", json!({ "name": "run", "arguments": {} }));
            let mut headers = agreeing(&message);
            // The earlier one is made first: what it takes away, the later one leaves alone.
            headers = (earlier.apply)(&mut message, headers);
            headers = (later.apply)(&mut message, headers);
            // Without a version in the body, and with a header that names none of ours, nothing is modern.
            let answered = post(&server, &message, &headers).await;
            if earlier.what == "no version in the body" && later.what == "no version header" {
                assert_eq!(answered.status, 200, "a handshake request");
                continue;
            }
            let told = (answered.status, answered.code());
            assert_eq!(
                told,
                (earlier.status, earlier.code),
                "{} and {}: {}",
                earlier.what,
                later.what,
                answered.reply
            );
            assert_eq!(answered.reply["id"], 7);
        }
    }
}

#[tokio::test]
async fn each_way_to_be_wrong_has_its_status_and_code() {
    let server = offering();
    let list = || modern("x", "tools/list", json!({}));
    let call = || modern("x", "tools/call", json!({ "name": "add" }));
    let meta = |key: &str, value: Value| {
        let mut message = list();
        message["params"]["_meta"][key] = value;
        message
    };
    let case = |what, message: Value, headers, status, code| Case { what, message, headers, status, code };
    let good = || agreeing(&list());
    let no_meta = plain("x", "server/discover", json!({}));
    let cases = [
        case("all is well", list(), good(), 200, 0),
        case(
            "a header with white space",
            list(),
            good().without("mcp-method").with("mcp-method", "  tools/list\t"),
            200,
            0,
        ),
        case("no _meta", no_meta.clone(), agreeing(&no_meta), 400, -32602),
        case("_meta is no object", plain("x", "tools/list", json!({ "_meta": 5 })), good(), 400, -32602),
        case("version is a number", meta(VERSION_KEY, json!(5)), good(), 400, -32602),
        case("version is null", meta(VERSION_KEY, Value::Null), good(), 400, -32602),
        case("capabilities are an array", meta(CAPABILITIES_KEY, json!([])), good(), 400, -32602),
        case("capabilities are null", meta(CAPABILITIES_KEY, Value::Null), good(), 400, -32602),
        case("a loud log level", meta(LOG_KEY, json!("loud")), good(), 400, -32602),
        case("a log level in capitals", meta(LOG_KEY, json!("DEBUG")), good(), 400, -32602),
        case(
            "client info of the wrong kind is not looked at",
            meta("io.modelcontextprotocol/clientInfo", json!(1)),
            good(),
            200,
            0,
        ),
        case(
            "another version in the header",
            list(),
            good().without("mcp-protocol-version").with("mcp-protocol-version", "2025-11-25"),
            400,
            -32020,
        ),
        case(
            "an unknown version in the header",
            list(),
            good().without("mcp-protocol-version").with("mcp-protocol-version", "v9"),
            400,
            -32020,
        ),
        case("an unknown version in the body", meta(VERSION_KEY, json!("v9")), good(), 400, -32020),
        case(
            "a handshake version in both",
            meta(VERSION_KEY, json!("2025-11-25")),
            good().without("mcp-protocol-version").with("mcp-protocol-version", "2025-11-25"),
            400,
            -32022,
        ),
        case(
            "a version in the header twice",
            list(),
            good().with("mcp-protocol-version", MODERN.as_str()),
            400,
            -32020,
        ),
        case(
            "a version that is no text",
            list(),
            good().without("mcp-protocol-version").with("mcp-protocol-version", b"\xFF"),
            400,
            -32020,
        ),
        case(
            "another method in the header",
            list(),
            good().without("mcp-method").with("mcp-method", "prompts/list"),
            400,
            -32020,
        ),
        case(
            "the method in capitals",
            list(),
            good().without("mcp-method").with("mcp-method", "TOOLS/LIST"),
            400,
            -32020,
        ),
        case("the method twice", list(), good().with("mcp-method", "tools/list"), 400, -32020),
        case(
            "another name",
            call(),
            agreeing(&call()).without("mcp-name").with("mcp-name", "sub"),
            400,
            -32020,
        ),
        case("the name twice", call(), agreeing(&call()).with("mcp-name", "add"), 400, -32020),
        case(
            "a name that cannot be decoded",
            call(),
            agreeing(&call()).without("mcp-name").with("mcp-name", "=?base64?YWRk!?="),
            400,
            -32020,
        ),
        case(
            "the name encoded",
            call(),
            agreeing(&call()).without("mcp-name").with("mcp-name", "=?base64?YWRk?="),
            200,
            0,
        ),
        case(
            "the name with white space",
            call(),
            agreeing(&call()).without("mcp-name").with("mcp-name", "  add  "),
            200,
            0,
        ),
        case("a name where none belongs", list(), good().with("mcp-name", "whatever"), 200, 0),
        case(
            "no name at all",
            modern("x", "tools/call", json!({})),
            good().without("mcp-method").with("mcp-method", "tools/call"),
            400,
            -32020,
        ),
        case(
            "a name in the header only",
            modern("x", "tools/call", json!({})),
            good().without("mcp-method").with("mcp-method", "tools/call").with("mcp-name", "add"),
            200,
            -32602,
        ),
        case(
            "a tool that does not exist",
            modern("x", "tools/call", json!({ "name": "nope" })),
            agreeing(&modern("x", "tools/call", json!({ "name": "nope" }))),
            200,
            -32602,
        ),
        case(
            "arguments that are an array",
            modern("x", "tools/call", json!({ "name": "add", "arguments": [] })),
            agreeing(&call()),
            200,
            -32602,
        ),
        case("a cursor of nobody", modern("x", "tools/list", json!({ "cursor": "a" })), good(), 200, -32602),
    ];
    for case in cases {
        check(&server, case).await;
    }
}

#[tokio::test]
async fn methods_of_the_handshake_do_not_exist_for_modern_requests() {
    let server = offering();
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "unknown/method",
    ] {
        let message = modern(1, method, json!({}));
        let answered = post(&server, &message, &agreeing(&message)).await;
        assert_eq!((answered.status, answered.code()), (404, -32601), "{method}");
    }
}

#[tokio::test]
async fn initialize_under_a_modern_header_is_an_unknown_method_even_without_meta() {
    let server = offering();
    let message = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }));
    let headers =
        Headers::default().with("mcp-protocol-version", MODERN.as_str()).with("mcp-method", "initialize");
    let answered = post(&server, &message, &headers).await;
    assert_eq!((answered.status, answered.code()), (404, -32601), "{}", answered.reply);
    let bare = Headers::default().with("mcp-protocol-version", MODERN.as_str());
    assert_eq!(post(&server, &message, &bare).await.status, 404);
}

#[tokio::test]
async fn an_unknown_version_wins_over_an_unknown_method() {
    let server = offering();
    let mut message = modern(1, "unknown/method", json!({}));
    message["params"]["_meta"][VERSION_KEY] = json!("v999.0.0");
    let headers = Headers::default().with("mcp-protocol-version", "v999.0.0");
    let answered = post(&server, &message, &headers).await;
    assert_eq!((answered.status, answered.code()), (400, -32022));
    let answered = post(&server, &plain(1, "unknown/method", json!({})), &headers).await;
    assert_eq!((answered.status, answered.code()), (400, -32022));
}

fn supported(answered: &Answered) -> Vec<&str> {
    let list = answered.reply["error"]["data"]["supported"].as_array().unwrap();
    list.iter().map(|version| version.as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_refused_version_is_echoed_and_never_offered_back() {
    let server = offering();
    let request = |version: &str| {
        let mut message = modern(1, "server/discover", json!({}));
        message["params"]["_meta"][VERSION_KEY] = json!(version);
        (
            message,
            Headers::default().with("mcp-protocol-version", version).with("mcp-method", "server/discover"),
        )
    };
    for version in ["v999.0.0", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-29"] {
        let (message, headers) = request(version);
        let answered = post(&server, &message, &headers).await;
        assert_eq!((answered.status, answered.code()), (400, -32022), "{version}");
        assert_eq!(answered.reply["error"]["data"]["requested"], version);
        assert!(!supported(&answered).is_empty() && !supported(&answered).contains(&version), "{version}");
    }
    let (message, headers) = request(&"9".repeat(64));
    assert_eq!(post(&server, &message, &headers).await.reply["error"]["data"]["requested"], "9".repeat(64));
}

#[tokio::test]
async fn servers_of_few_versions_offer_what_they_have() {
    let offering = |versions: &[ProtocolVersion]| {
        serving(McpRouter::new().tool("add", tool(|| async { "sum" }).describe("Adds")))
            .versions(ServedVersions::only(versions.iter().copied()).unwrap())
            .build()
            .unwrap()
    };
    let handshake = offering(&[ProtocolVersion::V2025_06_18]);
    let message = modern(1, "tools/list", json!({}));
    let answered = post(&handshake, &message, &agreeing(&message)).await;
    assert_eq!((answered.code(), supported(&answered)), (-32022, vec!["2025-06-18"]));
    let list = plain(1, "tools/list", json!({}));
    let answered =
        post(&handshake, &list, &Headers::default().with("mcp-protocol-version", "2025-11-25")).await;
    assert_eq!((answered.code(), supported(&answered)), (-32022, vec!["2025-06-18"]));
    let modern_only = offering(&[MODERN]);
    let answered =
        post(&modern_only, &list, &Headers::default().with("mcp-protocol-version", "2025-11-25")).await;
    assert_eq!((answered.status, supported(&answered)), (400, vec![MODERN.as_str()]));
    let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }));
    let answered = post(&modern_only, &hello, &Headers::default()).await;
    assert_eq!((answered.code(), supported(&answered)), (-32022, vec![MODERN.as_str()]));
}

#[tokio::test]
async fn messages_that_ask_nothing_are_accepted_or_refused_whole() {
    let server = offering();
    let none = Headers::default();
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let answered = post_text(&server, notification, &none).await;
    assert_eq!((answered.status, answered.reply), (202, Value::Null));
    for (body, code) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#, -32600),
        ("[]", -32600),
        ("5", -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        ("", -32700),
        ("{", -32700),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32700),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#, -32700),
    ] {
        let answered = post_text(&server, body, &none).await;
        assert_eq!((answered.status, answered.code()), (400, code), "{body}: {}", answered.reply);
        assert!(!answered.reply.as_object().unwrap().get("id").is_some_and(Value::is_null), "{body}");
    }
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != MODERN) {
        let headers = Headers::default().with("mcp-protocol-version", version.as_str());
        let answered = post_text(&server, batch, &headers).await;
        if version == ProtocolVersion::V2025_03_26 {
            assert_eq!(
                (answered.status, &answered.reply),
                (200, &json!([{ "jsonrpc": "2.0", "id": 1, "result": {} }]))
            );
        } else {
            assert_eq!((answered.status, answered.code()), (400, -32600), "{version}");
        }
    }
}

#[tokio::test]
async fn a_name_outside_ascii_comes_encoded() {
    let server = offering();
    let message = modern(1, "tools/call", json!({ "name": "größe" }));
    let encoded = agreeing(&message).without("mcp-name").with("mcp-name", "=?base64?Z3LDtsOfZQ==?=");
    assert_eq!(post(&server, &message, &encoded).await.text(), "groß");
    assert_eq!(post(&server, &message, &agreeing(&message)).await.code(), -32020, "raw UTF-8 is no header");
}

async fn run(server: &Server, arguments: Value, params: &[(&str, &str)]) -> Answered {
    let message = modern(1, "tools/call", json!({ "name": "run", "arguments": arguments }));
    let headers = params.iter().fold(agreeing(&message), |headers, (name, value)| headers.with(name, value));
    post(server, &message, &headers).await
}

#[tokio::test]
async fn arguments_in_headers_equal_those_in_the_body() {
    let server = offering();
    let region = "mcp-param-region";
    for (arguments, headers, code) in [
        (json!({ "region": "eu" }), &[(region, "eu")][..], 0),
        (json!({ "region": "eu" }), &[(region, "  eu ")], 0),
        (json!({ "region": "Hello" }), &[(region, "=?base64?SGVsbG8=?=")], 0),
        (json!({ "region": "Hello" }), &[(region, "=?base64?SGVsbG8?=")], -32020),
        (json!({ "region": "Hello" }), &[(region, "=?base64?SGVs!!!bG8=?=")], -32020),
        (json!({ "region": "SGVsbG8=" }), &[(region, "SGVsbG8=")], 0),
        (json!({ "region": "=?base64?SGVsbG8=" }), &[(region, "=?base64?SGVsbG8=")], 0),
        (json!({ "region": "" }), &[(region, "")], 0),
        (json!({ "region": "" }), &[], -32020),
        (json!({ "region": "eu" }), &[], -32020),
        (json!({ "region": "eu" }), &[(region, "us")], -32020),
        (json!({ "region": "eu" }), &[(region, "eu"), (region, "eu")], -32020),
        (json!({}), &[], 0),
        (json!({}), &[(region, "eu")], -32020),
        (json!({ "n": 42 }), &[("mcp-param-n", "42.0")], 0),
        (json!({ "n": 42.0 }), &[("mcp-param-n", "4.2e1")], 0),
        (json!({ "n": 42 }), &[("mcp-param-n", "43")], -32020),
        (json!({ "n": 42 }), &[("mcp-param-n", "forty-two")], -32020),
        (json!({ "n": "42" }), &[("mcp-param-n", "42")], 0),
        (json!({ "flag": true }), &[("mcp-param-flag", "true")], 0),
        (json!({ "flag": true }), &[("mcp-param-flag", "True")], -32020),
        (json!({ "o": { "b": "deep" } }), &[("mcp-param-deep-b", "deep")], 0),
        (json!({ "o": { "b": "deep" } }), &[("mcp-param-deep-b", "shallow")], -32020),
        (json!({ "o": { "b": "deep" } }), &[], -32020),
        (json!({ "o": {} }), &[], 0),
        (json!({ "o": "deep" }), &[], 0),
    ] {
        let answered = run(&server, arguments.clone(), headers).await;
        assert_eq!(answered.code(), code, "{arguments} {headers:?}: {}", answered.reply);
        assert_eq!(answered.status, if code == 0 { 200 } else { 400 });
    }
}

#[tokio::test]
async fn a_null_argument_needs_no_header() {
    let server = offering();
    let answered = run(&server, json!({ "region": null, "o": { "b": null } }), &[]).await;
    assert_eq!(answered.status, 200, "{}", answered.reply);
    assert_ne!(answered.code(), -32020);
}

#[tokio::test]
async fn a_mismatch_names_the_header_and_the_reason() {
    let server = offering();
    let answered = run(&server, json!({ "region": "eu" }), &[]).await;
    let data = json!({ "header": "mcp-param-region", "reason": "MISSING_HEADER" });
    assert_eq!(answered.reply["error"]["data"], data);
    let answered = run(&server, json!({ "region": "eu" }), &[("mcp-param-region", "us")]).await;
    assert_eq!(answered.reply["error"]["data"]["reason"], "HEADER_MISMATCH");
}

#[tokio::test]
async fn requests_of_handshake_revisions_need_no_routing_headers() {
    let server = offering();
    let call = plain(1, "tools/call", json!({ "name": "run", "arguments": { "region": "eu" } }));
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != MODERN) {
        let headers = Headers::default().with("mcp-protocol-version", version.as_str());
        assert_eq!(post(&server, &call, &headers).await.text(), "ran", "{version}");
        let unknown = post(&server, &plain(1, "server/discover", json!({})), &headers).await;
        assert_eq!((unknown.status, unknown.code()), (200, -32601), "{version}");
    }
    assert_eq!(post(&server, &call, &Headers::default()).await.text(), "ran");
}

#[tokio::test]
async fn what_one_request_declares_the_next_one_does_not_have() {
    let server = server(
        McpRouter::new().tool(
            "can",
            tool(|context: mcp_core::context::Context| async move { context.client_supports("sampling") })
                .describe("Tells"),
        ),
    );
    let call = plain(1, "tools/call", json!({ "name": "can" }));
    let able = with_meta(call.clone(), json!({ CAPABILITIES_KEY: { "sampling": {} } }));
    assert_eq!(post(&server, &able, &agreeing(&able)).await.text(), "true");
    let unable = with_meta(call, json!({}));
    assert_eq!(post(&server, &unable, &agreeing(&unable)).await.text(), "false");
}
