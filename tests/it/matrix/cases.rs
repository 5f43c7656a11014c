//! The table of cases.

use super::{
    case::{
        Case, asked_and_outcome, call, case, count_and_first, error, failed, levels_and_outcome,
        progress_and_outcome, structured, text,
    },
    exceptions::{
        ARGUMENTS_BY_CODE, NO_AUDIO, NO_ELICITATION, NO_PING, NO_RICH_FORMS, NO_STRUCTURE, NOT_FOUND_CODE,
        OBJECTS_ONLY,
    },
};
use serde_json::{Value, json};

/// What the model reads when the user would have to be asked and cannot be.
const UNASKABLE: &str = "the client cannot be asked: it did not declare the capability `elicitation.form`, its \
    protocol version has no such question, or there is no channel for it. Use a client that declares the capability \
    in `initialize`; over HTTP it needs a session and requests that accept `text/event-stream`";

const USER: &str = r#"User response: action=accept, content={"username":"ada","email":"ada@example.com"}"#;
const CHOICES: &str = r#"Elicitation completed: action=accept, content={"untitledMulti":["option1"]}"#;
const ROOTS: &str = r#"{"roots":[{"uri":"file:///work","name":"work"}]}"#;

/// Every case but the cancellation, which has no outcome.
pub(super) fn cases() -> Vec<Case> {
    [results(), faults(), reading(), speaking(), asking()].into_iter().flatten().collect()
}

/// Results of every kind.
fn results() -> Vec<Case> {
    let media =
        |kind: &str, of: &str| json!({ "content": [{ "type": kind, "data": "+/+++w==", "mimeType": of }] });
    let contents =
        json!({ "uri": "test://blob", "mimeType": "application/octet-stream", "blob": "+/+++w==" });
    let object = r#"{"value":[1.5,null]}"#;
    let resource = json!({ "content": [{ "type": "resource", "resource": contents }] });
    vec![
        call("a text", "echo", json!({ "text": "ä" }), text("ä")),
        call("an image", "blob", json!({ "kind": "image" }), media("image", "image/png")),
        call("a sound", "blob", json!({ "kind": "audio" }), media("audio", "audio/wav"))
            .but(NO_AUDIO, text("[audio, audio/wav, 4 bytes]")),
        call("bytes of a resource", "blob", json!({ "kind": "bin" }), resource),
        call("no content", "empty_list", json!({}), json!({ "content": [] })),
        call(
            "an object",
            "echo_json",
            json!({ "value": [1.5, null] }),
            structured(object, json!({ "value": [1.5, null] })),
        )
        .but(NO_STRUCTURE, text(object)),
        call("an array", "list_ids", json!({}), structured(r#"["a","b"]"#, json!(["a", "b"])))
            .but(OBJECTS_ONLY, text(r#"["a","b"]"#)),
        case("tools", "tools/list", json!({}), json!([67, "test_simple_text"])).viewing(count_and_first),
        case("resources", "resources/list", json!({}), json!([15, "static-text"])).viewing(count_and_first),
        case("templates", "resources/templates/list", json!({}), json!([5, "template-data"]))
            .viewing(count_and_first),
        case("prompts", "prompts/list", json!({}), json!([7, "test_simple_prompt"])).viewing(count_and_first),
        case("a ping", "ping", json!({}), json!({})).but(NO_PING, error(-32601, "Method not found")),
    ]
}

/// What goes wrong.
fn faults() -> Vec<Case> {
    let unfit = "argument `text`: expected string, got object";
    let missing = "missing required argument `text` (string)";
    vec![
        call(
            "a failure",
            "test_error_handling",
            json!({}),
            failed("This tool intentionally returns an error for testing"),
        ),
        call("a panic", "panic", json!({}), error(-32603, "Internal error")),
        call(
            "a result that does not fit",
            "stat",
            json!({ "mode": "wrong_type" }),
            error(-32603, "Internal error"),
        ),
        call("an argument of another type", "echo", json!({ "text": {} }), failed(unfit))
            .but(ARGUMENTS_BY_CODE, error(-32602, unfit)),
        call("an argument that is missing", "echo", json!({}), failed(missing))
            .but(ARGUMENTS_BY_CODE, error(-32602, missing)),
        call("an unknown tool", "nobody", json!({}), error(-32602, "unknown tool `nobody`")),
        case("an unknown method", "vendor/nothing", json!({}), error(-32601, "Method not found")),
        case(
            "a cursor",
            "tools/list",
            json!({ "cursor": "garbage" }),
            error(-32602, "the cursor is not valid for this list; list again without one"),
        ),
        case(
            "parameters that are missing",
            "completion/complete",
            json!({}),
            error(-32602, "`ref` must be an object"),
        ),
    ]
}

/// Resources, prompts and completion.
fn reading() -> Vec<Case> {
    let contents = |uri: &str, kind: &str, text: &str| json!({ "contents": [{ "uri": uri, "mimeType": kind, "text": text }] });
    let not_found = |code: i64| {
        json!({ "error": {
            "code": code, "message": "Resource not found", "data": { "uri": "test://nothing" },
        }})
    };
    let says = |text: &str| json!([{ "role": "user", "content": { "type": "text", "text": text } }]);
    vec![
        case(
            "a resource",
            "resources/read",
            json!({ "uri": "test://other" }),
            contents("test://other", "text/plain", "other"),
        ),
        case(
            "a resource of bytes",
            "resources/read",
            json!({ "uri": "test://bin" }),
            json!({ "contents": [{ "uri": "test://bin", "mimeType": "application/octet-stream", "blob": "+/+++w==" }] }),
        ),
        case(
            "a template",
            "resources/read",
            json!({ "uri": "users://7" }),
            contents("users://7", "application/json", r#"{"id":"7"}"#),
        ),
        case("an unknown resource", "resources/read", json!({ "uri": "test://nothing" }), not_found(-32602))
            .but(NOT_FOUND_CODE, not_found(-32002)),
        case(
            "a prompt",
            "prompts/get",
            json!({ "name": "pick", "arguments": { "city": "Bern" } }),
            json!({ "description": "Asks about a city", "messages": says("What is there to see in Bern?") }),
        ),
        case(
            "a prompt without its argument",
            "prompts/get",
            json!({ "name": "pick" }),
            error(-32602, "missing required argument `city`"),
        ),
        case(
            "an unknown prompt",
            "prompts/get",
            json!({ "name": "nobody" }),
            error(-32602, "unknown prompt `nobody`"),
        ),
        case(
            "a completion",
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "pick" }, "argument": { "name": "city", "value": "Be" } }),
            json!({ "completion": { "values": ["Berlin", "Bern"], "total": 2, "hasMore": false } }),
        ),
    ]
}

/// What is said before the result.
fn speaking() -> Vec<Case> {
    let all = ["error", "critical", "alert", "emergency"];
    vec![
        case(
            "progress", "tools/call",
            json!({ "name": "progress", "arguments": { "n": 3, "gap_ms": 1 }, "_meta": { "progressToken": "p" } }),
            json!({ "progress": [1.0, 2.0, 3.0], "outcome": text("3 reports") }),
        )
        .viewing(progress_and_outcome),
        call(
            "progress that nobody wants", "progress", json!({ "n": 3, "gap_ms": 1 }),
            json!({ "progress": [], "outcome": text("3 reports") }),
        )
        .viewing(progress_and_outcome),
        call("log messages", "log_all", json!({}), json!({ "levels": all, "outcome": text("Everything was logged.") }))
            .logging("error")
            .viewing(levels_and_outcome),
    ]
}

/// What is asked before the result.
fn asking() -> Vec<Case> {
    let who = json!({ "message": "Who?" });
    let asked = |question: Value, outcome: Value| json!({ "asked": [question], "outcome": outcome });
    let unasked = json!({ "asked": [], "outcome": failed(UNASKABLE) });
    let roots = json!({ "roots": [{ "uri": "file:///work", "name": "work" }] });
    let roots_asked = json!(["roots/list", null]);
    let whom = json!(["elicitation/create", "Who?"]);
    let path = json!({ "path": "/tmp/x" });
    let sure = json!(["elicitation/create", "Delete /tmp/x: are you sure?"]);
    let cases = vec![
        call("a form", "test_elicitation", who.clone(), asked(whom.clone(), text(USER)))
            .answering(accept)
            .but(NO_ELICITATION, unasked.clone()),
        call(
            "a form that is declined",
            "test_elicitation",
            who.clone(),
            asked(whom.clone(), text("User response: action=decline, content={}")),
        )
        .answering(|_, _| json!({ "action": "decline" }))
        .but(NO_ELICITATION, unasked.clone()),
        call(
            "a form that is closed",
            "test_elicitation",
            who,
            asked(whom, text("User response: action=cancel, content={}")),
        )
        .answering(|_, _| json!({ "action": "cancel" }))
        .but(NO_ELICITATION, unasked.clone()),
        call(
            "a form that has to be asked anew",
            "confirm_delete_path",
            path.clone(),
            asked(sure.clone(), text("deleted /tmp/x")),
        )
        .answering(|_, _| json!({ "action": "accept", "content": { "sure": true } }))
        .but(NO_ELICITATION, unasked.clone()),
        call(
            "a form that says no",
            "confirm_delete_path",
            path,
            asked(sure, failed("/tmp/x was kept: the user did not want it deleted")),
        )
        .answering(|_, _| json!({ "action": "accept", "content": { "sure": false } }))
        .but(NO_ELICITATION, unasked.clone()),
        call(
            "a form of choices",
            "test_elicitation_sep1330_enums",
            json!({}),
            asked(json!(["elicitation/create", "What do you choose?"]), text(CHOICES)),
        )
        .answering(accept)
        .but(NO_ELICITATION, unasked.clone())
        .but(NO_RICH_FORMS, unasked),
        call(
            "a model",
            "test_sampling",
            json!({ "prompt": "Why?" }),
            asked(json!(["sampling/createMessage", null]), text("LLM response: Because.")),
        )
        .answering(accept),
        call("roots", "ask_roots", json!({}), asked(roots_asked.clone(), structured(ROOTS, roots)))
            .answering(accept)
            .but(NO_STRUCTURE, asked(roots_asked, text(ROOTS))),
    ];
    cases.into_iter().map(|case| case.viewing(asked_and_outcome)).collect()
}

/// What a willing client answers.
fn accept(method: &str, params: &Value) -> Value {
    match method {
        "elicitation/create" if params["requestedSchema"]["properties"].get("username").is_some() => {
            json!({ "action": "accept", "content": { "username": "ada", "email": "ada@example.com" } })
        }
        "elicitation/create" => json!({ "action": "accept", "content": { "untitledMulti": ["option1"] } }),
        "sampling/createMessage" => {
            json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "Because." } })
        }
        "roots/list" => json!({ "roots": [{ "uri": "file:///work", "name": "work" }] }),
        other => panic!("a client is asked for {other}"),
    }
}
