//! Everything that is sent, against the official schema of its revision, member by member.
//!
//! A schema allows members that it does not define; a client need not. What goes out has only members that the
//! revision's type defines, and what a type defines is sent at least once, but for the members listed here.

mod extension;
mod messages;
mod schema;

use crate::{golden::sent_bytes, tasks};
use mcp_core::version::ProtocolVersion;
use messages::{asked, typed};
use schema::Official;
pub(crate) use schema::official_schema;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Members that the server never sends, each with the reason.
const NEVER_SENT: [(&str, &str); 17] = [
    ("*.nextCursor", "lists come whole"),
    ("*ListChangedNotification.params", "a change of a list says nothing but that it happened"),
    ("ListRootsRequest.params", "there is nothing to say when roots are asked for"),
    ("*NotificationParams._meta", "a notification has no place where an author could give it `_meta`"),
    ("JSONRPCNotification.params._meta", "as above"),
    ("JSONRPCRequest.params._meta", "what is asked carries no progress token: no report is listened to"),
    ("*RequestParams._meta", "as above"),
    ("ElicitRequestURLParams._meta", "as above"),
    ("InitializeResult._meta", "no handler makes it"),
    ("List*Result._meta", "no handler makes it"),
    ("CompleteResult._meta", "completers say nothing but values"),
    ("Result._meta", "an empty result; and the envelope, whose result has a type of its own here"),
    ("*Params.task", "no client is asked to answer as a task"),
    ("*TaskResult._meta", "no handler makes it"),
    ("ServerCapabilities.experimental", "nothing experimental is served"),
    ("ServerCapabilities.extensions", "no extension is served"),
    ("ClientCapabilities.*", "one error names the one capability that is missing"),
];

/// Checks everything sent to a revision; `None` without its schema.
async fn checked(version: ProtocolVersion) -> Option<(Official, Vec<String>)> {
    let mut official = Official::of(version)?;
    let mut faults = Vec::new();
    let mut messages: Vec<_> = sent_bytes(version).await.into_iter().chain(asked(version)).collect();
    // The core's schema knows the tasks of 2025-11-25; the extension has a schema of its own.
    if version == ProtocolVersion::V2025_11_25 {
        messages.extend(tasks::sent::sent(version).await);
    }
    for (kind, bytes) in messages {
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        for (definition, value) in typed(&official, &kind, &message) {
            let found = official.faults(&definition, &value);
            faults.extend(found.into_iter().map(|fault| format!("{kind} {version}: {fault}\n  {message}")));
        }
    }
    Some((official, faults))
}

#[tokio::test(start_paused = true)]
async fn every_member_that_is_sent_is_defined_by_its_revision() {
    let mut wrong = Vec::new();
    for version in ProtocolVersion::ALL {
        if let Some((_, faults)) = checked(version).await {
            wrong.extend(faults);
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn every_member_that_a_revision_defines_is_sent_or_has_a_reason_not_to_be() {
    let mut wrong = Vec::new();
    let mut excused = BTreeSet::new();
    for version in ProtocolVersion::ALL {
        let Some((official, _)) = checked(version).await else { return };
        for member in official.never_sent() {
            match NEVER_SENT.iter().find(|(pattern, _)| fits(pattern, &member)) {
                Some((pattern, _)) => drop(excused.insert(*pattern)),
                None => wrong.push(format!("{}: {member}", official.version())),
            }
        }
    }
    assert!(wrong.is_empty(), "never sent, and no reason is given:\n{}", wrong.join("\n"));
    let idle: Vec<_> = NEVER_SENT.iter().filter(|(pattern, _)| !excused.contains(pattern)).collect();
    assert!(idle.is_empty(), "these are sent, or exist in no revision: {idle:?}");
}

/// Whether `TYPE.member` is meant by a pattern, in which one `*` stands for anything.
fn fits(pattern: &str, member: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => member.starts_with(start) && member.ends_with(end),
        None => pattern == member,
    }
}

#[test]
fn the_walk_tells_undefined_members_from_open_maps_and_meta() {
    let schema = json!({ "$defs": {
        "Text": {
            "type": "object",
            "properties": {
                "type": { "const": "text" }, "text": { "type": "string" },
                "_meta": { "$ref": "#/$defs/MetaObject" },
            },
            "required": ["type", "text"],
        },
        "Link": {
            "type": "object",
            "properties": { "type": { "const": "link" }, "data": { "type": "object" } },
            "required": ["type"],
        },
        "MetaObject": { "type": "object", "properties": { "own": { "$ref": "#/$defs/Text" } } },
        "Block": { "anyOf": [{ "$ref": "#/$defs/Text" }, { "$ref": "#/$defs/Link" }] },
        "Result": {
            "type": "object", "additionalProperties": {},
            "properties": { "content": { "type": "array", "items": { "$ref": "#/$defs/Block" } } },
        },
    }});
    let mut official = Official::new(ProtocolVersion::LATEST, schema);
    let good = json!({ "content": [
        { "type": "text", "text": "a", "_meta": { "x": { "y": 1 } } },
        { "type": "link", "data": { "anything": 1 } },
    ]});
    assert_eq!(official.faults("Result", &good), [""; 0]);
    assert_eq!(official.never_sent(), BTreeSet::new());
    let surplus = json!({ "content": [
        { "type": "text", "text": "a", "bold": true, "_meta": { "own": { "type": "text", "text": "b", "c": 1 } } },
    ], "more": 1 });
    assert_eq!(
        official.faults("Result", &surplus),
        ["Text defines no `bold`", "Text defines no `c`", "Result defines no `more`"]
    );
    assert_eq!(official.faults("Result", &json!({ "content": [{ "type": "other" }] })).len(), 2);
}
