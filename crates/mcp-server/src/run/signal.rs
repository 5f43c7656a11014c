//! The signals that end a process.

use super::RunError;
use std::future::Future;
use tokio::sync::oneshot;

/// Begins to listen for SIGINT and SIGTERM (Ctrl-C on Windows); the future completes at the first.
///
/// Once it has completed, or was dropped, the next signal ends the process at once, with status 130 after SIGINT
/// and 143 after SIGTERM: a process whose server has ended already can still be told to end. Signals are taken
/// from the moment of the call, so none is lost before the future is polled.
///
/// # Errors
/// [`RunError::Signals`] when the operating system refuses.
///
/// # Panics
/// Outside of a tokio runtime.
pub fn shutdown_signal() -> Result<impl Future<Output = ()> + Send + 'static, RunError> {
    let mut signals = Signals::listen().map_err(RunError::Signals)?;
    let (tell, told) = oneshot::channel();
    tokio::spawn(async move {
        let first = signals.next().await;
        // Nobody is left to hear of it when the server ended before.
        if tell.send(()).is_err() {
            end_at_once(first);
        }
        tracing::info!(signal = first.name(), "ending; a second signal ends at once");
        end_at_once(signals.next().await);
    });
    Ok(async move {
        if told.await.is_err() {
            // The task ends without a signal only with the runtime, and everything else with it.
            std::future::pending::<()>().await;
        }
    })
}

fn end_at_once(signal: Ending) -> ! {
    tracing::warn!(signal = signal.name(), "ending at once");
    std::process::exit(signal.status())
}

/// A signal that asks the process to end.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Interrupt,
    #[cfg(unix)]
    Terminate,
}

impl Ending {
    fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            #[cfg(unix)]
            Self::Terminate => "SIGTERM",
        }
    }

    /// The status that shells give a process which the signal ended: 128 and its number.
    fn status(self) -> i32 {
        match self {
            Self::Interrupt => 130,
            #[cfg(unix)]
            Self::Terminate => 143,
        }
    }
}

#[cfg(unix)]
use unix::Signals;
#[cfg(windows)]
use windows::Signals;

#[cfg(unix)]
mod unix {
    use super::Ending;
    use std::{future::poll_fn, io, task::Poll};
    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) struct Signals {
        interrupt: Signal,
        terminate: Signal,
    }

    impl Signals {
        pub(super) fn listen() -> io::Result<Self> {
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
            })
        }

        pub(super) async fn next(&mut self) -> Ending {
            poll_fn(|context| {
                if self.terminate.poll_recv(context).is_ready() {
                    Poll::Ready(Ending::Terminate)
                } else if self.interrupt.poll_recv(context).is_ready() {
                    Poll::Ready(Ending::Interrupt)
                } else {
                    Poll::Pending
                }
            })
            .await
        }
    }
}

#[cfg(windows)]
mod windows {
    use super::Ending;
    use std::io;
    use tokio::signal::windows::{CtrlC, ctrl_c};

    pub(super) struct Signals(CtrlC);

    impl Signals {
        pub(super) fn listen() -> io::Result<Self> {
            ctrl_c().map(Self)
        }

        pub(super) async fn next(&mut self) -> Ending {
            self.0.recv().await;
            Ending::Interrupt
        }
    }
}
