//! The README leads where it says.

const README: &str = include_str!("../../../../README.md");

#[test]
fn every_link_within_the_repository_leads_to_a_file() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (at, _) in README.match_indices("](") {
        let target = README[at + 2..].split(')').next().unwrap();
        if !target.contains("://") && !target.starts_with('#') {
            assert!(root.join(target).exists(), "{target}");
        }
    }
}
