//! The text that tells the model what is wrong with its arguments.

use super::got;
use crate::json::{Kind, Node};

/// The most problems told at once.
pub(super) const PROBLEMS: usize = 10;

/// The most bytes of the whole text, apart from the note that more is wrong.
const BYTES: usize = 2048;

/// The most bytes of one problem.
const PROBLEM_BYTES: usize = 600;

/// Says what is wrong with the arguments of a call, in words for the model that made it.
///
/// At most ten problems and about 2 KiB; values are quoted only up to 40 characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct ArgumentFault {
    text: String,
}

impl ArgumentFault {
    /// The text for the model, a line for each problem.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Arguments that are no object at all.
    pub(super) fn not_an_object(node: Node<'_>) -> Self {
        let hint = if node.kind() == Kind::String { ": send the object itself, not its text" } else { "" };
        Self { text: format!("the arguments must be an object, got {}{hint}", got::name(node)) }
    }
}

/// Problems found so far, within bounds.
#[derive(Debug, Default)]
pub(super) struct Report {
    problems: Vec<String>,
    bytes: usize,
    omitted: bool,
}

impl Report {
    /// Adds a problem, once, if there is room.
    pub(super) fn add(&mut self, problem: String) {
        let problem = got::clip_bytes(problem, PROBLEM_BYTES);
        if self.problems.contains(&problem) {
            return;
        }
        if self.is_full() || self.bytes + problem.len() > BYTES {
            self.omitted = true;
            return;
        }
        self.bytes += problem.len() + 1;
        self.problems.push(problem);
    }

    /// Says whether no more problems are taken.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() >= PROBLEMS
    }

    /// Notes that there may be problems that were not looked for.
    pub(super) fn omit(&mut self) {
        self.omitted = true;
    }

    pub(super) fn into_fault(mut self) -> ArgumentFault {
        if self.problems.is_empty() {
            self.problems.push("the arguments do not fit the tool's input schema".to_owned());
        }
        if self.omitted {
            self.problems.push("(there may be more problems)".to_owned());
        }
        ArgumentFault { text: self.problems.join("\n") }
    }
}
