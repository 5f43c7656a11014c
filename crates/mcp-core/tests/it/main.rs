//! The core as transports and applications meet it: whole messages in, whole messages out.

mod admission;
mod runtime;
mod wire;
