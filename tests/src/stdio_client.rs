//! The example server as a child process that is spoken to in lines, as a client over stdio does.

use crate::{
    fixture::{counts_at, program},
    http_client::PATIENCE,
    process::Process,
};
use serde_json::Value;
use std::{collections::BTreeMap, net::SocketAddr, process::Stdio};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

/// A running server; dropping it ends the process.
#[derive(Debug)]
pub struct StdioClient {
    // Killed when this is dropped.
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    control: Option<SocketAddr>,
}

impl StdioClient {
    /// Starts the server with these arguments.
    ///
    /// # Panics
    /// When the server cannot be started.
    #[must_use]
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::start(arguments, Stdio::null())
    }

    /// Starts the server with these arguments and a control channel.
    ///
    /// # Panics
    /// When the server cannot be started, or has no control channel.
    pub async fn start_controlled(arguments: &[&str]) -> Self {
        let mut client = Self::start(&[arguments, &["--control", "0"]].concat(), Stdio::piped());
        let mut said = BufReader::new(client.child.stderr.take().expect("stderr is a pipe")).lines();
        let control = async {
            while let Some(line) = said.next_line().await.expect("stderr can be read") {
                if let Some(address) = line.strip_prefix("control on http://") {
                    return address.parse().ok();
                }
            }
            None
        };
        client.control =
            timeout(PATIENCE, control).await.expect("the server says where its control channel is");
        assert!(client.control.is_some(), "the server has a control channel");
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        client
    }

    fn start(arguments: &[&str], stderr: Stdio) -> Self {
        let mut child = Command::new(program())
            .arg("--stdio")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .kill_on_drop(true)
            .spawn()
            .expect("the server can be started");
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let lines = BufReader::new(child.stdout.take().expect("stdout is a pipe")).lines();
        Self { child, stdin, lines, control: None }
    }

    /// What is open at the server now, each by its name.
    ///
    /// # Panics
    /// When the server was started without a control channel.
    pub async fn counts(&self) -> BTreeMap<String, u64> {
        counts_at(self.control.expect("the server was started with a control channel")).await
    }

    /// The server's process.
    ///
    /// # Panics
    /// When it has ended.
    #[must_use]
    pub fn process(&self) -> Process {
        Process::new(self.child.id().expect("the server runs"))
    }

    /// Writes anything as one line.
    ///
    /// # Panics
    /// When the server does not read any more.
    pub async fn write_line(&mut self, line: &[u8]) {
        let written = async {
            self.stdin.write_all(line).await?;
            self.stdin.write_all(b"\n").await
        };
        timeout(PATIENCE, written).await.expect("the server reads in time").expect("the server reads");
    }

    /// Writes a message as one line.
    ///
    /// # Panics
    /// When the server does not read any more.
    pub async fn write(&mut self, message: &Value) {
        self.write_line(message.to_string().as_bytes()).await;
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
