//! The README and the pages in `docs/` lead where they say, and their examples can be copied.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn pages() -> impl Iterator<Item = PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.chain([root.join("README.md")]).collect::<Vec<_>>().into_iter()
}

#[test]
fn every_link_within_the_repository_leads_to_a_file() {
    for page in pages() {
        let (text, folder) = (fs::read_to_string(&page).unwrap(), page.parent().unwrap());
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', '#']).next().unwrap();
            if !target.contains("://") && !target.is_empty() {
                assert!(folder.join(target).exists(), "{}: {target}", page.display());
            }
        }
    }
}

#[test]
fn every_page_with_an_example_is_compiled() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        let compiled =
            library.lines().any(|line| line.contains("include_str!") && line.contains(&format!("/{name}\"")));
        assert!(
            compiled || !fs::read_to_string(&page).unwrap().contains("```rust"),
            "{name} is not compiled"
        );
    }
}

/// Lines that only the compiler of the examples sees are there for everyone who reads the page elsewhere.
#[test]
fn an_example_hides_no_line() {
    let hidden = |line: &&str| *line == "#" || line.starts_with("# ");
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let examples = text.split("```").skip(1).step_by(2).filter(|block| block.starts_with("rust"));
        assert_eq!(examples.flat_map(str::lines).find(hidden), None, "{}", page.display());
    }
}
