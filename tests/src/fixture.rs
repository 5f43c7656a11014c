//! Example servers as processes of their own: `everything`, and the application `mount_in_axum`.

use crate::{
    http_client::{HttpClient, PATIENCE, Request, Response},
    process::Process,
    session::Session,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, OnceLock, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// How long the server may take to start.
const START: Duration = Duration::from_secs(20);

/// Names another program to test in place of `everything`.
const PROGRAM: &str = "MCP_FIXTURE";

/// A running server; dropping it ends the process.
#[derive(Debug)]
pub struct Fixture {
    child: Child,
    address: SocketAddr,
    control: Option<SocketAddr>,
    said: Said,
}

/// What the server has written to stderr so far.
#[derive(Clone, Debug, Default)]
struct Said(Arc<Mutex<String>>);

impl Said {
    fn add(&self, line: &str) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        text.push_str(line);
        text.push('\n');
    }

    fn so_far(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Fixture {
    /// Starts the server with its probes on a free port.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(&["--probe"])
    }

    /// Starts the server with these arguments on a free port.
    ///
    /// # Panics
    /// When the server does not say within 20 seconds where it listens.
    #[must_use]
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::run(program(), &[&["--http", "127.0.0.1:0"], arguments].concat())
    }

    /// Starts the application whose routes agents use on a free port.
    ///
    /// # Panics
    /// When it does not say within 20 seconds where it listens.
    #[must_use]
    pub fn start_application() -> Self {
        static BUILT: OnceLock<PathBuf> = OnceLock::new();
        Self::run(BUILT.get_or_init(|| built("mount_in_axum")), &["127.0.0.1:0"])
    }

    fn run(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::inherit())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server can be started");
        let said = Said::default();
        let (ready, wait) = mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let listener = said.clone();
        thread::spawn(move || {
            let mut control = None;
            for line in stderr.lines().map_while(Result::ok) {
                listener.add(&line);
                if let Some(address) = line.strip_prefix("control on http://") {
                    control = address.parse().ok();
                }
                let address = line.strip_prefix("listening on http://");
                if let Some(address) = address.and_then(|rest| rest.split('/').next()?.parse().ok()) {
                    // Nobody waits any more when the start took too long.
                    let _ = ready.send((address, control));
                }
            }
        });
        match wait.recv_timeout(START) {
            Ok((address, control)) => Self { child, address, control, said },
            Err(_) => {
                let _ = child.kill();
                panic!("the server did not say where it listens; it said: {}", said.so_far());
            }
        }
    }

    /// The server's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A connection to the server.
    pub async fn connect(&self) -> HttpClient {
        HttpClient::connect(self.address).await
    }

    /// Sends a request on a connection of its own.
    pub async fn send(&self, request: &Request) -> Response {
        self.connect().await.send(request).await
    }

    /// Sends a message of a handshake revision in a session of its own.
    pub async fn send_in_session(&self, version: &str, message: &Value) -> Response {
        Session::begin(self, version).await.send(message).await
    }

    /// Gives a command to the control channel, which must take it.
    ///
    /// # Panics
    /// When the server was started without `--control`, or refuses the command.
    pub async fn control(&self, method: &str, path: &str) {
        let address = self.control.expect("the server was started with --control");
        let response = HttpClient::connect(address).await.send(&Request::new(method, path)).await;
        assert_eq!(response.status, 204, "{method} {path}: {}", response.text());
    }

    /// What is open at the server now, each by its name.
    ///
    /// # Panics
    /// When the server was started without `--control`.
    pub async fn counts(&self) -> BTreeMap<String, u64> {
        counts_at(self.control.expect("the server was started with --control")).await
    }

    /// The server's process.
    #[must_use]
    pub fn process(&self) -> Process {
        Process::new(self.child.id())
    }

    /// What the server has logged.
    #[must_use]
    pub fn log(&self) -> String {
        self.said.so_far()
    }

    /// Waits until the server has logged a text: its lines arrive after the answers they belong to.
    ///
    /// # Panics
    /// When it does not come in time.
    pub async fn logged(&self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.log().contains(text) {
            assert!(Instant::now() < deadline, "`{text}` is not logged: {}", self.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends the process a signal by name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(status.expect("kill can be run").success(), "the process takes the signal");
    }

    /// Waits for the process to end by itself.
    ///
    /// # Panics
    /// When it runs longer than `limit`.
    pub async fn ended(&mut self, limit: Duration) -> ExitStatus {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be watched") {
                return status;
            }
            assert!(Instant::now() < deadline, "the server still runs; it said: {}", self.log());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a control channel says is open.
pub(crate) async fn counts_at(control: SocketAddr) -> BTreeMap<String, u64> {
    let response = HttpClient::connect(control).await.send(&Request::new("GET", "/counts")).await;
    let counts = response.reply();
    let counts = counts.as_object().expect("counts are an object").iter();
    counts.map(|(name, count)| (name.clone(), count.as_u64().expect("a count is a number"))).collect()
}

/// The program of `everything`, built when no test runner has built it already.
pub fn program() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| match std::env::var_os(PROGRAM) {
        Some(program) => program.into(),
        None => built("everything"),
    })
}

/// The program of an example, built if it has to be.
fn built(example: &str) -> PathBuf {
    // The test itself is target/PROFILE/deps/NAME.
    let test = std::env::current_exe().expect("the test knows where it is");
    let profile = test.ancestors().nth(2).expect("tests lie in a folder of their profile");
    let program = profile.join("examples").join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    // A runner that gives each test its own process has built every target before it began.
    if std::env::var_os("NEXTEST").is_none() || !program.is_file() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--package", "mcp-server", "--example", example, "--target-dir"]);
        build.arg(profile.parent().expect("profiles lie in the target folder"));
        match profile.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => {}
            Some(name) => {
                build.args(["--profile", name]);
            }
        }
        let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo can be run");
        assert!(status.success(), "the example `{example}` does not build");
    }
    program
}
