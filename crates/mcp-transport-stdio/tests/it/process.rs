//! The process's own streams, in a child process.

use crate::fixture::{call, handshake, request, text};
use serde_json::{Value, json};
use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    os::{fd::OwnedFd, unix::net::UnixStream},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// The example that cargo builds beside the tests.
fn child() -> Command {
    let mut path = PathBuf::from(std::env::current_exe().unwrap());
    path.pop();
    path.pop();
    path.push("examples/stdio_child");
    assert!(path.exists(), "build it: cargo build -p mcp-transport-stdio --example stdio_child");
    Command::new(path)
}

fn piped() -> Command {
    let mut command = child();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The end of a process, which has to come within the time.
fn end_within(mut child: Child, time: Duration) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begin.elapsed() > time {
            child.kill().unwrap();
            panic!("the process did not end within {time:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn session(calls: &[Value]) -> String {
    let initialized = json!({"jsonrpc":"2.0","method":"notifications/initialized"});
    let hello = handshake();
    let lines = [&hello, &initialized].into_iter().chain(calls);
    lines.map(|line| format!("{line}\n")).collect()
}

/// The messages on a wire that holds nothing else.
fn messages(wire: impl Read) -> Vec<Value> {
    BufReader::new(wire).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn an_empty_input_ends_the_process_well() {
    let mut command = child();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    assert!(messages(child.stdout.take().unwrap()).is_empty());
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn a_handler_that_prints_and_reads_does_not_touch_the_wire() {
    let mut child = piped().spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let calls =
        [call(1, "prints", json!({"text": "{\"jsonrpc\":\"2.0\"} not mine"})), request(2, "tools/list")];
    to.write_all(session(&calls).as_bytes()).unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    for _ in 0..3 {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        seen.push(serde_json::from_str::<Value>(&line).unwrap());
    }
    drop(to);
    seen.extend(messages(from));
    let printed = seen.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(text(printed), "0 true");
    assert_eq!(seen.len(), 3);
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_eq!(log.matches("not mine").count(), 3, "{log}");
    assert!(log.contains("from a child") && log.contains("afterwards"), "{log}");
    assert!(end_within(child, Duration::from_secs(2)).success());
}

/// One session over any kind of stream: everything is answered, and the process ends well.
fn serves(input: impl Into<Stdio>, output: impl Into<Stdio>) -> Child {
    let mut command = child();
    command.stdin(input).stdout(output).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn forty_calls() -> String {
    let mut calls: Vec<Value> = (10..50).map(|id| call(id, "echo", json!({"text": "x"}))).collect();
    calls.push(call(50, "slow_echo", json!({"ms": 100, "text": "late"})));
    calls.push(call(51, "blob", json!({"bytes": 1_000_000})));
    session(&calls)
}

fn all_answered(messages: &[Value]) {
    let mut ids: Vec<i64> = messages.iter().filter_map(|message| message["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (10..=51).collect::<Vec<_>>());
}

#[test]
fn pipes_are_served() {
    let mut child = serves(Stdio::piped(), Stdio::piped());
    child.stdin.take().unwrap().write_all(forty_calls().as_bytes()).unwrap();
    all_answered(&messages(child.stdout.take().unwrap()));
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn sockets_are_served() {
    let (mut to, input) = UnixStream::pair().unwrap();
    let (from, output) = UnixStream::pair().unwrap();
    let child = serves(OwnedFd::from(input), OwnedFd::from(output));
    to.write_all(forty_calls().as_bytes()).unwrap();
    to.shutdown(std::net::Shutdown::Write).unwrap();
    all_answered(&messages(from));
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn one_socket_for_both_directions_is_served() {
    let (mut near, far) = UnixStream::pair().unwrap();
    let child = serves(OwnedFd::from(far.try_clone().unwrap()), OwnedFd::from(far));
    near.write_all(forty_calls().as_bytes()).unwrap();
    near.shutdown(std::net::Shutdown::Write).unwrap();
    all_answered(&messages(near));
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn files_are_served() {
    let folder = std::env::temp_dir().join(format!("mcp-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (input, output) = (folder.join("in"), folder.join("out"));
    std::fs::write(&input, forty_calls()).unwrap();
    let child = serves(File::open(&input).unwrap(), File::create(&output).unwrap());
    assert!(end_within(child, Duration::from_secs(5)).success());
    all_answered(&messages(File::open(&output).unwrap()));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn one_pipe_for_answers_and_log_is_served_with_a_slow_reader() {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut command = child();
    command.stdin(Stdio::piped()).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    child.stdin.take().unwrap().write_all(forty_calls().as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let lines = BufReader::new(reader).lines().map(|line| line.unwrap());
    let seen: Vec<Value> = lines.filter_map(|line| serde_json::from_str(&line).ok()).collect();
    all_answered(&seen);
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn a_closed_stderr_does_no_harm() {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" 2>&-"]).arg(child().get_program());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let calls = [call(1, "prints", json!({"text": "x"}))];
    child.stdin.take().unwrap().write_all(session(&calls).as_bytes()).unwrap();
    let seen = messages(child.stdout.take().unwrap());
    assert_eq!(seen.len(), 2);
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn a_reader_that_goes_away_ends_the_process_quietly() {
    for bytes in [1, 1 << 20] {
        let mut child = piped().spawn().unwrap();
        let mut to = child.stdin.take().unwrap();
        to.write_all(session(&[]).as_bytes()).unwrap();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        from.read_line(&mut String::new()).unwrap();
        if bytes == 1 {
            drop(from);
            to.write_all(format!("{}\n", call(1, "blob", json!({"bytes": bytes}))).as_bytes()).unwrap();
        } else {
            to.write_all(format!("{}\n", call(1, "blob", json!({"bytes": bytes}))).as_bytes()).unwrap();
            from.read_exact(&mut [0; 1_000]).unwrap();
            drop(from);
        }
        let mut log = child.stderr.take().unwrap();
        assert!(end_within(child, Duration::from_secs(2)).success());
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        assert!(!text.contains("panic"), "{text}");
    }
}

#[test]
fn a_signal_finishes_what_is_in_flight_and_cancels_what_hangs() {
    let mut child = piped().env("GRACE_MS", "700").spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let calls = [
        call(1, "slow_echo", json!({"ms": 300, "text": "finished"})),
        call(2, "never", json!({})),
        request(3, "ping"),
    ];
    to.write_all(session(&calls).as_bytes()).unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..2 {
        from.read_line(&mut String::new()).unwrap();
    }
    let terminated = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(terminated.success());
    let seen = messages(from);
    assert_eq!(seen.iter().map(text).collect::<Vec<_>>(), ["finished"]);
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("hanging: 0"), "{log}");
    assert!(end_within(child, Duration::from_secs(2)).success());
}

#[test]
fn a_shared_pipe_keeps_its_blocking_mode() {
    // The second command reads from the same pipe after the server has gone.
    let mut command = Command::new("sh");
    command
        .args(["-c", "exec 3<&0; \"$0\" <&3 & sleep 0.3; kill -TERM $!; wait $!; cat"])
        .arg(child().get_program());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    std::thread::sleep(Duration::from_millis(600));
    to.write_all(b"for the second\n").unwrap();
    drop(to);
    let mut rest = String::new();
    child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "for the second\n");
    assert!(end_within(child, Duration::from_secs(2)).success());
}
