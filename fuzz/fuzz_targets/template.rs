//! Feeds arbitrary bytes to the reading of URI templates.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::template(input));
