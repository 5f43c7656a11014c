//! The `mcp-server` binary: a notes service over Streamable HTTP and stdio.

mod notes;

fn main() {
    let _ = notes::in_memory();
}
