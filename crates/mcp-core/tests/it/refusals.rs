//! Every refusal in every revision, as approved; and no code where the revision does not have it.
//!
//! `UPDATE_GOLDEN=1 cargo test -p mcp-core refusals` writes `refusals.txt` anew.

use bytes::Bytes;
use mcp_core::{
    json::{Document, JsonLimits},
    refusal::{HeaderReason, Refusal, WireError},
    version::{Era, ProtocolVersion},
};
use std::{fmt::Write as _, path::PathBuf, time::Duration};

fn refusals() -> Vec<(&'static str, Refusal)> {
    let fault = Document::parse(Bytes::from_static(b"{"), &JsonLimits::default()).unwrap_err();
    let header = |reason| Refusal::Header { header: "mcp-method".into(), reason };
    let supported = vec![ProtocolVersion::LATEST, ProtocolVersion::LATEST_HANDSHAKE];
    vec![
        ("parse", Refusal::Parse(fault)),
        ("invalid-request", Refusal::InvalidRequest("for the log only")),
        ("batch", Refusal::Batch),
        ("batch-too-long", Refusal::BatchTooLong { messages: 7, most: 5 }),
        ("method-not-found", Refusal::MethodNotFound),
        ("missing-meta", Refusal::MissingMeta("k")),
        ("invalid-meta", Refusal::InvalidMeta { key: "k", expected: "a string" }),
        ("header-missing", header(HeaderReason::Missing)),
        ("header-repeated", header(HeaderReason::Repeated)),
        ("header-malformed", header(HeaderReason::Malformed)),
        ("header-mismatch", header(HeaderReason::Mismatch)),
        (
            "unsupported-version",
            Refusal::UnsupportedVersion { requested: "1900-01-01".into(), supported: supported.clone() },
        ),
        ("handshake-needed", Refusal::HandshakeNeeded { supported }),
        ("initialize-first", Refusal::InitializeFirst),
        ("initialized-first", Refusal::InitializedFirst),
        ("invalid-params", Refusal::InvalidParams("`name` must be a string".into())),
        ("unknown-tool", Refusal::UnknownTool("t".into())),
        (
            "unknown-tool-version",
            Refusal::UnknownToolVersion {
                tool: "t".into(),
                version: "3".into(),
                available: vec!["2".into(), "1".into()],
            },
        ),
        (
            "tool-without-versions",
            Refusal::UnknownToolVersion { tool: "t".into(), version: "3".into(), available: vec![] },
        ),
        ("unknown-prompt", Refusal::UnknownPrompt("p".into())),
        ("resource-not-found", Refusal::ResourceNotFound("test://a".into())),
        ("invalid-cursor", Refusal::InvalidCursor),
        ("policy-failed", Refusal::PolicyFailed),
        ("unexpected-response", Refusal::UnexpectedResponse),
        ("session-id-missing", Refusal::SessionIdMissing),
        ("unknown-session", Refusal::UnknownSession),
        ("unknown-event", Refusal::UnknownEvent),
        ("invalid-request-state", Refusal::InvalidRequestState),
        ("store-unavailable", Refusal::StoreUnavailable),
        ("unknown-task", Refusal::UnknownTask),
        ("task-settled", Refusal::TaskSettled),
        ("task-elsewhere", Refusal::TaskElsewhere),
        ("task-required", Refusal::TaskRequired("t".into())),
        ("task-forbidden", Refusal::TaskForbidden("t".into())),
        ("duplicate-id", Refusal::DuplicateId),
        ("limit", Refusal::Limit { setting: "limits.calls" }),
        ("timed-out", Refusal::TimedOut { after: Duration::from_secs(30), setting: "limits.call_timeout" }),
        ("deadline-passed", Refusal::DeadlinePassed),
        ("shutting-down", Refusal::ShuttingDown),
        ("internal", Refusal::Internal),
    ]
}

/// A refusal on one line: status, code, message, data.
fn line(error: &WireError) -> String {
    let mut line = format!("{} {} {}", error.status, error.code.number(), error.message);
    if let Some(data) = &error.data {
        write!(line, " {data}").unwrap();
    }
    line
}

/// Each refusal with the lines that it has in the revisions, oldest first; equal neighbours are told once.
fn table() -> String {
    let mut table = String::new();
    for (name, refusal) in refusals() {
        writeln!(table, "{name}").unwrap();
        let mut last = String::new();
        for version in ProtocolVersion::ALL {
            let line = line(&refusal.on_wire(Some(version)));
            if line != last {
                writeln!(table, "  since {version}: {line}").unwrap();
            }
            last = line;
        }
        let early = line(&refusal.on_wire(None));
        if early != last {
            writeln!(table, "  before the revision is known: {early}").unwrap();
        }
    }
    table
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may read its own files")]
fn every_refusal_is_what_was_approved() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/refusals.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, table()).unwrap();
    }
    assert_eq!(table(), std::fs::read_to_string(&path).unwrap());
}

#[test]
fn no_refusal_has_a_code_that_its_revision_does_not_define() {
    let everywhere = [-32700, -32600, -32601, -32602, -32603];
    for version in ProtocolVersion::ALL {
        for (name, refusal) in refusals() {
            let code = refusal.on_wire(Some(version)).code.number();
            let own: &[i32] = match (version.era(), name) {
                (Era::Handshake, "resource-not-found") => &[-32002],
                (Era::Modern, name) if name.starts_with("header-") => &[-32020],
                // Who names a version that is not served may know every era: the data says what to choose.
                (_, "unsupported-version") => &[-32022],
                _ => &everywhere,
            };
            assert!(own.contains(&code), "{name} {version}: {code}");
        }
    }
}
