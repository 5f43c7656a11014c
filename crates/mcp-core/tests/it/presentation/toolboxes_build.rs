//! Toolboxes that cannot be built, and what changes at run time.

use super::toolboxes::{OWN, boxed, house};
use crate::wire::{HANDSHAKE, ask, plain, read, serving, shaken};
use futures_util::{FutureExt as _, future::poll_fn};
use mcp_core::{
    connection::Connection,
    presentation::{Presentation, Toolboxes},
    protocol::Icon,
    registry::{McpRouter, ToolVisibility, Toolbox, prompt, tool},
    server::{ServerBuilder, TaskSupport},
};
use serde_json::{Value, json};

fn faults(builder: ServerBuilder) -> Vec<String> {
    match builder.build() {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

fn one(name: &'static str) -> McpRouter<()> {
    McpRouter::new().tool(name, tool(|| async { "x" }).describe("X"))
}

#[tokio::test]
async fn the_names_of_the_five_tools_are_taken() {
    let router = OWN.into_iter().map(one).fold(McpRouter::new(), McpRouter::merge);
    let all = faults(boxed(router.merge(one("mine"))));
    assert_eq!(
        all,
        OWN.map(|name| format!(
            "tool `{name}`: the server's presentation has a tool of this name; give this one another name"
        ))
    );
    let router = OWN.into_iter().map(one).fold(McpRouter::new(), McpRouter::merge);
    assert!(faults(serving(router)).is_empty(), "only where there are toolboxes");
}

#[tokio::test]
async fn a_name_that_is_taken_is_a_fault_at_run_time_too_and_the_five_tools_cannot_be_removed() {
    let server = boxed(house()).dynamic().build().unwrap();
    for name in OWN {
        let refused = server.update(|edit| {
            edit.tool(name, tool(|| async { "x" }).describe("X"));
        });
        assert!(refused.unwrap_err().to_string().contains(&format!("tool `{name}`")));
        server.update(|edit| assert!(!edit.remove_tool(name))).unwrap();
    }
    let names: Vec<_> = server.catalogue().tool_names().take(5).map(str::to_owned).collect();
    assert_eq!(names, OWN);
}

#[tokio::test]
async fn toolboxes_that_nobody_could_open_are_faults_all_at_once() {
    let router = one("a")
        .toolbox(Toolbox::new(" ", "No name"))
        .merge(one("b").toolbox(Toolbox::new("twice", "Once")))
        .merge(one("c").toolbox(Toolbox::new("twice", "Twice").icon(Icon::new("icons/box.svg"))))
        .merge(one("d").toolbox(Toolbox::new("mute", " \n")))
        .merge(one("e").toolbox(Toolbox::new("x".repeat(129), "Long")))
        .tool("f", tool(|| async { "x" }).describe("X").in_toolbox("nowhere"))
        .prompt("g", prompt(|| async { "x" }).in_toolbox("nowhere"));
    let long = "x".repeat(129);
    assert_eq!(
        faults(boxed(router)),
        [
            "toolbox ` `: a toolbox needs a name".to_owned(),
            "toolbox `twice`: the icon `icons/box.svg` is neither an https: nor a data: URI".to_owned(),
            "toolbox `twice`: there are two of this name; give one of them another name".to_owned(),
            "toolbox `mute`: a toolbox needs a description, by which a model decides to open it".to_owned(),
            format!("toolbox `{long}`: the name has more than 128 bytes, or control characters"),
            "tool `f`: it is in the toolbox `nowhere`, which there is not; add it with `McpRouter::toolbox`"
                .to_owned(),
            "prompt `g`: it is in the toolbox `nowhere`, which there is not; add it with `McpRouter::toolbox`"
                .to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_tool_that_runs_as_a_task_where_none_are_kept_is_one_fault() {
    let router = McpRouter::new()
        .tool("long", tool(|| async { "x" }).describe("X").task_support(TaskSupport::Optional))
        .toolbox(Toolbox::new("box", "B"));
    let all = faults(boxed(router));
    assert!(all.len() == 1 && all[0].starts_with("tool `long`"), "{all:?}");
}

#[tokio::test]
async fn the_inner_toolbox_keeps_what_is_in_it() {
    let inner = one("a").toolbox(Toolbox::new("inner", "Inner"));
    let router = inner.merge(one("b")).toolbox(Toolbox::new("outer", "Outer"));
    let router = McpRouter::new()
        .nest("space", router)
        .merge(McpRouter::new().tool("c", tool(|| async { "x" }).describe("X").in_toolbox("outer")));
    let server = boxed(router).build().unwrap();
    let client = server.client(HANDSHAKE);
    for (toolbox, tools) in [("inner", vec!["space_a"]), ("outer", vec!["space_b", "c"])] {
        let opened = client.call_tool("open_toolbox", json!({ "name": toolbox })).await;
        let told: Value = serde_json::from_str(opened.text()).unwrap();
        let listed = told["tools"].as_array().unwrap();
        assert_eq!(listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), tools);
    }
}

#[tokio::test]
async fn what_is_in_no_toolbox_is_listed_whatever_is_said_of_it() {
    let router = McpRouter::new()
        .tool("a", tool(|| async { "x" }).describe("X").not_root())
        .tool("b", tool(|| async { "x" }).describe("X").not_root().visibility(ToolVisibility::App));
    let server = boxed(router).build().unwrap();
    let listed = server.client(HANDSHAKE).list_tools().await;
    assert_eq!(listed.result().unwrap()["tools"].as_array().unwrap().len(), OWN.len() + 2);
}

#[tokio::test]
async fn a_whole_list_takes_no_notice_of_toolboxes() {
    let server = serving(house()).build().unwrap();
    let listed = server.client(HANDSHAKE).list_tools().await;
    assert_eq!(listed.result().unwrap()["tools"].as_array().unwrap().len(), 10);
    let opened = server.client(HANDSHAKE).call_tool("open_toolbox", json!({ "name": "lights" })).await;
    assert_eq!(opened.code(), Some(-32602));
}

fn heard(connection: &mut Connection) -> usize {
    let next = || poll_fn(|context| connection.poll_change(context)).now_or_never();
    std::iter::from_fn(next).map(|bytes| read(&bytes)).filter(|change| change.is_object()).count()
}

async fn call(connection: &mut Connection, name: &str, toolbox: &str) -> String {
    let params = json!({ "name": name, "arguments": { "name": toolbox } });
    ask(connection, &plain(1, "tools/call", params)).await.text().to_owned()
}

async fn tools(connection: &mut Connection) -> Vec<String> {
    let answered = ask(connection, &plain(2, "tools/list", json!({}))).await;
    let tools = answered.result()["tools"].as_array().unwrap();
    tools.iter().skip(5).map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn toolboxes_come_and_go_at_run_time() {
    let server = serving(McpRouter::new())
        .presentation(Presentation::toolboxes(Toolboxes::default()))
        .dynamic()
        .build()
        .unwrap();
    let mut own = shaken(&server, HANDSHAKE).await;
    assert!(call(&mut own, "open_toolbox", "late").await.starts_with("there is no toolbox `late`"));
    server
        .update(|edit| {
            edit.router(one("a").toolbox(Toolbox::new("late", "Came late")));
            edit.tool("b", tool(|| async { "b" }).describe("B").in_toolbox("late"));
            edit.toolbox(Toolbox::new("later", "Came with it"));
            edit.tool("c", tool(|| async { "c" }).describe("C").in_toolbox("later"));
        })
        .unwrap();
    assert!(tools(&mut own).await.is_empty());
    heard(&mut own);
    assert!(call(&mut own, "open_toolbox", "late").await.contains("\"b\""));
    assert_eq!((tools(&mut own).await, heard(&mut own)), (vec!["a".into(), "b".into()], 1));
    server
        .update(|edit| {
            edit.tool("d", tool(|| async { "d" }).describe("D").in_toolbox("late"));
        })
        .unwrap();
    assert_eq!((tools(&mut own).await, heard(&mut own)), (vec!["a".into(), "b".into(), "d".into()], 1));
    server.update(|edit| assert!(edit.remove_toolbox("late") && !edit.remove_toolbox("late"))).unwrap();
    assert_eq!((tools(&mut own).await.len(), heard(&mut own)), (0, 1));
    assert!(call(&mut own, "open_toolbox", "late").await.starts_with("there is no toolbox"));
    assert_eq!(call(&mut own, "close_toolbox", "late").await, "closed", "though it is gone");
    let twice = server.update(|edit| {
        edit.toolbox(Toolbox::new("later", "Once more"));
    });
    assert!(twice.unwrap_err().to_string().contains("toolbox `later`: there are two of this name"));
}
