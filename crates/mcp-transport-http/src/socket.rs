//! A client's socket: what was read of it already comes first, and a client that takes nothing is cut off.

use crate::activity::Activity;
use bytes::Bytes;
use std::{
    future::Future as _,
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// A stream whose writes fail when the other side takes nothing for too long.
///
/// Without that, a client that asks for answers and never reads them keeps its connection, and the answers, for
/// as long as it likes.
#[derive(Debug)]
pub(crate) struct Socket<S> {
    stream: S,
    /// What was taken from the stream before, and comes first.
    beginning: Bytes,
    write_timeout: Duration,
    activity: Arc<Activity>,
    /// Runs while a write waits.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Socket<S> {
    pub(crate) const fn new(
        stream: S,
        beginning: Bytes,
        write_timeout: Duration,
        activity: Arc<Activity>,
    ) -> Self {
        Self { stream, beginning, write_timeout, activity, stalled: None }
    }

    /// Passes a write's outcome on, unless writes have waited for too long.
    fn watch<T>(&mut self, context: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let stalled = self.stalled.get_or_insert_with(|| {
            let timeout = Instant::now() + self.write_timeout;
            Box::pin(sleep_until(self.activity.cutoff().map_or(timeout, |cutoff| timeout.min(cutoff))))
        });
        stalled.as_mut().poll(context).map(|()| {
            let error = "the client takes nothing of its answers (setting: write_timeout)";
            Err(io::Error::new(io::ErrorKind::TimedOut, error))
        })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.beginning.is_empty() {
            let before = buffer.filled().len();
            let outcome = Pin::new(&mut this.stream).poll_read(context, buffer);
            if buffer.filled().len() > before {
                this.activity.heard();
            }
            return outcome;
        }
        this.activity.heard();
        let length = this.beginning.len().min(buffer.remaining());
        buffer.put_slice(&this.beginning.split_to(length));
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.watch(context, outcome)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.watch(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preface::Version;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    const TIMEOUT: Duration = Duration::from_secs(30);

    fn activity() -> Arc<Activity> {
        Activity::begin(Version::Http1)
    }

    #[tokio::test]
    async fn what_was_read_already_comes_first() {
        let (mut client, stream) = duplex(64);
        client.write_all(b" and the rest").await.unwrap();
        drop(client);
        let mut text = String::new();
        let mut socket = Socket::new(stream, Bytes::from_static(b"the beginning"), TIMEOUT, activity());
        socket.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "the beginning and the rest");
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_fails_when_nothing_is_taken_for_too_long() {
        let (_client, stream) = duplex(64);
        let mut socket = Socket::new(stream, Bytes::new(), TIMEOUT, activity());
        let error = socket.write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_is_not_cut_off() {
        let before = Instant::now();
        let (mut client, stream) = duplex(64);
        let reading = tokio::spawn(async move {
            let mut byte = [0; 16];
            while client.read(&mut byte).await.unwrap() > 0 {
                tokio::time::sleep(TIMEOUT / 2).await;
            }
        });
        let mut socket = Socket::new(stream, Bytes::new(), TIMEOUT, activity());
        socket.write_all(&[0; 640]).await.unwrap();
        assert!(before.elapsed() > TIMEOUT * 5);
        drop(socket);
        reading.await.unwrap();
    }
}
