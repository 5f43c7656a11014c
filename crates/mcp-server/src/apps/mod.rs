//! Cards for MCP Apps, and icons, from a folder and from files that are in the program.
//!
//! A card is an HTML document that hosts show beside the result of a tool. [`folder`] reads every `*.html` below a
//! folder, [`in_program`] takes files that are in the program already, for instance by `include_str!`; a tool names one
//! by its path.
//!
//! ```no_run
//! use mcp_server::{McpRouter, apps, server, tool};
//! # async fn show() -> &'static str { "7" }
//! let cards = apps::folder("cards").read()?;
//! let router = McpRouter::new()
//!     .tool("show_booking", tool(show).describe("Shows a booking").card("bookings/card.html"))
//!     .merge(cards.router());
//! let server = server(router).name("bookings").version("1.0.0").build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Cards are read once, when the server is made, and kept: what is served has the digest that its URI tells, and
//! nothing that changes on the disk meanwhile reaches a client. Symbolic links are refused, so that nothing outside
//! the folder is served.

mod builder;
mod cards;
mod document;
mod fault;
mod icon;
mod make;
#[cfg(test)]
mod tests;

pub use builder::{CardsBuilder, folder, in_program};
pub use cards::Cards;
pub use fault::{CardFileFault, CardFileFaults, CardFileProblem};
