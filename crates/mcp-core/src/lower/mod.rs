//! From the superset to what a caller of each revision may see.
//!
//! One file per kind. Each drops what the caller's version does not know and adds what it requires; the facts
//! come from [`ProtocolVersion::has`](crate::version::ProtocolVersion::has). Everything is written straight
//! into the bytes that go out, without a tree in between.

mod ask;
mod capability;
mod card;
mod content;
mod definition;
mod error;
mod identity;
mod initialize;
mod notification;
mod reply;
mod result;
mod skill;
mod task;

pub(crate) use ask::{ask_cancelled, ask_params, ask_request, elicitation_complete, input_required};
pub(crate) use capability::{ListChanges, Offer, ServerCapabilities};
pub(crate) use definition::{boxed_prompt, boxed_tool, prompt, resource, template, tool};
pub(crate) use error::{error_object, error_reply, error_reply_within, message_refusal, refusal};
pub(crate) use identity::{implementation, server_info, signature};
pub(crate) use initialize::{discover, initialize};
pub(crate) use notification::{
    acknowledged, list_changed, listen_result, log_message, notification, progress, resource_updated,
};
pub use reply::Reply;
pub(crate) use reply::ResultFrame;
pub(crate) use result::{ListKind, call_tool, completion, empty, list, prompt_result, read_resource};
pub(crate) use skill::{directory, skill, skills};
pub(crate) use task::{
    input_request, task, task_ask, task_changed, task_created, task_list, task_result, task_status,
};
