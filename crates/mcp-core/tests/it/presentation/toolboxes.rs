//! What a client sees of toolboxes: at the beginning, when it opens one, and when it cannot have lists of its own.

use crate::wire::{HANDSHAKE, MODERN, agreeing, ask, connect, modern, plain, post, read, serving, shaken};
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{
    connection::Connection,
    context::Context,
    handler::ToolError,
    page::Lists,
    ports::Selection,
    presentation::{Presentation, TOOLBOX_INSTRUCTIONS, Toolboxes},
    protocol::PromptArgument,
    registry::{McpRouter, ToolVisibility, Toolbox, prompt, tool, tool_args},
    server::{Limits, Server, ServerBuilder},
    testing::TestClient,
    version::ProtocolVersion,
    view::Listed,
};
use serde_json::{Map, Value, json};

pub(super) const OWN: [&str; 5] =
    ["list_toolboxes", "open_toolbox", "close_toolbox", "call_read_only", "call_tool"];

fn card(uri: &str) -> Map<String, Value> {
    json!({ "ui": { "resourceUri": uri } }).as_object().unwrap().clone()
}

/// A house: two toolboxes with something in them, one of root items only, one that is empty, and things in none.
pub(super) fn house() -> McpRouter<()> {
    let lights = McpRouter::new()
        .tool("lights_state", tool(|| async { "on" }).describe("Tells whether the lights are on").read_only())
        .tool(
            "lights_set",
            tool_args(["on"], async |on: bool| format!("on: {on}"))
                .describe("Turns the lights on or off")
                .argument("on", "Whether they are to be on")
                .idempotent()
                .tag("changes"),
        )
        .tool("lights_help", tool(|| async { "help" }).describe("Tells about lights").root())
        .tool("lights_card", tool(|| async { "card" }).describe("Shows the lights").meta(card("ui://lights")))
        .tool("lights_tap", tool(|| async { "tap" }).describe("Taps").visibility(ToolVisibility::App))
        .tool(
            "lights_quiet_card",
            tool(|| async { "card" }).describe("Shows the lights, too").meta(card("ui://quiet")).not_root(),
        )
        .tool(
            "lights_quiet_tap",
            tool(|| async { "tap" }).describe("Taps, too").visibility(ToolVisibility::App).not_root(),
        )
        .prompt(
            "lights_scene",
            prompt(|| async { "a scene" })
                .describe("Plans a scene")
                .arguments([PromptArgument::required("mood")]),
        )
        .prompt("lights_about", prompt(|| async { "about" }).describe("About lights").root())
        .toolbox(Toolbox::new("lights", "The lights of the house"));
    let heating = McpRouter::new()
        .tool("heating_set", tool(|| async { "set" }).describe("Sets the heating"))
        .toolbox(Toolbox::new("heating", "The heating"));
    let doors = McpRouter::new()
        .tool("doors_lock", tool(|| async { "locked" }).describe("Locks all doors").root())
        .toolbox(Toolbox::new("doors", "The doors"));
    McpRouter::new()
        .tool("weather", tool(|| async { "fine" }).describe("Tells the weather"))
        .prompt("greeting", prompt(|| async { "hello" }))
        .merge(lights)
        .merge(heating)
        .merge(doors)
        .merge(McpRouter::new().toolbox(Toolbox::new("attic", "Nothing yet")))
}

pub(super) fn boxed(router: McpRouter<()>) -> ServerBuilder {
    serving(router).presentation(Presentation::toolboxes(Toolboxes::default()))
}

fn in_house() -> Server {
    boxed(house()).build().unwrap()
}

/// What is listed without opening anything.
const ROOT_TOOLS: [&str; 5] = ["weather", "lights_help", "lights_card", "lights_tap", "doors_lock"];

fn names(result: &Value, list: &str) -> Vec<String> {
    let entries = result[list].as_array().unwrap_or_else(|| panic!("no {list}: {result}"));
    entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

fn root_tools() -> Vec<String> {
    OWN.into_iter().chain(ROOT_TOOLS).map(str::to_owned).collect()
}

async fn listed(client: &TestClient, list: &str) -> Vec<String> {
    names(client.request(&format!("{list}/list"), json!({})).await.result().unwrap(), list)
}

/// The answer of a tool that answers with JSON, from its text, which every revision has.
async fn told(client: &TestClient, name: &str, arguments: Value) -> Value {
    let answer = client.call_tool(name, arguments).await;
    assert!(!answer.is_error(), "{answer:?}");
    serde_json::from_str(answer.text()).unwrap_or_else(|fault| panic!("{fault}: {answer:?}"))
}

async fn call(connection: &mut Connection, name: &str, arguments: Value) -> Value {
    let call = plain(1, "tools/call", json!({ "name": name, "arguments": arguments }));
    ask(connection, &call).await.result().clone()
}

/// What a result says in JSON.
fn within(result: &Value) -> Value {
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

async fn seen(connection: &mut Connection, list: &str) -> Vec<String> {
    names(ask(connection, &plain(2, &format!("{list}/list"), json!({}))).await.result(), list)
}

fn heard(connection: &mut Connection) -> Vec<String> {
    let next = || poll_fn(|context| connection.poll_change(context)).now_or_never();
    std::iter::from_fn(next).map(|bytes| read(&bytes)["method"].as_str().unwrap().to_owned()).collect()
}

const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
const PROMPTS_CHANGED: &str = "notifications/prompts/list_changed";

#[tokio::test]
async fn the_list_begins_with_five_tools_and_what_is_root_or_in_no_toolbox() {
    let server = in_house();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(listed(&client, "tools").await, root_tools(), "{version}");
        assert_eq!(listed(&client, "prompts").await, ["greeting", "lights_about"], "{version}");
    }
}

#[tokio::test]
async fn toolboxes_are_told_with_how_much_is_in_them_beside_what_is_listed_anyway() {
    let server = in_house();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(
            told(&client, "list_toolboxes", json!({})).await,
            json!({ "toolboxes": [
                { "name": "lights", "description": "The lights of the house", "tools": 3, "prompts": 1 },
                { "name": "heating", "description": "The heating", "tools": 1, "prompts": 0 },
            ] }),
            "{version}: neither a toolbox of root items nor an empty one is offered"
        );
    }
}

#[tokio::test]
async fn an_opened_toolbox_tells_its_tools_with_their_proxies_and_its_prompts() {
    let server = in_house();
    for version in ProtocolVersion::ALL {
        let opened = told(&server.client(version), "open_toolbox", json!({ "name": "lights" })).await;
        let tools = opened["tools"].as_array().unwrap();
        assert_eq!(names(&opened, "tools"), ["lights_state", "lights_set", "lights_quiet_card"]);
        assert_eq!(tools[0]["proxy"], "call_read_only");
        assert_eq!(tools[0]["annotations"], json!({ "readOnlyHint": true }));
        assert_eq!(tools[1]["proxy"], "call_tool");
        assert_eq!(tools[1]["description"], "Turns the lights on or off");
        assert_eq!(tools[1]["annotations"], json!({ "idempotentHint": true }));
        assert_eq!(
            tools[1]["inputSchema"]["properties"]["on"],
            json!({ "type": "boolean", "description": "Whether they are to be on" })
        );
        assert_eq!(
            opened["prompts"],
            json!([{
                "name": "lights_scene",
                "description": "Plans a scene",
                "arguments": [{ "name": "mood", "required": true }],
            }])
        );
    }
}

#[tokio::test]
async fn a_toolbox_that_there_is_not_or_that_is_not_offered_is_told_so_to_the_model() {
    let server = in_house();
    for version in ProtocolVersion::ALL {
        for name in ["garden", "doors", "attic", ""] {
            let answer = server.client(version).call_tool("open_toolbox", json!({ "name": name })).await;
            assert!(answer.is_error(), "{version} {answer:?}");
            assert_eq!(
                answer.text(),
                format!("there is no toolbox `{name}`; `list_toolboxes` tells which there are")
            );
        }
        let long = "x".repeat(10_000);
        let answer = server.client(version).call_tool("open_toolbox", json!({ "name": long })).await;
        assert!(answer.text().len() < 200);
    }
}

#[tokio::test]
async fn what_is_in_an_open_toolbox_is_listed_to_this_connection_until_it_is_closed() {
    let server = in_house();
    for version in ProtocolVersion::ALL.into_iter().filter(|version| *version != MODERN) {
        let (mut own, mut other) = (shaken(&server, version).await, shaken(&server, version).await);
        call(&mut own, "open_toolbox", json!({ "name": "lights" })).await;
        assert_eq!(heard(&mut own), [TOOLS_CHANGED, PROMPTS_CHANGED], "{version}");
        let tools = seen(&mut own, "tools").await;
        for name in ["lights_state", "lights_set", "lights_quiet_card", "lights_quiet_tap"] {
            assert!(tools.contains(&name.to_owned()), "{version} {tools:?}");
        }
        assert!(!tools.contains(&"heating_set".to_owned()));
        assert_eq!(seen(&mut own, "prompts").await, ["greeting", "lights_scene", "lights_about"]);
        assert_eq!(seen(&mut other, "tools").await, root_tools());

        call(&mut own, "open_toolbox", json!({ "name": "lights" })).await;
        assert!(heard(&mut own).is_empty(), "it was open already");
        call(&mut own, "open_toolbox", json!({ "name": "heating" })).await;
        assert_eq!(heard(&mut own), [TOOLS_CHANGED], "it has no prompts");

        call(&mut own, "close_toolbox", json!({ "name": "lights" })).await;
        assert_eq!(heard(&mut own), [TOOLS_CHANGED, PROMPTS_CHANGED]);
        assert_eq!(seen(&mut own, "prompts").await, ["greeting", "lights_about"]);
        for name in ["lights", "garden"] {
            let closed = call(&mut own, "close_toolbox", json!({ "name": name })).await;
            assert_eq!(closed["content"][0]["text"], "closed", "{closed}");
        }
        assert!(heard(&mut own).is_empty());
        call(&mut own, "close_toolbox", json!({ "name": "heating" })).await;
        assert_eq!(seen(&mut own, "tools").await, root_tools());
        assert_eq!(heard(&mut own), [TOOLS_CHANGED]);
        assert!(heard(&mut other).is_empty(), "what one client opens no other one hears of");
    }
}

#[tokio::test]
async fn who_has_no_lists_of_its_own_is_answered_and_lists_what_it_listed() {
    let server = in_house();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        told(&client, "open_toolbox", json!({ "name": "lights" })).await;
        assert_eq!(listed(&client, "tools").await, root_tools(), "{version}");
        let closed = client.call_tool("close_toolbox", json!({ "name": "lights" })).await;
        assert_eq!(closed.text(), "closed", "{closed:?}");
    }
    // A modern request on a connection whose handshake is done stands alone, too.
    let mut connection = shaken(&server, HANDSHAKE).await;
    let open = json!({ "name": "open_toolbox", "arguments": { "name": "lights" } });
    assert!(ask(&mut connection, &modern(1, "tools/call", open.clone())).await.text().contains("lights_set"));
    assert_eq!(seen(&mut connection, "tools").await, root_tools());
    ask(&mut connection, &plain(2, "tools/call", open)).await;
    let answered = ask(&mut connection, &modern(3, "tools/list", json!({}))).await;
    assert_eq!(names(answered.result(), "tools"), root_tools());
}

#[tokio::test]
async fn what_is_not_listed_can_be_called_and_rendered_by_its_name() {
    let server = in_house();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(client.call_tool("heating_set", json!({})).await.text(), "set", "{version}");
        assert_eq!(client.call_tool("lights_quiet_tap", json!({})).await.text(), "tap", "{version}");
        let rendered = client.get_prompt("lights_scene", json!({ "mood": "dim" })).await;
        assert!(rendered.result().is_some(), "{version} {rendered:?}");
    }
}

#[tokio::test]
async fn what_a_policy_keeps_from_a_caller_is_neither_told_nor_counted() {
    let lists = Lists::default()
        .tool_filter(async |_, tool: Listed| !tool.has_tag("changes") && tool.name() != "heating_set")
        .prompt_filter(async |_, prompt: Listed| prompt.name() != "lights_scene");
    let server = boxed(house()).lists(lists).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let told_of = told(&client, "list_toolboxes", json!({})).await;
        assert_eq!(
            told_of["toolboxes"],
            json!([{ "name": "lights", "description": "The lights of the house", "tools": 2, "prompts": 0 }])
        );
        let opened = told(&client, "open_toolbox", json!({ "name": "lights" })).await;
        assert_eq!(names(&opened, "tools"), ["lights_state", "lights_quiet_card"]);
        assert_eq!(opened["prompts"], json!([]));
        let refused = client.call_tool("open_toolbox", json!({ "name": "heating" })).await;
        assert!(refused.is_error() && refused.text().starts_with("there is no toolbox"), "{refused:?}");
    }
    // Neither is it listed when its toolbox is opened, and what does not come is not announced.
    let mut own = shaken(&server, HANDSHAKE).await;
    call(&mut own, "open_toolbox", json!({ "name": "lights" })).await;
    assert_eq!(heard(&mut own), [TOOLS_CHANGED]);
    let tools = seen(&mut own, "tools").await;
    assert!(tools.contains(&"lights_state".into()) && !tools.contains(&"lights_set".into()), "{tools:?}");
}

#[tokio::test]
async fn policies_are_not_asked_about_the_five_tools() {
    let lists = Lists::default().tool_filter(async |_, _: Listed| false);
    let server = boxed(house()).lists(lists).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        assert_eq!(listed(&client, "tools").await, OWN, "{version}");
    }
}

#[tokio::test]
async fn a_policy_that_fails_fails_the_call_and_nothing_is_told_or_opened() {
    for lists in [
        Lists::default().tool_filter(async |_, tool: Listed| match tool.name() {
            "lights_quiet_card" => Err(std::io::Error::other("down")),
            _ => Ok(true),
        }),
        Lists::default().prompt_filter(async |_, _: Listed| Err::<bool, _>(std::io::Error::other("down"))),
    ] {
        let server = boxed(house()).lists(lists).build().unwrap();
        for version in ProtocolVersion::ALL {
            let client = server.client(version);
            for (name, arguments) in
                [("list_toolboxes", json!({})), ("open_toolbox", json!({ "name": "lights" }))]
            {
                let answer = client.call_tool(name, arguments).await;
                assert_eq!(answer.code(), Some(-32603), "{version} {answer:?}");
                assert!(!format!("{answer:?}").contains("down"));
            }
        }
        let message = modern(1, "tools/call", json!({ "name": "list_toolboxes" }));
        assert_eq!(post(&server, &message, &agreeing(&message)).await.status, 500);
        let mut own = shaken(&server, HANDSHAKE).await;
        let call =
            plain(1, "tools/call", json!({ "name": "open_toolbox", "arguments": { "name": "lights" } }));
        assert_eq!(ask(&mut own, &call).await.code(), -32603);
        assert!(heard(&mut own).is_empty());
    }
}

async fn hide(context: Context, name: String) -> Result<&'static str, ToolError> {
    context.visibility().hide(Selection::tool(name)).await?;
    Ok("hidden")
}

#[tokio::test]
async fn what_a_connection_hides_stays_hidden_in_its_toolboxes() {
    let hide = tool_args(["name"], |name: String, context: Context| hide(context, name)).describe("Hides");
    let router = house().tool("hide", hide);
    let server = boxed(router).lists(Lists::default().per_connection()).build().unwrap();
    let (mut own, mut other) = (shaken(&server, HANDSHAKE).await, shaken(&server, HANDSHAKE).await);
    call(&mut own, "hide", json!({ "name": "lights_set" })).await;
    assert!(heard(&mut own).is_empty(), "it was not listed");
    let opened = call(&mut own, "open_toolbox", json!({ "name": "lights" })).await;
    assert_eq!(
        names(&within(&opened), "tools"),
        ["lights_state", "lights_quiet_card"],
        "what this connection's list would not show"
    );
    assert!(!seen(&mut own, "tools").await.contains(&"lights_set".into()));
    let told_of = call(&mut own, "list_toolboxes", json!({})).await;
    assert_eq!(within(&told_of)["toolboxes"][0]["tools"], 2);
    let told_of = call(&mut other, "list_toolboxes", json!({})).await;
    assert_eq!(within(&told_of)["toolboxes"][0]["tools"], 3);
    heard(&mut own);
    call(&mut own, "hide", json!({ "name": "lights_state" })).await;
    assert_eq!(heard(&mut own), [TOOLS_CHANGED], "an open toolbox showed it");
}

#[tokio::test]
async fn how_many_toolboxes_a_connection_has_open_is_bounded() {
    let limits = Limits { open_toolboxes: 1, ..Limits::default() };
    let server = boxed(house()).limits(limits).build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    call(&mut own, "open_toolbox", json!({ "name": "lights" })).await;
    call(&mut own, "open_toolbox", json!({ "name": "lights" })).await;
    let refused = call(&mut own, "open_toolbox", json!({ "name": "heating" })).await;
    assert_eq!(refused["isError"], true);
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("limits.open_toolboxes"), "{text}");
    call(&mut own, "close_toolbox", json!({ "name": "lights" })).await;
    let opened = call(&mut own, "open_toolbox", json!({ "name": "heating" })).await;
    assert_eq!(opened.get("isError"), None, "{opened}");
}

#[tokio::test]
async fn the_five_tools_have_cautious_hints_and_those_who_only_read_say_so() {
    let server = in_house();
    for version in [ProtocolVersion::V2025_03_26, HANDSHAKE, MODERN] {
        let listed = server.client(version).list_tools().await;
        let hints = |name: &str| {
            let tools = listed.result().unwrap()["tools"].as_array().unwrap();
            tools.iter().find(|tool| tool["name"] == name).unwrap()["annotations"].clone()
        };
        for name in ["list_toolboxes", "open_toolbox", "close_toolbox"] {
            assert_eq!(hints(name), json!({ "readOnlyHint": true, "openWorldHint": false }), "{version}");
        }
        assert_eq!(hints("call_read_only"), json!({ "readOnlyHint": true, "openWorldHint": true }));
        assert_eq!(hints("call_tool"), json!({ "destructiveHint": true, "openWorldHint": true }));
    }
}

/// What a server says of itself over a byte stream, and where each request stands alone.
async fn introductions(server: &Server) -> [Value; 3] {
    let hello = plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }));
    let connected = ask(&mut connect(server), &hello).await.result().clone();
    let told = ask(&mut connect(server), &modern(1, "server/discover", json!({}))).await.result().clone();
    // Over HTTP without sessions there is no connection either.
    let alone = post(server, &hello, &crate::wire::Headers::default()).await.result().clone();
    [connected, told, alone]
}

#[tokio::test]
async fn that_lists_change_is_told_of_those_that_can_and_to_those_for_whom_they_can() {
    let changed = |result: &Value, list: &str| result["capabilities"][list]["listChanged"].clone();
    let [connected, told, alone] = introductions(&in_house()).await;
    for (list, expected) in [("tools", json!(true)), ("prompts", json!(true)), ("resources", Value::Null)] {
        assert_eq!(changed(&connected, list), expected, "{list}");
    }
    for answer in [told, alone] {
        assert_eq!((changed(&answer, "tools"), changed(&answer, "prompts")), (json!(false), json!(false)));
    }
    // No prompt is in a toolbox: their list stays as it is.
    let router = McpRouter::new()
        .tool("a", tool(|| async { "a" }).describe("A"))
        .toolbox(Toolbox::new("box", "B"))
        .prompt("p", prompt(|| async { "p" }))
        .resource("test://r", mcp_core::registry::resource(|| async { "r" }));
    let [connected, ..] = introductions(&boxed(router).build().unwrap()).await;
    assert_eq!(changed(&connected, "tools"), true);
    assert_eq!(
        (changed(&connected, "prompts"), changed(&connected, "resources")),
        (json!(false), json!(false))
    );
}

#[tokio::test]
async fn models_are_told_of_toolboxes_unless_the_author_says_something_else_or_nothing() {
    let own = format!("The house. {TOOLBOX_INSTRUCTIONS}");
    let without = Presentation::toolboxes(Toolboxes::default().without_proxies());
    for (builder, expected) in [
        (boxed(house()), json!(TOOLBOX_INSTRUCTIONS)),
        (boxed(house()).instructions(own.clone()), json!(own)),
        (boxed(house()).instructions(""), Value::Null),
        (boxed(house()).instructions("  \n"), Value::Null),
        (boxed(house()).presentation(without), json!(Toolboxes::default().without_proxies().instructions())),
        (serving(house()), Value::Null),
    ] {
        for answer in introductions(&builder.build().unwrap()).await {
            assert_eq!(answer["instructions"], expected);
        }
    }
    assert!(!Toolboxes::default().without_proxies().instructions().contains("proxy"));
}

#[tokio::test]
async fn without_proxies_there_are_three_tools_and_no_proxy_is_told() {
    let presentation = Presentation::toolboxes(Toolboxes::default().without_proxies());
    let router = house().tool("call_tool", tool(|| async { "mine" }).describe("A tool of the author's"));
    let server = serving(router).presentation(presentation).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let tools = listed(&client, "tools").await;
        assert_eq!(tools[..3], OWN[..3], "{version}");
        assert!(!tools.contains(&"call_read_only".into()), "{tools:?}");
        let opened = told(&client, "open_toolbox", json!({ "name": "lights" })).await;
        assert!(opened["tools"].as_array().unwrap().iter().all(|tool| tool.get("proxy").is_none()));
        assert_eq!(client.call_tool("call_tool", json!({})).await.text(), "mine");
        let unknown = client.call_tool("call_read_only", json!({ "name": "lights_state" })).await;
        assert_eq!(unknown.code(), Some(-32602), "{unknown:?}");
    }
}

#[tokio::test]
async fn pages_leave_out_what_is_in_closed_toolboxes_and_a_walk_sees_what_is_opened_on_the_way() {
    let server = boxed(house()).lists(Lists::default().page_size(4)).build().unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    let mut all = Vec::new();
    let mut params = json!({});
    loop {
        let answered = ask(&mut own, &plain(1, "tools/list", params)).await.result().clone();
        all.extend(names(&answered, "tools"));
        let Some(cursor) = answered.get("nextCursor") else { break };
        params = json!({ "cursor": cursor });
        // The list is the same catalogue, of which more is shown from now on.
        call(&mut own, "open_toolbox", json!({ "name": "heating" })).await;
    }
    let mut expected = root_tools();
    expected.insert(expected.len() - 1, "heating_set".to_owned());
    assert_eq!(all, expected);
}
