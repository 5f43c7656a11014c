//! The core as transports and applications meet it: whole messages in, whole messages out.

mod admission;
mod blocking;
mod call;
mod connection;
mod context;
mod dependency;
mod handshake;
mod listen;
mod runtime;
mod update;
mod wire;
