//! The Skills extension: what is told of skills, how they are read, and which cannot be served.

use crate::{
    official::official_schema,
    wire::{MODERN, ask, connect, modern, plain, serving, shaken},
};
use mcp_core::{
    extract::Vars,
    registry::{McpRouter, resource},
    server::{Limits, Server},
    skill::{MAX_SKILL_FILES, Skill, SkillFile, Skills},
    version::{Era, ProtocolVersion},
};
use serde_json::{Map, Value, json};
use std::{collections::BTreeSet, path::PathBuf};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// A skill with nothing but its `SKILL.md`.
fn skill(path: &str) -> Skill {
    let name = path.rsplit('/').next().unwrap();
    let front_matter = object(json!({ "name": name, "description": format!("Does {name}") }));
    let text = format!("---\nname: {name}\ndescription: Does {name}\n---\n");
    Skill::new(path, front_matter).file(SkillFile::text("SKILL.md", text))
}

fn refunds() -> Skill {
    let front_matter = json!({
        "name": "refunds", "description": "Pays back", "license": "MIT",
        "metadata": { "version": "1.0", "steps": [1, 2.5, true, null] },
    });
    Skill::new("acme/billing/refunds", object(front_matter)).files([
        SkillFile::text("SKILL.md", "---\nname: refunds\n---\n"),
        SkillFile::text("examples/e mail.md", "Dear customer,\n").mime_type("text/markdown"),
        SkillFile::blob("logo.png", &b"\x89PNG"[..]).mime_type("image/png"),
    ])
}

fn server(skills: impl Into<Skills>) -> Server {
    serving(McpRouter::new()).skills(skills).build().unwrap()
}

/// What answers a request of a version: the result, or the error.
async fn answer(server: &Server, version: ProtocolVersion, method: &str, params: Value) -> Value {
    let (mut connection, message) = match version.era() {
        Era::Modern => (connect(server), modern(1, method, params)),
        Era::Handshake => (shaken(server, version).await, plain(1, method, params)),
    };
    let reply = ask(&mut connection, &message).await.reply;
    reply.get("result").unwrap_or(&reply["error"]).clone()
}

async fn result(server: &Server, method: &str, params: Value) -> Value {
    answer(server, MODERN, method, params).await
}

#[tokio::test]
async fn a_skill_is_told_of_with_its_front_matter_and_the_digest_of_every_file() {
    let server = server(vec![refunds()]);
    let listed = result(&server, "skills/list", json!({})).await;
    let entry = &listed["skills"][0];
    assert_eq!(entry["uri"], "skill://acme/billing/refunds/SKILL.md");
    assert_eq!(entry["frontmatter"]["metadata"], json!({ "version": "1.0", "steps": [1, 2.5, true, null] }));
    // What `sha256sum` says of the same bytes.
    let file = |path: &str, size: u64, digest: &str| {
        json!({
            "uri": format!("skill://acme/billing/refunds/{path}"), "size": size,
            "digest": format!("sha256:{digest}"),
        })
    };
    assert_eq!(
        entry["resources"],
        json!([
            file("SKILL.md", 22, "335b8036680cbe21bafe0c781233664eda680a374ff1530380fb57a090deccd0"),
            file(
                "examples/e%20mail.md",
                15,
                "7b7c2be2390a57bc8874adae23a60940ac18fa1fdadca60de307406f50d1aee8"
            ),
            file("logo.png", 4, "0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543"),
        ])
    );
    let got = result(&server, "skills/get", json!({ "uri": "skill://acme/billing/refunds/SKILL.md" })).await;
    assert_eq!(&got["skill"], entry);
    assert_eq!((&got["ttlMs"], &got["cacheScope"]), (&json!(300_000), &json!("public")));
}

#[tokio::test]
async fn every_file_is_a_resource_that_is_listed_and_read() {
    let server = server(vec![refunds()]);
    let listed = result(&server, "resources/list", json!({})).await;
    assert_eq!(
        listed["resources"],
        json!([
            {
                "uri": "skill://acme/billing/refunds/SKILL.md", "name": "refunds", "description": "Pays back",
                "mimeType": "text/markdown", "size": 22,
            },
            {
                "uri": "skill://acme/billing/refunds/examples/e%20mail.md", "name": "e mail.md",
                "mimeType": "text/markdown", "size": 15,
            },
            { "uri": "skill://acme/billing/refunds/logo.png", "name": "logo.png", "mimeType": "image/png", "size": 4 },
        ])
    );
    let text =
        result(&server, "resources/read", json!({ "uri": "skill://acme/billing/refunds/SKILL.md" })).await;
    assert_eq!(text["contents"][0]["text"], "---\nname: refunds\n---\n");
    let raw = json!({ "uri": "skill://acme/billing/refunds/examples/e mail.md" });
    assert_eq!(result(&server, "resources/read", raw).await["contents"][0]["text"], "Dear customer,\n");
    let bytes =
        result(&server, "resources/read", json!({ "uri": "skill://acme/billing/refunds/logo.png" })).await;
    assert_eq!(bytes["contents"][0]["blob"], "iVBORw==");
    let beside =
        result(&server, "resources/read", json!({ "uri": "skill://acme/billing/refunds/other.md" })).await;
    assert_eq!(beside["code"], -32602);
}

/// Uri and media type of a folder's children.
async fn children(server: &Server, uri: &str) -> Vec<(String, String)> {
    let read = result(server, "resources/directory/read", json!({ "uri": uri })).await;
    let children = read["resources"].as_array().unwrap_or_else(|| panic!("{uri}: {read}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    children.iter().map(|child| (text(&child["uri"]), text(&child["mimeType"]))).collect()
}

#[tokio::test]
async fn a_folder_tells_its_direct_children_and_a_file_is_none() {
    let server = server(vec![refunds(), skill("acme/chase")]);
    let folder = "inode/directory".to_owned();
    assert_eq!(
        children(&server, "skill://acme/billing/refunds").await,
        [
            ("skill://acme/billing/refunds/SKILL.md".to_owned(), "text/markdown".to_owned()),
            ("skill://acme/billing/refunds/examples".to_owned(), folder.clone()),
            ("skill://acme/billing/refunds/logo.png".to_owned(), "image/png".to_owned()),
        ]
    );
    assert_eq!(
        children(&server, "skill://acme").await,
        [("skill://acme/billing".to_owned(), folder.clone()), ("skill://acme/chase".to_owned(), folder)]
    );
    for other in
        ["skill://acme/billing/refunds/SKILL.md", "skill://acme/", "skill://", "skill://nowhere", "test://a"]
    {
        let refused = result(&server, "resources/directory/read", json!({ "uri": other })).await;
        assert_eq!(refused["code"], -32602, "{other}");
    }
    let long = json!({ "uri": format!("skill://{}", "a".repeat(10_000)) });
    for method in ["skills/get", "resources/directory/read"] {
        assert_eq!(result(&server, method, long.clone()).await["code"], -32602);
        assert_eq!(result(&server, method, json!({})).await["code"], -32602);
        assert_eq!(result(&server, method, json!({ "uri": 5 })).await["code"], -32602);
    }
    let unknown = result(&server, "skills/get", json!({ "uri": "skill://nothing/SKILL.md" })).await;
    assert_eq!(unknown["code"], -32602);
    assert_eq!(result(&server, "skills/get", json!({ "uri": "skill://acme/chase" })).await["code"], -32602);
}

#[tokio::test]
async fn pages_hold_every_skill_once_and_cursors_are_bound_to_their_list() {
    let names: Vec<String> = (0..7).map(|number| format!("skill-{number}")).collect();
    let all: Vec<Skill> = names.iter().map(|name| skill(name)).collect();
    let many = SkillFile::text;
    let files = (0..7).map(|number| many(format!("file-{number}"), "x"));
    let server = server(Skills::from(all).skill(skill("filled").files(files)).page_entries(3));
    for (method, member, params) in [
        ("skills/list", "skills", json!({})),
        ("resources/directory/read", "resources", json!({ "uri": "skill://filled" })),
    ] {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
        loop {
            let mut params = params.clone();
            params["cursor"] = cursor;
            let page = result(&server, method, params).await;
            let entries = page[member].as_array().unwrap();
            assert!(entries.len() <= 3);
            seen.extend(entries.iter().map(|entry| entry["uri"].as_str().unwrap().to_owned()));
            pages += 1;
            match page.get("nextCursor") {
                Some(next) => cursor = next.clone(),
                None => break,
            }
        }
        assert_eq!((seen.len(), pages), (8, 3), "{method}");
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 8);
    }
    let cursor = result(&server, "skills/list", json!({})).await["nextCursor"].clone();
    let elsewhere = json!({ "uri": "skill://filled", "cursor": cursor });
    assert_eq!(result(&server, "resources/directory/read", elsewhere).await["code"], -32602);
    for forged in [json!("AAAA"), json!(3), json!(""), json!("x".repeat(100_000))] {
        assert_eq!(result(&server, "skills/list", json!({ "cursor": forged })).await["code"], -32602);
    }
}

#[tokio::test]
async fn without_skills_there_is_neither_the_extension_nor_its_methods() {
    let bare = server(Skills::new());
    let full = server(vec![skill("a")]);
    for version in ProtocolVersion::ALL {
        for method in ["skills/list", "skills/get", "resources/directory/read"] {
            let params = json!({ "uri": "skill://a/SKILL.md" });
            assert_eq!(
                answer(&bare, version, method, params.clone()).await["code"],
                -32601,
                "{version} {method}"
            );
            assert_ne!(answer(&full, version, method, params).await["code"], -32601, "{version} {method}");
        }
        let (method, params) = match version.era() {
            Era::Modern => ("server/discover", json!({})),
            Era::Handshake => {
                ("initialize", json!({ "protocolVersion": version.as_str(), "capabilities": {} }))
            }
        };
        let hello = |id: i64| match version.era() {
            Era::Modern => modern(id, method, params.clone()),
            Era::Handshake => plain(id, method, params.clone()),
        };
        let told = ask(&mut connect(&full), &hello(1)).await.result()["capabilities"].clone();
        let expected = json!({ "io.modelcontextprotocol/skills": { "directoryRead": true } });
        assert_eq!(told["extensions"], expected, "{version}");
        assert!(told["resources"].is_object());
        let told = ask(&mut connect(&bare), &hello(1)).await.result()["capabilities"].clone();
        assert_eq!(told.get("extensions"), None, "{version}");
    }
}

#[tokio::test]
async fn a_skill_with_a_generated_file_is_dynamic_and_is_read_anew() {
    let clock = resource(|| async { "now" });
    let today = SkillFile::generated("today.md", clock).mime_type("text/markdown");
    let server = server(vec![skill("report").file(today)]);
    let got = result(&server, "skills/get", json!({ "uri": "skill://report/SKILL.md" })).await;
    assert_eq!(got["skill"]["resources"], "dynamic");
    let read = result(&server, "resources/read", json!({ "uri": "skill://report/today.md" })).await;
    assert_eq!(
        read["contents"][0],
        json!({ "uri": "skill://report/today.md", "mimeType": "text/markdown", "text": "now" })
    );
    assert_eq!(children(&server, "skill://report").await.len(), 2);
}

#[tokio::test]
async fn an_unlisted_skill_is_got_by_its_uri() {
    let server = server(vec![skill("open"), skill("secret-menu").unlisted()]);
    let listed = result(&server, "skills/list", json!({})).await;
    assert_eq!(listed["skills"].as_array().unwrap().len(), 1);
    let got = result(&server, "skills/get", json!({ "uri": "skill://secret-menu/SKILL.md" })).await;
    assert_eq!(got["skill"]["frontmatter"]["name"], "secret-menu");
}

#[tokio::test]
async fn a_skill_inside_another_is_one_of_its_own_in_any_order() {
    let inner_text = "---\nname: inner\ndescription: Does inner\n---\n";
    let outer = || skill("outer").file(SkillFile::text("inner/SKILL.md", inner_text));
    for skills in [vec![outer(), skill("outer/inner")], vec![skill("outer/inner"), outer()]] {
        let server = server(skills);
        let listed = result(&server, "resources/list", json!({})).await;
        let inner: Vec<_> =
            listed["resources"].as_array().unwrap().iter().filter(|entry| entry["name"] == "inner").collect();
        assert_eq!(inner.len(), 1);
        assert_eq!(inner[0]["description"], "Does inner");
        assert_eq!(inner[0]["mimeType"], "text/markdown");
        assert_eq!(children(&server, "skill://outer/inner").await.len(), 1);
    }
}

/// What keeps skills from being served.
fn faults(skills: impl Into<Skills>) -> Vec<String> {
    let faults = serving(McpRouter::new()).skills(skills).build().unwrap_err();
    faults.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn refused(skill: Skill, part: &str) {
    let faults = faults(vec![skill]);
    assert!(faults.len() == 1 && faults[0].contains(part), "{part}: {faults:?}");
}

#[test]
fn what_is_wrong_with_a_skill_is_told_when_the_server_is_built() {
    let named = |value: Value| Skill::new("a", object(value)).file(SkillFile::text("SKILL.md", "---\n---\n"));
    refused(named(json!({ "name": "b", "description": "x" })), "names it `b`, and its folder `a`");
    refused(named(json!({ "description": "x" })), "no `name`");
    refused(named(json!({ "name": "a" })), "no `description`");
    refused(named(json!({ "name": "a", "description": 5 })), "no `description`");
    refused(named(json!({ "name": "a", "description": " " })), "an empty `description`");
    refused(named(json!({ "name": "a", "description": "x".repeat(1_025) })), "more than 1024 characters");
    let reserved = json!({ "name": "a", "description": "x", "metadata": { "io.modelcontextprotocol/x": 1 } });
    refused(named(reserved), "the protocol's own");
    refused(skill("Upper"), "1 to 64 lower-case");
    refused(skill("a b/c"), "before its name");
    refused(skill("../c"), "before its name");
    refused(skill("a").file(SkillFile::text("../x", "")), "no plain path");
    refused(skill("a").file(SkillFile::text("SKILL.md", "---")), "twice");
    refused(
        skill("a").file(SkillFile::text("x", "")).file(SkillFile::text("x/y", "")),
        "a file and a folder",
    );
    let bare = || Skill::new("a", object(json!({ "name": "a", "description": "x" })));
    refused(bare(), "no `SKILL.md`");
    refused(bare().file(SkillFile::text("SKILL.md", "# A")), "does not begin with front matter");
    refused(bare().file(SkillFile::blob("SKILL.md", &b"---\xff"[..])), "no UTF-8");
    let files = |count| (0..count).map(|number| SkillFile::text(format!("{number}"), ""));
    refused(skill("a").files(files(MAX_SKILL_FILES)), "513 files, and hosts take 512");
    let sized = |bytes: usize| SkillFile::blob(format!("{bytes}"), vec![0; bytes]);
    let large = (0..16).map(|number| sized((1 << 20) + number));
    let faults = faults(vec![skill("a").files(large)]);
    assert!(
        faults.iter().any(|fault| fault.contains("bytes together, and hosts take 16777216")),
        "{faults:?}"
    );
}

#[test]
fn what_is_wrong_with_several_skills_together_is_told_too() {
    assert_eq!(faults(vec![skill("a"), skill("a")]), ["skill `a`: is there twice"]);
    let outer = skill("outer").file(SkillFile::text("inner/SKILL.md", "---\nsomething else\n---\n"));
    let both = faults(vec![outer, skill("outer/inner")]);
    assert!(both[0].contains("not with the same fixed contents"), "{both:?}");
    let settings = faults(Skills::new().page_entries(0).page_bytes(5));
    assert_eq!(
        settings,
        [
            "skills.page_entries: 0 is outside 1 to 10000",
            "skills.page_bytes: 5 is outside 1024 to 1073741824"
        ]
    );
    let large = skill("a").file(SkillFile::text("big.md", "\u{1}".repeat(400_000)));
    assert_eq!(
        faults(vec![large]),
        [
            "skill `a`, file `big.md`: it has 2400002 bytes in a reply, which `limits.output_bytes` does not allow"
        ]
    );
    let long = json!({ "name": "a", "description": "x", "note": "y".repeat(2_000) });
    let long = Skill::new("a", object(long)).file(SkillFile::text("SKILL.md", "---\n"));
    let faults = serving(McpRouter::new())
        .limits(Limits::default().with_output_bytes(2_048))
        .skills(vec![long])
        .build()
        .unwrap_err();
    assert!(faults.to_string().contains("what is told of it has"), "{faults}");
}

#[test]
fn a_resource_of_the_same_uri_is_a_build_fault() {
    let router = McpRouter::new().resource("skill://a/SKILL.md", resource(|| async { "mine" }));
    let faults = serving(router).skills(vec![skill("a")]).build().unwrap_err();
    assert!(faults.to_string().contains("resource `skill://a/SKILL.md`: registered twice"), "{faults}");
}

#[tokio::test]
async fn a_template_of_the_author_leaves_the_files_of_skills_alone() {
    let any = resource(|Vars(rest): Vars<String>| async move { rest });
    let router = McpRouter::new().resource("skill://{+rest}", any);
    let server = serving(router).skills(vec![skill("a")]).build().unwrap();
    let read = result(&server, "resources/read", json!({ "uri": "skill://a/SKILL.md" })).await;
    assert!(read["contents"][0]["text"].as_str().unwrap().starts_with("---\n"));
}

/// The methods are the extension's own; what they carry of the protocol is judged by the protocol's schema.
#[tokio::test]
async fn what_a_folder_holds_fits_the_official_type_of_resources() {
    let server = server(vec![refunds()]);
    for version in ProtocolVersion::ALL {
        let Some(mut schema) = official_schema(version) else { return };
        let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        schema["$ref"] = json!(format!("#/{definitions}/Resource"));
        let resource = jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap();
        let params = json!({ "uri": "skill://acme/billing/refunds" });
        let told = answer(&server, version, "resources/directory/read", params).await;
        let children = told["resources"].as_array().unwrap();
        assert_eq!(children.len(), 3);
        for child in children {
            assert!(resource.is_valid(child), "{version}: {child}");
        }
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test may read its own files")]
async fn what_is_told_of_skills_is_what_was_approved() {
    let server = serving(McpRouter::new())
        .skills(Skills::from(vec![refunds(), skill("chase")]).page_entries(2))
        .list_ttl(std::time::Duration::from_secs(60))
        .build()
        .unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/skills");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for version in ProtocolVersion::ALL {
        for (kind, method, params) in [
            ("list", "skills/list", json!({})),
            ("get", "skills/get", json!({ "uri": "skill://chase/SKILL.md" })),
            ("get-unknown", "skills/get", json!({ "uri": "skill://x/SKILL.md" })),
            ("directory", "resources/directory/read", json!({ "uri": "skill://acme/billing/refunds" })),
            ("directory-unknown", "resources/directory/read", json!({ "uri": "skill://chase/SKILL.md" })),
        ] {
            let told = answer(&server, version, method, params).await;
            let text = serde_json::to_string_pretty(&told).unwrap() + "\n";
            let path = folder.join(format!("{kind}.{version}.json"));
            if update {
                std::fs::write(&path, &text).unwrap();
            } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
                wrong.push(format!("{}: {text}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "not as approved:\n{}", wrong.join("\n"));
}
