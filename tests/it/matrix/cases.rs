//! The table of cases.

use super::{
    case::{
        Case, asked_and_outcome, call, case, count_and_first, error, failed, levels_and_outcome,
        progress_and_outcome, structured, text,
    },
    exceptions::{
        ARGUMENTS_BY_CODE, MISSING_CAPABILITY_CODE, NO_AUDIO, NO_ELICITATION, NO_MODEL_WITH_TOOLS, NO_PING,
        NO_RICH_FORMS, NO_STRUCTURE, NOT_FOUND_CODE, OBJECTS_ONLY,
    },
};
use serde_json::{Value, json};

/// What the model reads when the user would have to be asked and cannot be.
const UNASKABLE: &str = "the client cannot be asked: it did not declare the capability `elicitation.form`, its \
    protocol version has no such question, or there is no channel for it. Use a client that declares the capability \
    in `initialize`; over HTTP it needs a session and requests that accept `text/event-stream`";

const NO_MODEL: &str = "the client cannot be asked: it did not declare the capability `sampling.tools`, its protocol \
    version has no such question, or there is no channel for it. Use a client that declares the capability in \
    `initialize`; over HTTP it needs a session and requests that accept `text/event-stream`";

/// What a client hears that calls a tool plainly which runs as a task only.
const TASK_ONLY: &str = "the tool `failing_job` runs as a task only: call it with `task` on 2025-11-25, or declare the \
    extension `io.modelcontextprotocol/tasks` on 2026-07-28";

const USER: &str = r#"User response: action=accept, content={"username":"ada","email":"ada@example.com"}"#;
const CHOICES: &str = r#"Elicitation completed: action=accept, content={"untitledMulti":["option1"]}"#;
const ROOTS: &str = r#"{"roots":[{"uri":"file:///work","name":"work"}]}"#;

/// Every case but the cancellation, which has no outcome.
pub(super) fn cases() -> Vec<Case> {
    [results(), faults(), reading(), speaking(), asking(), tasks()].into_iter().flatten().collect()
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
        case("tools", "tools/list", json!({}), json!([68, "test_simple_text"])).viewing(count_and_first),
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
    let turn = json!(["sampling/createMessage", null]);
    let with_tools = json!({
        "asked": [turn, turn], "outcome": text(r#"The word is plume. After: echo {"text":"plume"}"#),
    });
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
        call(
            "a model with tools",
            "ask_model_with_tools",
            json!({ "question": "What is the word?" }),
            with_tools,
        )
        .answering(thinks)
        .but(NO_MODEL_WITH_TOOLS, json!({ "asked": [], "outcome": failed(NO_MODEL) })),
        call("roots", "ask_roots", json!({}), asked(roots_asked.clone(), structured(ROOTS, roots)))
            .answering(accept)
            .but(NO_STRUCTURE, asked(roots_asked, text(ROOTS))),
    ];
    cases.into_iter().map(|case| case.viewing(asked_and_outcome)).collect()
}

/// Tools that can go on as tasks, for a client which asks for none and declares no extension.
fn tasks() -> Vec<Case> {
    let sure = json!(["elicitation/create", "Delete old.txt?"]);
    let confirmed = json!({ "asked": [sure], "outcome": text("old.txt is deleted") });
    vec![
        call(
            "a call that could be a task",
            "slow_compute",
            json!({ "seconds": 0.01, "label": "six" }),
            text("computed six for 0.01 s"),
        ),
        call(
            "a call that could be a task and asks",
            "confirm_delete",
            json!({ "filename": "old.txt" }),
            confirmed,
        )
        .answering(|_, _| json!({ "action": "accept", "content": { "confirm": true } }))
        .viewing(asked_and_outcome)
        .but(NO_ELICITATION, json!({ "asked": [], "outcome": failed(UNASKABLE) })),
        call("an error of a call that could be a task", "protocol_error_job", json!({}), job_error()),
        call("a call that has to be a task", "failing_job", json!({}), missing_tasks())
            .but(MISSING_CAPABILITY_CODE, error(-32601, TASK_ONLY)),
    ]
}

fn missing_tasks() -> Value {
    let extensions = json!({ "io.modelcontextprotocol/tasks": {} });
    json!({ "error": {
        "code": -32021, "message": "Missing required client capability",
        "data": { "requiredCapabilities": { "extensions": extensions } },
    }})
}

fn job_error() -> Value {
    error(-31_099, "the job ended in an error, as it always does")
}

/// A client whose model calls a tool once and then says what it has read.
fn thinks(_: &str, params: &Value) -> Value {
    let messages = params["messages"].as_array().expect("a conversation");
    let (content, reason) = match messages.last().map(|message| &message["content"]) {
        Some(read) if messages.len() == 3 => {
            let read = read.get(0).unwrap_or(read);
            let word = read["content"][0]["text"].as_str().unwrap_or_default();
            (json!({ "type": "text", "text": format!("The word is {word}.") }), "endTurn")
        }
        _ => {
            let input = json!({ "text": "plume" });
            (json!([{ "type": "tool_use", "id": "t1", "name": "echo", "input": input }]), "toolUse")
        }
    };
    json!({ "role": "assistant", "model": "m", "content": content, "stopReason": reason })
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
