//! withdraw
