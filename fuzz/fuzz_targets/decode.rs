//! Feeds arbitrary bytes to the JSON index.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::decode(input));
