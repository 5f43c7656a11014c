//! One handler has one outcome, whichever way the client is asked; all that goes out fits the official schemas.

use super::fixture::{Channel, Live, Name, Rounds, Sure, accept, clients, said, sent, server, state};
use crate::{official::official_schema, wire::MODERN};
use mcp_core::{
    extract::Client,
    handler::ToolError,
    protocol::{
        IncludeContext, ModelPreferences, SamplingContent, SamplingMessage, SamplingRequest, SamplingTool,
        ToolChoice,
    },
    registry::{McpRouter, tool},
    server::Server,
    testing::Asked,
    version::{Era, ProtocolVersion},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Meal {
    /// With meat
    Meat,
    /// Without
    Plants,
}

/// A field of every kind that all revisions with forms have.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
struct Every {
    /// Who travels
    name: String,
    #[schemars(email)]
    mail: String,
    #[schemars(length(min = 2, max = 3))]
    code: Option<String>,
    #[schemars(range(min = 1, max = 40))]
    row: u8,
    share: f64,
    window: bool,
    meal: Meal,
    #[serde(default)]
    note: bool,
}

#[derive(Debug, Deserialize, JsonSchema, Serialize)]
struct Several {
    meals: Vec<Meal>,
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    #[expect(dead_code, reason = "only its name matters")]
    city: String,
}

fn line(value: &impl Serialize) -> Result<String, ToolError> {
    Ok(serde_json::to_string(value)?)
}

async fn every_field(client: Client) -> Result<String, ToolError> {
    line(&client.elicit::<Every>("form", "Fill it in").await?.require()?)
}

async fn several(client: Client) -> Result<String, ToolError> {
    line(&client.elicit::<Several>("several", "Which?").await?.require()?)
}

async fn page(client: Client) -> Result<String, ToolError> {
    client.elicit_url("page", "Open it", "https://example.com/a?b=c").await?.require()?;
    Ok("opened".to_owned())
}

fn simple() -> SamplingRequest {
    SamplingRequest::new(100).message(SamplingMessage::user("Say it"))
}

async fn sample(client: Client) -> Result<String, ToolError> {
    let request = simple()
        .message(SamplingMessage::assistant("Before"))
        .message(SamplingMessage::user(SamplingContent::image(vec![1, 2, 3], "image/png")))
        .system_prompt("Be short")
        .temperature(0.5)
        .stop_at(["END"])
        .include_context(IncludeContext::ThisServer)
        .prefer(ModelPreferences::new().hint("small").cost(0.1).speed(0.9));
    let said = client.sample("said", request).await?;
    Ok(format!("{} {}", said.model(), said.text()))
}

/// Lets the model call a tool until it does not, or three times.
async fn sample_with_tools(client: Client) -> Result<String, ToolError> {
    let weather = || {
        Ok::<_, ToolError>(
            SamplingTool::of::<Place>("weather").map_err(|_| ToolError::new("no"))?.describe("Tells it"),
        )
    };
    let mut messages = vec![SamplingMessage::user("Weather?")];
    for turn in 0..3 {
        let request = SamplingRequest::new(50)
            .messages(messages.clone())
            .tool(weather()?)
            .tool_choice(ToolChoice::Auto);
        let said = client.sample(format!("turn-{turn}"), request).await?;
        let results: Vec<_> = said.tool_uses().map(|call| call.answer(["sunny"])).collect();
        if results.is_empty() {
            return Ok(said.text());
        }
        messages.push(said.into_message());
        let mut results = results.into_iter();
        let first = results.next().map(SamplingMessage::user);
        messages.extend(first.map(|first| results.fold(first, SamplingMessage::and)));
    }
    Err(ToolError::new("the model never came to an end"))
}

async fn roots(client: Client) -> Result<String, ToolError> {
    let roots = client.roots("roots").await?;
    Ok(roots.iter().map(|root| format!("{}={} ", root.uri(), root.name().unwrap_or_default())).collect())
}

async fn joined(client: Client) -> Result<String, ToolError> {
    let (roots, said) = tokio::join!(client.roots("roots"), client.sample("said", simple()));
    Ok(format!("{} {}", roots?.len(), said?.text()))
}

async fn three_rounds(client: Client) -> Result<String, ToolError> {
    let one = client.roots("one").await?.len();
    let two = client.sample("two", simple()).await?.text();
    let three = client.roots("three").await?.len();
    Ok(format!("{one} {two} {three}"))
}

async fn decided(client: Client) -> Result<String, ToolError> {
    let declined = client.elicit::<Sure>("declined", "Decline").await?;
    let cancelled = client.elicit::<Name>("cancelled", "Cancel").await?;
    let page =
        client.elicit_form::<Value>("none", "Decline", mcp_core::protocol::Form::of::<Name>()?).await?;
    Ok(format!("{declined:?} {cancelled:?} {}", page.is_accepted()))
}

async fn required(client: Client) -> Result<String, ToolError> {
    let Sure { sure } = client.elicit("required", "Decline").await?.require()?;
    Ok(sure.to_string())
}

async fn remembered(client: Client) -> Result<String, ToolError> {
    let before: u8 = client.remember("before", async { 1 }).await?;
    client.roots("roots").await?;
    let after: u8 = client.try_remember("after", async { Ok::<_, ToolError>(2) }).await?;
    client.roots("again").await?;
    Ok(format!("{before} {after}"))
}

fn offering() -> Server {
    let router = McpRouter::new()
        .tool("form", tool(every_field).describe("."))
        .tool("several", tool(several).describe("."))
        .tool("page", tool(page).describe("."))
        .tool("sample", tool(sample).describe("."))
        .tool("tools", tool(sample_with_tools).describe("."))
        .tool("roots", tool(roots).describe("."))
        .tool("joined", tool(joined).describe("."))
        .tool("three", tool(three_rounds).describe("."))
        .tool("decided", tool(decided).describe("."))
        .tool("required", tool(required).describe("."))
        .tool("remembered", tool(remembered).describe("."));
    server(router)
}

/// What each tool comes to, how many questions that takes, and the first revision whose clients it can ask.
const OUTCOMES: [(&str, &str, usize, &str); 11] = [
    (
        "form",
        r#"{"name":"N","mail":"n@example.com","code":null,"row":12,"share":0.5,"window":true,"meal":"plants","note":false}"#,
        1,
        "2025-06-18",
    ),
    ("several", r#"{"meals":["meat","plants"]}"#, 1, "2025-11-25"),
    ("page", "opened", 1, "2025-11-25"),
    ("sample", "m the model", 1, "2024-11-05"),
    ("tools", "the model", 2, "2025-11-25"),
    ("roots", "file:///a=A file:///b= ", 1, "2024-11-05"),
    ("joined", "2 the model", 2, "2024-11-05"),
    ("three", "2 the model 2", 3, "2024-11-05"),
    ("decided", "Declined Cancelled false", 3, "2025-06-18"),
    ("required", "The user was asked and declined; nothing more was done.", 1, "2025-06-18"),
    ("remembered", "1 2", 2, "2024-11-05"),
];

/// The answer of one client to all of this.
fn answer(method: &str, params: &Value) -> Value {
    match method {
        "roots/list" => json!({ "roots": [{ "uri": "file:///a", "name": "A" }, { "uri": "file:///b" }] }),
        "sampling/createMessage"
            if params.get("tools").is_some() && params["messages"].as_array().unwrap().len() == 1 =>
        {
            let call =
                json!({ "type": "tool_use", "id": "t1", "name": "weather", "input": { "city": "Paris" } });
            json!({ "role": "assistant", "model": "m", "content": [call], "stopReason": "toolUse" })
        }
        "sampling/createMessage" => said("the model"),
        _ if params["message"] == "Decline" => json!({ "action": "decline" }),
        _ if params["message"] == "Cancel" => json!({ "action": "cancel" }),
        _ if params["mode"] == "url" => json!({ "action": "accept" }),
        _ if params["message"] == "Which?" => accept(json!({ "meals": ["meat", "plants"] })),
        _ => accept(json!({
            "name": "N", "mail": "n@example.com", "row": 12.0, "share": 0.5, "window": true, "meal": "plants",
            "unasked": 1,
        })),
    }
}

fn answering(asked: &Asked<'_>) -> Value {
    answer(asked.method, asked.params)
}

#[tokio::test]
async fn a_handler_has_one_outcome_in_every_channel_of_every_revision() {
    let server = offering();
    for (name, expected, questions, since) in OUTCOMES {
        for (version, channel, client) in clients(&server, answering) {
            let told = client.call_tool(name, json!({})).await;
            if version.as_str() < since {
                assert!(
                    told.is_error() && told.text().contains("cannot be asked"),
                    "{name} {version} {told:?}"
                );
                continue;
            }
            assert_eq!(told.text(), expected, "{name} {version} {channel:?} {told:?}");
            assert_eq!(told.asked.len(), questions, "{name} {version} {channel:?}");
            assert_eq!(told.is_error(), name == "required");
            assert!(channel == Channel::Live || told.notifications.is_empty());
        }
    }
}

/// Runs a tool for a client on a byte stream, and gives its text and all that went out.
async fn run_live(live: &mut Live, name: &str) -> (String, Vec<Value>) {
    let mut call = live.call(name, name);
    let mut out = Vec::new();
    loop {
        let next = sent(&mut call);
        for request in &next.requests {
            live.answer(request, answer(request["method"].as_str().unwrap(), &request["params"]));
        }
        out.extend(next.requests.iter().cloned());
        if next.reply.is_some() {
            return (next.text().to_owned(), out);
        }
        assert!(!next.requests.is_empty(), "{name} waits for nothing");
    }
}

/// The same in rounds.
async fn run_rounds(call: &Rounds) -> (String, Vec<Value>) {
    let mut ended = call.begin().await;
    let mut out = Vec::new();
    while ended.result()["resultType"] == "input_required" {
        let mut answers = Map::new();
        for (key, request) in ended.result()["inputRequests"].as_object().unwrap() {
            answers.insert(key.clone(), answer(request["method"].as_str().unwrap(), &request["params"]));
        }
        assert!(!state(&ended).is_empty());
        out.push(ended.result().clone());
        ended = call.retry(&ended, Value::Object(answers)).await;
    }
    (ended.text().to_owned(), out)
}

#[tokio::test]
async fn what_goes_out_has_the_same_outcome_and_fits_the_official_schemas() {
    let server = offering();
    for version in ProtocolVersion::ALL {
        let mut official = Official::of(version);
        for (name, expected, _, since) in OUTCOMES {
            if version.as_str() < since {
                continue;
            }
            let (text, out) = match version.era() {
                Era::Modern => run_rounds(&Rounds::of_tool(&server, name)).await,
                Era::Handshake => run_live(&mut Live::begin(&server, version).await, name).await,
            };
            assert_eq!(text, expected, "{name} {version}");
            let Some(official) = &mut official else { continue };
            for message in &out {
                let definition = match message["method"].as_str() {
                    None => "InputRequiredResult",
                    Some("roots/list") => "ListRootsRequest",
                    Some("sampling/createMessage") => "CreateMessageRequest",
                    Some(_) => "ElicitRequest",
                };
                let faults = official.faults(definition, message);
                assert!(faults.is_empty(), "{name} {version}: {faults:?}\n{message}");
            }
        }
    }
    assert_eq!(MODERN.era(), Era::Modern);
}

/// The official schema of a revision, its definitions compiled as they are needed.
struct Official {
    schema: Value,
    compiled: BTreeMap<&'static str, jsonschema::Validator>,
}

impl Official {
    fn of(version: ProtocolVersion) -> Option<Self> {
        Some(Self { schema: official_schema(version)?, compiled: BTreeMap::new() })
    }

    fn faults(&mut self, definition: &'static str, message: &Value) -> Vec<String> {
        let validator = self.compiled.entry(definition).or_insert_with(|| {
            let definitions = if self.schema.get("$defs").is_some() { "$defs" } else { "definitions" };
            assert!(self.schema[definitions].get(definition).is_some(), "no definition {definition}");
            let mut schema = self.schema.clone();
            schema["$ref"] = json!(format!("#/{definitions}/{definition}"));
            jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap()
        });
        validator.iter_errors(message).map(|error| error.to_string()).collect()
    }
}
