//! Feeds arbitrary bytes to the reading of the ids of events and sessions.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::resume(input));
