//! The example server as a child process that is spoken to in lines, as a client over stdio does.

use crate::{fixture::program, http_client::PATIENCE};
use serde_json::Value;
use std::process::Stdio;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// A running server; dropping it ends the process.
#[derive(Debug)]
pub struct StdioClient {
    // Held for its end: the process is killed when this is dropped.
    _child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl StdioClient {
    /// Starts the server with these arguments.
    ///
    /// # Panics
    /// When the server cannot be started.
    #[must_use]
    pub fn start_with(arguments: &[&str]) -> Self {
        let mut child = Command::new(program())
            .arg("--stdio")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the server can be started");
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let lines = BufReader::new(child.stdout.take().expect("stdout is a pipe")).lines();
        Self { _child: child, stdin, lines }
    }

    /// Writes a message as one line.
    ///
    /// # Panics
    /// When the server does not read any more.
    pub async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.stdin.write_all(line.as_bytes()).await.expect("the server reads");
    }

    /// The next message.
    ///
    /// # Panics
    /// When none comes in time, or the line is not JSON.
    pub async fn next(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await;
        let line = line.unwrap_or_else(|_| panic!("no message within {PATIENCE:?}"));
        let line = line.expect("stdout can be read").expect("the server has not ended");
        serde_json::from_str(&line).expect("each line is a message")
    }
}
