//! Programs as child processes.

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// Far more than anything here takes; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program with its three streams.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
    /// The lines of stderr that were read so far.
    pub(crate) said: Vec<String>,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The binary.
pub(crate) fn binary() -> PathBuf {
    env!("CARGO_BIN_EXE_mcp-server").into()
}

/// An example; cargo builds them all with the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let path = binary()
        .parent()
        .unwrap()
        .join("examples")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        path.exists(),
        "{} is not built; run all tests of the package, or build its examples",
        path.display()
    );
    path
}

impl Program {
    pub(crate) fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()).lines(),
            stderr: BufReader::new(child.stderr.take().unwrap()).lines(),
            said: Vec::new(),
            child,
        }
    }

    /// Waits until the program says where it serves, and gives the URL.
    pub(crate) async fn url(&mut self) -> String {
        self.wait_for("http://").await;
        let line = self.said.last().unwrap();
        let (_, rest) = line.split_once("http://").unwrap();
        let end =
            rest.find(|character: char| character.is_whitespace() || character == '"').unwrap_or(rest.len());
        format!("http://{}", &rest[..end])
    }

    /// Waits for a line on stderr that holds the text.
    pub(crate) async fn wait_for(&mut self, text: &str) {
        loop {
            let line =
                timeout(PATIENCE, self.stderr.next_line()).await.expect("the program says nothing").unwrap();
            let line = line.unwrap_or_else(|| panic!("{text:?} was not said, but {:?}", self.said));
            let found = line.contains(text);
            self.said.push(line);
            if found {
                return;
            }
        }
    }

    /// Writes a message as a line to stdin.
    pub(crate) async fn tell(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.stdin.as_mut().unwrap().write_all(line.as_bytes()).await.unwrap();
    }

    /// Reads a line from stdout, which must be a message.
    pub(crate) async fn hear(&mut self) -> Value {
        let line = timeout(PATIENCE, self.stdout.next_line()).await.expect("no line").unwrap();
        let line = line.unwrap_or_else(|| panic!("stdout has ended; stderr so far: {:?}", self.said));
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message on stdout: {line}"))
    }

    /// Sends a signal by name, such as `TERM`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        let sent = std::process::Command::new("kill").args(["-s", name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; what is on the streams until then comes back.
    pub(crate) async fn end(mut self) -> Ended {
        let (mut out, mut err) = (self.stdout.into_inner(), self.stderr.into_inner());
        let (mut stdout, mut rest) = (String::new(), String::new());
        let all = async {
            tokio::join!(self.child.wait(), out.read_to_string(&mut stdout), err.read_to_string(&mut rest))
        };
        let (status, out, err) = timeout(PATIENCE, all).await.expect("the program does not end");
        out.and(err).unwrap();
        let mut stderr = self.said.join("\n");
        stderr.push('\n');
        stderr.push_str(&rest);
        Ended { status: status.unwrap(), stdout, stderr }
    }
}

/// Runs a program to its end.
pub(crate) async fn run(program: &Path, arguments: &[&str]) -> Ended {
    let mut running = Program::start(program, arguments);
    running.stdin = None;
    running.end().await
}
