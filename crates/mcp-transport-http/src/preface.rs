//! Which version of HTTP a new connection speaks.

use std::{io, time::Duration};
use tokio::{net::TcpStream, time::Instant};

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

/// Looks at the first bytes of a connection without taking them.
///
/// A client that does not send enough of them before the deadline gets an error: it must not hold its
/// place among the connections for free.
pub(crate) async fn version(stream: &TcpStream, deadline: Instant) -> io::Result<Version> {
    let mut seen = [0; HTTP2.len()];
    loop {
        let peeked = tokio::time::timeout_at(deadline, stream.peek(&mut seen)).await;
        let length = peeked.map_err(|_| io::ErrorKind::TimedOut)??;
        let (Some(sent), Some(wanted)) = (seen.get(..length), HTTP2.get(..length)) else {
            return Ok(Version::Http1);
        };
        match length {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ if sent != wanted => return Ok(Version::Http1),
            _ if length == HTTP2.len() => return Ok(Version::Http2),
            _ if Instant::now() >= deadline => return Err(io::ErrorKind::TimedOut.into()),
            // The rest of the preface is under way. Looking again answers at once with the same bytes,
            // so it waits a little; no client that is in a hurry sends its preface in pieces.
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}
