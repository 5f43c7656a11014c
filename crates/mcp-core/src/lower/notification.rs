//! Notifications.

use super::{server_info, task::related_task};
use crate::{
    json::ObjectWriter,
    jsonrpc::RequestId,
    ports::TaskId,
    protocol::{Implementation, LogLevel, ProgressToken, SubscriptionFilter, meta_key},
};
use bytes::Bytes;

/// Any notification, with its parameters as JSON text.
pub(crate) fn notification(method: &str, params: Option<&str>) -> Bytes {
    write(method, |message| {
        if let Some(params) = params {
            message.raw("params", params);
        }
    })
}

/// A progress report.
///
/// `task` ties it to the task that the call is.
pub(crate) fn progress(
    token: &ProgressToken,
    done: f64,
    total: Option<f64>,
    message: Option<&str>,
    task: Option<&TaskId>,
) -> Bytes {
    write("notifications/progress", |notification| {
        notification.object("params", |params| {
            if let Some(task) = task {
                related_task(params, task);
            }
            params.raw("progressToken", token.as_json());
            // The outbox lets only finite values through; a total that is not finite is left out.
            let _ = params.number("progress", done);
            if let Some(total) = total.filter(|total| total.is_finite()) {
                let _ = params.number("total", total);
            }
            params.optional_string("message", message);
        });
    })
}

/// A log message; `data` is JSON text.
pub(crate) fn log_message(
    level: LogLevel,
    logger: Option<&str>,
    data: &[u8],
    task: Option<&TaskId>,
) -> Bytes {
    write("notifications/message", |message| {
        message.object("params", |params| {
            if let Some(task) = task {
                related_task(params, task);
            }
            params.string("level", level.as_str());
            params.optional_string("logger", logger);
            params.raw("data", data);
        });
    })
}

/// The first message of a listen stream: what will be heard on it.
pub(crate) fn acknowledged(listen: &RequestId, filter: &SubscriptionFilter) -> Bytes {
    write("notifications/subscriptions/acknowledged", |message| {
        message.object("params", |params| {
            subscription_id(params, Some(listen));
            params.object("notifications", |object| {
                for (name, wanted) in [
                    ("toolsListChanged", filter.tools_list_changed),
                    ("promptsListChanged", filter.prompts_list_changed),
                    ("resourcesListChanged", filter.resources_list_changed),
                ] {
                    if wanted {
                        object.boolean(name, true);
                    }
                }
                if !filter.resource_subscriptions.is_empty() {
                    object.array("resourceSubscriptions", |list| {
                        filter.resource_subscriptions.iter().for_each(|uri| list.string(uri));
                    });
                }
                if !filter.task_ids.is_empty() {
                    object.array("taskIds", |list| {
                        filter.task_ids.iter().for_each(|id| list.string(id.as_str()));
                    });
                }
            });
        });
    })
}

/// A list has changed; `method` names which. `listen` ties it to a listen stream.
pub(crate) fn list_changed(method: &str, listen: Option<&RequestId>) -> Bytes {
    write(method, |message| {
        if listen.is_some() {
            message.object("params", |params| subscription_id(params, listen));
        }
    })
}

/// A resource has changed.
pub(crate) fn resource_updated(uri: &str, listen: Option<&RequestId>) -> Bytes {
    write("notifications/resources/updated", |message| {
        message.object("params", |params| {
            subscription_id(params, listen);
            params.string("uri", uri);
        });
    })
}

/// The reply that ends a listen stream from the server's side.
pub(crate) fn listen_result(listen: &RequestId, server: &Implementation) -> Bytes {
    let mut out = Vec::with_capacity(192);
    let mut reply = ObjectWriter::new(&mut out);
    reply.string("jsonrpc", "2.0");
    reply.raw("id", listen.as_json());
    reply.object("result", |result| {
        result.string("resultType", "complete");
        result.object("_meta", |meta| {
            meta.raw(meta_key::SUBSCRIPTION_ID, listen.as_json());
            server_info(meta.member(meta_key::SERVER_INFO), server);
        });
    });
    reply.end();
    Bytes::from(out)
}

fn subscription_id(params: &mut ObjectWriter<'_>, listen: Option<&RequestId>) {
    if let Some(id) = listen {
        params.object("_meta", |meta| meta.raw(meta_key::SUBSCRIPTION_ID, id.as_json()));
    }
}

fn write(method: &str, fill: impl FnOnce(&mut ObjectWriter<'_>)) -> Bytes {
    let mut out = Vec::with_capacity(192);
    let mut message = ObjectWriter::new(&mut out);
    message.string("jsonrpc", "2.0");
    message.string("method", method);
    fill(&mut message);
    message.end();
    Bytes::from(out)
}
