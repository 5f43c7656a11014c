//! ARCHITECTURE.md is a map: what it names exists, and the core has no folder that it leaves out.

use super::{
    assert_none,
    source::{Source, repository, repository_files},
};
use std::{collections::BTreeSet, fs};

/// What stands between two backticks, outside of fenced blocks.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

/// The part of a document below one of its headings.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let below = text.split_once(heading).map_or("", |(_, below)| below);
    below.split_once("\n## ").map_or(below, |(section, _)| section)
}

/// Whether a quoted text is meant as a file or a folder.
fn is_place(quoted: &str) -> bool {
    let has_ending = [".rs", ".toml", ".md"].iter().any(|ending| quoted.ends_with(ending));
    let starts_at_root = ["crates/", "tests/"].iter().any(|root| quoted.starts_with(root));
    quoted.ends_with('/') || has_ending || starts_at_root
}

/// Whether a quoted text is meant as a test: a sentence of lower-case words.
fn is_test_name(quoted: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    quoted.split('_').count() > 2 && quoted.split('_').all(is_word)
}

/// Complains about files and folders that the document names and the repository lacks.
///
/// A place may be named by its end: `wire.rs` is any file of that name, `json/` any folder.
fn missing_places(document: &str, files: &[String]) -> Vec<String> {
    let exists = |place: &str| {
        let place = format!("/{}", place.trim_end_matches('/'));
        let folder = format!("{place}/");
        files
            .iter()
            .map(|file| format!("/{file}"))
            .any(|file| file.ends_with(&place) || file.contains(&folder))
    };
    let places = quoted(document).into_iter().filter(|quoted| is_place(quoted));
    places.filter(|place| !exists(place)).map(|place| format!("`{place}` does not exist")).collect()
}

/// Complains about tests that the document names and no source has.
fn missing_tests(document: &str, sources: &[Source]) -> Vec<String> {
    let functions: BTreeSet<&str> = sources
        .iter()
        .flat_map(|file| file.text.split("fn ").skip(1))
        .filter_map(|text| text.split(['(', '<', ' ']).next())
        .collect();
    let names = quoted(document).into_iter().filter(|quoted| is_test_name(quoted));
    names.filter(|name| !functions.contains(name)).map(|name| format!("no test is called `{name}`")).collect()
}

/// Complains about parts of the core that the map leaves out.
fn unmapped_parts(document: &str, files: &[String]) -> Vec<String> {
    let quoted: BTreeSet<&str> = quoted(document).into_iter().collect();
    let parts: BTreeSet<String> = files
        .iter()
        .filter_map(|file| file.strip_prefix("crates/mcp-core/src/"))
        .map(|path| path.split_once('/').map_or(path.to_owned(), |(folder, _)| format!("{folder}/")))
        .filter(|part| part != "lib.rs")
        .collect();
    parts
        .iter()
        .filter(|part| !quoted.contains(part.as_str()))
        .map(|part| format!("`{part}` is not mapped"))
        .collect()
}

/// The crates of others that a manifest depends on when it is built for users.
fn libraries(manifest: &str) -> Vec<&str> {
    let below = manifest.split_once("\n[dependencies]\n").map_or("", |(_, below)| below);
    let table = below.split_once("\n[").map_or(below, |(table, _)| table);
    let names = table.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names
        .filter(|name| !name.is_empty() && !name.starts_with(['#', '[']) && !name.starts_with("mcp-"))
        .collect()
}

/// Complains about libraries that the document gives no reason for.
fn unexplained_libraries(document: &str, manifest: &str) -> Vec<String> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    let words: BTreeSet<&str> = document.split(|character| !is_part(character)).collect();
    let names = libraries(manifest).into_iter().filter(|name| !words.contains(name));
    names.map(|name| format!("say what {name} is for")).collect()
}

fn document() -> String {
    fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap()
}

fn sources(files: &[String]) -> Vec<Source> {
    let rust = files.iter().filter(|file| file.ends_with(".rs"));
    rust.map(|file| Source::new(file, &fs::read_to_string(repository().join(file)).unwrap())).collect()
}

#[test]
fn every_file_and_folder_that_the_architecture_names_exists() {
    assert_none("ARCHITECTURE.md", &missing_places(&document(), &repository_files()));
}

#[test]
fn every_test_that_holds_an_invariant_exists() {
    let document = document();
    let invariants = section(&document, "## Invariants");
    assert!(
        quoted(invariants).into_iter().filter(|quoted| is_test_name(quoted)).count() > 10,
        "{invariants}"
    );
    assert_none("ARCHITECTURE.md", &missing_tests(invariants, &sources(&repository_files())));
}

#[test]
fn every_folder_of_the_core_is_in_the_code_map() {
    let document = document();
    assert_none("ARCHITECTURE.md", &unmapped_parts(section(&document, "## Code map"), &repository_files()));
}

#[test]
fn every_library_has_its_reason_in_the_architecture() {
    let document = document();
    let reasons = section(&document, "**Libraries.**");
    let files = repository_files();
    let manifests = files.iter().filter(|file| file.starts_with("crates/") && file.ends_with("/Cargo.toml"));
    let mut found = 0;
    let mut complaints = BTreeSet::new();
    for manifest in manifests {
        let text = fs::read_to_string(repository().join(manifest)).unwrap();
        found += libraries(&text).len();
        complaints.extend(unexplained_libraries(reasons, &text));
    }
    assert!(found > 20, "the manifests were not read");
    assert_none("ARCHITECTURE.md", &complaints.into_iter().collect::<Vec<_>>());
}

#[test]
fn a_library_without_a_reason_is_noticed() {
    let manifest = "[package]\n[dependencies]\nmcp-core.workspace = true\nhttp.workspace = true\n\n# Why.\nserde = \"1\"\nhttp-body = { version = \"1\" }\n[lints]\nx = 1\n";
    assert_eq!(libraries(manifest), ["http", "serde", "http-body"]);
    assert_eq!(unexplained_libraries("http-body, serde (types)", manifest), ["say what http is for"]);
}

#[test]
fn what_a_map_names_and_nobody_has_is_noticed() {
    let files = ["crates/mcp-core/src/json/scan.rs".to_owned(), "crates/mcp-core/src/media.rs".to_owned()];
    let map = "see `json/`, `scan.rs`, `json/scan.rs`, `tools/call`, `uri/`, `can.rs` and `tests/it`\n```\n`fenced/`\n```";
    let missing = ["`uri/` does not exist", "`can.rs` does not exist", "`tests/it` does not exist"];
    assert_eq!(missing_places(map, &files), missing);
    assert_eq!(unmapped_parts(map, &files), ["`media.rs` is not mapped"]);
    let sources = [Source::new("a.rs", "#[test]\nfn lists_are_sorted() {}\n")];
    let map =
        "## Invariants\n`lists_are_sorted`, `lists_are_short`, `static_tokens`\n## Next\n`an_other_name`";
    assert_eq!(
        missing_tests(section(map, "## Invariants"), &sources),
        ["no test is called `lists_are_short`"]
    );
}
