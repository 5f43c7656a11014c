//! JSON-RPC 2.0: messages, ids, error codes.

mod batch;
mod code;
mod id;
mod message;
mod response;

pub use batch::Batch;
pub use code::ErrorCode;
pub use id::{IdKey, RequestId};
pub use message::{Incoming, IncomingRequest, Notification, decode};
pub use response::Response;
