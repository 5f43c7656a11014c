//! The core as transports and applications meet it: whole messages in, whole messages out.

mod admission;
mod call;
mod connection;
mod dependency;
mod handshake;
mod runtime;
mod wire;
