//! What waits to be written, in one piece where that is cheap.

use bytes::{Buf, Bytes, BytesMut};
use std::{
    collections::VecDeque,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::io::AsyncWrite;

/// No further message is taken while this many bytes wait.
pub(crate) const ENOUGH: usize = 64 * 1024;
/// Longer messages are not copied.
const COPIED: usize = 16 * 1024;
/// How many pieces go into one write.
const PIECES: usize = 16;

/// Whole lines on their way out.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Complete pieces, which go out before the tail.
    pieces: VecDeque<Bytes>,
    tail: BytesMut,
    waiting: usize,
    /// Something was written since the last flush.
    unflushed: bool,
}

impl Batch {
    /// Appends a message and the end of its line.
    pub(crate) fn push(&mut self, message: Bytes) {
        self.waiting += message.len() + 1;
        if message.len() < COPIED {
            self.tail.extend_from_slice(&message);
        } else {
            if !self.tail.is_empty() {
                self.pieces.push_back(self.tail.split().freeze());
            }
            self.pieces.push_back(message);
        }
        self.tail.extend_from_slice(b"\n");
    }

    /// Tells whether so much waits that nothing more should be taken.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting >= ENOUGH
    }

    /// Tells whether everything was written and flushed.
    pub(crate) fn is_done(&self) -> bool {
        self.waiting == 0 && !self.unflushed
    }

    /// Writes and flushes everything; ready when that is done. Cancel-safe: what is left waits.
    pub(crate) fn poll_write(
        &mut self,
        mut writer: Pin<&mut impl AsyncWrite>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while self.waiting > 0 {
            let written = if self.pieces.is_empty() {
                ready!(writer.as_mut().poll_write(context, &self.tail))?
            } else {
                let mut slices = [IoSlice::new(&[]); PIECES];
                let sources = self.pieces.iter().map(|piece| &**piece).chain([&*self.tail]);
                let mut count = 0;
                for (slice, source) in slices.iter_mut().zip(sources) {
                    *slice = IoSlice::new(source);
                    count += 1;
                }
                let slices = slices.get(..count).unwrap_or_default();
                ready!(writer.as_mut().poll_write_vectored(context, slices))?
            };
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.unflushed = true;
            self.advance(written);
        }
        if self.unflushed {
            ready!(writer.poll_flush(context))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    fn advance(&mut self, mut written: usize) {
        self.waiting -= written;
        while let Some(piece) = self.pieces.front_mut() {
            if written < piece.len() {
                piece.advance(written);
                return;
            }
            written -= piece.len();
            self.pieces.pop_front();
        }
        self.tail.advance(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Waker;

    /// Takes a few bytes at a time.
    struct Sip(Vec<u8>, usize);

    impl AsyncWrite for Sip {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &[u8],
        ) -> Poll<io::Result<usize>> {
            let count = buffer.len().min(self.1);
            self.0.extend_from_slice(&buffer[..count]);
            Poll::Ready(Ok(count))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn lines_keep_their_order_and_size_whatever_a_write_takes() {
        for sip in [1, 7, 4_096, 1 << 20] {
            let mut batch = Batch::default();
            let mut expected = Vec::new();
            for length in [3, 40_000, 16_384, 1, 0, 20_000, 16_383, 5] {
                let message = vec![b'a' + (length % 26) as u8; length];
                expected.extend_from_slice(&message);
                expected.push(b'\n');
                batch.push(message.into());
            }
            assert_eq!(batch.waiting, expected.len());
            let mut writer = Sip(Vec::new(), sip);
            let context = &mut Context::from_waker(Waker::noop());
            assert!(matches!(batch.poll_write(Pin::new(&mut writer), context), Poll::Ready(Ok(()))));
            assert!(writer.0 == expected, "writes of {sip}");
            assert!(batch.is_done());
        }
    }
}
