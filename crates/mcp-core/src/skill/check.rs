//! The check of one skill by itself.

use super::{
    MAX_SKILL_BYTES, MAX_SKILL_FILES, Skill,
    name::{SKILL_FILE, is_file_path, is_prefix_part, is_skill_name},
};
use crate::registry::Faults;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most characters of a description that the Agent Skills specification allows.
const MOST_DESCRIPTION: usize = 1_024;

/// Notes what is wrong with a skill; tells whether nothing is.
pub(super) fn check(skill: &Skill, faults: &mut Faults) -> bool {
    let mut found = Vec::new();
    check_path(skill, &mut found);
    check_front_matter(&skill.front_matter, &mut found);
    check_files(skill, &mut found);
    let sound = found.is_empty();
    for problem in found {
        faults.add(format!("skill `{}`", skill.path), problem);
    }
    sound
}

fn check_path(skill: &Skill, found: &mut Vec<String>) {
    let (prefix, name) = match skill.path.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, &*skill.path),
    };
    if !is_skill_name(name) {
        found.push(
            "the last part of its path is its name: 1 to 64 lower-case letters and digits, single hyphens between them"
                .to_owned(),
        );
    }
    if !prefix.is_none_or(|prefix| prefix.split('/').all(is_prefix_part)) {
        found.push("the parts before its name have letters, digits, `-`, `.`, `_` and `~` only".to_owned());
    }
    match skill.front_matter.get("name").and_then(Value::as_str) {
        Some(own) if own == name => {}
        Some(own) => found.push(format!(
            "its front matter names it `{own}`, and its folder `{name}`: give both the same name"
        )),
        None => found.push("its front matter has no `name`, or one that is no text".to_owned()),
    }
}

fn check_front_matter(front_matter: &Map<String, Value>, found: &mut Vec<String>) {
    match front_matter.get("description").and_then(Value::as_str) {
        Some(text) if text.trim().is_empty() => {
            found.push("its front matter has an empty `description`".to_owned());
        }
        Some(text) if text.chars().count() > MOST_DESCRIPTION => {
            found.push(format!("its `description` has more than {MOST_DESCRIPTION} characters"));
        }
        Some(_) => {}
        None => found.push("its front matter has no `description`, or one that is no text".to_owned()),
    }
    let reserved = front_matter
        .get("metadata")
        .and_then(Value::as_object)
        .and_then(|metadata| metadata.keys().find(|key| key.starts_with("io.modelcontextprotocol/")));
    if let Some(key) = reserved {
        found.push(format!("`metadata` has the key `{key}`, and that prefix is the protocol's own"));
    }
}

fn check_files(skill: &Skill, found: &mut Vec<String>) {
    let mut paths = BTreeSet::new();
    for file in &skill.files {
        if !is_file_path(&file.path) {
            found.push(format!("the file `{}` has no plain path below the skill's folder", file.path));
        } else if !paths.insert(&*file.path) {
            found.push(format!("the file `{}` is there twice", file.path));
        }
    }
    let inside = |path: &&&str| {
        paths.iter().any(|other| other.strip_prefix(**path).is_some_and(|rest| rest.starts_with('/')))
    };
    for path in paths.iter().filter(inside) {
        found.push(format!("`{path}` is a file and a folder"));
    }
    match skill.files.iter().find(|file| &*file.path == SKILL_FILE) {
        None => found.push(format!("it has no `{SKILL_FILE}`")),
        Some(file) => match file.bytes().map(std::str::from_utf8) {
            Some(Ok(text)) if !text.trim_start_matches('\u{feff}').starts_with("---") => {
                found.push(format!("its `{SKILL_FILE}` does not begin with front matter: a line `---`"));
            }
            Some(Err(_)) => found.push(format!("its `{SKILL_FILE}` is no UTF-8")),
            _ => {}
        },
    }
    if skill.files.len() > MAX_SKILL_FILES {
        found.push(format!("it has {} files, and hosts take {MAX_SKILL_FILES}", skill.files.len()));
    }
    let bytes: u64 = skill.files.iter().filter_map(|file| file.bytes()).map(|bytes| bytes.len() as u64).sum();
    if bytes > MAX_SKILL_BYTES {
        found.push(format!("its files have {bytes} bytes together, and hosts take {MAX_SKILL_BYTES}"));
    }
}
