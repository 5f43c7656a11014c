//! HTTP+SSE of 2024-11-05: one stream for what the server says, a POST for each message of the client.

mod client;

mod admission;
mod bounds;
mod combined;
mod endings;
mod sockets;
mod wire;
