//! Prompts with and without an argument.

use mcp_server::{Args, McpRouter, Typed, prompt};
use schemars::JsonSchema;
use serde::Deserialize;

const CITIES: [&str; 4] = ["Berlin", "Bern", "Paris", "Porto"];

pub(super) fn prompts() -> McpRouter<()> {
    McpRouter::new()
        .prompt("hello", prompt(hello).describe("Says hello"))
        .prompt("pick", prompt(pick).describe("Asks about a city").complete("city", cities))
}

async fn hello() -> &'static str {
    "Say hello."
}

#[derive(Deserialize, JsonSchema)]
struct Pick {
    /// The city.
    city: String,
}

async fn pick(Args(Pick { city }): Args<Pick>) -> String {
    format!("What is there to see in {city}?")
}

async fn cities(Typed(typed): Typed) -> Vec<&'static str> {
    CITIES.into_iter().filter(|city| city.starts_with(&typed)).collect()
}
