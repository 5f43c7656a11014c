//! Panics in the log, with their place.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, PanicHookInfo},
    sync::Once,
};

/// Sends panics to the log as one event with place, thread and message, in place of the text on stderr.
///
/// A handler that panics costs its own call only, and its client learns nothing but that the server failed; this
/// is where the operator learns the rest. Installed once per process, whatever is called how often. A
/// process without a subscriber keeps what it had before.
pub fn log_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            // A subscriber that panics itself would come back here, and a panic in a hook ends the process.
            let Some(_logging) = Logging::begin() else { return };
            if tracing::enabled!(target: "mcp::panic", tracing::Level::ERROR) {
                log(panic);
            } else {
                before(panic);
            }
        }));
    });
}

thread_local! {
    static IS_LOGGING: Cell<bool> = const { Cell::new(false) };
}

/// The log of one panic on this thread, which may not begin another one.
struct Logging;

impl Logging {
    fn begin() -> Option<Self> {
        (!IS_LOGGING.replace(true)).then_some(Self)
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        IS_LOGGING.set(false);
    }
}

fn log(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    let thread = std::thread::current();
    tracing::error!(
        target: "mcp::panic",
        place,
        thread = thread.name(),
        said = said(panic.payload()),
        "a panic"
    );
}

/// What was said to `panic!`, cut to a length a log line can bear.
fn said(payload: &(dyn Any + Send)) -> String {
    const MOST_CHARS: usize = 1_000;
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a payload that is not text").chars().take(MOST_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, sync::Arc};

    #[test]
    fn a_panic_is_one_line_with_its_place_and_what_was_said() {
        log_panics();
        log_panics();
        let log = tempfile::NamedTempFile::new().unwrap();
        let writer = Arc::new(log.reopen().unwrap());
        let lines = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
        tracing::subscriber::with_default(lines, || {
            for text in ["", "a reason"] {
                let panics = || if text.is_empty() { panic!("fixed") } else { panic!("{text}") };
                assert!(panic::catch_unwind(panics).is_err());
            }
        });
        let log = fs::read_to_string(log.path()).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!(lines.len(), 2, "{log}");
        assert!(lines[0].contains("fixed") && lines[1].contains("a reason"), "{log}");
        assert!(lines.iter().all(|line| line.contains("run/panic.rs:")), "{log}");
    }
}
