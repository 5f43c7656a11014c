//! Folders of skills that can be read, and those that cannot.

use super::{
    FrontMatterFault, MAX_FRONT_MATTER_BYTES, SkillFaults, SkillFolder, Skills, folder,
    front_matter::front_matter, skill,
};
use crate::{McpRouter, ProtocolVersion, files::HiddenFiles, server};
use serde_json::{Value, json};
use std::{fs, path::Path};
use tempfile::TempDir;

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn head(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}\n---\n# {name}\n")
}

/// A folder with the files.
fn with(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(root.path(), path, text);
    }
    root
}

async fn result(skills: Skills, method: &str, params: Value) -> Value {
    let server = server(McpRouter::new()).name("s").version("1").skills(skills).build().unwrap();
    server.client(ProtocolVersion::LATEST).request(method, params).await.outcome.unwrap()
}

fn told(read: Result<Skills, SkillFaults>) -> String {
    read.unwrap_err().to_string()
}

#[tokio::test]
async fn every_folder_with_a_skill_file_is_a_skill_at_its_path() {
    let root = with(&[
        ("README.md", "no skill"),
        ("refunds/SKILL.md", &head("refunds")),
        ("refunds/examples/email.md", "Dear customer,\n"),
        ("billing/chase/SKILL.md", &head("chase")),
        ("billing/chase/inner/SKILL.md", &head("inner")),
        ("billing/notes.md", "in no skill"),
        ("refunds/.git/config", "hidden"),
        ("other/NOT-SKILL.md", "in no skill"),
    ]);
    write(root.path(), "refunds/logo.png", b"\x89PNG");
    write(root.path(), "refunds/raw.md", b"\xff");
    let listed = result(folder(root.path()).read().unwrap(), "skills/list", json!({})).await;
    let skills = listed["skills"].as_array().unwrap();
    let uris = |skill: &Value| -> Vec<String> {
        let files = skill["resources"].as_array().unwrap().iter();
        files.map(|file| file["uri"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(skills.len(), 3);
    assert_eq!(uris(&skills[0]), ["skill://billing/chase/SKILL.md", "skill://billing/chase/inner/SKILL.md"]);
    assert_eq!(uris(&skills[1]), ["skill://billing/chase/inner/SKILL.md"]);
    assert_eq!(
        uris(&skills[2]),
        [
            "skill://refunds/SKILL.md",
            "skill://refunds/examples/email.md",
            "skill://refunds/logo.png",
            "skill://refunds/raw.md"
        ]
    );
    assert_eq!(skills[2]["frontmatter"], json!({ "name": "refunds", "description": "Does refunds" }));
    let read =
        |uri: &str| result(folder(root.path()).read().unwrap(), "resources/read", json!({ "uri": uri }));
    let email = read("skill://refunds/examples/email.md").await;
    assert_eq!(email["contents"][0]["text"], "Dear customer,\n");
    assert_eq!(email["contents"][0]["mimeType"], "text/markdown");
    assert_eq!(read("skill://refunds/logo.png").await["contents"][0]["mimeType"], "image/png");
    // Text that is no UTF-8 keeps its bytes, and with them its digest.
    assert_eq!(read("skill://refunds/raw.md").await["contents"][0]["blob"], "/w==");
}

#[tokio::test]
async fn what_is_read_stays_whatever_happens_to_the_folder() {
    let root = with(&[("a/SKILL.md", &head("a"))]);
    let skills = folder(root.path()).prefix("team.x").read().unwrap();
    write(root.path(), "a/SKILL.md", "changed");
    let read = result(skills, "resources/read", json!({ "uri": "skill://team.x/a/SKILL.md" })).await;
    assert_eq!(read["contents"][0]["text"], head("a"));
}

#[tokio::test]
async fn hidden_files_are_passed_over_unless_they_are_wanted() {
    let root = with(&[("a/SKILL.md", &head("a")), ("a/.env", "SECRET=1")]);
    let count = |read: SkillFolder| async move {
        let got = result(read.read().unwrap(), "skills/get", json!({ "uri": "skill://a/SKILL.md" })).await;
        got["skill"]["resources"].as_array().unwrap().len()
    };
    assert_eq!(count(folder(root.path())).await, 1);
    assert_eq!(count(folder(root.path()).hidden(HiddenFiles::Served)).await, 2);
}

#[cfg(unix)]
#[test]
fn links_and_what_is_no_file_are_refused_by_name() {
    let outside = with(&[("secret", "x")]);
    let root = with(&[("a/SKILL.md", &head("a"))]);
    std::os::unix::fs::symlink(outside.path().join("secret"), root.path().join("a/file")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.path().join("a/folder")).unwrap();
    std::os::unix::fs::symlink("SKILL.md", root.path().join("a/inside")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("a/socket")).unwrap();
    let told = told(folder(root.path()).read());
    for (path, problem) in [
        ("a/file", "symbolic link"),
        ("a/folder", "symbolic link"),
        ("a/inside", "symbolic link"),
        ("a/socket", "neither a file nor a folder"),
    ] {
        let line = told.lines().find(|line| line.contains(path)).unwrap_or_else(|| panic!("{path}: {told}"));
        assert!(line.contains(problem), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_unicode_or_steer_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let root = with(&[("a/SKILL.md", &head("a")), ("a/back\\slash", "")]);
    fs::write(root.path().join("a").join(std::ffi::OsStr::from_bytes(b"\xff")), "").unwrap();
    let told = told(folder(root.path()).read());
    assert_eq!(told.matches("its name cannot be part of a URI").count(), 2, "{told}");
}

#[test]
fn settings_out_of_range_are_told_all_at_once() {
    let read = || folder("nowhere");
    let all = told(read().max_files(0).max_bytes(0).max_file_bytes((1 << 30) + 1).max_depth(65).read());
    for fault in [
        "max_files: 0 is outside 1 to 1000000",
        "max_bytes: 0 is outside 1 to 4294967296",
        "max_file_bytes: 1073741825 is outside 1 to 1073741824",
        "max_depth: 65 is outside 0 to 64",
    ] {
        assert!(all.contains(fault), "{all}");
    }
    let edge = read().max_files(1_000_000).max_bytes(4 << 30).max_file_bytes(1 << 30).max_depth(64).read();
    assert!(told(edge).contains("nowhere: it cannot be read"));
}

#[test]
fn bounds_are_told_with_the_file_and_the_setting() {
    let deep = format!("a/{}x", "d/".repeat(8));
    let root = with(&[("a/SKILL.md", &head("a")), ("a/big", &"x".repeat(200)), (&deep, "x")]);
    let read = || folder(root.path());
    assert_eq!(
        told(read().read()),
        "the skills cannot be read: a/d/d/d/d/d/d/d/d: it is more than 8 folders deep (setting: max_depth)"
    );
    let read = || read().max_depth(9);
    assert!(read().read().is_ok());
    assert!(
        told(read().max_file_bytes(199).read())
            .contains("a/big: it has more than 199 bytes (setting: max_file_bytes)")
    );
    assert!(read().max_file_bytes(200).read().is_ok());
    assert!(told(read().max_bytes(240).read()).contains("more than 240 bytes together (setting: max_bytes)"));
    assert!(told(read().max_files(2).read()).contains("more than 2 files (setting: max_files)"));
    assert!(read().max_files(30).read().is_ok());
}

#[test]
fn a_folder_without_skills_or_that_is_one_is_refused() {
    let empty = with(&[("notes.md", "x")]);
    assert!(told(folder(empty.path()).read()).contains("no folder in it has a `SKILL.md`"));
    let itself = with(&[("SKILL.md", &head("x"))]);
    assert!(told(folder(itself.path()).read()).contains("give the folder that this one is in"));
    assert!(told(folder(empty.path().join("nowhere")).read()).contains("it cannot be read"));
    let bad = with(&[("a/SKILL.md", "# A"), ("b/SKILL.md", "---\nname: b\n"), ("c/SKILL.md", &head("c"))]);
    assert_eq!(
        told(folder(bad.path()).read()),
        "the skills cannot be read, 2 faults:\n  a/SKILL.md: its front matter cannot be read: the file does not begin with a line `---`\n  b/SKILL.md: its front matter cannot be read: no second line `---` ends it"
    );
}

#[test]
fn files_in_the_program_make_a_skill_too() {
    let made = skill("x/a", [("SKILL.md", head("a").as_str()), ("b.txt", "b")]).unwrap();
    assert_eq!((made.path(), &made.front_matter()["description"]), ("x/a", &json!("Does a")));
    let fault = skill("a", [("b.txt", "b")]).unwrap_err();
    assert_eq!(fault.place(), "a/SKILL.md");
    assert!(skill("a", [("SKILL.md", &b"---\xff"[..])]).unwrap_err().to_string().contains("no UTF-8"));
}

/// The value of `a`.
fn value(yaml: &str) -> Value {
    let text = format!("---\n{yaml}\n---\n");
    front_matter(&text).unwrap_or_else(|fault| panic!("{yaml}: {fault}"))["a"].clone()
}

fn fault(yaml: &str) -> FrontMatterFault {
    front_matter(&format!("---\n{yaml}\n---\n")).unwrap_err()
}

/// Each as the `yaml` package of Node.js reads it.
#[test]
fn values_have_the_kinds_that_the_core_schema_of_yaml_1_2_gives_them() {
    for (yaml, expected) in [
        ("a: yes", json!("yes")),
        ("a: off", json!("off")),
        ("a: n", json!("n")),
        ("a: true", json!(true)),
        ("a: False", json!(false)),
        ("a: ~", json!(null)),
        ("a:", json!(null)),
        ("a: \"\"", json!("")),
        ("a: 007", json!(7)),
        ("a: 0o14", json!(12)),
        ("a: 0x1F", json!(31)),
        ("a: 0b11", json!("0b11")),
        ("a: +0x1", json!("+0x1")),
        ("a: 1_000", json!("1_000")),
        ("a: 1.0", json!(1.0)),
        ("a: .5", json!(0.5)),
        ("a: 1e3", json!(1000.0)),
        ("a: '1'", json!("1")),
        ("a: 12345678901234567890", json!(12345678901234567890_f64)),
        ("a: 2024-01-02", json!("2024-01-02")),
        ("a: 12:30:45", json!("12:30:45")),
        ("a: 1.2.3", json!("1.2.3")),
        ("a: |\n  x\n  y", json!("x\ny\n")),
        ("a: >-\n  x\n  y", json!("x y")),
        ("a: [1, \"2\", three, null]", json!([1, "2", "three", null])),
        ("a: {b: {c: [1]}}", json!({ "b": { "c": [1] } })),
        ("a:\n  - b\n  - c: 1", json!(["b", { "c": 1 }])),
        ("a: b # c", json!("b")),
        ("a: Bash(git:*) Read", json!("Bash(git:*) Read")),
        ("a:\n  <<: 1", json!({ "<<": 1 })),
        ("a: é", json!("é")),
    ] {
        let read = value(yaml);
        assert_eq!((read.as_f64(), &read), (expected.as_f64(), &read), "{yaml}");
        if !expected.is_number() {
            assert_eq!(read, expected, "{yaml}");
        }
    }
}

#[test]
fn what_could_be_read_in_two_ways_is_refused_with_its_line() {
    let cases = [
        ("a: .nan", FrontMatterFault::Number { line: 2 }),
        ("b: 1\na: -.inf", FrontMatterFault::Number { line: 3 }),
        ("a: 1e400", FrontMatterFault::Number { line: 2 }),
        ("a: 0xFFFFFFFFFFFFFFFFFF", FrontMatterFault::Number { line: 2 }),
        ("a: !!int \"3\"", FrontMatterFault::Reference { line: 2 }),
        ("a: !mine x", FrontMatterFault::Reference { line: 2 }),
        ("a: &x 1\nb: *x", FrontMatterFault::Reference { line: 2 }),
        ("1: x", FrontMatterFault::Key { line: 2 }),
        ("~: x", FrontMatterFault::Key { line: 2 }),
        ("? [a]\n: x", FrontMatterFault::Key { line: 2 }),
        ("a: 1\nb: 2\na: 3", FrontMatterFault::Twice { line: 4, key: "a".into() }),
        ("- a", FrontMatterFault::NoMapping),
        ("text", FrontMatterFault::NoMapping),
        ("", FrontMatterFault::NoMapping),
    ];
    for (yaml, expected) in cases {
        assert_eq!(fault(yaml), expected, "{yaml}");
    }
    assert!(matches!(fault("a: [1"), FrontMatterFault::Syntax { .. }));
    assert!(matches!(fault("a: b: c"), FrontMatterFault::Syntax { line: 2, .. }));
    assert_eq!(fault("a: 1\n...\nb: 2"), FrontMatterFault::NoMapping);
}

#[test]
fn front_matter_is_bounded_in_bytes_and_depth() {
    let nested = |depth: usize| format!("a: {}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(value(&nested(15)).is_array());
    assert!(matches!(fault(&nested(16)), FrontMatterFault::TooDeep { line: 2, most: 16 }));
    assert!(matches!(
        fault(&nested(10_000)),
        FrontMatterFault::TooDeep { .. } | FrontMatterFault::Syntax { .. }
    ));
    let long = |bytes: usize| format!("a: {}", "x".repeat(bytes - 4));
    assert!(value(&long(MAX_FRONT_MATTER_BYTES)).is_string());
    assert!(matches!(fault(&long(MAX_FRONT_MATTER_BYTES + 1)), FrontMatterFault::TooLarge { .. }));
}

#[test]
fn line_ends_and_a_byte_order_mark_do_not_matter() {
    for text in ["---\r\na: 1\r\n---\r\nx", "\u{feff}---\na: 1\n---", "---  \na: 1\n--- \n# ---"] {
        assert_eq!(front_matter(text).unwrap()["a"], json!(1), "{text:?}");
    }
}
