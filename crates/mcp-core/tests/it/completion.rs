//! Completion of prompt arguments and template variables.

use crate::wire::{MODERN, server};
use mcp_core::{
    extract::{Args, Siblings, Typed},
    handler::ProtocolError,
    protocol::Completion,
    registry::{McpRouter, prompt, resource},
    server::Server,
    testing::Answer,
    version::ProtocolVersion,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the names matter")]
struct Trip {
    country: String,
    city: Option<String>,
    note: Option<String>,
}

async fn cities(Typed(typed): Typed, Siblings(siblings): Siblings) -> Vec<String> {
    let country = siblings.get("country").cloned().unwrap_or_else(|| "nowhere".to_owned());
    vec![format!("{typed}@{country}")]
}

fn offering() -> Server {
    let router = McpRouter::new()
        .prompt(
            "trip",
            prompt(|_: Args<Trip>| async { "go" })
                .complete("city", cities)
                .complete("country", || async { Err::<Completion, _>(ProtocolError::new(-31999, "no")) }),
        )
        .resource(
            "users://{id}/{part}",
            resource(|| async { "u" })
                .complete("id", || async { (0..250).map(|number| number.to_string()).collect::<Vec<_>>() })
                .complete("part", || async { Completion::new(["a", "b"]).total(10) }),
        )
        .resource("test://fixed", resource(|| async { "x" }));
    server(router)
}

async fn complete(version: ProtocolVersion, reference: Value, argument: &str) -> Answer {
    let params = json!({ "ref": reference, "argument": { "name": argument, "value": "Par" }, "context": { "arguments": { "country": "France" } } });
    offering().client(version).request("completion/complete", params).await
}

fn a_prompt(name: &str) -> Value {
    json!({ "type": "ref/prompt", "name": name })
}

fn a_template(uri: &str) -> Value {
    json!({ "type": "ref/resource", "uri": uri })
}

fn completion(answer: &Answer) -> &Value {
    &answer.result().unwrap_or_else(|| panic!("{answer:?}"))["completion"]
}

#[tokio::test]
async fn siblings_are_known_since_the_revision_that_sends_them() {
    for version in ProtocolVersion::ALL {
        let answer = complete(version, a_prompt("trip"), "city").await;
        let country = if version >= ProtocolVersion::V2025_06_18 { "France" } else { "nowhere" };
        assert_eq!(completion(&answer)["values"], json!([format!("Par@{country}")]), "{version}");
    }
}

#[tokio::test]
async fn at_most_a_hundred_values_go_out_and_the_rest_is_counted() {
    let answer = complete(MODERN, a_template("users://{id}/{part}"), "id").await;
    assert_eq!(completion(&answer)["values"].as_array().unwrap().len(), 100);
    assert_eq!((&completion(&answer)["total"], &completion(&answer)["hasMore"]), (&json!(250), &json!(true)));
    let partial = complete(MODERN, a_template("users://{id}/{part}"), "part").await;
    assert_eq!(completion(&partial), &json!({ "values": ["a", "b"], "total": 10, "hasMore": true }));
}

#[tokio::test]
async fn arguments_without_a_completer_have_nothing_to_suggest() {
    for (reference, argument) in [
        (a_prompt("trip"), "note"),
        (a_prompt("trip"), "unknown"),
        (a_template("users://{id}/{part}"), "unknown"),
        (a_template("test://fixed"), "id"),
    ] {
        let answer = complete(MODERN, reference, argument).await;
        assert_eq!(completion(&answer), &json!({ "values": [], "total": 0, "hasMore": false }), "{argument}");
    }
}

#[tokio::test]
async fn references_to_nothing_are_refused() {
    for reference in [
        a_prompt("none"),
        a_template("none://{id}"),
        a_template("not a uri"),
        json!({ "type": "ref/tool", "name": "trip" }),
        json!({ "type": "ref/prompt" }),
        json!({ "name": "trip" }),
        json!("trip"),
        Value::Null,
    ] {
        assert_eq!(complete(MODERN, reference.clone(), "city").await.code(), Some(-32602), "{reference}");
    }
    let client = offering().client(MODERN);
    for params in [
        json!({}),
        json!({ "ref": a_prompt("trip") }),
        json!({ "ref": a_prompt("trip"), "argument": { "name": "city" } }),
        json!({ "ref": a_prompt("trip"), "argument": { "name": "city", "value": 5 } }),
        json!({ "ref": a_prompt("trip"), "argument": { "name": "city", "value": "" }, "context": { "arguments": { "country": 5 } } }),
    ] {
        assert_eq!(
            client.request("completion/complete", params.clone()).await.code(),
            Some(-32602),
            "{params}"
        );
    }
    assert_eq!(
        complete(MODERN, a_prompt("trip"), "country").await.code(),
        Some(-31999),
        "the completer's own failure"
    );
}
