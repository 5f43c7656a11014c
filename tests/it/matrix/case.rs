//! One business case: what is sent, and what must come of it.

use mcp_tests::peer::{Heard, Willing, unwilling};
use serde_json::{Value, json};

pub(super) const A: &str = "2024-11-05";
pub(super) const B: &str = "2025-03-26";
pub(super) const C: &str = "2025-06-18";
pub(super) const D: &str = "2025-11-25";
pub(super) const E: &str = "2026-07-28";

/// Every revision, oldest first.
pub(super) const REVISIONS: [&str; 5] = [A, B, C, D, E];

/// A request and its outcome, the same in every revision and over every transport but for the exceptions.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) method: &'static str,
    pub(super) params: Value,
    pub(super) willing: Willing,
    /// The log level that the client wants, by the means of its revision.
    pub(super) log_level: Option<&'static str>,
    /// What is compared.
    pub(super) view: fn(&Heard) -> Value,
    pub(super) expected: Value,
    pub(super) exceptions: Vec<Exception>,
}

/// Revisions whose outcome is another one.
pub(super) struct Exception {
    pub(super) revisions: &'static [&'static str],
    /// What in the revision makes it so.
    pub(super) reason: &'static str,
    pub(super) expected: Value,
}

/// A case of any method.
pub(super) fn case(name: &'static str, method: &'static str, params: Value, expected: Value) -> Case {
    let (willing, log_level, view, exceptions) = (unwilling as Willing, None, outcome as _, Vec::new());
    Case { name, method, params, willing, log_level, view, expected, exceptions }
}

/// A case that calls a tool.
pub(super) fn call(name: &'static str, tool: &str, arguments: Value, expected: Value) -> Case {
    case(name, "tools/call", json!({ "name": tool, "arguments": arguments }), expected)
}

impl Case {
    pub(super) fn answering(self, willing: Willing) -> Self {
        Self { willing, ..self }
    }

    pub(super) fn logging(self, level: &'static str) -> Self {
        Self { log_level: Some(level), ..self }
    }

    pub(super) fn viewing(self, view: fn(&Heard) -> Value) -> Self {
        Self { view, ..self }
    }

    /// Names revisions that differ, and why.
    pub(super) fn but(
        mut self,
        (revisions, reason): (&'static [&'static str], &'static str),
        expected: Value,
    ) -> Self {
        self.exceptions.push(Exception { revisions, reason, expected });
        self
    }

    pub(super) fn expected_in(&self, revision: &str) -> &Value {
        let other = self.exceptions.iter().find(|exception| exception.revisions.contains(&revision));
        other.map_or(&self.expected, |exception| &exception.expected)
    }
}

/// The whole result, without what every result of 2026-07-28 carries, or the error.
pub(super) fn outcome(heard: &Heard) -> Value {
    if let Some(error) = heard.reply.get("error") {
        return json!({ "error": error });
    }
    let mut result = heard.reply["result"].clone();
    if let Some(members) = result.as_object_mut() {
        for marker in ["resultType", "_meta", "ttlMs", "cacheScope"] {
            members.remove(marker);
        }
    }
    result
}

/// The outcome beside the questions that led to it: their methods and messages.
pub(super) fn asked_and_outcome(heard: &Heard) -> Value {
    let asked = heard.asked.iter().map(|request| {
        let said = request["params"]["message"].as_str();
        json!([request["method"], said])
    });
    json!({ "asked": asked.collect::<Vec<_>>(), "outcome": outcome(heard) })
}

/// The values that were reported, and the outcome.
pub(super) fn progress_and_outcome(heard: &Heard) -> Value {
    let told = heard.notifications.iter();
    let values: Vec<_> = told.filter_map(|message| message["params"]["progress"].as_f64()).collect();
    json!({ "progress": values, "outcome": outcome(heard) })
}

/// The levels of the messages that were logged, and the outcome.
pub(super) fn levels_and_outcome(heard: &Heard) -> Value {
    let told = heard.notifications.iter();
    let levels: Vec<_> = told.filter_map(|message| message["params"]["level"].as_str()).collect();
    json!({ "levels": levels, "outcome": outcome(heard) })
}

/// How many entries a list has, and the first one's name.
pub(super) fn count_and_first(heard: &Heard) -> Value {
    let lists = ["tools", "resources", "resourceTemplates", "prompts"];
    let list = lists.iter().find_map(|name| heard.reply["result"].get(*name)?.as_array());
    list.map_or_else(|| outcome(heard), |list| json!([list.len(), list.first().map(|entry| &entry["name"])]))
}

/// A result of one text.
pub(super) fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// A failure that the model reads.
pub(super) fn failed(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

/// A protocol error.
pub(super) fn error(code: i64, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message } })
}

/// A result of one text and structure.
pub(super) fn structured(text: &str, value: Value) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "structuredContent": value })
}
