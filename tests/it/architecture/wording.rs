//! Words that stay out of the repository: paths of one machine, hosts of registries, unfinished work.

use super::{
    assert_none,
    source::{repository, repository_files},
};
use std::fs;

// Each word is cut in two, so that this file does not complain about itself.

/// Paths that exist on the machine of whoever wrote the file, and nowhere else.
const MACHINE_PATHS: [&str; 5] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/fa", "rm/"),
    concat!("/tmp", "/w/"),
    concat!("/opt/", "wheels"),
];

/// Registries are reached through their clients' own settings, which may point at a mirror.
const REGISTRY_HOSTS: [&str; 6] = [
    concat!("registry.", "npmjs.org"),
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("pypi", ".org"),
    concat!("files.", "pythonhosted.org"),
    concat!("deb.", "debian.org"),
];

/// Marks of work that is not finished.
const UNFINISHED: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("unimpl", "emented!(")];

fn is_lock_file(path: &str) -> bool {
    ["Cargo.lock", "package-lock.json", "requirements.txt"].iter().any(|name| path.ends_with(name))
}

/// Complains about each line that holds one of `words`.
fn lines_with(words: &[&str], path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(word) = words.iter().find(|word| line.contains(**word)) {
            complaints.push(format!("{path}:{}: holds {word}", index + 1));
        }
    }
    complaints
}

/// Looks through every text file of the repository that `concerned` picks.
fn search(words: &[&str], concerned: fn(&str) -> bool) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in repository_files().iter().filter(|path| concerned(path)) {
        let bytes = fs::read(repository().join(path)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        complaints.extend(lines_with(words, path, &text));
    }
    complaints
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    assert_none("paths of one machine", &search(&MACHINE_PATHS, |_| true));
}

#[test]
fn no_file_names_the_host_of_a_registry() {
    assert_none("hosts of registries", &search(&REGISTRY_HOSTS, |_| true));
}

#[test]
fn no_lock_file_records_where_a_package_was_fetched_from() {
    let complaints = search(&["\"resolved\":"], |path| path.ends_with("package-lock.json"));
    assert_none("keep the .npmrc beside package.json", &complaints);
}

#[test]
fn no_file_is_marked_as_unfinished() {
    assert_none("unfinished work", &search(&UNFINISHED, |path| !is_lock_file(path)));
}

#[test]
fn a_word_that_does_not_belong_is_noticed() {
    let text = format!("one\nsee {}notes\n", MACHINE_PATHS[0]);
    assert_eq!(lines_with(&MACHINE_PATHS, "a.md", &text), [format!("a.md:2: holds {}", MACHINE_PATHS[0])]);
    assert!(lines_with(&MACHINE_PATHS, "a.md", "a framework/and more").is_empty());
}
