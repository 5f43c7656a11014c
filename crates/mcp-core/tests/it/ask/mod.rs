//! Asking the client in the middle of a call, over rounds and live.

mod capability;
mod channels;
pub(crate) mod fixture;
mod key;
mod leak;
mod live;
mod page;
mod random;
mod remember;
mod requester;
mod round;
mod session;
mod state;
mod tools;
mod turn;
mod withdraw;
