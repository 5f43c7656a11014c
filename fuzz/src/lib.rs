//! The bodies of the fuzz targets, as plain functions, so that stable tests can run them too.

mod accept;
mod admit;
mod cursor;
mod decode;
mod head;
mod resume;
mod runtime;
mod state;
mod template;

pub use accept::accept;
pub use admit::admit;
pub use cursor::cursor;
pub use decode::decode;
pub use resume::resume;
pub use state::state;
pub use template::template;
