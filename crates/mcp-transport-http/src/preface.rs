//! Which version of HTTP a new connection speaks.

use bytes::Bytes;
use std::io;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    time::{Instant, timeout_at},
};

/// The bytes an HTTP/2 client begins with.
///
/// RFC 9113 section 3.4.
const HTTP2: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The version of HTTP of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Http1,
    Http2,
}

/// Takes the first bytes of a connection, enough to tell the version, and gives them back with it.
///
/// A client that does not send enough of them before the deadline, or leaves before that, gets an error: it
/// must not hold its place among the connections for free.
pub(crate) async fn version(
    stream: &mut (impl AsyncRead + Unpin),
    deadline: Instant,
) -> io::Result<(Version, Bytes)> {
    let mut first = [0; HTTP2.len()];
    let mut length = 0;
    loop {
        let room = first.get_mut(length..).unwrap_or_default();
        let read = timeout_at(deadline, stream.read(room)).await.map_err(|_| io::ErrorKind::TimedOut)??;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        length += read;
        let seen = first.get(..length).unwrap_or(&first);
        if !HTTP2.starts_with(seen) {
            return Ok((Version::Http1, Bytes::copy_from_slice(seen)));
        }
        if seen.len() == HTTP2.len() {
            return Ok((Version::Http2, Bytes::copy_from_slice(seen)));
        }
    }
}
