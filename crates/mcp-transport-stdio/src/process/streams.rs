//! Taking the standard streams over, and how each is waited for.

use super::{reader_thread::ReaderThread, restore::Restore, waiting::Waiting, writer_thread::WriterThread};
use rustix::{
    fs::{FileType, Stat, fstat},
    io::fcntl_dupfd_cloexec,
    net::{SocketType, sockopt::socket_type},
    stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr, stdin, stdout},
};
use std::{
    fs::{File, OpenOptions},
    io::{self, IoSlice},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::net::UnixStream as BlockingSocket,
    },
    pin::Pin,
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{UnixStream, unix::pipe},
};

/// Private copies start here, so that none of them takes the place of a standard stream that is closed.
const FIRST_PRIVATE: i32 = 3;

/// The process's stdin.
#[derive(Debug)]
pub(super) enum Input {
    Pipe { pipe: pipe::Receiver, _restore: Option<Restore> },
    Socket { socket: UnixStream, _restore: Restore },
    Thread(ReaderThread),
}

/// The process's stdout.
#[derive(Debug)]
pub(super) enum Output {
    Pipe { pipe: pipe::Sender, _restore: Option<Restore> },
    Socket { socket: UnixStream, _restore: Restore },
    Thread(WriterThread),
}

/// How a stream is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Pipe,
    Socket,
    Thread,
}

/// Takes stdin and stdout away from the rest of the process.
///
/// From now on fd 0 reads nothing and fd 1 is what fd 2 is. The private copies are closed on exec.
pub(super) fn take() -> io::Result<(Input, Output)> {
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    let input = private_copy(stdin(), &nothing)?;
    let output = private_copy(stdout(), &nothing)?;
    // A closed stderr must not be opened by accident later, as a log file or a socket say.
    let log = match fstat(stderr()) {
        Ok(log) => Some(log),
        Err(_) => {
            dup2_stderr(&nothing)?;
            None
        }
    };
    let input_way = way(&input, log.as_ref())?;
    let output_way = way(&output, log.as_ref())?;
    dup2_stdin(&nothing)?;
    dup2_stdout(stderr())?;
    tracing::debug!(input = ?input_way, output = ?output_way, "the standard streams are taken over");
    Ok((Input::open(input, input_way)?, Output::open(output, output_way)?))
}

/// A copy that only this transport knows; of a closed stream, one of the null device.
fn private_copy(stream: BorrowedFd<'_>, nothing: &File) -> io::Result<OwnedFd> {
    match fcntl_dupfd_cloexec(stream, FIRST_PRIVATE) {
        Ok(copy) => Ok(copy),
        Err(rustix::io::Errno::BADF) => Ok(fcntl_dupfd_cloexec(nothing, FIRST_PRIVATE)?),
        Err(error) => Err(error.into()),
    }
}

/// Chooses by what the stream is.
///
/// A socket that is stderr too stays in blocking mode: a log line must not fail because the reader is slow.
fn way(stream: &OwnedFd, log: Option<&Stat>) -> io::Result<Way> {
    let found = fstat(stream)?;
    let is_log = log.is_some_and(|log| (log.st_dev, log.st_ino) == (found.st_dev, found.st_ino));
    Ok(match FileType::from_raw_mode(found.st_mode) {
        FileType::Fifo if !is_log => Way::Pipe,
        FileType::Socket if !is_log && socket_type(stream)? == SocketType::STREAM => Way::Socket,
        _ => Way::Thread,
    })
}

impl Input {
    fn open(stream: OwnedFd, way: Way) -> io::Result<Self> {
        match way {
            Way::Pipe => {
                if let Some(pipe) = anew(&stream, |path| pipe::OpenOptions::new().open_receiver(path)) {
                    return Ok(Self::Pipe { pipe, _restore: None });
                }
                let restore = Restore::remember(stream.try_clone()?)?;
                Ok(Self::Pipe { pipe: pipe::Receiver::from_owned_fd(stream)?, _restore: Some(restore) })
            }
            Way::Socket => {
                let (socket, restore) = socket(stream)?;
                Ok(Self::Socket { socket, _restore: restore })
            }
            Way::Thread => Ok(Self::Thread(ReaderThread::start(Waiting::new(stream))?)),
        }
    }
}

impl Output {
    fn open(stream: OwnedFd, way: Way) -> io::Result<Self> {
        match way {
            Way::Pipe => {
                if let Some(pipe) = anew(&stream, |path| pipe::OpenOptions::new().open_sender(path)) {
                    return Ok(Self::Pipe { pipe, _restore: None });
                }
                let restore = Restore::remember(stream.try_clone()?)?;
                Ok(Self::Pipe { pipe: pipe::Sender::from_owned_fd(stream)?, _restore: Some(restore) })
            }
            Way::Socket => {
                let (socket, restore) = socket(stream)?;
                Ok(Self::Socket { socket, _restore: restore })
            }
            Way::Thread => Ok(Self::Thread(WriterThread::start(Waiting::new(stream))?)),
        }
    }
}

/// Opens a pipe anew, so that its mode is ours alone; `None` where the system cannot do that, for a pipe of
/// another user, or when nobody reads it any more.
fn anew<T>(stream: &OwnedFd, open: impl FnOnce(&str) -> io::Result<T>) -> Option<T> {
    use std::os::fd::AsRawFd;
    if !cfg!(target_os = "linux") {
        return None;
    }
    open(&format!("/proc/self/fd/{}", stream.as_fd().as_raw_fd())).ok()
}

fn socket(stream: OwnedFd) -> io::Result<(UnixStream, Restore)> {
    let restore = Restore::remember(stream.try_clone()?)?;
    let socket = BlockingSocket::from(stream);
    socket.set_nonblocking(true)?;
    Ok((UnixStream::from_std(socket)?, restore))
}

impl AsyncRead for Input {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Pipe { pipe, .. } => Pin::new(pipe).poll_read(context, buffer),
            Self::Socket { socket, .. } => Pin::new(socket).poll_read(context, buffer),
            Self::Thread(thread) => Pin::new(thread).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Pipe { pipe, .. } => Pin::new(pipe).poll_write(context, bytes),
            Self::Socket { socket, .. } => Pin::new(socket).poll_write(context, bytes),
            Self::Thread(thread) => Pin::new(thread).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Pipe { pipe, .. } => Pin::new(pipe).poll_write_vectored(context, slices),
            Self::Socket { socket, .. } => Pin::new(socket).poll_write_vectored(context, slices),
            Self::Thread(thread) => Pin::new(thread).poll_write_vectored(context, slices),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Pipe { pipe, .. } => Pin::new(pipe).poll_flush(context),
            Self::Socket { socket, .. } => Pin::new(socket).poll_flush(context),
            Self::Thread(thread) => Pin::new(thread).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
