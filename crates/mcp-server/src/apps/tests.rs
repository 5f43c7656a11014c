//! Folders of cards as hosts meet them, with hostile ones among the friendly.

use super::{CardFileFaults, Cards, folder, in_program};
use crate::{CardCsp, CardSettings, IconTheme, McpRouter, ProtocolVersion, TestClient, server, tool};
use serde_json::{Value, json};
use std::{fs, path::Path};
use tempfile::TempDir;

const PAGE: &str = "<!DOCTYPE html><title>Card</title>";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// A folder `cards` with the files, beside a file that nobody may read.
fn with(files: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    write(tree.path(), "secret.html", "<!DOCTYPE html>secret");
    fs::create_dir(tree.path().join("cards")).unwrap();
    for (path, text) in files {
        write(&tree.path().join("cards"), path, text);
    }
    tree
}

fn read(tree: &TempDir) -> Result<Cards, CardFileFaults> {
    folder(tree.path().join("cards")).read()
}

#[track_caller]
fn told(read: Result<Cards, CardFileFaults>) -> String {
    read.unwrap_err().to_string()
}

fn client(router: McpRouter, version: ProtocolVersion) -> TestClient {
    server(router).name("t").version("1").build().unwrap().client(version)
}

/// A server of the cards whose tool shows `card.html`.
fn showing(cards: &Cards) -> McpRouter {
    let show = tool(|| async { "x" }).describe("Shows").card("card.html");
    McpRouter::new().tool("show", show).merge(cards.router())
}

async fn advertised(client: &TestClient) -> String {
    let listed = client.list_tools().await;
    listed.result().unwrap()["tools"][0]["_meta"]["ui"]["resourceUri"].as_str().unwrap().to_owned()
}

async fn contents(client: &TestClient, uri: &str) -> Value {
    let answer = client.read_resource(uri).await;
    answer.result().unwrap_or_else(|| panic!("{uri}: {answer:?}"))["contents"][0].clone()
}

#[tokio::test]
async fn every_document_below_the_folder_is_a_card() {
    let tree = with(&[
        ("card.html", PAGE),
        ("bookings/card.html", PAGE),
        ("a b/ü.html", PAGE),
        ("README.md", "no card"),
        ("card.htm", "no card"),
        ("upper.HTML", "no card"),
        (".hidden.html", "no card"),
        (".git/config.html", "no card"),
        ("settings.json", "{"),
    ]);
    let cards = read(&tree).unwrap();
    assert_eq!(cards.paths().collect::<Vec<_>>(), ["a b/ü.html", "bookings/card.html", "card.html"]);
    for version in ProtocolVersion::ALL {
        let client = client(showing(&cards), version);
        let listed =
            client.request("resources/list", Value::Null).await.result().unwrap()["resources"].clone();
        let uris: Vec<_> = listed.as_array().unwrap().iter().map(|card| card["uri"].clone()).collect();
        assert_eq!(
            uris,
            ["ui://a%20b/%C3%BC.html", "ui://bookings/card.html", "ui://card.html"],
            "{version}"
        );
        for uri in uris {
            let read = contents(&client, uri.as_str().unwrap()).await;
            assert_eq!(read["text"], PAGE);
            assert_eq!(read["mimeType"], "text/html;profile=mcp-app");
        }
        assert_eq!(contents(&client, "ui://a b/ü.html").await["text"], PAGE, "raw URIs are found as well");
        let uri = advertised(&client).await;
        assert!(uri.starts_with("ui://card.html?v=") && uri.len() == 17 + 32, "{uri}");
        assert_eq!(contents(&client, &uri).await["uri"], uri);
    }
}

#[tokio::test]
async fn what_changes_a_card_changes_its_uri_and_nothing_else_does() {
    let tree = with(&[("card.html", PAGE)]);
    let uri = async |cards: Cards| advertised(&client(showing(&cards), ProtocolVersion::LATEST)).await;
    let first = uri(read(&tree).unwrap()).await;
    assert_eq!(uri(in_program([("card.html", PAGE)]).read().unwrap()).await, first);
    write(&tree.path().join("cards"), "other.html", PAGE);
    assert_eq!(uri(read(&tree).unwrap()).await, first);
    write(&tree.path().join("cards"), "card.meta.json", r#"{"prefersBorder": true}"#);
    let bordered = uri(read(&tree).unwrap()).await;
    let defaults = CardSettings::new().prefers_border();
    assert_eq!(uri(in_program([("card.html", PAGE)]).settings(defaults).read().unwrap()).await, bordered);
    write(&tree.path().join("cards"), "card.html", "<!DOCTYPE html>new");
    let changed = uri(read(&tree).unwrap()).await;
    assert!(first != bordered && bordered != changed && first != changed);
    let client = client(showing(&read(&tree).unwrap()), ProtocolVersion::LATEST);
    let outdated = client.read_resource(&first).await;
    assert!(format!("{outdated:?}").contains("Resource not found"), "{outdated:?}");
}

#[tokio::test]
async fn what_is_read_stays_whatever_happens_to_the_folder() {
    let tree = with(&[("card.html", PAGE)]);
    let client = client(showing(&read(&tree).unwrap()), ProtocolVersion::LATEST);
    let uri = advertised(&client).await;
    write(&tree.path().join("cards"), "card.html", "changed");
    write(&tree.path().join("cards"), "late.html", PAGE);
    assert_eq!(contents(&client, &uri).await["text"], PAGE);
    assert!(client.read_resource("ui://late.html").await.code().is_some());
}

#[tokio::test]
async fn settings_beside_a_card_replace_those_of_all() {
    let own = r#"{"csp": {"resourceDomains": ["https://cdn.example.com"]}, "prefersBorder": false}"#;
    let tree = with(&[("card.html", PAGE), ("card.meta.json", own), ("plain.html", PAGE)]);
    let defaults = CardSettings::new()
        .csp(CardCsp::new().connect("https://api.example.com"))
        .domain("cards.example.com")
        .prefers_border();
    let cards = folder(tree.path().join("cards")).settings(defaults).read().unwrap();
    let client = client(cards.router(), ProtocolVersion::LATEST);
    let expected = [
        json!({
            "csp": { "resourceDomains": ["https://cdn.example.com"] },
            "domain": "cards.example.com",
            "prefersBorder": false,
        }),
        json!({
            "csp": { "connectDomains": ["https://api.example.com"] },
            "domain": "cards.example.com",
            "prefersBorder": true,
        }),
    ];
    let listed = client.request("resources/list", Value::Null).await.result().unwrap()["resources"].clone();
    for (number, uri) in ["ui://card.html", "ui://plain.html"].into_iter().enumerate() {
        assert_eq!(listed[number]["_meta"]["ui"], expected[number]);
        assert_eq!(contents(&client, uri).await["_meta"]["ui"], expected[number]);
    }
}

#[test]
fn settings_that_cannot_be_used_are_told_with_their_file() {
    for (text, problem) in [
        ("", "these settings of a card cannot be used: "),
        ("{'csp': {}}", "these settings of a card cannot be used: "),
        (r#"{"prefersBorder": true,}"#, "these settings of a card cannot be used: "),
        (r#"{"prefersBorder": true, "prefersBorder": false}"#, "these settings of a card cannot be used: "),
        (r#"{"border": true}"#, "border: the extension knows no such member"),
        (r#"{"csp": {"connectDomains": ["https://a.example; script-src *"]}}"#, "csp.connectDomains[0]: "),
        (r#"{"csp": {"connectDomains": ["'unsafe-eval'"]}}"#, "csp.connectDomains[0]: "),
        (r#"{"csp": [["https://a.example"]]}"#, "csp: must be an object"),
        (r#"{"permissions": {"camera": false}}"#, "permissions.camera: must be `{}`"),
        (r#"{"__proto__": {}}"#, "__proto__: the extension knows no such member"),
    ] {
        let told = told(read(&with(&[("a/card.html", PAGE), ("a/card.meta.json", text)])));
        assert!(told.starts_with("the cards cannot be read: a/card.meta.json: "), "{told}");
        assert!(told.contains(problem), "{told}");
    }
    let alone = told(read(&with(&[("card.meta.json", "{}"), ("other.html", PAGE)])));
    assert_eq!(alone, "the cards cannot be read: card.meta.json: there is no card `card.html` beside it");
    let defaults = CardSettings::new().csp(CardCsp::new().frames("*"));
    let told = told(in_program([("card.html", PAGE)]).settings(defaults).read());
    assert!(
        told.contains("settings: these settings of a card cannot be used: csp.frameDomains[0]: "),
        "{told}"
    );
}

#[test]
fn what_is_no_document_is_told_with_its_file() {
    let tree =
        with(&[("fragment.html", "<p>"), ("empty.html", ""), ("percent%2e.html", PAGE), ("q?.html", PAGE)]);
    write(&tree.path().join("cards"), "latin1.html", b"<!DOCTYPE html>\xe4");
    let told = told(read(&tree));
    for line in [
        "empty.html: it is no HTML document; begin it with `<!DOCTYPE html>`",
        "fragment.html: it is no HTML document",
        "latin1.html: it is no UTF-8",
        "percent%2e.html: the path of a card has no backslash, colon, `?`, `#`, `%` or control character",
        "q?.html: the path of a card has no backslash",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(told.starts_with("the cards cannot be read, 5 faults:\n"), "{told}");
}

#[test]
fn settings_out_of_range_are_told_all_at_once() {
    for cards in [folder("nowhere"), in_program([("a.html", PAGE)])] {
        let all = told(cards.max_files(0).max_bytes(0).max_file_bytes(0).max_depth(65).read());
        for setting in ["max_files", "max_bytes", "max_file_bytes", "max_depth"] {
            assert!(all.contains(&format!("{setting}: ")), "{all}");
        }
    }
}

#[test]
fn bounds_are_told_with_the_file_and_the_setting() {
    let tree = with(&[("a.html", PAGE), ("b/b.html", PAGE), ("notes.txt", &"x".repeat(10_000))]);
    let cards = || folder(tree.path().join("cards")).max_file_bytes(PAGE.len() as u64);
    assert!(cards().read().is_ok(), "a file that is no card is not read");
    let told = |read: Result<Cards, CardFileFaults>| told(read);
    assert!(
        told(cards().max_file_bytes(33).read())
            .contains("a.html: it has more than 33 bytes (setting: max_file_bytes)")
    );
    assert!(
        told(cards().max_bytes(60).read()).contains("b/b.html: with it the files have more than 60 bytes")
    );
    assert!(
        told(cards().max_depth(0).read()).contains("b: it is more than 0 folders deep (setting: max_depth)")
    );
    assert!(told(cards().max_files(1).read()).contains("more than 1 files (setting: max_files)"));
    let program = || in_program([("a.html", PAGE), ("b.html", PAGE), ("notes.txt", "x")]);
    assert!(program().max_files(2).read().is_ok());
    assert!(told(program().max_files(1).read()).contains("b.html: with it there are more than 1 files"));
    assert!(
        told(program().max_bytes(60).read()).contains("b.html: with it the files have more than 60 bytes")
    );
    assert!(told(program().max_file_bytes(33).read()).contains("a.html: it has more than 33 bytes"));
}

#[test]
fn files_in_the_program_are_held_to_the_same() {
    let told = told(
        in_program([
            ("/absolute.html", PAGE),
            ("../up.html", PAGE),
            ("twice.html", PAGE),
            ("twice.html", PAGE),
            ("fragment.html", "<p>"),
            ("lonely.meta.json", "{}"),
        ])
        .read(),
    );
    for place in [
        "/absolute.html: ",
        "../up.html: ",
        "twice.html: it is there twice",
        "fragment.html: ",
        "lonely.meta.json: ",
    ] {
        assert!(told.contains(place), "{told}");
    }
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_and_what_is_no_file_are_refused_by_name() {
        let tree = with(&[("card.html", PAGE)]);
        let root = tree.path().join("cards");
        symlink(tree.path().join("secret.html"), root.join("absolute.html")).unwrap();
        symlink("../secret.html", root.join("relative.html")).unwrap();
        symlink("card.html", root.join("inside.html")).unwrap();
        symlink("../secret.html", root.join("card.meta.json")).unwrap();
        symlink("circle.html", root.join("circle.html")).unwrap();
        let pipe = root.join("pipe.html");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket.html")).unwrap();
        fs::create_dir(root.join("folder.html")).unwrap();
        let told = told(read(&tree));
        for (path, problem) in [
            ("absolute.html", "symbolic link"),
            ("relative.html", "symbolic link"),
            ("inside.html", "symbolic link"),
            ("card.meta.json", "symbolic link"),
            ("circle.html", "symbolic link"),
            ("pipe.html", "neither a file nor a folder"),
            ("socket.html", "neither a file nor a folder"),
        ] {
            let line =
                told.lines().find(|line| line.contains(path)).unwrap_or_else(|| panic!("{path}: {told}"));
            assert!(line.contains(problem), "{line}");
        }
        assert!(told.starts_with("the cards cannot be read, 7 faults:\n"), "{told}");
    }

    #[tokio::test]
    async fn links_to_folders_are_not_followed_and_other_links_left_alone() {
        let tree = with(&[("card.html", PAGE)]);
        let root = tree.path().join("cards");
        symlink("..", root.join("up")).unwrap();
        symlink("/", root.join("root")).unwrap();
        symlink(".", root.join("circle")).unwrap();
        symlink("../secret.html", root.join("notes.txt")).unwrap();
        let cards = read(&tree).unwrap();
        assert_eq!(cards.paths().collect::<Vec<_>>(), ["card.html"]);
    }

    #[test]
    fn an_icon_behind_a_link_that_leads_out_is_no_file() {
        let tree = with(&[]);
        write(tree.path(), "secret.svg", "<svg>secret</svg>");
        let root = tree.path().join("cards");
        symlink("../secret.svg", root.join("out.svg")).unwrap();
        symlink("..", root.join("up")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(root.join("pipe.svg")).status().unwrap().success());
        let cards = read(&tree).unwrap();
        for path in ["out.svg", "up/secret.svg", "../secret.svg", "pipe.svg"] {
            assert!(icon_problem(&cards, path).contains("is no file in the folder of cards"), "{path}");
        }
    }
}

#[tokio::test]
async fn no_uri_leads_out_of_the_folder_or_to_a_card_by_another_way() {
    let tree = with(&[("card.html", PAGE), ("bookings/card.html", PAGE), (".env.html", "secret")]);
    let absolute = tree.path().join("secret.html").display().to_string();
    for version in [ProtocolVersion::LATEST, ProtocolVersion::LATEST_HANDSHAKE, ProtocolVersion::V2024_11_05]
    {
        let client = client(showing(&read(&tree).unwrap()), version);
        for path in [
            "../secret.html",
            "..%2Fsecret.html",
            "%2e%2e/secret.html",
            "%2E%2E%2Fsecret.html",
            "%252e%252e/secret.html",
            "bookings/../../secret.html",
            "bookings/..%2Fcard.html",
            "bookings/../card.html",
            "./card.html",
            "/card.html",
            "bookings//card.html",
            "bookings%2Fcard.html",
            "bookings\\card.html",
            "bookings%5Ccard.html",
            "card.html/",
            "card.html%00",
            "card%2Ehtml",
            "CARD.html",
            "card.HTML",
            "Bookings/card.html",
            "card.html#x",
            ".env.html",
            "bookings",
            "",
            &absolute,
            &absolute.replace('/', "%2F"),
        ] {
            let answer = client.read_resource(&format!("ui://{path}")).await;
            assert!(format!("{answer:?}").contains("Resource not found"), "{path}: {answer:?}");
        }
    }
}

/// What the server says of a tool with the icon.
fn icon_problem(cards: &Cards, src: &str) -> String {
    let plain = tool(|| async { "x" }).describe("d").icon(cards.icon(src));
    let built = server(McpRouter::new().tool("t", plain)).name("t").version("1").build();
    let told = built.unwrap_err().to_string();
    told.strip_prefix(&format!("the server cannot be built: tool `t`: the icon `{src}` "))
        .unwrap_or(&told)
        .to_owned()
}

async fn icons(cards: &Cards, src: &str) -> Value {
    let icon = cards.icon(src).sizes(["any"]).theme(IconTheme::Dark);
    let plain = tool(|| async { "x" }).describe("d").icon(icon);
    let answer = client(McpRouter::new().tool("t", plain), ProtocolVersion::LATEST).list_tools().await;
    answer.result().unwrap()["tools"][0]["icons"].clone()
}

#[tokio::test]
async fn images_beside_the_cards_become_data_urls() {
    let tree = with(&[("icons/book.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")]);
    let root = tree.path().join("cards");
    write(&root, "icons/book.png", PNG);
    write(&root, "icons/book.webp", b"RIFF\0\0\0\0WEBP");
    write(&root, "icons/book.jpg", b"\xff\xd8\xff\xe0");
    write(&root, "icons/book.jpeg", b"\xff\xd8\xff\xe0");
    let program = in_program([("icons/book.png", PNG)]).read().unwrap();
    let cards = read(&tree).unwrap();
    for (cards, path, media_type) in [
        (&cards, "icons/book.svg", "image/svg+xml"),
        (&cards, "icons/book.png", "image/png"),
        (&cards, "icons/book.webp", "image/webp"),
        (&cards, "icons/book.jpg", "image/jpeg"),
        (&cards, "icons/book.jpeg", "image/jpeg"),
        (&program, "icons/book.png", "image/png"),
    ] {
        let icon = &icons(cards, path).await[0];
        assert!(icon["src"].as_str().unwrap().starts_with(&format!("data:{media_type};base64,")), "{icon}");
        assert_eq!((&icon["mimeType"], &icon["theme"]), (&json!(media_type), &json!("dark")));
        assert_eq!(icon["sizes"], json!(["any"]));
    }
}

#[tokio::test]
async fn other_icons_are_as_they_are_or_below_the_public_url() {
    let tree = with(&[]);
    let cards = folder(tree.path().join("cards")).public_url("https://example.com:8443/app/").read().unwrap();
    for (src, expected) in [
        ("https://other.example/a.png", "https://other.example/a.png"),
        ("data:image/png;base64,iVBORw==", "data:image/png;base64,iVBORw=="),
        ("icons/a b.png", "https://example.com:8443/app/icons/a%20b.png"),
        ("/static/a.png", "https://example.com:8443/static/a.png"),
    ] {
        assert_eq!(icons(&cards, src).await[0]["src"], expected);
    }
    for src in ["../a.png", "a/../../b.png", "//other.example/a.png", "", "a\\b.png", "%2e%2e/a.png", "/"] {
        assert_eq!(icon_problem(&cards, src), "is no path that a URL can be made of", "{src}");
    }
}

#[test]
fn icons_that_cannot_be_shown_are_build_faults_that_name_their_tool() {
    let tree = with(&[("page.svg", "<p>"), ("text.png", "text"), ("note.txt", "text")]);
    let root = tree.path().join("cards");
    write(&root, "large.png", [PNG, &[0; 64 * 1024]].concat());
    let cards = read(&tree).unwrap();
    for (src, problem) in [
        (
            "none.svg",
            "is no file in the folder of cards; put it there, or set `public_url` for paths of the application",
        ),
        ("page.svg", "is no image of the kind that `.svg` stands for"),
        ("text.png", "is no image of the kind that `.png` stands for"),
        ("note.txt", "is no image: the name of one ends with .png, .svg, .webp, .jpg or .jpeg"),
        ("large.png", "is a file of more than 65536 bytes, which every list would carry"),
        ("http://example.com/a.png", "is neither a path, nor an https: or data: URI"),
        ("javascript:alert(1)", "is neither a path, nor an https: or data: URI"),
        ("file:///etc/passwd", "is neither a path, nor an https: or data: URI"),
    ] {
        assert_eq!(icon_problem(&cards, src), problem, "{src}");
    }
    let large = in_program([("large.png", [PNG, &[0; 64 * 1024]].concat())]).read().unwrap();
    assert!(icon_problem(&large, "large.png").starts_with("is a file of more than 65536 bytes"));
}

#[test]
fn a_folder_that_is_none_and_a_url_that_begins_none_are_faults() {
    let tree = with(&[]);
    for path in ["nowhere", "secret.html"] {
        let told = told(folder(tree.path().join(path)).read());
        assert!(told.contains(path) && told.contains("it cannot be read: "), "{told}");
    }
    for url in [
        "http://example.com",
        "example.com",
        "https://",
        "https:///x",
        "https://a@b.example",
        "https://a.example?x",
        "https://a b",
    ] {
        let told = told(folder(tree.path().join("cards")).public_url(url).read());
        assert!(told.contains("public_url: write an absolute `https://` URL"), "{url}: {told}");
    }
}
