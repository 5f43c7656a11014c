//! Feeds arbitrary bytes to the reading of list cursors.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::cursor(input));
