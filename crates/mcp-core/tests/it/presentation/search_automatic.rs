//! Search as soon as the list is long, and no sooner.

use crate::wire::{MODERN, modern, serving};
use futures_util::{FutureExt as _, StreamExt as _};
use mcp_core::{
    context::Transport,
    exchange::{Exchange, Outgoing},
    presentation::{AutomaticSearch, Presentation, ToolSearch},
    registry::{McpRouter, ToolBuilder, tool},
    server::{Peer, Server},
    testing::TestClient,
    version::ProtocolVersion,
};
use serde_json::json;

const THREE: [&str; 3] = ["search_tools", "describe_tools", "run_tools"];

fn paint() -> ToolBuilder<()> {
    tool(|| async { "painted" }).describe("Paints a wall")
}

fn painting(count: usize) -> McpRouter<()> {
    (0..count).fold(McpRouter::new(), |router, number| router.tool(format!("paint_{number}"), paint()))
}

fn served(router: McpRouter<()>, automatic: AutomaticSearch) -> Server {
    serving(router).presentation(Presentation::automatic(automatic)).dynamic().build().unwrap()
}

async fn listed(client: &TestClient) -> Vec<String> {
    let list = client.list_tools().await.outcome.unwrap();
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// How often the list of tools was announced as changed since the last look.
fn announced(stream: &mut Exchange) -> usize {
    let next = || stream.next().now_or_never().flatten();
    std::iter::from_fn(next).filter(|outgoing| matches!(outgoing, Outgoing::Notification(_))).count()
}

#[tokio::test]
async fn a_short_list_is_whole_and_a_long_one_is_left_to_search_in_every_version() {
    for version in ProtocolVersion::ALL {
        let short = served(painting(40), AutomaticSearch::default()).client(version);
        assert_eq!(listed(&short).await.len(), 40, "{version}");
        assert!(short.call_tool("search_tools", json!({ "query": "x" })).await.result().is_none());
        let long = served(painting(41), AutomaticSearch::default()).client(version);
        assert_eq!(listed(&long).await, THREE);
        assert_eq!(long.call_tool("paint_40", json!({})).await.text(), "painted");
    }
}

#[tokio::test]
async fn few_tools_with_much_to_say_are_left_to_search() {
    let wordy = |words: usize| {
        let description = "word ".repeat(words);
        McpRouter::new().tool("wordy", tool(|| async { "x" }).describe(description))
    };
    // A token is four bytes, of which the rest of the entry has some.
    let automatic = || AutomaticSearch::default().most_tokens(1_000);
    assert_eq!(listed(&served(wordy(700), automatic()).client(MODERN)).await, ["wordy"]);
    assert_eq!(listed(&served(wordy(800), automatic()).client(MODERN)).await, THREE);
    let whole = served(wordy(700), automatic()).client(MODERN).list_tools().await.outcome.unwrap();
    let tokens = whole["tools"][0].to_string().len() / 4;
    for (most, expected) in [(tokens, &["wordy"][..]), (tokens - 1, &THREE)] {
        let automatic = AutomaticSearch::default().most_tokens(most);
        assert_eq!(listed(&served(wordy(700), automatic).client(MODERN)).await, expected, "{most}");
    }
}

#[tokio::test]
async fn an_update_changes_over_and_back_and_says_so() {
    let server = served(painting(2), AutomaticSearch::default().most_tools(2));
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    let message = modern(1, "subscriptions/listen", filter).to_string();
    let mut stream = server.dispatch(MODERN, message, Peer::anonymous(Transport::InProcess)).unwrap();
    announced(&mut stream);
    let client = server.client(MODERN);
    server.update(|edit| _ = edit.tool("varnish", paint())).unwrap();
    assert_eq!((listed(&client).await, announced(&mut stream)), (THREE.map(str::to_owned).to_vec(), 1));
    server.update(|edit| _ = edit.tool("polish", paint())).unwrap();
    assert_eq!(announced(&mut stream), 0, "the list is the same three");
    let found = client.call_tool("search_tools", json!({ "query": "polish" })).await;
    assert!(found.text().contains("\"polish\""), "{}", found.text());
    server.update(|edit| assert!(edit.remove_tool("varnish") && edit.remove_tool("paint_0"))).unwrap();
    assert_eq!(
        (listed(&client).await, announced(&mut stream)),
        (vec!["paint_1".to_owned(), "polish".to_owned()], 1)
    );
}

#[test]
fn the_names_are_reserved_before_the_list_is_long() {
    let presentation = Presentation::automatic(AutomaticSearch::default());
    let router = McpRouter::new().tool("run_tools", paint());
    let faults = serving(router).presentation(presentation).build().unwrap_err();
    assert!(faults.to_string().contains("tool `run_tools`"), "{faults}");
}

#[test]
fn settings_outside_their_range_are_refused() {
    let search = ToolSearch::default().plan_steps(1_001);
    let automatic = AutomaticSearch::default().most_tools(10_001).most_tokens(10_000_001).search(search);
    let faults = serving(painting(1)).presentation(Presentation::automatic(automatic)).build().unwrap_err();
    let subjects: Vec<_> = faults.iter().map(|fault| fault.subject()).collect();
    assert_eq!(
        subjects,
        ["automatic_search.most_tools", "automatic_search.most_tokens", "tool_search.plan_steps"]
    );
}
