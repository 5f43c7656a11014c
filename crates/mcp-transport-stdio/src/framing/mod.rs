//! From bytes to lines.

mod splitter;
#[cfg(test)]
mod tests;

pub(crate) use splitter::{Line, LineSplitter};
