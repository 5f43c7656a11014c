//! Stores within one process: bounded by the limits they are given, and gone when the process ends.

mod event_table;
mod events;
mod session_table;
mod sessions;
mod stream;
mod task_table;
mod tasks;

pub use events::MemoryEvents;
pub use sessions::MemorySessions;
pub use tasks::MemoryTasks;
