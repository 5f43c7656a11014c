//! The core as transports and applications meet it: whole messages in, whole messages out.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "everything here is test code, and JSON made in place reads best where it is passed"
)]

mod admission;
mod arguments;
mod ask;
mod batch;
mod blocking;
mod budget;
mod build;
mod call;
mod cards;
mod catalogue;
mod completion;
mod compose;
mod connection;
mod context;
mod decoding;
mod dependency;
mod everything;
mod extensions;
mod golden;
mod handshake;
mod instructions;
mod levels;
mod lifecycle;
mod listen;
mod lists;
mod log;
mod official;
mod output;
mod overflow;
mod pace;
mod presentation;
mod prompts;
mod random;
mod reasons;
mod refusals;
mod resources;
mod runtime;
mod sessions;
mod skills;
mod tasks;
mod time;
mod update;
mod wire;
