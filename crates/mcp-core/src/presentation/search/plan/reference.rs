//! References to the results of earlier steps, and their replacement.

use super::{
    fault::{StepFault, clipped},
    pointer::Pointer,
};
use crate::json::{Document, Kind, Node};
use std::ops::Range;

/// How many references one step may have.
const MOST_REFERENCES: usize = 256;
/// The longest pointer, in bytes.
const POINTER_BYTES: usize = 1_024;

/// A place in the arguments of a step that is to be replaced.
#[derive(Debug)]
pub(super) struct Reference {
    /// Where the reference stands in the text of the arguments.
    at: Range<usize>,
    /// The id of the step that is referred to.
    pub(super) step: Box<str>,
    path: Box<str>,
    pointer: Pointer,
}

impl Reference {
    /// All references in the arguments, in the order of the text.
    pub(super) fn all(arguments: &Document) -> Result<Vec<Self>, StepFault> {
        let mut found = Vec::new();
        // The arguments themselves are no value in them. What is nested deeply costs no stack.
        let mut open: Vec<Node<'_>> = vec![arguments.root()];
        while let Some(node) = open.pop() {
            let values: Vec<_> = match node.kind() {
                Kind::Array => node.elements().collect(),
                _ => node.members().map(|(_, value)| value).collect(),
            };
            for value in values {
                match Self::read(value) {
                    Some(_) if found.len() >= MOST_REFERENCES => {
                        return Err(StepFault::TooManyReferences(MOST_REFERENCES));
                    }
                    Some(reference) => found.push(reference?),
                    None if matches!(value.kind(), Kind::Array | Kind::Object) => open.push(value),
                    None => {}
                }
            }
        }
        found.sort_by_key(|reference| reference.at.start);
        Ok(found)
    }

    /// Reads a value of exactly the form of a reference; `None` for any other.
    fn read(value: Node<'_>) -> Option<Result<Self, StepFault>> {
        let step = value.get("$from")?.as_str()?;
        let path = match (value.len(), value.get("path")) {
            (1, None) => "".into(),
            (2, Some(path)) => path.as_str()?,
            _ => return None,
        };
        let pointer = Some(&*path).filter(|path| path.len() <= POINTER_BYTES).and_then(Pointer::parse);
        Some(match pointer {
            Some(pointer) => Ok(Self { at: value.range(), step: step.into(), path: clipped(&path), pointer }),
            None => Err(StepFault::NoPointer(clipped(&path))),
        })
    }

    /// The part of a result that is referred to, as JSON text.
    pub(super) fn part<'a>(&self, result: &'a Document) -> Result<&'a str, StepFault> {
        match self.pointer.find(result.root()) {
            Some(part) => Ok(part.raw()),
            None if result.root().kind() == Kind::String && !self.pointer.is_whole() => {
                Err(StepFault::TextWithoutParts(self.step.clone()))
            }
            None => Err(StepFault::NothingThere { step: self.step.clone(), path: self.path.clone() }),
        }
    }
}

/// The arguments with every reference replaced, as JSON text of at most so many bytes.
pub(super) fn replaced<'a>(
    arguments: &Document,
    references: &[Reference],
    most_bytes: usize,
    part: impl Fn(&Reference) -> Result<&'a str, StepFault>,
) -> Result<String, StepFault> {
    let (text, mut copied, mut out) = (arguments.text(), 0, String::new());
    for reference in references {
        let part = part(reference)?;
        if out.len() + part.len() > most_bytes {
            return Err(StepFault::TooLarge);
        }
        out.push_str(text.get(copied..reference.at.start).unwrap_or_default());
        out.push_str(part);
        copied = reference.at.end;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Ok(out)
}
