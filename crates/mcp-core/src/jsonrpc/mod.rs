//! JSON-RPC 2.0: messages, ids, error codes.

mod code;
mod id;
mod message;

pub use code::ErrorCode;
pub use id::{IdKey, RequestId};
pub use message::{Incoming, IncomingRequest, Notification, decode};
