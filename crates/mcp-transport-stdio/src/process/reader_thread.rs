//! Reading on a thread of its own.

use bytes::{Buf, Bytes};
use std::{
    io::{self, ErrorKind, Read},
    pin::Pin,
    task::{Context, Poll, ready},
    thread,
};
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::mpsc,
};

const CHUNK: usize = 64 * 1024;
/// Chunks read ahead of whoever takes them; the thread rests while they wait.
const AHEAD: usize = 1;

/// The receiving end of a thread that reads.
///
/// A runtime's own blocking threads would keep it from ending while they wait for input; this one does not.
#[derive(Debug)]
pub(super) struct ReaderThread {
    chunks: mpsc::Receiver<io::Result<Bytes>>,
    chunk: Bytes,
}

impl ReaderThread {
    /// Starts the thread; it ends with its source, or at the first chunk that nobody takes.
    pub(super) fn start(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, chunks) = mpsc::channel(AHEAD);
        thread::Builder::new().name("mcp-stdin".to_owned()).spawn(move || {
            let mut buffer = vec![0; CHUNK];
            loop {
                let outcome = match source.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => Ok(Bytes::copy_from_slice(buffer.get(..count).unwrap_or_default())),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = outcome.is_err();
                if sender.blocking_send(outcome).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, chunk: Bytes::new() })
    }
}

impl AsyncRead for ReaderThread {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.chunk.is_empty() {
            match ready!(self.chunks.poll_recv(context)) {
                Some(chunk) => self.chunk = chunk?,
                None => return Poll::Ready(Ok(())),
            }
        }
        let count = self.chunk.len().min(buffer.remaining());
        buffer.put_slice(self.chunk.get(..count).unwrap_or_default());
        self.chunk.advance(count);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn everything_comes_in_order_and_then_the_end() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|number| (number % 251) as u8).collect();
        let mut reader = ReaderThread::start(io::Cursor::new(bytes.clone())).unwrap();
        let mut read = Vec::new();
        reader.read_to_end(&mut read).await.unwrap();
        assert!(read == bytes);
    }
}
