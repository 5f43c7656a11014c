//! Everything about tasks on 2026-07-28, against the schema of the extension.

use super::{Official, schema::schema_named};
use crate::tasks;
use mcp_core::version::ProtocolVersion;
use serde_json::Value;
use std::collections::BTreeSet;

/// The schema's file: the extension has no released version.
const SCHEMA: &str = "ext-tasks-draft";

/// A value without what every result or notification may have.
fn own(value: &Value) -> Value {
    let mut own = value.clone();
    own.as_object_mut().unwrap().retain(|name, _| name != "_meta" && name != "resultType");
    own
}

#[tokio::test(start_paused = true)]
async fn everything_about_a_task_is_what_the_extension_defines() {
    let Some(schema) = schema_named(SCHEMA) else { return };
    let mut official = Official::new(ProtocolVersion::LATEST, schema);
    let (mut wrong, mut kinds) = (Vec::new(), BTreeSet::new());
    for (kind, bytes) in tasks::sent::sent(ProtocolVersion::V2026_07_28).await {
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        let (whole, value, definition) = match &*kind {
            "task-created" => ("CreateTaskResult", &message["result"], "Task"),
            "task" => ("GetTaskResult", &message["result"], "DetailedTask"),
            "task-update" => ("UpdateTaskResult", &message["result"], "UpdateTaskResult"),
            "task-cancel" => ("CancelTaskResult", &message["result"], "CancelTaskResult"),
            "task-changed" => ("TaskStatusNotification", &message["params"], "DetailedTask"),
            _ => continue,
        };
        let all = if kind == "task-changed" { &message } else { value };
        // The members of the extension's own types; those that every result has are the base protocol's.
        let bare = if whole == definition { value.clone() } else { own(value) };
        let faults = [official.unfit(whole, all), official.faults(definition, &bare)].concat();
        wrong.extend(faults.into_iter().map(|fault| format!("{kind}: {fault}\n  {message}")));
        kinds.insert(format!("{kind} {}", value["status"].as_str().unwrap_or_default()));
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    let all = [
        "task cancelled",
        "task completed",
        "task failed",
        "task input_required",
        "task working",
        "task-cancel ",
        "task-changed input_required",
        "task-created working",
        "task-update ",
    ];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), all);
}
