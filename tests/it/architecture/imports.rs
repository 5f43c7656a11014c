//! How names are imported: one nested `use` for each crate, in one block.

use super::{
    assert_none,
    source::{Source, crate_sources},
};
use std::collections::BTreeSet;

/// The statements that begin with `use ` at the margin, as the number of their first and last line and the
/// crate or keyword they start from; those behind a `#[cfg(…)]` stand alone and are left out.
fn imports(file: &Source) -> Vec<(usize, usize, &str)> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("use ") else { continue };
        if index > 0 && lines[index - 1].starts_with("#[") {
            continue;
        }
        let length = lines[index..].iter().position(|line| line.contains(';')).unwrap_or(0);
        let root = rest.split([':', ';', ' ']).next().unwrap_or_default();
        found.push((index + 1, index + 1 + length, root));
    }
    found
}

/// Complains about a crate that is imported by a second statement, and about a block of imports with gaps.
fn scattered_imports(file: &Source) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().collect();
    let imports = imports(file);
    let mut complaints = Vec::new();
    let mut roots = BTreeSet::new();
    for (first, _, root) in &imports {
        if !roots.insert(root) {
            complaints.push(format!("{}:{first}: {root} is imported above, nest this there", file.path));
        }
    }
    for pair in imports.windows(2) {
        let (end, next) = (pair[0].1, pair[1].0);
        if next > end + 1 && lines[end..next - 1].iter().all(|line| line.trim().is_empty()) {
            complaints.push(format!("{}:{next}: imports are one block, without empty lines", file.path));
        }
    }
    complaints
}

#[test]
fn each_crate_is_imported_by_one_nested_statement() {
    let complaints: Vec<String> = crate_sources().iter().flat_map(scattered_imports).collect();
    assert_none("scattered imports", &complaints);
}

#[test]
fn scattered_imports_are_noticed() {
    let check = |text: &str| scattered_imports(&Source::new("crates/a/src/b.rs", text)).len();
    assert_eq!(check("use super::{\n    A,\n    b::B,\n};\nuse std::fmt;\n\nfn c() {}\n"), 0);
    assert_eq!(check("use std::fmt;\n#[cfg(unix)]\nuse std::os::fd::OwnedFd;\n"), 0);
    assert_eq!(check("use std::fmt;\nuse std::io;\n"), 1);
    assert_eq!(check("use std::{\n    fmt,\n    io,\n};\n\nuse bytes::Bytes;\n"), 1);
    assert_eq!(check("use std::fmt;\n\nmod a;\n\nuse bytes::Bytes;\n"), 0);
}
