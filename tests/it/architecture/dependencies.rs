//! The rules of direction between crates, and what the core may never pull in.

use super::{
    assert_none,
    source::{cargo, output_of},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Which crates of the workspace a crate may depend on; `None` in the table means all of them.
fn allowed(name: &str) -> Option<Option<&'static [&'static str]>> {
    match name {
        "mcp-core" => Some(Some(&[])),
        "mcp-auth" | "mcp-routes" | "mcp-transport-stdio" => Some(Some(&["mcp-core"])),
        "mcp-store" | "mcp-transport-http" => Some(Some(&["mcp-core", "mcp-auth"])),
        "mcp-server" | "mcp-tests" => Some(None),
        _ => None,
    }
}

/// Crates that would bring a runtime, a socket, a clock or a database into the core.
const IMPURE: [&str; 10] =
    ["axum", "hyper", "mio", "redis", "reqwest", "rusqlite", "socket2", "sqlx", "sqlx-core", "tokio"];

/// Crates beneath which the core tolerates randomness: they seed hash maps with it.
const MAY_SEED: [&str; 2] = ["ahash", "jsonschema"];

/// Complains about each dependency between crates of the workspace that points the wrong way.
fn wrong_edges(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().unwrap();
    let own: BTreeSet<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    let mut complaints = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let Some(allowed) = allowed(name) else {
            complaints.push(format!("{name} is new: say in this test what it may depend on"));
            continue;
        };
        let Some(allowed) = allowed else { continue };
        for dependency in package["dependencies"].as_array().unwrap() {
            let target = dependency["name"].as_str().unwrap();
            if dependency["kind"] != "dev" && own.contains(target) && !allowed.contains(&target) {
                complaints.push(format!("{name} must not depend on {target}"));
            }
        }
    }
    complaints
}

/// Complains about each impure crate in the output of `cargo tree --prefix depth`.
fn impurities(tree: &str) -> Vec<String> {
    let mut path: Vec<&str> = Vec::new();
    let mut found = BTreeMap::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let digits = line.find(|character: char| !character.is_ascii_digit()).unwrap();
        let depth: usize = line[..digits].parse().unwrap();
        let name = line[digits..].split_whitespace().next().unwrap();
        path.truncate(depth);
        let excused = name == "getrandom" && path.iter().any(|parent| MAY_SEED.contains(parent));
        path.push(name);
        if (IMPURE.contains(&name) || name == "getrandom") && !excused {
            found.entry(name).or_insert_with(|| path.join(" -> "));
        }
    }
    found.into_values().collect()
}

#[test]
fn dependencies_between_crates_point_inwards() {
    let json = output_of(cargo().args(["metadata", "--no-deps", "--format-version", "1"]));
    assert_none("the rules of direction", &wrong_edges(&serde_json::from_str(&json).unwrap()));
}

#[test]
fn the_core_does_no_input_or_output() {
    let tree = output_of(cargo().args([
        "tree",
        "-p",
        "mcp-core",
        "-e",
        "normal",
        "--all-features",
        "--no-dedupe",
        "--prefix",
        "depth",
        "--locked",
    ]));
    assert!(tree.starts_with("0mcp-core"), "unexpected output: {tree}");
    assert!(tree.lines().count() > 5, "the core has lost its dependencies: {tree}");
    assert_none("crates the core must not reach", &impurities(&tree));
}

#[test]
fn an_edge_that_points_outwards_is_noticed() {
    let package =
        |name: &str, dependencies: Value| serde_json::json!({"name": name, "dependencies": dependencies});
    let edge = |name: &str, kind: Value| serde_json::json!({"name": name, "kind": kind});
    let metadata = serde_json::json!({"packages": [
        package("mcp-core", serde_json::json!([edge("mcp-auth", Value::Null), edge("serde", Value::Null)])),
        package("mcp-auth", serde_json::json!([edge("mcp-core", Value::Null), edge("mcp-server", "dev".into())])),
        package("mcp-store", serde_json::json!([edge("mcp-server", "build".into())])),
        package("mcp-server", serde_json::json!([edge("mcp-store", Value::Null)])),
        package("mcp-extra", serde_json::json!([])),
    ]});
    assert_eq!(
        wrong_edges(&metadata),
        [
            "mcp-core must not depend on mcp-auth",
            "mcp-store must not depend on mcp-server",
            "mcp-extra is new: say in this test what it may depend on",
        ]
    );
}

#[test]
fn an_impure_crate_in_the_tree_is_noticed_and_named_with_its_path() {
    let tree = "0mcp-core v0.1.0\n1jsonschema v0.61.2\n2ahash v0.8.1\n3getrandom v0.3.1\n1serde v1.0.0\n";
    assert_eq!(impurities(tree), [""; 0]);
    let tree = "0mcp-core v0.1.0\n1jsonschema v0.61.2\n2ahash v0.8.1\n1other v1.0.0\n2tokio v1.50.0\n2getrandom v0.3.1\n";
    assert_eq!(impurities(tree), ["mcp-core -> other -> getrandom", "mcp-core -> other -> tokio"]);
}
