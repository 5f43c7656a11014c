//! Writing on a thread of its own.

use std::{
    io::{self, ErrorKind, Write},
    pin::Pin,
    task::{Context, Poll, ready},
    thread,
};
use tokio::{io::AsyncWrite, sync::mpsc};

/// The most that is handed over at once.
const CHUNK: usize = 256 * 1024;

/// The sending end of a thread that writes.
///
/// One buffer goes back and forth: the next piece is taken when the last one is written.
#[derive(Debug)]
pub(super) struct WriterThread {
    pieces: mpsc::Sender<Vec<u8>>,
    written: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// The buffer, while the thread does not have it.
    idle: Option<Vec<u8>>,
}

impl WriterThread {
    /// Starts the thread; it ends at the first error, or when nothing more can come.
    pub(super) fn start(mut sink: impl Write + Send + 'static) -> io::Result<Self> {
        let (pieces, mut incoming) = mpsc::channel::<Vec<u8>>(1);
        let (report, written) = mpsc::channel(1);
        thread::Builder::new().name("mcp-stdout".to_owned()).spawn(move || {
            while let Some(mut piece) = incoming.blocking_recv() {
                let outcome = sink.write_all(&piece).and_then(|()| sink.flush());
                let failed = outcome.is_err();
                piece.clear();
                if report.blocking_send(outcome.map(|()| piece)).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Self { pieces, written, idle: Some(Vec::new()) })
    }

    /// Waits for the buffer to come back.
    fn poll_idle(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.idle.is_none() {
            let Some(outcome) = ready!(self.written.poll_recv(context)) else {
                return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
            };
            self.idle = Some(outcome?);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WriterThread {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_idle(context))?;
        let piece = bytes.get(..CHUNK).unwrap_or(bytes);
        let mut buffer = self.idle.take().unwrap_or_default();
        buffer.extend_from_slice(piece);
        // The thread has no other piece, so there is room unless it is gone.
        self.pieces.try_send(buffer).map_err(|_| io::Error::from(ErrorKind::BrokenPipe))?;
        Poll::Ready(Ok(piece.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_idle(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tokio::io::AsyncWriteExt;

    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(1_000);
            self.0.lock().unwrap().extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_flush_waits_until_everything_is_written() {
        let sink = Arc::new(Mutex::new(Vec::new()));
        let mut writer = WriterThread::start(Shared(Arc::clone(&sink))).unwrap();
        let bytes: Vec<u8> = (0..700_000_u32).map(|number| (number % 251) as u8).collect();
        writer.write_all(&bytes).await.unwrap();
        writer.flush().await.unwrap();
        assert!(*sink.lock().unwrap() == bytes);
    }

    #[tokio::test]
    async fn an_error_of_the_sink_is_told() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = WriterThread::start(Broken).unwrap();
        writer.write_all(b"x").await.unwrap();
        assert_eq!(writer.flush().await.unwrap_err().kind(), ErrorKind::BrokenPipe);
        assert_eq!(writer.write_all(b"x").await.unwrap_err().kind(), ErrorKind::BrokenPipe);
    }
}
