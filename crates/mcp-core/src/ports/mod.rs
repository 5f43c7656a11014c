//! What the core needs from outside, as traits that adapters implement.

mod event_id;
mod event_log;
mod list_view;
mod opaque_id;
mod owner;
mod runtime;
mod session_key;
mod session_record;
mod session_store;
mod store_error;
mod store_limit;
mod task_key;
mod task_record;
mod task_store;

pub use event_id::{EventId, StreamId};
pub use event_log::{Appended, Event, EventLimits, EventLog, Missed, Replay, StreamKey, StreamLife};
pub use list_view::{ListView, ListViewChange, ListViewUpdate, Selection};
pub use owner::Owner;
pub use runtime::{BoxFuture, Runtime};
pub use session_key::{EndpointPath, SessionId, SessionKey};
pub use session_record::SessionRecord;
pub use session_store::{SessionLimits, SessionStore, SessionUpdate};
pub use store_error::StoreError;
pub use store_limit::StoreLimit;
pub use task_key::{TaskId, TaskOwner};
pub use task_record::{TaskOutcome, TaskRecord, TaskState, TaskStep};
pub use task_store::{TaskLimits, TaskStore, TaskUpdate};
