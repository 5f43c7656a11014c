//! Files and folders as a client meets them, with hostile paths among the friendly ones.

use super::{FolderFault, HiddenFiles, IconFault, MAX_ICON_BYTES, file, file_within, folder, icon};
use crate::{Answer, McpRouter, ProtocolVersion, TestClient, server};
use serde_json::{Value, json};
use std::{fs, path::Path};
use tempfile::TempDir;

/// A folder `served` with files, beside a file that nobody may read.
fn tree() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = tree.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("secret.txt", b"secret");
    write("served-too/secret.txt", b"secret");
    write("served/README.md", "# Grüße\n".as_bytes());
    write("served/a b/ü 100%.json", b"{}");
    write("served/guide/start.html", b"<p>");
    write("served/guide/deep/er/end.txt", b"deep");
    write("served/picture.png", &[0x89, b'P', b'N', b'G']);
    write("served/latin1.txt", &[0xE4]);
    write("served/.env", b"secret");
    write("served/.git/config", b"secret");
    tree
}

fn client(router: McpRouter) -> TestClient {
    server(router).name("t").version("1").build().unwrap().client(ProtocolVersion::LATEST)
}

fn served(tree: &TempDir) -> TestClient {
    client(folder(tree.path().join("served"), "docs://").describe("d").title("t").open().unwrap())
}

fn contents(answer: &Answer) -> Value {
    answer.result().unwrap_or_else(|| panic!("{answer:?}"))["contents"][0].clone()
}

async fn uris(client: &TestClient) -> Vec<String> {
    let answer = client.request("resources/list", Value::Null).await;
    let listed = answer.result().unwrap()["resources"].as_array().unwrap().clone();
    listed.iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_listed_file_can_be_read_by_its_uri() {
    let tree = tree();
    let client = served(&tree);
    let listed = uris(&client).await;
    assert_eq!(
        listed,
        [
            "docs://README.md",
            "docs://a%20b/%C3%BC%20100%25.json",
            "docs://guide/deep/er/end.txt",
            "docs://guide/start.html",
            "docs://latin1.txt",
            "docs://picture.png",
        ]
    );
    for uri in &listed {
        let read = contents(&client.read_resource(uri).await);
        assert_eq!(read["uri"], *uri);
    }
    let raw = contents(&client.read_resource("docs://a b/ü 100%25.json").await);
    assert_eq!(raw["text"], "{}");
}

#[tokio::test]
async fn text_is_text_and_anything_else_a_blob() {
    let tree = tree();
    let client = served(&tree);
    let read = async |uri: &str| contents(&client.read_resource(uri).await);
    let text = read("docs://README.md").await;
    assert_eq!((&text["text"], &text["mimeType"]), (&json!("# Grüße\n"), &json!("text/markdown")));
    let picture = read("docs://picture.png").await;
    assert_eq!((&picture["blob"], &picture["mimeType"]), (&json!("iVBORw=="), &json!("image/png")));
    let latin1 = read("docs://latin1.txt").await;
    assert_eq!((&latin1["blob"], &latin1["mimeType"]), (&json!("5A=="), &json!("text/plain")));
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let tree = tree();
    let client = served(&tree);
    let absolute = tree.path().join("secret.txt").display().to_string();
    let encoded = absolute.replace('/', "%2F");
    for path in [
        "../secret.txt",
        "..%2Fsecret.txt",
        "%2e%2e/secret.txt",
        "%2E%2E%2Fsecret.txt",
        "guide/../../secret.txt",
        "guide/..%2F..%2Fsecret.txt",
        "guide/../README.md",
        "./README.md",
        ".%2FREADME.md",
        "../served-too/secret.txt",
        "..%5Csecret.txt",
        "%252e%252e/secret.txt",
        "/README.md",
        "guide//start.html",
        "README.md/",
        "README.md%00",
        "%00",
        "guide",
        "C:%5Csecret.txt",
        "missing.md",
        &absolute,
        &encoded,
    ] {
        let answer = client.read_resource(&format!("docs://{path}")).await;
        assert_eq!(answer.code(), Some(-32602), "{path}: {answer:?}");
        let told = format!("{answer:?}");
        assert!(told.contains("Resource not found"), "{path} looks different from a missing file: {told}");
    }
}

#[tokio::test]
async fn hidden_files_do_not_exist_unless_they_are_served() {
    let tree = tree();
    for path in [".env", ".git/config", "%2Eenv", "%2egit/config"] {
        let answer = served(&tree).read_resource(&format!("docs://{path}")).await;
        assert_eq!(answer.code(), Some(-32602), "{path}: {answer:?}");
    }
    let root = tree.path().join("served");
    let open = client(folder(root, "docs://").hidden(HiddenFiles::Served).open().unwrap());
    assert_eq!(contents(&open.read_resource("docs://.git/config").await)["text"], "secret");
    assert_eq!(uris(&open).await.len(), 8);
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    #[tokio::test]
    async fn a_link_that_leads_out_is_neither_listed_nor_read() {
        let tree = tree();
        let root = tree.path().join("served");
        symlink(tree.path().join("secret.txt"), root.join("absolute.txt")).unwrap();
        symlink("../secret.txt", root.join("relative.txt")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("/", root.join("root")).unwrap();
        symlink("relative.txt", root.join("twice.txt")).unwrap();
        symlink("circle", root.join("circle")).unwrap();
        let client = served(&tree);
        assert_eq!(uris(&client).await.len(), 6);
        for path in
            ["absolute.txt", "relative.txt", "up/secret.txt", "root/etc/passwd", "twice.txt", "circle"]
        {
            let answer = client.read_resource(&format!("docs://{path}")).await;
            assert_eq!(answer.code(), Some(-32602), "{path}: {answer:?}");
        }
    }

    #[tokio::test]
    async fn a_link_that_stays_inside_is_followed_unless_it_leads_to_a_hidden_file() {
        let tree = tree();
        let root = tree.path().join("served");
        symlink("../README.md", root.join("guide/readme.md")).unwrap();
        symlink("guide", root.join("manual")).unwrap();
        symlink(".env", root.join("environment")).unwrap();
        symlink(".git", root.join("repository")).unwrap();
        let client = served(&tree);
        assert_eq!(contents(&client.read_resource("docs://guide/readme.md").await)["text"], "# Grüße\n");
        assert_eq!(contents(&client.read_resource("docs://manual/start.html").await)["text"], "<p>");
        for path in ["environment", "repository/config"] {
            assert_eq!(client.read_resource(&format!("docs://{path}")).await.code(), Some(-32602), "{path}");
        }
        let listed = uris(&client).await;
        assert!(listed.contains(&"docs://guide/readme.md".to_owned()), "{listed:?}");
        assert_eq!(listed.len(), 7, "{listed:?}");
    }

    #[tokio::test]
    async fn a_pipe_does_not_hold_the_call_up() {
        let tree = tree();
        let pipe = tree.path().join("served/pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let client = served(&tree);
        assert_eq!(client.read_resource("docs://pipe").await.code(), Some(-32602));
        assert_eq!(uris(&client).await.len(), 6);
        let single = self::client(McpRouter::new().resource("x://pipe", file(&pipe)));
        assert!(single.read_resource("x://pipe").await.code().is_some());
    }
}

#[tokio::test]
async fn lists_keep_to_their_bounds_and_stay_in_order() {
    let tree = tree();
    let root = || folder(tree.path().join("served"), "docs://");
    let first = client(root().max_listed(2).open().unwrap());
    assert_eq!(uris(&first).await, ["docs://README.md", "docs://a%20b/%C3%BC%20100%25.json"]);
    let beyond = first.read_resource("docs://picture.png").await;
    assert!(beyond.result().is_some(), "what is not listed can be read: {beyond:?}");
    let shallow = client(root().max_depth(1).open().unwrap());
    assert_eq!(uris(&shallow).await, ["docs://README.md", "docs://latin1.txt", "docs://picture.png"]);
    let two = uris(&client(root().max_depth(2).open().unwrap())).await;
    assert!(
        two.contains(&"docs://guide/start.html".to_owned()) && !two.iter().any(|uri| uri.contains("deep"))
    );
}

#[tokio::test]
async fn a_file_larger_than_the_bound_is_refused_with_its_reason() {
    let tree = tree();
    let exact = client(folder(tree.path().join("served"), "docs://").max_bytes(4).open().unwrap());
    assert!(exact.read_resource("docs://picture.png").await.result().is_some());
    let large = exact.read_resource("docs://README.md").await;
    assert!(format!("{large:?}").contains("larger than the 4 bytes"), "{large:?}");
    let single = client(McpRouter::new().resource("x://a", file_within(tree.path().join("secret.txt"), 5)));
    assert!(format!("{:?}", single.read_resource("x://a").await).contains("larger than the 5 bytes"));
}

#[tokio::test]
async fn a_single_file_is_read_anew_each_time() {
    let tree = tree();
    let path = tree.path().join("served/README.md");
    let client = client(McpRouter::new().resource("about://this", file(&path).title("About")));
    assert_eq!(contents(&client.read_resource("about://this").await)["mimeType"], "text/markdown");
    fs::write(&path, "new").unwrap();
    assert_eq!(contents(&client.read_resource("about://this").await)["text"], "new");
    fs::remove_file(&path).unwrap();
    assert_eq!(client.read_resource("about://this").await.code(), Some(-32602));
    assert_eq!(uris(&client).await, ["about://this"]);
}

#[tokio::test]
async fn paths_can_be_completed() {
    let tree = tree();
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "docs://{+path}" },
        "argument": { "name": "path", "value": "guide/" },
    });
    let answer = served(&tree).request("completion/complete", params).await;
    assert_eq!(
        answer.result().unwrap()["completion"]["values"],
        json!(["guide/deep/er/end.txt", "guide/start.html"])
    );
}

#[test]
fn what_cannot_be_served_is_refused_at_the_start() {
    let tree = tree();
    let fault = |root: &Path, prefix: &str| folder(root, prefix).open::<()>().unwrap_err();
    assert!(matches!(fault(&tree.path().join("nowhere"), "docs://"), FolderFault::Unreadable { .. }));
    assert!(matches!(fault(&tree.path().join("secret.txt"), "docs://"), FolderFault::Unreadable { .. }));
    for prefix in ["", "docs", "/docs/", "docs://{x"] {
        assert!(matches!(fault(tree.path(), prefix), FolderFault::Prefix { .. }), "{prefix}");
    }
}

#[tokio::test]
async fn a_file_becomes_an_icon_when_it_is_a_small_image() {
    let tree = tree();
    let picture = tree.path().join("served/picture.png");
    let read = icon(&picture).unwrap().sizes(["48x48"]);
    // What is read is read once: the file may go away or change.
    fs::write(&picture, vec![0; usize::try_from(MAX_ICON_BYTES).unwrap() + 1]).unwrap();
    let plain = crate::tool(|| async { "x" }).describe("d").icon(read);
    let answer = client(McpRouter::new().tool("t", plain)).list_tools().await;
    let icons = &answer.result().unwrap()["tools"][0]["icons"];
    let src = "data:image/png;base64,iVBORw==";
    assert_eq!(*icons, json!([{ "src": src, "mimeType": "image/png", "sizes": ["48x48"] }]));

    assert!(matches!(icon(&picture), Err(IconFault::TooLarge { .. })));
    assert!(matches!(icon(tree.path().join("none.svg")), Err(IconFault::Unreadable { .. })));
    let text = icon(tree.path().join("secret.txt")).unwrap_err().to_string();
    assert!(text.ends_with("has no extension of an image, such as .png or .svg"), "{text}");
}
