//! Feeds arbitrary bytes to the reading of sealed state.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::state(input));
