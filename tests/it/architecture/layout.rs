//! How files are laid out: their length, their first line, their names, and one smell.

use super::{
    assert_none,
    source::{Source, crate_sources},
};

const MOST_LINES: usize = 600;
const MOST_LINES_OF_MOD: usize = 150;

/// Names that tell a reader nothing about what is inside.
const EMPTY_NAMES: [&str; 8] = ["common", "helper", "helpers", "misc", "type", "types", "util", "utils"];

fn too_long(file: &Source) -> Option<String> {
    let lines = file.product_lines().len();
    (lines > MOST_LINES).then(|| format!("{}: {lines} lines without tests, {MOST_LINES} at most", file.path))
}

fn mod_too_long(file: &Source) -> Option<String> {
    let lines = file.text.lines().count();
    (file.path.ends_with("/mod.rs") && lines > MOST_LINES_OF_MOD)
        .then(|| format!("{}: {lines} lines, {MOST_LINES_OF_MOD} at most: docs, mod and pub use", file.path))
}

fn without_opening(file: &Source) -> Option<String> {
    let first = file.text.lines().next().unwrap_or_default();
    let says_something = first.strip_prefix("//! ").is_some_and(|text| !text.trim().is_empty());
    (!says_something).then(|| format!("{}: the first line must be //! and say what the file is", file.path))
}

fn with_empty_name(file: &Source) -> Option<String> {
    let names = file.path.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part));
    let mut empty = names.filter(|name| EMPTY_NAMES.contains(name));
    empty.next().map(|name| format!("{}: \"{name}\" says nothing, name the idea", file.path))
}

/// Splits `path::to::Name<rest` into `Name` and `rest`.
fn generic(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|character: char| !(character.is_alphanumeric() || character == '_' || character == ':'))?;
    let rest = text[end..].strip_prefix('<')?;
    Some((text[..end].rsplit("::").next()?, rest))
}

/// Complains about a shared locked map, whatever path its three types are written with.
fn shared_locked_map(file: &Source) -> Option<String> {
    let code: String =
        file.code_lines().flat_map(|(_, line)| line.chars()).filter(|c| !c.is_whitespace()).collect();
    let found = code.match_indices("Arc<").any(|(at, _)| {
        let inside = |name: &[&str], text| {
            generic(text).filter(|(found, _)| name.contains(found)).map(|(_, rest)| rest)
        };
        inside(&["Mutex", "RwLock"], &code[at + 4..])
            .and_then(|rest| inside(&["HashMap", "BTreeMap", "IndexMap"], rest))
            .is_some()
    });
    found.then(|| format!("{}: a shared locked map needs a named type with its own rules", file.path))
}

fn complaints(rule: fn(&Source) -> Option<String>) -> Vec<String> {
    crate_sources().iter().filter_map(rule).collect()
}

fn noticed(rule: fn(&Source) -> Option<String>, path: &str, text: &str) -> bool {
    rule(&Source::new(path, text)).is_some()
}

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    assert_none("long files", &complaints(too_long));
}

#[test]
fn every_mod_file_is_a_table_of_contents() {
    assert_none("long mod.rs", &complaints(mod_too_long));
}

#[test]
fn every_file_opens_by_saying_what_it_is() {
    assert_none("files without an opening line", &complaints(without_opening));
}

#[test]
fn every_file_is_named_after_an_idea() {
    assert_none("empty names", &complaints(with_empty_name));
}

#[test]
fn no_map_is_shared_behind_a_bare_lock() {
    assert_none("shared locked maps", &complaints(shared_locked_map));
}

#[test]
fn a_long_file_is_noticed_and_its_tests_do_not_count() {
    let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    // x\n".repeat(50));
    assert!(!noticed(too_long, "crates/a/src/b.rs", &format!("{}{tests}", "//! x\n".repeat(MOST_LINES))));
    assert!(noticed(too_long, "crates/a/src/b.rs", &format!("{}{tests}", "//! x\n".repeat(MOST_LINES + 1))));
}

#[test]
fn a_long_mod_file_is_noticed() {
    assert!(!noticed(mod_too_long, "crates/a/src/b/mod.rs", &"//! x\n".repeat(MOST_LINES_OF_MOD)));
    assert!(noticed(mod_too_long, "crates/a/src/b/mod.rs", &"//! x\n".repeat(MOST_LINES_OF_MOD + 1)));
    assert!(!noticed(mod_too_long, "crates/a/src/b.rs", &"//! x\n".repeat(MOST_LINES_OF_MOD + 1)));
}

#[test]
fn a_file_without_an_opening_line_is_noticed() {
    assert!(!noticed(without_opening, "crates/a/src/b.rs", "//! B.\nfn b() {}"));
    for text in ["", "//!\n", "fn b() {}", "\n//! B.", "/// B.\nfn b() {}"] {
        assert!(noticed(without_opening, "crates/a/src/b.rs", text), "{text:?}");
    }
}

#[test]
fn an_empty_name_is_noticed() {
    assert!(noticed(with_empty_name, "crates/a/src/utils.rs", ""));
    assert!(noticed(with_empty_name, "crates/a/src/common/mod.rs", ""));
    assert!(!noticed(with_empty_name, "crates/a/src/media_types.rs", ""));
}

#[test]
fn a_shared_locked_map_is_noticed_however_it_is_written() {
    let field = |written: &str| {
        noticed(shared_locked_map, "crates/a/src/b.rs", &format!("//! B.\nstruct B(\n{written}\n);"))
    };
    assert!(field("Arc<Mutex<HashMap<u8, u8>>>"));
    assert!(field("std::sync::Arc<\n    tokio::sync::RwLock<\n        std::collections::HashMap<u8, u8>>>"));
    assert!(field("Arc<parking_lot::Mutex<BTreeMap<u8, u8>>>"));
    assert!(!field("Arc<Mutex<Vec<HashMap<u8, u8>>>>"));
    assert!(!field("Mutex<HashMap<u8, u8>>"));
    assert!(!field("// never Arc<Mutex<HashMap<u8, u8>>>"));
}
