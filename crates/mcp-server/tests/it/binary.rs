//! The `mcp-server` binary as a child process: its command line, its log, its transports, its end.

use crate::{
    post::call,
    program::{Ended, Program, binary, run},
};
use serde_json::{Value, json};
use std::fs;

async fn run_with(arguments: &[&str]) -> Ended {
    run(&binary(), arguments).await
}

async fn serving(arguments: &[&str]) -> (Program, String) {
    let mut all = vec!["serve", "--listen", "127.0.0.1:0"];
    all.extend(arguments);
    let mut program = Program::start(&binary(), &all);
    let url = program.url().await;
    (program, url)
}

fn add_note() -> Value {
    json!({ "name": "add_note", "arguments": { "title": "Tea", "text": "green" } })
}

#[tokio::test]
async fn help_teaches_and_goes_to_stdout() {
    let ended = run_with(&["--help"]).await;
    assert!(ended.status.success());
    for text in ["claude mcp add", "mcp-server stdio", "Exit status", "RUST_LOG"] {
        assert!(ended.stdout.contains(text), "no {text} in {}", ended.stdout);
    }
    let ended = run_with(&["serve", "--help"]).await;
    for text in ["--insecure-no-auth", "Token file", "[default: 127.0.0.1:8080]", "[default: /mcp]"] {
        assert!(ended.stdout.contains(text), "no {text} in {}", ended.stdout);
    }
}

#[tokio::test]
async fn the_version_is_told() {
    let ended = run_with(&["--version"]).await;
    assert!(ended.status.success());
    assert_eq!(ended.stdout, format!("mcp-server {}\n", env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn what_cannot_be_used_ends_with_status_two_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (empty, odd) = (file("empty", "# nobody\n"), file("odd", "good-enough-token ada\nto\u{e4}ken bob\n"));
    let missing = folder.path().join("missing").display().to_string();
    let serve = |more: &[&'static str]| [&["serve", "--listen", "127.0.0.1:0"], more].concat();
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["--nonsense"], "--nonsense"),
        (vec!["teleport"], "teleport"),
        (vec!["--listen", "somewhere"], "--listen"),
        (vec!["serve", "--listen", "0.0.0.0:0"], "--insecure-no-auth"),
        (serve(&["--path", "mcp"]), "path"),
        (serve(&["--allow-origin", "app.example.com"]), "allowed_origins"),
        (serve(&["--public-url", "notes"]), "public_url"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--tokens", &missing], "missing"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--tokens", &empty], "no token"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--tokens", &odd], "line 2"),
        (vec!["stdio", "--grace=-1"], "--grace"),
    ];
    for (arguments, word) in cases {
        let ended = run_with(&arguments).await;
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {ended:?}");
        assert!(ended.stderr.contains(word), "{arguments:?} is refused without {word}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{arguments:?}");
    }
}

#[tokio::test]
async fn an_address_that_is_taken_ends_with_status_one() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ended = run_with(&["serve", "--listen", &address]).await;
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    assert!(ended.stderr.contains(&address), "{ended:?}");
}

#[tokio::test]
async fn a_call_over_http_leaves_one_line_in_the_log() {
    for (format, outcome) in [("text", "outcome=\"completed\""), ("json", "\"outcome\":\"completed\"")] {
        let (mut program, url) = serving(&["--log", format]).await;
        let answered = call(&url, "tools/call", add_note(), &[]).await;
        assert_eq!(answered.result()["structuredContent"]["id"], "n1");
        program.wait_for("mcp::call").await;
        let line = program.said.last().unwrap().clone();
        for part in ["tools/call", "add_note", "2026-07-28", "http", outcome, "ms"] {
            assert!(line.contains(part), "no {part} in {line}");
        }
        if format == "json" {
            assert!(
                program.said.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()),
                "{:?}",
                program.said
            );
        }
    }
}

#[tokio::test]
async fn lists_and_refusals_leave_their_line_too() {
    let (mut program, url) = serving(&[]).await;
    for (method, params, outcome) in [
        ("tools/list", json!({}), "completed"),
        ("tools/call", json!({ "name": "nope" }), "refused"),
        ("tools/call", json!({ "name": "get_note", "arguments": { "id": 5 } }), "failed"),
        ("vendor/unknown", json!({}), "refused"),
    ] {
        call(&url, method, params, &[]).await;
        program.wait_for("mcp::call").await;
        let line = program.said.last().unwrap().clone();
        assert!(line.contains(method) && line.contains(outcome), "{line}");
    }
}

#[tokio::test]
async fn the_start_tells_where_for_whom_and_how_to_connect() {
    let (mut program, url) = serving(&["--path", "/notes"]).await;
    assert!(url.ends_with("/notes"), "{url}");
    program.wait_for("end ").await;
    let said = program.said.join("\n");
    assert!(said.contains(&format!("claude mcp add --transport http notes {url}")), "{said}");
    assert!(said.contains("everyone on this machine") && said.contains("2024-11-05"), "{said}");
}

#[tokio::test]
async fn the_old_wire_is_served_when_it_is_switched_on_and_the_start_tells_where() {
    let (mut program, url) = serving(&["--legacy-sse"]).await;
    program.wait_for("old wire").await;
    let stream = url.replace("/mcp", "/sse");
    assert!(program.said.last().unwrap().contains(&stream), "{:?}", program.said);
    let address = url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let told = tokio::task::spawn_blocking(move || {
        use std::io::{BufRead as _, BufReader, Write as _};
        let mut socket = std::net::TcpStream::connect(&address).unwrap();
        write!(socket, "GET /sse HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n").unwrap();
        let lines = BufReader::new(socket).lines().map_while(Result::ok);
        lines.into_iter().find(|line| line.starts_with("data:"))
    });
    let told = told.await.unwrap().expect("the stream begins with the URL for POSTs");
    assert!(told.starts_with("data: messages?session_id="), "{told}");
}

#[tokio::test]
async fn with_a_token_file_only_its_tokens_may_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    fs::write(&path, "3c9e1f0a7b5d4e2f8a6b3c9e1f0a7b5d ada notes:read\n").unwrap();
    let (_program, url) = serving(&["--tokens", path.to_str().unwrap()]).await;
    assert_eq!(call(&url, "tools/call", add_note(), &[]).await.status, 401);
    let header = ("authorization", "Bearer 3c9e1f0a7b5d4e2f8a6b3c9e1f0a7b5d");
    assert_eq!(call(&url, "tools/call", add_note(), &[header]).await.status, 200);
    let wrong = ("authorization", "Bearer 3c9e1f0a7b5d4e2f8a6b3c9e1f0a7b5e");
    assert_eq!(call(&url, "tools/call", add_note(), &[wrong]).await.status, 401);
}

/// Says hello over stdin and adds a note.
async fn handshake(program: &mut Program) {
    program
        .tell(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }))
        .await;
    let hello = program.hear().await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(hello["result"]["serverInfo"]["name"], "notes");
    program.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    program.tell(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": add_note() })).await;
    // The new resource may be announced before or after the answer.
    let mut answer = program.hear().await;
    while answer.get("id").is_none() {
        assert_eq!(answer["method"], "notifications/resources/list_changed");
        answer = program.hear().await;
    }
    assert_eq!(answer["result"]["structuredContent"]["id"], "n1");
}

#[tokio::test]
async fn stdout_carries_nothing_but_messages_however_much_is_logged() {
    let mut program = Program::start(&binary(), &["stdio", "-vvv"]);
    handshake(&mut program).await;
    program.stdin = None;
    let ended = program.end().await;
    assert!(ended.status.success(), "{ended:?}");
    for line in ended.stdout.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("on stdout: {line}"));
        assert_eq!(message["jsonrpc"], "2.0");
    }
    assert!(ended.stderr.contains("mcp::call"), "{}", ended.stderr);
}

/// A client that reads each answer, and the number of pings it sends.
struct Pinger {
    stdin: std::process::ChildStdin,
    answers: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
    times: u32,
}

impl Pinger {
    fn ping_all(&mut self) {
        use std::io::Write as _;
        for id in 0..self.times {
            writeln!(self.stdin, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })).unwrap();
            let answer: Value = serde_json::from_str(&self.answers.next().unwrap().unwrap()).unwrap();
            assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": id, "result": {} }));
        }
    }
}

fn pinged(times: u32) -> (std::process::Child, Pinger) {
    use std::{
        io::{BufRead as _, BufReader},
        process::{Command, Stdio},
    };
    let mut child = Command::new(binary())
        .args(["stdio", "-vvv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, Pinger { stdin, answers, times })
}

#[test]
fn a_client_that_closes_the_log_is_served_all_the_same() {
    let (mut child, mut client) = pinged(4);
    drop(child.stderr.take());
    client.ping_all();
    drop(client);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_client_that_leaves_the_log_unread_is_served_all_the_same() {
    // A pipe holds 64 KiB: far fewer lines than these pings are logged with.
    let (mut child, mut client) = pinged(1_000);
    client.ping_all();
    drop(client);
    assert!(child.wait().unwrap().success());
}

#[tokio::test]
async fn the_log_is_silent_when_it_is_off() {
    let mut program = Program::start(&binary(), &["stdio", "--log-level", "off"]);
    handshake(&mut program).await;
    program.stdin = None;
    let ended = program.end().await;
    assert_eq!(ended.stderr.trim(), "", "{ended:?}");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpStream,
    };

    #[tokio::test]
    async fn sigterm_and_sigint_end_an_idle_server_with_success() {
        for signal in ["TERM", "INT"] {
            let (program, url) = serving(&[]).await;
            assert_eq!(call(&url, "tools/call", add_note(), &[]).await.status, 200);
            program.signal(signal);
            let ended = program.end().await;
            assert_eq!(ended.status.code(), Some(0), "{signal}: {ended:?}");
            assert_eq!(ended.stdout, "");
        }
    }

    #[tokio::test]
    async fn sigterm_ends_stdio_with_success_while_stdin_is_open() {
        let mut program = Program::start(&binary(), &["stdio"]);
        handshake(&mut program).await;
        program.signal("TERM");
        let stdin = program.stdin.take();
        let ended = program.end().await;
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        drop(stdin);
    }

    #[tokio::test]
    async fn a_second_signal_ends_at_once_whatever_still_runs() {
        for (signal, status) in [("TERM", 143), ("INT", 130)] {
            let (mut program, url) = serving(&["--grace", "3600"]).await;
            let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
            let mut stream = TcpStream::connect(address).await.unwrap();
            // A request whose body never comes is still running when the signals do.
            let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                        accept: application/json, text/event-stream\r\n\
                        content-length: 100\r\nexpect: 100-continue\r\n\r\n";
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut answer = [0; 12];
            stream.read_exact(&mut answer).await.unwrap();
            assert_eq!(&answer, b"HTTP/1.1 100");
            program.signal(signal);
            program.wait_for("a second signal ends at once").await;
            program.signal(signal);
            let ended = program.end().await;
            assert_eq!(ended.status.code(), Some(status), "{ended:?}");
        }
    }

    #[tokio::test]
    async fn a_process_whose_server_has_ended_can_be_told_to_end() {
        let itself = std::env::current_exe().unwrap();
        let arguments = ["--exact", "binary::signals::goes_on_after_its_server", "--ignored", "--nocapture"];
        let mut program = Program::start(&itself, &arguments);
        program.wait_for("the server has ended").await;
        program.signal("TERM");
        let ended = program.end().await;
        assert_eq!(ended.status.code(), Some(143), "{ended:?}");
    }

    #[tokio::test]
    #[ignore = "the other half of the test before it, which runs it in a process of its own"]
    async fn goes_on_after_its_server() {
        drop(mcp_server::shutdown_signal().unwrap());
        eprintln!("the server has ended");
        std::future::pending::<()>().await;
    }
}
