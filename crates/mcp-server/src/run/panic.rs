//! Panics in the log, with their place.

use std::{
    any::Any,
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
            if tracing::enabled!(target: "mcp::panic", tracing::Level::ERROR) {
                log(panic);
            } else {
                before(panic);
            }
        }));
    });
}

fn log(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    let thread = std::thread::current();
    tracing::error!(
        target: "mcp::panic",
        place,
        thread = thread.name(),
        message = message(panic.payload()),
        "a panic"
    );
}

/// What was said to `panic!`, cut to a length a log line can bear.
fn message(payload: &(dyn Any + Send)) -> String {
    const MOST_CHARS: usize = 1_000;
    let said = payload.downcast_ref::<&str>().copied();
    let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    said.unwrap_or("a payload that is not text").chars().take(MOST_CHARS).collect()
}
