//! What can be said about the steps of a plan before any of them runs.

use super::{
    super::names::is_name,
    fault::{StepFault, clipped},
    reference::Reference,
    steps::{Plan, Step},
};
use crate::json::{Document, JsonLimits};
use bytes::Bytes;
use std::collections::HashMap;

/// A plan whose references are known.
pub(super) struct Checked<'a> {
    /// Where the step of an id stands; of several of one id it is the first.
    pub(super) places: HashMap<&'a str, usize>,
    pub(super) steps: Vec<Result<CheckedStep, StepFault>>,
}

/// A step that can be run when its turn comes.
pub(super) struct CheckedStep {
    pub(super) arguments: Document,
    pub(super) references: Vec<Reference>,
}

/// Looks at every step; what is wrong with one is found however many are wrong before it.
pub(super) fn check(plan: &Plan) -> Checked<'_> {
    let mut places = HashMap::with_capacity(plan.steps.len());
    for (place, step) in plan.steps.iter().enumerate() {
        if let Some(id) = &step.id {
            places.entry(&**id).or_insert(place);
        }
    }
    let steps = plan.steps.iter().enumerate();
    let steps = steps.map(|(place, step)| check_step(place, step, &places)).collect();
    Checked { places, steps }
}

fn check_step(place: usize, step: &Step, places: &HashMap<&str, usize>) -> Result<CheckedStep, StepFault> {
    if let Some(id) = step.id.as_ref().filter(|id| places.get(&***id) != Some(&place)) {
        return Err(StepFault::DuplicateId(clipped(id)));
    }
    if is_name(&step.tool) {
        return Err(StepFault::NoStep(step.tool.clone()));
    }
    let text = step.arguments.as_ref().map_or("{}", |arguments| arguments.get());
    // It came in a message that was within the limits.
    let arguments = Document::parse(Bytes::copy_from_slice(text.as_bytes()), &JsonLimits::widest());
    let arguments = arguments.map_err(|_| StepFault::TooLarge)?;
    let references = Reference::all(&arguments)?;
    for reference in &references {
        match places.get(&*reference.step) {
            None => return Err(StepFault::UnknownStep(clipped(&reference.step))),
            Some(other) if *other >= place => return Err(StepFault::NotEarlier(clipped(&reference.step))),
            Some(_) => {}
        }
    }
    Ok(CheckedStep { arguments, references })
}
