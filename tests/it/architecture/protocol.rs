//! `docs/protocol.md` tells every reason and every error code that there is, and no other.

use super::{
    assert_none,
    source::{crate_sources, repository},
};
use std::{collections::BTreeSet, fs};

/// The first columns of the table under a heading.
fn first_column(page: &str, heading: &str) -> BTreeSet<String> {
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    cells.map(|(cell, _)| cell.to_owned()).collect()
}

/// Complains about what is in one set only.
fn differences(told: &BTreeSet<String>, are: &BTreeSet<String>) -> Vec<String> {
    let missing = are.difference(told).map(|word| format!("{word} is missing"));
    missing.chain(told.difference(are).map(|word| format!("{word} does not exist"))).collect()
}

fn page() -> String {
    fs::read_to_string(repository().join("docs/protocol.md")).unwrap()
}

/// What a function of a file gives for each case, as it stands there: a list of cases could leave one out.
fn given(file: &str, function: &str) -> BTreeSet<String> {
    let sources = crate_sources();
    let source = sources.iter().find(|source| source.path.ends_with(file)).unwrap();
    let lines = source.code_lines().map(|(_, line)| line);
    let body = lines
        .skip_while(|line| !line.contains(&format!("fn {function}(")))
        .take_while(|line| *line != "    }");
    let given = body.filter_map(|line| line.split_once(" => ")?.1.strip_suffix(','));
    given
        .filter(|given| given.starts_with(['"', '-']))
        .map(|given| given.trim_matches('"').to_owned())
        .collect()
}

#[test]
fn the_reasons_on_the_page_are_those_that_are_sent() {
    let are = given("/admit/reason.rs", "as_str");
    assert!(are.contains("META_SHAPE"), "{are:?}");
    assert_none("docs/protocol.md", &differences(&first_column(&page(), "Reasons"), &are));
}

#[test]
fn the_codes_on_the_page_are_those_that_are_sent() {
    let are = given("/jsonrpc/code.rs", "number");
    assert!(are.contains("-32700"), "{are:?}");
    assert_none("docs/protocol.md", &differences(&first_column(&page(), "Error codes"), &are));
}

#[test]
fn what_is_told_and_is_not_and_what_is_not_told_are_noticed() {
    let page = "# A\n\n## B\n\n| a |\n|---|\n| `X` | 1 |\n| `Y` | 2 |\n\n## C\n\n| `Z` | 3 |\n";
    let told = first_column(page, "B");
    let are = ["X".to_owned(), "W".to_owned()].into();
    assert_eq!(differences(&told, &are), ["W is missing", "Y does not exist"]);
}
