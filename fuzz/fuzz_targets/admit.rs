//! Feeds arbitrary headers and bodies to a server.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| mcp_fuzz::admit(input));
