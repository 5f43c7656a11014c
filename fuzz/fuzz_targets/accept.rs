//! Feeds arbitrary bytes to the reading of `Accept` and `Content-Type` headers.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::accept(input));
