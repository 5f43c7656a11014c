//! Sockets on which anything is written, and whose end is no fault.

use mcp_tests::{fixture::Fixture, http_client::PATIENCE};
use std::{io, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{interval, timeout},
};

/// A connection that does as it likes.
#[derive(Debug)]
pub(super) struct Raw(TcpStream);

impl Raw {
    pub(super) async fn connect(fixture: &Fixture) -> Self {
        Self(TcpStream::connect(fixture.address()).await.expect("the server listens"))
    }

    /// Writes until all is written or the server has closed the connection.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        timeout(PATIENCE, self.0.write_all(bytes)).await.expect("the server reads or closes")
    }

    /// Says that nothing more comes, and goes on listening.
    pub(super) async fn close_half(&mut self) -> io::Result<()> {
        self.0.shutdown().await
    }

    /// Reads until the server closes the connection, which it must.
    pub(super) async fn until_closed(mut self) -> String {
        let mut received = Vec::new();
        // A reset is an end like any other.
        let _ = timeout(PATIENCE, self.0.read_to_end(&mut received)).await.expect("the server closes");
        String::from_utf8_lossy(&received).into_owned()
    }

    /// Writes a byte now and then until the server has had enough of it, which it must have.
    pub(super) async fn drip(mut self, byte: u8) {
        let mut pace = interval(Duration::from_millis(20));
        let dripping = async {
            while self.0.write_all(&[byte]).await.is_ok() {
                pace.tick().await;
            }
        };
        timeout(PATIENCE, dripping).await.expect("the server closes");
    }

    /// Breaks the connection with a reset.
    pub(super) fn reset(self) {
        self.0.set_zero_linger().expect("the option is known");
    }
}
