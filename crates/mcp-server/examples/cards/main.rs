//! A tool that shows a card, a tool that only the card calls, and one that the card may not call.
//!
//! Run it with `cargo run -p mcp-server --example cards`; the endpoint is `http://127.0.0.1:8080/mcp`. Another address may
//! follow `--`, and then a folder of cards in place of the one that is in the program.

use mcp_server::{
    App, CardSettings, McpRouter, Structured, ToolError, ToolVisibility,
    apps::{self, Cards},
    run_http, server, tool_args,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    error::Error,
    sync::{Arc, Mutex, PoisonError},
};

/// Cards, their settings and icons, in the program so that it needs no files beside it.
const FILES: [(&str, &str); 3] = [
    ("bookings/card.html", include_str!("cards/bookings/card.html")),
    ("bookings/card.meta.json", include_str!("cards/bookings/card.meta.json")),
    ("icons/bookings.svg", include_str!("cards/icons/bookings.svg")),
];

#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Booking {
    id: String,
    guest: String,
    room: u32,
    checked_in: bool,
}

#[derive(Clone)]
struct Bookings(Arc<Mutex<Vec<Booking>>>);

impl Bookings {
    fn new() -> Self {
        let booking = |id: &str, guest: &str, room| Booking {
            id: id.into(),
            guest: guest.into(),
            room,
            checked_in: false,
        };
        Self(Arc::new(Mutex::new(vec![booking("7", "Ada", 12), booking("8", "Grace & <Alan>", 14)])))
    }

    /// Does something with a booking, and gives what has become of it.
    fn with(&self, id: &str, change: impl FnOnce(&mut Booking)) -> Result<Structured<Booking>, ToolError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter_mut().find(|booking| booking.id == id);
        let booking = found.ok_or_else(|| ToolError::new(format!("there is no booking {id}")))?;
        change(booking);
        Ok(Structured(booking.clone()))
    }
}

async fn show(id: String, App(bookings): App<Bookings>) -> Result<Structured<Booking>, ToolError> {
    bookings.with(&id, |_| {})
}

async fn check_in(id: String, App(bookings): App<Bookings>) -> Result<Structured<Booking>, ToolError> {
    bookings.with(&id, |booking| booking.checked_in = true)
}

async fn move_to(
    id: String,
    room: u32,
    App(bookings): App<Bookings>,
) -> Result<Structured<Booking>, ToolError> {
    bookings.with(&id, |booking| booking.room = room)
}

fn router(cards: &Cards) -> McpRouter {
    McpRouter::new()
        .tool(
            "show_booking",
            tool_args(["id"], show)
                .describe("Shows a booking")
                .read_only()
                .card("bookings/card.html")
                .icon(cards.icon("icons/bookings.svg").sizes(["any"])),
        )
        .tool(
            "check_in",
            tool_args(["id"], check_in)
                .describe("Checks a guest in, when the guest is there")
                .idempotent()
                .visibility(ToolVisibility::App),
        )
        .tool(
            "move_booking",
            tool_args(["id", "room"], move_to)
                .describe("Moves a booking to another room")
                .visibility(ToolVisibility::Model),
        )
        .with_state(Bookings::new())
        .merge(cards.router())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8080".into());
    let cards = match arguments.next() {
        Some(folder) => apps::folder(folder),
        None => apps::in_program(FILES),
    };
    let cards = cards.settings(CardSettings::new().prefers_border()).read()?;
    let server = server(router(&cards)).name("bookings").version("1.0.0").build()?;
    Ok(run_http(server, address).await?)
}
