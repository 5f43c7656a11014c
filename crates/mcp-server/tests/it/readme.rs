//! The README and the pages in `docs/` lead where they say.

use std::{fs, path::Path};

#[test]
fn every_link_within_the_repository_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.chain([root.join("README.md")]) {
        let (text, folder) = (fs::read_to_string(&page).unwrap(), page.parent().unwrap());
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', '#']).next().unwrap();
            if !target.contains("://") && !target.is_empty() {
                assert!(folder.join(target).exists(), "{}: {target}", page.display());
            }
        }
    }
}
