//! The stdin and stdout of this process.

use crate::options::{StdioError, StdioOptions};
use mcp_core::server::Server;

/// x
pub async fn serve_stdio(
    server: Server,
    options: StdioOptions,
    shutdown: impl Future<Output = ()>,
) -> Result<(), StdioError> {
    crate::serve(server, tokio::io::stdin(), tokio::io::stdout(), options, shutdown).await
}
