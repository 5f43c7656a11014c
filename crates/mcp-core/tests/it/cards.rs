//! Cards: what hosts are told of them in every version, how they are read, and what is refused.

use crate::{
    official::official_schema,
    wire::{ask, connect, modern, plain, server, serving},
};
use mcp_core::{
    card::{CARD_MIME_TYPE, CardCsp, CardSettings},
    context::Context,
    extract::Client,
    handler::{ProtocolError, ToolError},
    page::Lists,
    protocol::{Extension, Meta, ResourceContents, Role, SamplingMessage, SamplingRequest},
    registry::{BuildFaults, McpRouter, ResourceBuilder, ToolBuilder, ToolVisibility, resource, tool},
    server::{Limits, Server},
    version::{Era, ProtocolVersion},
    view::Listed,
};
use serde_json::{Value, json};
use std::time::Duration;

const CARDS: &str = "io.modelcontextprotocol/ui";

fn plain_tool() -> ToolBuilder<()> {
    tool(|| async { "x" }).describe("Does x")
}

fn card() -> ResourceBuilder<()> {
    resource(|| async { "<!DOCTYPE html><p>card" }).card(CardSettings::new())
}

fn strict() -> CardSettings {
    CardSettings::new().csp(CardCsp::new().connect("https://api.example.com")).prefers_border()
}

fn meta(key: &str) -> Meta {
    Meta::from_iter([(key.to_owned(), json!({ "a": 1 }))])
}

fn router() -> McpRouter<()> {
    McpRouter::new()
        .tool("show", plain_tool().card("bookings/card.html").meta(meta("com.example/own")))
        .tool("by_uri", plain_tool().card("ui://plain").visibility(ToolVisibility::Model))
        .tool("refresh", plain_tool().visibility(ToolVisibility::App))
        .tool("neither", plain_tool())
        .resource("ui://bookings/card.html", card().card(strict()).card_version("3f2a"))
        .resource("ui://plain", card())
}

async fn tools(server: &Server, version: ProtocolVersion) -> Vec<Value> {
    let listed = server.client(version).list_tools().await;
    listed.result().unwrap()["tools"].as_array().unwrap().clone()
}

#[track_caller]
fn problem(router: McpRouter<()>) -> String {
    let faults: BuildFaults = serving(router).build().unwrap_err();
    let all: Vec<_> = faults.iter().map(ToString::to_string).collect();
    let [only] = &all[..] else { panic!("{faults}") };
    only.clone()
}

/// The capabilities that a client of a version is told.
async fn told(server: &Server, version: ProtocolVersion) -> Value {
    let message = match version.era() {
        Era::Modern => modern(1, "server/discover", json!({})),
        Era::Handshake => {
            plain(1, "initialize", json!({ "protocolVersion": version.as_str(), "capabilities": {} }))
        }
    };
    ask(&mut connect(server), &message).await.result()["capabilities"].clone()
}

#[tokio::test]
async fn a_tool_tells_its_card_and_who_may_call_it_in_every_version() {
    let server = server(router());
    for version in ProtocolVersion::ALL {
        let tools = tools(&server, version).await;
        let uri = "ui://bookings/card.html?v=3f2a";
        assert_eq!(tools[0]["_meta"]["ui"], json!({ "resourceUri": uri }), "{version}");
        assert_eq!(tools[0]["_meta"]["ui/resourceUri"], uri, "{version}");
        // What else an author says is defined from 2025-06-18 on.
        let others = tools[0]["_meta"].get("com.example/own").is_some();
        assert_eq!(others, version >= ProtocolVersion::V2025_06_18, "{version}");
        let ui = json!({ "resourceUri": "ui://plain", "visibility": ["model"] });
        assert_eq!(tools[1]["_meta"], json!({ "ui": ui, "ui/resourceUri": "ui://plain" }), "{version}");
        assert_eq!(tools[2]["_meta"], json!({ "ui": { "visibility": ["app"] } }), "{version}");
        assert_eq!(tools[3].get("_meta"), None, "{version}");
    }
}

#[tokio::test]
async fn a_card_is_read_with_its_settings_in_every_version_with_and_without_its_version() {
    let server = server(router());
    let settings = json!({ "csp": { "connectDomains": ["https://api.example.com"] }, "prefersBorder": true });
    for version in ProtocolVersion::ALL {
        let client = server.client(version);
        let listed = client.request("resources/list", Value::Null).await;
        let listed = listed.result().unwrap()["resources"].clone();
        assert_eq!(listed[0]["uri"], "ui://bookings/card.html");
        assert_eq!(listed[0]["mimeType"], CARD_MIME_TYPE);
        assert_eq!(listed[0]["_meta"]["ui"], settings, "{version}");
        assert_eq!(listed[1].get("_meta"), None, "{version}");
        for uri in ["ui://bookings/card.html", "ui://bookings/card.html?v=3f2a"] {
            let read = client.read_resource(uri).await.result().unwrap()["contents"][0].clone();
            let expected = json!({
                "uri": uri,
                "mimeType": CARD_MIME_TYPE,
                "text": "<!DOCTYPE html><p>card",
                "_meta": { "ui": settings },
            });
            assert_eq!(read, expected, "{version}");
        }
    }
}

#[tokio::test]
async fn another_version_than_that_of_the_card_is_not_found() {
    let server = server(router());
    for version in [ProtocolVersion::LATEST, ProtocolVersion::LATEST_HANDSHAKE] {
        let client = server.client(version);
        for uri in [
            "ui://bookings/card.html?v=",
            "ui://bookings/card.html?v=3f2",
            "ui://bookings/card.html?v=3F2A",
            "ui://bookings/card.html?v=3f2a&x=1",
            "ui://bookings/card.html?v=3f2a#x",
            "ui://bookings/card.html?",
            "ui://bookings/card.html?w=3f2a",
            "ui://bookings/card%2Ehtml",
            "ui://bookings/%2e%2e/bookings/card.html",
            "ui://bookings/../bookings/card.html",
            "ui://Bookings/card.html",
            "ui:bookings/card.html",
            "ui://plain?v=3f2a",
        ] {
            let answer = client.read_resource(uri).await;
            assert!(format!("{answer:?}").contains("Resource not found"), "{uri}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn what_a_handler_says_of_its_card_stands_above_the_settings() {
    let read = || async {
        let ui = Meta::from_iter([("ui".to_owned(), json!({ "prefersBorder": false }))]);
        ResourceContents::text("<!DOCTYPE html>").meta(ui)
    };
    let router = McpRouter::new().resource("ui://rooms/{id}", resource(read).card(strict()));
    let server = server(router.tool("room", plain_tool().card("ui://rooms/7")));
    let client = server.client(ProtocolVersion::LATEST);
    let contents = client.read_resource("ui://rooms/7").await.result().unwrap()["contents"][0].clone();
    assert_eq!(contents["_meta"]["ui"], json!({ "prefersBorder": false }));
    assert_eq!(contents["mimeType"], CARD_MIME_TYPE);
    assert_eq!(
        tools(&server, ProtocolVersion::LATEST).await[0]["_meta"]["ui"]["resourceUri"],
        "ui://rooms/7"
    );
}

#[tokio::test]
async fn the_extension_is_advertised_where_something_has_to_do_with_cards_and_only_there() {
    let advertised = json!({ CARDS: { "mimeTypes": [CARD_MIME_TYPE] } });
    let by_hand = Meta::from_iter([("ui".to_owned(), json!({ "resourceUri": "ui://elsewhere" }))]);
    for (router, is_told) in [
        (McpRouter::new().tool("a", plain_tool()), false),
        (McpRouter::new().tool("a", plain_tool().visibility(ToolVisibility::ModelAndApp)), false),
        (McpRouter::new().resource("ui://no-card", resource(|| async { "x" })), false),
        (McpRouter::new().tool("a", plain_tool().visibility(ToolVisibility::App)), true),
        (McpRouter::new().tool("a", plain_tool().visibility(ToolVisibility::Model)), true),
        (McpRouter::new().tool("a", plain_tool().meta(by_hand)), true),
        (McpRouter::new().resource("ui://c", card()), true),
        (McpRouter::new().resource("ui://c/{id}", card()), true),
    ] {
        let server = server(router);
        for version in ProtocolVersion::ALL {
            let extensions = told(&server, version).await.get("extensions").cloned();
            assert_eq!(extensions, is_told.then(|| advertised.clone()), "{version}");
        }
    }
    let faults = serving(McpRouter::new()).extension(Extension::new(CARDS)).build().unwrap_err();
    assert!(faults.to_string().contains("the server offers it by itself"), "{faults}");
}

#[test]
fn a_tool_without_the_card_that_it_names_is_a_build_fault() {
    let missing = "there is no card `ui://none.html`; put the file into the folder of cards, or register a resource of this URI";
    assert_eq!(
        problem(McpRouter::new().tool("a", plain_tool().card("none.html"))),
        format!("tool `a`: {missing}")
    );
    let router = McpRouter::new()
        .tool("a", plain_tool().card("c.html"))
        .resource("ui://c.html", resource(|| async { "x" }).mime_type("text/html"));
    assert_eq!(
        problem(router),
        "tool `a`: the resource `ui://c.html` is no card; register it with `.card(CardSettings::new())`"
    );
    // Every version of a tool is held to it, not only the one that is listed.
    let router = McpRouter::new()
        .tool("a", plain_tool().tool_version("2"))
        .tool("a", plain_tool().tool_version("1").card("ui://gone"));
    assert!(problem(router).contains("`ui://gone`"));
    // A version that the card does not have is another card.
    let router = McpRouter::new()
        .tool("a", plain_tool().card("ui://c.html?v=2"))
        .resource("ui://c.html", card().card_version("1"));
    assert!(problem(router).contains("there is no card `ui://c.html?v=2`"));
}

#[test]
fn paths_that_lead_elsewhere_are_build_faults() {
    for path in
        ["../card.html", "/card.html", "card.htm", "a\\card.html", "https://example.com/card.html", ""]
    {
        let told = problem(McpRouter::new().tool("a", plain_tool().card(path)));
        assert!(told.starts_with(&format!("tool `a`: the card `{path}`: ")), "{told}");
    }
}

#[test]
fn keys_of_the_extension_are_written_by_the_server_alone() {
    for key in ["ui", "ui/resourceUri"] {
        for tool in [plain_tool().card("c.html"), plain_tool().visibility(ToolVisibility::App)] {
            let router = McpRouter::new().tool("a", tool.meta(meta(key))).resource("ui://c.html", card());
            assert!(problem(router).starts_with(&format!("tool `a`: `_meta` has `{key}`, which")), "{key}");
        }
        let told = problem(McpRouter::new().resource("ui://c.html", card().meta(meta(key))));
        assert!(told.contains(&format!("`_meta` has `{key}`, which")), "{told}");
    }
}

#[test]
fn a_resource_that_cannot_be_a_card_is_a_build_fault() {
    for (uri, card, expected) in [
        ("docs://c.html", card(), "the URI of a card begins with `ui://`"),
        (
            "ui://c",
            card().mime_type("text/html"),
            "a card has the media type `text/html;profile=mcp-app`; take out the other",
        ),
        (
            "ui://c",
            card().card_version("a b"),
            "the version of a card has 1 to 64 letters, digits, `-`, `.`, `_` or `~`",
        ),
        (
            "ui://c",
            card().card_version("a".repeat(65)),
            "the version of a card has 1 to 64 letters, digits, `-`, `.`, `_` or `~`",
        ),
        (
            "ui://c?v=1",
            card().card_version("1"),
            "a card with a version has one URI, without a query of its own",
        ),
        (
            "ui://{c}",
            card().card_version("1"),
            "a card with a version has one URI, without a query of its own",
        ),
    ] {
        let told = problem(McpRouter::new().resource(uri, card));
        assert!(told.ends_with(expected), "{told}");
    }
    server(McpRouter::new().resource("ui://c", card().card_version("a".repeat(64))));
    let hostile = CardSettings::new().csp(CardCsp::new().frames("https://a.example; script-src *"));
    let told = problem(McpRouter::new().resource("ui://c", card().card(hostile)));
    assert!(
        told.starts_with(
            "resource `ui://c`: csp.frameDomains[0]: \"https://a.example; script-src *\" is no good here"
        ),
        "{told}"
    );
}

#[test]
fn a_card_that_no_reply_has_room_for_is_refused_at_the_build_and_in_updates() {
    let expected = "resource `ui://large`: the card has 4097 bytes, and a reply at most 4096, so no host could read \
                    it; make it smaller, or raise `limits.output_bytes`";
    let building = |router: McpRouter<()>| {
        serving(router).limits(Limits::default().with_output_bytes(4_096)).dynamic().build()
    };
    let large = || McpRouter::new().resource("ui://large", card().size(4_097));
    assert_eq!(building(large()).unwrap_err().iter().next().unwrap().to_string(), expected);
    let plain_file = resource(|| async { "x" }).size(4_097);
    let router = McpRouter::new().resource("ui://fits", card().size(4_096)).resource("file:///x", plain_file);
    let server = building(router).unwrap();
    let refused = server.update(|edit| _ = edit.resource("ui://large", card().size(4_097))).unwrap_err();
    assert_eq!(refused.iter().next().unwrap().to_string(), expected);
    server.update(|edit| _ = edit.resource("ui://small", card().size(4_096))).unwrap();
}

#[tokio::test]
async fn a_card_that_changes_at_run_time_changes_what_tools_say() {
    let server = serving(router()).dynamic().build().unwrap();
    let before = tools(&server, ProtocolVersion::LATEST).await;
    server
        .update(|edit| {
            edit.remove_resource("ui://bookings/card.html");
            edit.resource("ui://bookings/card.html", card().card_version("new"));
        })
        .unwrap();
    let after = tools(&server, ProtocolVersion::LATEST).await;
    assert_eq!(after[0]["_meta"]["ui"]["resourceUri"], "ui://bookings/card.html?v=new");
    assert_eq!(before[1..], after[1..]);
    let client = server.client(ProtocolVersion::LATEST);
    assert!(client.read_resource("ui://bookings/card.html?v=3f2a").await.code().is_some());
    let gone = server.update(|edit| assert!(edit.remove_resource("ui://bookings/card.html"))).unwrap_err();
    assert!(gone.to_string().contains("tool `show`: there is no card"), "{gone}");
    assert_eq!(tools(&server, ProtocolVersion::LATEST).await, after);
}

#[tokio::test]
async fn a_tool_for_cards_is_called_by_its_name_and_offered_to_no_model() {
    async fn run(client: Client) -> Result<String, ToolError> {
        let request = SamplingRequest::new(10).message(SamplingMessage::new(Role::User, ["go"]));
        Ok(client.sample_with_tools("run", request, ["refresh"]).await?.text())
    }
    let router = router().tool("run", tool(run).describe("Runs"));
    let client = server(router)
        .client(ProtocolVersion::LATEST)
        .with_capabilities(json!({ "sampling": { "tools": {} } }))
        .answering(|asked| panic!("the model is asked: {asked:?}"));
    let called = client.call_tool("refresh", json!({})).await;
    assert_eq!(called.result().unwrap()["content"][0]["text"], "x");
    let refused = format!("{:?}", client.call_tool("run", json!({})).await);
    assert!(
        refused.contains("the tool `refresh` is for cards only: no model may be offered it"),
        "{refused}"
    );
}

#[tokio::test]
async fn what_is_read_by_its_version_may_be_kept_for_a_day() {
    let longer = card().card_version("1").fresh_for(Duration::from_secs(2 * 86_400));
    let client = server(router().resource("ui://longer", longer)).client(ProtocolVersion::LATEST);
    for (uri, kept) in [
        ("ui://bookings/card.html?v=3f2a", 86_400_000),
        ("ui://bookings/card.html", 0),
        ("ui://plain", 0),
        ("ui://longer?v=1", 172_800_000),
    ] {
        let read = client.read_resource(uri).await.result().unwrap().clone();
        assert_eq!((&read["ttlMs"], &read["cacheScope"]), (&json!(kept), &json!("private")), "{uri}");
    }
}

#[tokio::test]
async fn what_is_told_of_cards_fits_the_official_types() {
    let server = server(router());
    for version in ProtocolVersion::ALL {
        let Some(mut schema) = official_schema(version) else { return };
        let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        let client = server.client(version);
        let read = json!({ "uri": "ui://bookings/card.html" });
        for (method, params, kind) in [
            ("tools/list", Value::Null, "ListToolsResult"),
            ("resources/list", Value::Null, "ListResourcesResult"),
            ("resources/read", read, "ReadResourceResult"),
        ] {
            schema["$ref"] = json!(format!("#/{definitions}/{kind}"));
            let official =
                jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap();
            let told = client.request(method, params).await.result().unwrap().clone();
            assert!(
                told.to_string().contains(r#""_meta":{"ui":"#) && official.is_valid(&told),
                "{version}: {told}"
            );
        }
    }
}

#[tokio::test]
async fn a_filter_keeps_tools_for_cards_from_hosts_that_show_none() {
    let lists = Lists::default().tool_filter(async |context: Context, tool: Listed| {
        tool.name() != "refresh" || context.client_supports("extensions.io.modelcontextprotocol/ui")
    });
    let server = serving(router()).lists(lists).build().unwrap();
    let ui = json!({ "extensions": { CARDS: { "mimeTypes": [CARD_MIME_TYPE] } } });
    for version in ProtocolVersion::ALL {
        for (capabilities, count) in [(json!({}), 3), (ui.clone(), 4)] {
            let listed = server.client(version).with_capabilities(capabilities).list_tools().await;
            assert_eq!(listed.result().unwrap()["tools"].as_array().unwrap().len(), count, "{version}");
        }
    }
}

#[tokio::test]
async fn the_servers_own_reads_of_a_card_tell_its_settings() {
    async fn peek(context: Context) -> Result<String, ProtocolError> {
        let contents = context.read_resource("ui://bookings/card.html?v=3f2a").await?;
        Ok(contents[0].declared_type().unwrap_or_default().to_owned())
    }
    let client = server(router().tool("peek", tool(peek).describe("Peeks"))).client(ProtocolVersion::LATEST);
    let called = client.call_tool("peek", json!({})).await;
    assert_eq!(called.result().unwrap()["content"][0]["text"], CARD_MIME_TYPE);
}
