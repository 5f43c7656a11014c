//! Tests of what is asked: byte for byte as approved, and by the official schemas.
//!
//! The files are `tests/asks/KIND.VERSION.json`. `UPDATE_GOLDEN=1 cargo test -p mcp-core --lib lower::ask` writes
//! them anew; read the difference before it is committed.

use super::{ask_cancelled, ask_request, elicitation_complete, input_required};
use crate::{
    ask::AskRequest,
    json::RawJson,
    jsonrpc::RequestId,
    lower::{ResultFrame, signature},
    protocol::{
        ClientCapabilities, Content, Form, Implementation, IncludeContext, Meta, ModelPreferences, Role,
        SamplingContent, SamplingMessage, SamplingRequest, SamplingTool, ToolChoice, ToolResult, ToolUse,
    },
    version::{Era, Feature, ProtocolVersion},
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

fn form(schema: Value) -> AskRequest {
    AskRequest::Form { message: "Which one?".into(), form: Arc::new(Form::from_schema(schema).unwrap()) }
}

fn call(id: &str) -> ToolUse {
    ToolUse::new(id, "look", RawJson::parse("{\"at\":\n1}").unwrap())
}

fn meta() -> Meta {
    Meta::from_iter([("example.com/k".to_owned(), json!(1))])
}

fn marked(block: impl Into<SamplingContent>) -> SamplingContent {
    block.into().meta(meta())
}

fn conversation() -> SamplingRequest {
    let answer = call("1")
        .answer([Content::text("sun"), Content::audio(vec![1, 2, 3], "audio/wav")])
        .structured(RawJson::parse("[1,\n2]").unwrap());
    let other = ToolResult::new("2", ["none"]).structured(RawJson::parse(r#"{"a":1}"#).unwrap()).failed();
    SamplingRequest::new(100)
        .message(SamplingMessage::user("Look").and(SamplingContent::image(vec![1], "image/png")))
        .message(SamplingMessage::assistant("Yes").and(call("1")).and(marked(call("2"))))
        .message(SamplingMessage::user(answer).and(marked(other)))
        .messages([SamplingMessage::new(Role::Assistant, ["Done"]).meta(meta())])
        .tool(
            SamplingTool::with_schema("look", json!({ "type": "object" }))
                .unwrap()
                .title("Look")
                .describe("Looks"),
        )
        .tool_choice(ToolChoice::Auto)
}

/// What is asked, by kind.
fn asks() -> Vec<(&'static str, AskRequest)> {
    let plain = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "minLength": 1, "maxLength": 9, "default": "A" },
            "sure": { "type": "boolean", "title": "Sure", "description": "No doubt?", "default": true },
            "one": {
                "type": "string", "title": "One", "description": "The one",
                "oneOf": [{ "const": "x", "title": "X" }], "default": "x",
            },
        },
        "required": ["name"],
    });
    let rich = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "mail": { "type": "string", "format": "email", "title": "E-mail", "description": "Yours" },
            "age": {
                "type": "integer", "title": "Age", "description": "In years",
                "minimum": 0, "maximum": 150, "default": 30,
            },
            "share": { "type": "number", "default": 0.5 },
            "plain": { "type": "string", "title": "Plain", "description": "Untitled", "enum": ["a"], "default": "a" },
            "old": {
                "type": "string", "title": "Old", "description": "As before",
                "enum": ["a"], "enumNames": ["A"], "default": "a",
            },
            "many": {
                "type": "array", "title": "Many", "description": "Some of them",
                "items": { "type": "string", "enum": ["a", "b"] },
                "minItems": 0, "maxItems": 2, "default": ["a"],
            },
            "titled": {
                "type": "array", "title": "Titled", "description": "By title",
                "items": { "anyOf": [{ "const": "a", "title": "A" }] },
                "minItems": 1, "maxItems": 1, "default": ["a"],
            },
        },
        "required": ["many", "age"],
    });
    let simple = SamplingRequest::new(50)
        .message(SamplingMessage::user("Hello"))
        .message(SamplingMessage::assistant(SamplingContent::audio(vec![1, 2], "audio/wav").meta(meta())))
        .system_prompt("Be short.")
        .temperature(0.5)
        .stop_at(["END"])
        .prefer(ModelPreferences::new().hint("small").hint("any").cost(2.0).speed(0.5).intelligence(f64::NAN))
        .include_context(IncludeContext::None)
        .metadata(meta());
    vec![
        ("form", form(plain)),
        ("form-rich", form(rich)),
        ("page", AskRequest::page("Pay", "https://example.com/pay", "e-1").unwrap()),
        ("sampling", AskRequest::sample(simple).unwrap()),
        ("sampling-tools", AskRequest::sample(conversation()).unwrap()),
        ("roots", AskRequest::Roots),
    ]
}

fn required(state: &str, asks: &[(&str, AskRequest)]) -> Vec<u8> {
    let server = Implementation::new("server", "1.0.0");
    let id = RequestId::number(7);
    let signature = signature(&server);
    let version = ProtocolVersion::LATEST;
    let frame =
        ResultFrame { id: &id, version, server: &server, signature: &signature, most_bytes: usize::MAX };
    input_required(frame, asks.iter().map(|(key, ask)| (*key, ask)), state, &Meta::new()).body.to_vec()
}

/// Everything that is sent, by kind and revision.
fn sent() -> BTreeMap<(String, ProtocolVersion), Vec<u8>> {
    let mut sent = BTreeMap::new();
    for version in ProtocolVersion::ALL.into_iter().filter(|version| version.era() == Era::Handshake) {
        for (kind, ask) in asks() {
            sent.insert((kind.to_owned(), version), ask_request(5, &ask, version).to_vec());
        }
    }
    sent.insert(("required".to_owned(), ProtocolVersion::LATEST), required("sealed", &asks()));
    sent.insert(("required-state".to_owned(), ProtocolVersion::LATEST), required("sealed", &[]));
    sent.insert(
        ("cancelled".to_owned(), ProtocolVersion::LATEST_HANDSHAKE),
        ask_cancelled(5, "no time").to_vec(),
    );
    sent.insert(
        ("complete".to_owned(), ProtocolVersion::LATEST_HANDSHAKE),
        elicitation_complete("e-1").to_vec(),
    );
    sent
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/asks")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may read its own files")]
fn what_is_asked_is_what_was_approved() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let (mut expected, mut wrong) = (BTreeSet::new(), Vec::new());
    for ((kind, version), bytes) in sent() {
        assert!(!bytes.contains(&b'\n'), "{kind} {version} is not one line");
        let name = format!("{kind}.{version}.json");
        let path = folder().join(&name);
        if update {
            std::fs::write(&path, &bytes).unwrap();
        } else if std::fs::read(&path).ok().as_deref() != Some(&bytes[..]) {
            wrong.push(format!("{name}\n  sent: {}", String::from_utf8_lossy(&bytes)));
        }
        expected.insert(name);
    }
    assert!(wrong.is_empty(), "{} messages are not as approved:\n{}", wrong.len(), wrong.join("\n"));
    let found =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<_> = found.filter(|name| !expected.contains(name)).collect();
    assert!(left.is_empty(), "nothing sends these any more: {left:?}");
}

/// The official schema of a revision, where this machine has it; said aloud where not.
#[expect(clippy::disallowed_methods, reason = "a test may look for its files")]
fn official(version: ProtocolVersion) -> Option<Value> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let folders = [
        std::env::var_os("MCP_SCHEMAS").map(PathBuf::from),
        std::env::var_os("MCP_TOOLS_DIR").map(|tools| Path::new(&tools).join("schemas")),
        Some(repository.join("target/tools/schemas")),
        Some(repository.join("../shared/schema")),
    ];
    let file = format!("{version}.json");
    let text =
        folders.into_iter().flatten().find_map(|folder| std::fs::read_to_string(folder.join(&file)).ok());
    if text.is_none() {
        eprintln!(
            "SKIPPED: no official schema of {version}; run scripts/official-schemas or set MCP_SCHEMAS"
        );
    }
    serde_json::from_str(&text?).unwrap()
}

/// What is wrong with a message by the definition of the official schema.
fn faults(schema: &Value, definition: &str, message: &Value) -> Vec<String> {
    let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[definitions].get(definition).is_some(), "no definition {definition}");
    let mut schema = schema.clone();
    schema["$ref"] = json!(format!("#/{definitions}/{definition}"));
    let validator = jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap();
    validator.iter_errors(message).map(|error| error.to_string()).collect()
}

#[test]
fn everything_asked_fits_the_official_schema_of_its_revision() {
    for version in ProtocolVersion::ALL {
        let Some(schema) = official(version) else { continue };
        for ((kind, _), bytes) in sent().into_iter().filter(|((_, of), _)| *of == version) {
            let mut message: Value = serde_json::from_slice(&bytes).unwrap();
            let definition = match kind.as_str() {
                "required" | "required-state" => {
                    message = message["result"].take();
                    "InputRequiredResult"
                }
                "cancelled" => "CancelledNotification",
                "complete" => "ElicitationCompleteNotification",
                kind if kind.starts_with("sampling") => "CreateMessageRequest",
                "roots" => "ListRootsRequest",
                // These revisions have no elicitation, and no client of theirs is asked.
                _ if !version.has(Feature::Elicitation) => continue,
                _ => "ElicitRequest",
            };
            let faults = faults(&schema, definition, &message);
            assert!(faults.is_empty(), "{kind} {version}: {faults:?}\n{message}");
            for request in message["inputRequests"].as_object().into_iter().flat_map(|asks| asks.values()) {
                let definition = match request["method"].as_str().unwrap() {
                    "elicitation/create" => "ElicitRequest",
                    "roots/list" => "ListRootsRequest",
                    _ => "CreateMessageRequest",
                };
                let faults = self::faults(&schema, definition, request);
                assert!(faults.is_empty(), "{faults:?}\n{request}");
            }
        }
    }
}

/// Which capability a request lacks in each revision.
fn missing(ask: &AskRequest, declared: &str) -> [Option<&'static str>; 5] {
    let declared = ClientCapabilities::from_json(declared.as_bytes()).unwrap();
    ProtocolVersion::ALL.map(|version| ask.missing_capability(version, &declared))
}

#[test]
fn nothing_is_asked_that_a_client_or_its_revision_does_not_have() {
    let asks: BTreeMap<_, _> = asks().into_iter().collect();
    let (form, url) = (Some("elicitation.form"), Some("elicitation.url"));
    assert_eq!(missing(&asks["form"], r#"{"elicitation":{}}"#), [form, form, None, None, None]);
    assert_eq!(
        missing(&asks["form"], r#"{"elicitation":{"form":{},"url":{}}}"#),
        [form, form, None, None, None]
    );
    assert_eq!(missing(&asks["form"], r#"{"elicitation":{"url":{}}}"#), [form, form, None, form, form]);
    assert_eq!(missing(&asks["form"], "{}"), [form; 5]);
    assert_eq!(missing(&asks["form-rich"], r#"{"elicitation":{}}"#), [form, form, form, None, None]);
    assert_eq!(missing(&asks["page"], r#"{"elicitation":{}}"#), [url; 5]);
    assert_eq!(missing(&asks["page"], r#"{"elicitation":{"url":{}}}"#), [url, url, url, None, None]);
    assert_eq!(missing(&asks["roots"], r#"{"roots":{}}"#), [None; 5]);
    assert_eq!(missing(&asks["roots"], "{}"), [Some("roots"); 5]);
    assert_eq!(missing(&asks["sampling"], r#"{"sampling":{}}"#), [None; 5]);
    assert_eq!(missing(&asks["sampling"], r#"{"elicitation":{}}"#), [Some("sampling"); 5]);
    let tools = Some("sampling.tools");
    assert_eq!(missing(&asks["sampling-tools"], r#"{"sampling":{}}"#), [tools; 5]);
    let declared = r#"{"sampling":{"tools":{}}}"#;
    assert_eq!(missing(&asks["sampling-tools"], declared), [tools, tools, tools, None, None]);
    let nosy =
        AskRequest::sample(SamplingRequest::new(1).include_context(IncludeContext::AllServers)).unwrap();
    let context = Some("sampling.context");
    assert_eq!(missing(&nosy, r#"{"sampling":{}}"#), [None, None, None, context, context]);
    assert_eq!(missing(&nosy, r#"{"sampling":{"context":{}}}"#), [None; 5]);
}

#[test]
fn a_page_needs_an_absolute_address() {
    assert!(AskRequest::page("Pay", "/pay", "1").is_err());
}

#[test]
fn a_digest_tells_requests_apart_but_not_elicitation_ids() {
    let digests: BTreeSet<_> = asks().iter().map(|(_, ask)| ask.digest()).collect();
    assert_eq!(digests.len(), asks().len());
    let page = |url: &str, id: &str| {
        AskRequest::Url { message: "Pay".into(), url: url.into(), id: id.into() }.digest()
    };
    assert_eq!(page("https://a.example", "1"), page("https://a.example", "2"));
    assert_ne!(page("https://a.example", "1"), page("https://b.example", "1"));
}
