//! remember
