//! Protocol revisions are compared as values, in one place; their names appear as text only there.

use super::{
    assert_none,
    source::{Source, crate_sources},
};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

fn is_home_of_revisions(path: &str) -> bool {
    path.starts_with("crates/mcp-core/src/version/") || path == "crates/mcp-core/src/version.rs"
}

/// Complains about each line of product code that writes a revision as text.
fn revision_texts(file: &Source) -> Vec<String> {
    if !file.is_product() || is_home_of_revisions(&file.path) {
        return Vec::new();
    }
    let names_one = |line: &str| REVISIONS.iter().any(|revision| line.contains(&format!("\"{revision}\"")));
    let lines = file.code_lines().filter(|(_, line)| names_one(line));
    lines.map(|(number, line)| format!("{}:{number}: {}", file.path, line.trim())).collect()
}

/// Complains about each line of product code that compares something called a version with a text.
fn text_comparisons(file: &Source) -> Vec<String> {
    if !file.is_product() || file.path.contains("/version/") || file.path.contains("/lower/") {
        return Vec::new();
    }
    let compares = |line: &str| {
        let squeezed: String = line.chars().filter(|character| !character.is_whitespace()).collect();
        ["==", "!="].iter().any(|operator| {
            squeezed.match_indices(operator).any(|(at, _)| {
                let (left, right) = (&squeezed[..at], &squeezed[at + 2..]);
                let left = left.trim_end_matches(['(', ')']).trim_end_matches(".as_str");
                left.ends_with("version")
                    && right.starts_with(['"', 'b', 'r'])
                    && right.trim_start_matches(['b', 'r']).starts_with('"')
            })
        })
    };
    let lines = file.code_lines().filter(|(_, line)| compares(line));
    lines.map(|(number, line)| format!("{}:{number}: {}", file.path, line.trim())).collect()
}

#[test]
fn revisions_are_written_as_text_in_one_place() {
    let complaints: Vec<String> = crate_sources().iter().flat_map(revision_texts).collect();
    assert_none("use ProtocolVersion and its table of features", &complaints);
}

#[test]
fn no_version_is_compared_with_a_text() {
    let complaints: Vec<String> = crate_sources().iter().flat_map(text_comparisons).collect();
    assert_none("use ProtocolVersion and its table of features", &complaints);
}

#[test]
fn a_revision_written_as_text_is_noticed() {
    let line = "//! Spec: \"2025-11-25\".\nfn f() { g(\"2025-11-25\"); }\n";
    assert_eq!(
        revision_texts(&Source::new("crates/a/src/b.rs", line)),
        ["crates/a/src/b.rs:2: fn f() { g(\"2025-11-25\"); }"]
    );
    for elsewhere in
        ["crates/mcp-core/src/version/revision.rs", "crates/a/examples/b.rs", "crates/a/src/b/tests.rs"]
    {
        assert!(revision_texts(&Source::new(elsewhere, line)).is_empty(), "{elsewhere}");
    }
}

#[test]
fn a_version_compared_with_a_text_is_noticed() {
    let check = |code: &str| text_comparisons(&Source::new("crates/a/src/b.rs", code)).len();
    assert_eq!(check("if version == \"1\" {}"), 1);
    assert_eq!(check("if request.protocol_version.as_str() != b\"1\" {}"), 1);
    assert_eq!(check("if version == other {}"), 0);
    assert_eq!(check("if version == base {}"), 0);
    assert_eq!(check("if name == \"version\" {}"), 0);
}
