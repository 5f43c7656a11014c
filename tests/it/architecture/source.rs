//! Finds the files of the repository and tells code from comments and tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// One Rust file of a crate, with its path relative to the repository in `/` form.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether the whole file is test code: a `tests.rs`, or anything below a `tests` folder.
    pub(super) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests" || part == "tests.rs")
    }

    /// Whether the file belongs to a crate's library or binary: no example, bench or test.
    pub(super) fn is_product(&self) -> bool {
        self.path.contains("/src/") && !self.is_test()
    }

    /// The lines before the test module at the file's foot; none where the whole file is test code.
    pub(super) fn product_lines(&self) -> Vec<&str> {
        if self.is_test() {
            return Vec::new();
        }
        let lines: Vec<&str> = self.text.lines().collect();
        let foot = lines.windows(2).position(|pair| {
            pair[0].trim() == "#[cfg(test)]"
                && pair[1].starts_with("mod ")
                && pair[1].trim_end().ends_with('{')
        });
        lines[..foot.unwrap_or(lines.len())].to_vec()
    }

    /// The product lines that are not comments, each with its line number.
    pub(super) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.product_lines().into_iter().enumerate();
        lines.filter(|(_, line)| !line.trim_start().starts_with("//")).map(|(index, line)| (index + 1, line))
    }
}

pub(super) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Runs a command in the repository and returns what it printed.
#[track_caller]
pub(super) fn output_of(command: &mut Command) -> String {
    let output = command.current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The command that runs the cargo which built this test.
pub(super) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Every file that git tracks or would track, relative to the repository.
pub(super) fn repository_files() -> Vec<String> {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let mut files: Vec<String> = output_of(&mut git).split_terminator('\0').map(str::to_owned).collect();
    files.retain(|file| repository().join(file).is_file());
    assert!(files.iter().any(|file| file == "Cargo.toml"), "git lists no Cargo.toml");
    files
}

/// Every Rust file below `crates/`.
pub(super) fn crate_sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&repository().join("crates"), &mut paths);
    paths.sort();
    assert!(paths.len() >= 6, "the walk found only {} files", paths.len());
    let relative = |path: &Path| {
        let parts = path.strip_prefix(repository()).unwrap().components();
        parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    paths
        .iter()
        .map(|path| Source { path: relative(path), text: fs::read_to_string(path).unwrap() })
        .collect()
}

#[test]
fn the_test_module_at_the_foot_is_not_product_code() {
    let file = Source::new(
        "crates/a/src/b.rs",
        "//! B.\nfn b() {}\n\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\n",
    );
    assert_eq!(file.product_lines(), ["//! B.", "fn b() {}", ""]);
    assert_eq!(file.code_lines().collect::<Vec<_>>(), [(2, "fn b() {}"), (3, "")]);
}

#[test]
fn a_test_module_in_a_file_of_its_own_does_not_end_the_product_code() {
    let file = Source::new("crates/a/src/b.rs", "//! B.\n#[cfg(test)]\nmod tests;\nfn b() {}\n");
    assert_eq!(file.product_lines().len(), 4);
}

#[test]
fn test_files_have_no_product_code() {
    assert!(Source::new("crates/a/src/b/tests.rs", "fn c() {}").product_lines().is_empty());
    assert!(Source::new("crates/a/tests/it/main.rs", "fn c() {}").product_lines().is_empty());
    assert!(!Source::new("crates/a/src/contests.rs", "fn c() {}").is_test());
}
