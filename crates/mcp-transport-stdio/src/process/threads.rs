//! The standard streams where only threads can wait for them.

use super::{reader_thread::ReaderThread, writer_thread::WriterThread};
use std::io;

/// Takes the streams; printing handlers cannot be kept from them here.
pub(super) fn take() -> io::Result<(ReaderThread, WriterThread)> {
    Ok((ReaderThread::start(io::stdin())?, WriterThread::start(io::stdout())?))
}
