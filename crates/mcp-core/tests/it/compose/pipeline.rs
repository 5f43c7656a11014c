//! Catalogues as pipelines of steps.

use super::{listed, refused, tool_names};
use crate::wire::{MODERN, server, serving};
use mcp_core::{
    page::Lists,
    protocol::{Icon, PromptArgument, Resource},
    registry::{
        McpRouter, Step, ToolBuilder, ToolVisibility, Toolbox, Which, add_tag, change_prompts,
        change_resources, change_tools, derive, into_toolbox, keep, leave_out, namespace, prompt,
        rename_prompt, rename_tool, resource, tool, tool_args,
    },
    server::Server,
    view::{Listed, ListedKind},
};
use serde_json::{Value, json};

fn says(text: &'static str) -> ToolBuilder<()> {
    tool(move || async move { text }).describe(text)
}

fn source() -> McpRouter<()> {
    McpRouter::new()
        .tool("read", says("Reads").tag("public").read_only())
        .tool("write", says("Writes").destructive())
        .tool("write", says("Writes").destructive().tool_version("2"))
        .resource("test://one", resource(|| async { "x" }).tag("public"))
        .resource("test://all/{id}", resource(|| async { "x" }))
        .prompt(
            "ask",
            prompt(|| async { "x" })
                .arguments([PromptArgument::optional("n")])
                .complete("n", || async { vec!["1"] }),
        )
        .prompt("tell", prompt(|| async { "x" }).tag("public"))
        .list_resources(|| async { vec![Resource::new("test://listed", "listed")] })
}

/// One version of everything.
fn plain() -> McpRouter<()> {
    source().through(leave_out(Which::matching(|entry| entry.version().is_some())))
}

fn entries(router: &McpRouter<()>) -> Vec<String> {
    router.entries().map(|entry| entry.name().to_owned()).collect()
}

async fn resources(server: &Server) -> Vec<Value> {
    let list = server.client(MODERN).request("resources/list", json!({})).await;
    list.result().unwrap()["resources"].as_array().unwrap().iter().map(|entry| entry["uri"].clone()).collect()
}

#[tokio::test]
async fn a_choice_is_about_its_kinds_and_leaves_the_others_alone() {
    let all = ["read", "write", "write", "test://one", "test://all/{id}", "ask", "tell"];
    assert_eq!(entries(&source()), all);
    for (step, left) in [
        (
            keep(Which::tools(["write"])),
            vec!["write", "write", "test://one", "test://all/{id}", "ask", "tell"],
        ),
        (
            keep(Which::prompts(["ask"])),
            vec!["read", "write", "write", "test://one", "test://all/{id}", "ask"],
        ),
        (keep(Which::resources(["test://one"])), vec!["read", "write", "write", "test://one", "ask", "tell"]),
        (keep(Which::tagged("public")), vec!["read", "test://one", "tell"]),
        (
            keep(Which::tagged("public").of_kind(ListedKind::Prompt)),
            vec!["read", "write", "write", "test://one", "test://all/{id}", "tell"],
        ),
        (
            keep(Which::tools(["read"]).or(Which::prompts(["tell"]))),
            vec!["read", "test://one", "test://all/{id}", "tell"],
        ),
        (keep(Which::matching(|entry| entry.annotations().read_only == Some(true))), vec!["read"]),
        (keep(Which::every()), all.to_vec()),
    ] {
        assert_eq!(entries(&source().through(step)), left);
    }
    for (step, left) in [
        (leave_out(Which::tools(["write"])), vec!["read", "test://one", "test://all/{id}", "ask", "tell"]),
        (leave_out(Which::tagged("public")), vec!["write", "write", "test://all/{id}", "ask"]),
        (leave_out(Which::every()), vec![]),
        (
            leave_out(Which::matching(|entry| entry.kind() == ListedKind::ResourceTemplate)),
            vec!["read", "write", "write", "test://one", "ask", "tell"],
        ),
    ] {
        assert_eq!(entries(&source().through(step)), left);
    }
    let callbacks = [
        (plain().through(leave_out(Which::tagged("public"))), vec!["test://listed"]),
        (plain().through(keep(Which::tagged("public"))), vec!["test://one"]),
        (plain().through(keep(Which::tools(["read"]))), vec!["test://one", "test://listed"]),
    ];
    for (router, uris) in callbacks {
        assert_eq!(resources(&server(router)).await, uris);
    }
}

#[tokio::test]
async fn names_change_in_all_versions_and_completers_follow() {
    let router = plain()
        .tool("write2", says("Writes").tool_version("1"))
        .tool("write2", says("Writes anew").tool_version("2"))
        .through(rename_tool("write2", "edit"))
        .through(rename_prompt("ask", "enquire"))
        .through(namespace("docs"));
    let server = server(router);
    assert_eq!(tool_names(&server), ["docs_read", "docs_write", "docs_edit"]);
    let client = server.client(MODERN);
    assert_eq!(client.call_tool("docs_edit", json!({})).await.text(), "Writes anew");
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "docs_enquire" }, "argument": { "name": "n", "value": "" },
    });
    let completed = client.request("completion/complete", params).await;
    assert_eq!(completed.result().unwrap()["completion"]["values"], json!(["1"]));
}

#[tokio::test]
async fn many_are_changed_at_once() {
    let router = plain()
        .through(change_tools(Which::every(), |name, tool| {
            tool.title(name.to_uppercase()).closed_world().visibility(ToolVisibility::Model)
        }))
        .through(change_prompts(Which::prompts(["ask"]), |_, prompt| prompt.describe("Asks")))
        .through(change_resources(Which::tagged("public"), |_, resource| resource.title("Public")))
        .through(add_tag("late", Which::tools(["write"]).or(Which::resources(["test://one"]))))
        .through(into_toolbox(
            Toolbox::new("box", "A box"),
            Which::tools(["read"]).or(Which::prompts(["tell"])),
        ));
    let late: Vec<_> =
        router.entries().filter(|entry| entry.has_tag("late")).map(|entry| entry.name()).collect();
    assert_eq!(late, ["write", "test://one"]);
    let boxed: Vec<_> =
        router.entries().filter(|entry| entry.toolbox() == Some("box")).map(|entry| entry.name()).collect();
    assert_eq!(boxed, ["read", "tell"]);
    assert!(router.entries().all(|entry| entry.visibility().is_none_or(|who| who == ToolVisibility::Model)));
    let titled: Vec<_> = router.entries().filter_map(|entry| entry.title()).collect();
    assert_eq!(titled, ["READ", "WRITE", "Public"]);
    let asks: Vec<_> = router.entries().filter_map(|entry| entry.description()).collect();
    assert_eq!(asks, ["Reads", "Writes", "Asks"]);
    let client = server(router).client(MODERN);
    let write = listed(&client, "write").await;
    assert_eq!((&write["title"], &write["annotations"]["openWorldHint"]), (&json!("WRITE"), &json!(false)));
}

/// A step that a user writes: a copy of every tool that destroys, which only pretends.
struct DryRuns {
    prefix: &'static str,
}

impl<S: Send + Sync + 'static> Step<S> for DryRuns {
    fn apply(self, router: McpRouter<S>) -> McpRouter<S> {
        let names: Vec<String> = (router.entries())
            .filter(|entry| entry.annotations().destructive == Some(true))
            .map(|entry| entry.name().to_owned())
            .collect();
        if names.is_empty() {
            return router.fault("step `DryRuns`", "nothing destroys; take the step out");
        }
        names.into_iter().fold(router, |router, name| {
            router.through(derive(name.as_str()).name(format!("{}{name}", self.prefix)).tag("dry"))
        })
    }
}

#[tokio::test]
async fn steps_are_values_that_anybody_can_write() {
    fn public<S: Send + Sync + 'static>(router: McpRouter<S>) -> McpRouter<S> {
        let seen = router.through(keep(Which::tagged("public"))).through(add_tag("seen", Which::every()));
        seen.through(namespace("pub"))
    }
    let router = plain()
        .through(DryRuns { prefix: "dry_" })
        .merge(plain().through(public).through(leave_out(Which::resources(["test://one"]))))
        .through(|router: McpRouter| router.tag("everything"));
    assert!(router.entries().all(|entry| entry.has_tag("everything")));
    let lists = Lists::default().tool_filter(|_, tool: Listed| async move { !tool.has_tag("dry") });
    let server = serving(router).lists(lists).build().unwrap();
    assert_eq!(tool_names(&server), ["read", "write", "dry_write", "pub_read"]);
    let client = server.client(MODERN);
    let list = client.request("tools/list", json!({})).await;
    assert!(!list.result().unwrap().to_string().contains("dry_"), "the policy comes after the steps");
    assert_eq!(client.call_tool("dry_write", json!({})).await.text(), "Writes");
    assert_eq!(
        refused(McpRouter::new().through(DryRuns { prefix: "" })),
        ["step `DryRuns`: nothing destroys; take the step out"]
    );
}

#[tokio::test]
async fn a_change_of_a_derived_tool_speaks_of_what_it_publishes() {
    let find = tool_args(["text"], |text: String| async move { text }).describe("Finds");
    let router = McpRouter::new()
        .tool("find", find.argument("text", "Before"))
        .through(derive("find").name("search").argument("text", |text| text.rename("q")))
        .through(change_tools(Which::tools(["search"]), |_, tool| tool.argument("q", "After")))
        .through(derive("search").name("few").argument("q", |q| q.rename("text")));
    let client = server(router).client(MODERN);
    for (tool, argument, text) in
        [("find", "text", "Before"), ("search", "q", "After"), ("few", "text", "After")]
    {
        let listed = listed(&client, tool).await;
        assert_eq!(listed["inputSchema"]["properties"][argument]["description"], text, "{tool}");
    }
}

#[test]
fn what_a_step_cannot_do_is_told_when_the_server_is_built() {
    let router = plain()
        .through(keep(Which::tools(["read", "writ"]).or(Which::prompts(["ask", "tell", "zzzzzz"]))))
        .through(leave_out(Which::resources(["test://on"]).of_kind(ListedKind::Resource)))
        .through(rename_tool("reed", "x"))
        .through(rename_prompt("nothing", "x"))
        .through(add_tag("t", Which::tools(["nothing at all"])))
        .through(change_tools(Which::prompts(["ask"]), |_, tool| tool.read_only()))
        .through(into_toolbox(Toolbox::new("b", "B"), Which::tagged("x").of_kind(ListedKind::Resource)));
    assert_eq!(
        refused(router),
        [
            "tool `writ`: `keep` names it, and it is not here; did you mean `write`?",
            "prompt `zzzzzz`: `keep` names it, and it is not here; add it before, or take the name out",
            "resource `test://on`: `leave_out` names it, and it is not here; did you mean `test://one`?",
            "tool `reed`: `rename_tool` names it, and it is not here; did you mean `read`?",
            "prompt `nothing`: `rename_prompt` names it, and it is not here; add it before, or take the name out",
            "tool `nothing at all`: `add_tag` names it, and it is not here; add it before, or take the name out",
            "step `change_tools`: Prompts([\"ask\"]) chooses entries of other kinds, so it would change nothing",
            "step `into_toolbox`: OfKind(Tagged(\"x\"), Resource) chooses entries of other kinds, so it would change \
             nothing",
        ]
    );
}

#[test]
fn a_name_of_another_kind_is_not_here_and_a_kind_that_a_choice_is_not_about_is_idle() {
    let router = McpRouter::new()
        .tool("same", says("s"))
        .through(keep(Which::prompts(["same"])))
        .through(change_tools(Which::resources(["test://one"]).of_kind(ListedKind::Tool), |_, tool| tool));
    let told = refused(router);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("prompt `same`: `keep` names it, and it is not here"), "{told:?}");
    assert!(told[1].starts_with("resource `test://one`: `change_tools` names it"), "{told:?}");
    assert!(told[2].ends_with("chooses entries of other kinds, so it would change nothing"), "{told:?}");
}

#[test]
fn several_steps_fill_one_toolbox_and_two_that_differ_are_told() {
    let filled = |second: Toolbox| {
        let both = McpRouter::new().tool("a", says("a")).tool("b", says("b"));
        both.through(into_toolbox(Toolbox::new("x", "X"), Which::tools(["a"])))
            .through(into_toolbox(second, Which::tools(["b"])))
    };
    server(filled(Toolbox::new("x", "X")));
    let icon = Icon::new("https://example.com/x.png");
    for other in [Toolbox::new("x", "Other"), Toolbox::new("x", "X").icon(icon)] {
        assert_eq!(
            refused(filled(other)),
            ["toolbox `x`: there are two of this name; give one of them another name"]
        );
    }
}

#[test]
fn a_rename_onto_a_name_that_is_taken_is_refused_like_any_doubled_name() {
    let told = refused(plain().through(rename_tool("read", "write")));
    assert!(told[0].starts_with("tool `write`: registered twice"), "{told:?}");
}
