//! Running a server until the process is told to end.
//!
//! [`run_http`] and [`run_stdio`] serve until SIGINT or SIGTERM, then end within a grace; a second
//! signal ends the process at once. Both install [`log_panics`]. An application with a main loop of its own uses
//! `http::serve` or `stdio::serve` and ends them as it likes.

mod fault;
#[cfg(feature = "http")]
mod http;
mod panic;
mod signal;
mod stderr_log;
#[cfg(feature = "stdio")]
mod stdio;

pub use fault::RunError;
#[cfg(feature = "http")]
pub use http::{run_endpoint, run_http, run_http_with};
pub use panic::log_panics;
pub use signal::shutdown_signal;
pub use stderr_log::StderrLog;
#[cfg(feature = "stdio")]
pub use stdio::{run_stdio, run_stdio_with};
