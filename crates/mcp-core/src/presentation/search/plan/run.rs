//! The run of a plan, step by step.

use super::{
    check::{Checked, CheckedStep, check},
    fault::StepFault,
    outcome::{Outcome, kept},
    reference::{Reference, replaced},
    report::Report,
    room::Room,
    steps::Plan,
};
use crate::{
    ask::{AskError, Kept, remember_within},
    context::{Asking, Context},
    dispatch::call_within,
    extract::{Args, Progress},
    handler::ToolError,
    json::{Document, RawJson},
    protocol::ToolUse,
};
use bytes::Bytes;
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::atomic::Ordering,
    task::Poll,
};

pub(in crate::presentation::search) async fn run_tools(
    context: Context,
    progress: Progress,
    Args(plan): Args<Plan>,
) -> Result<Report, ToolError> {
    let search = context.0.server.presentation().as_search().cloned().unwrap_or_default();
    let count = plan.steps.len();
    if context.is_in_plan() {
        return Err(ToolError::new(
            "a plan cannot be run within a plan; make its steps part of the outer one",
        ));
    }
    if context.depth() > search.plan_depth {
        let text = "this call is within more calls than a plan may be (setting: tool_search.plan_depth)";
        return Err(ToolError::new(text));
    }
    if count > search.plan_steps {
        let most = search.plan_steps;
        return Err(ToolError::new(format!(
            "the plan has {count} steps, and at most {most} are run in one call (setting: tool_search.plan_steps)"
        )));
    }
    context.0.runs_plan.store(true, Ordering::Relaxed);
    let Checked { places, steps } = check(&plan);
    let mut report = Report::default();
    if plan.stop_on_error && steps.iter().any(Result::is_err) {
        // What is wrong with a plan in itself is told before anything is done.
        refuse(&plan, steps, &mut report);
        return Ok(report);
    }
    let room = Room::of(&context, &search, count);
    let mut run = Run { context: &context, room, outcomes: Vec::with_capacity(count) };
    for (place, (step, checked)) in plan.steps.iter().zip(steps).enumerate() {
        let arguments = checked.and_then(|checked| run.arguments(&checked, |id| places.get(id).copied()));
        let outcome = match arguments {
            Ok(arguments) => {
                report.ran();
                run.step(place, &step.tool, arguments).await?
            }
            Err(fault) => fault.into(),
        };
        progress.report_with((place + 1) as f64, count as f64, &step.tool);
        report.step(place, step, &outcome);
        if outcome.is_failed() && plan.stop_on_error {
            report.stopped_at(place);
            break;
        }
        run.outcomes.push(outcome);
    }
    Ok(report)
}

/// Tells what is wrong with each step of a plan that is not begun.
fn refuse(plan: &Plan, steps: Vec<Result<CheckedStep, StepFault>>, report: &mut Report) {
    let mut first = None;
    for (place, (step, checked)) in plan.steps.iter().zip(steps).enumerate() {
        if let Err(fault) = checked {
            report.step(place, step, &fault.into());
            first.get_or_insert(place);
        }
    }
    first.into_iter().for_each(|place| report.stopped_at(place));
}

/// A plan that runs.
struct Run<'a> {
    context: &'a Context,
    room: Room,
    /// What came of the steps so far.
    outcomes: Vec<Outcome>,
}

impl Run<'_> {
    /// The arguments of a step, with the parts of earlier results that it refers to.
    fn arguments(
        &self,
        step: &CheckedStep,
        place_of: impl Fn(&str) -> Option<usize>,
    ) -> Result<RawJson, StepFault> {
        let part = |reference: &Reference| {
            let outcome = place_of(&reference.step).and_then(|place| self.outcomes.get(place));
            match outcome {
                Some(Outcome::Done { value, .. }) => reference.part(value),
                Some(Outcome::Failed(_)) => Err(StepFault::OfFailed(reference.step.clone())),
                None => Err(StepFault::NotEarlier(reference.step.clone())),
            }
        };
        let limits = &self.context.limits().message;
        let text = replaced(&step.arguments, &step.references, limits.document_bytes, part)?;
        if !step.references.is_empty() {
            Document::parse(Bytes::copy_from_slice(text.as_bytes()), limits)
                .map_err(|_| StepFault::TooLarge)?;
        }
        Ok(RawJson::from_checked(text))
    }

    /// Runs a step, or tells again what came of it in an earlier round.
    async fn step(&mut self, place: usize, tool: &str, arguments: RawJson) -> Result<Outcome, AskError> {
        let key = format!("step/{}", place + 1);
        let call = ToolUse::new(&*key, tool, arguments);
        let kept = if self.room.is_for_rounds() {
            let made = async { Ok::<_, AskError>(self.made(&key, &call).await) };
            // It has had its room measured; what a client can carry is seen when it is asked something.
            let most = (self.context.limits().output_bytes, "limits.output_bytes");
            remember_within(self.context, &key, most, made).await?
        } else {
            self.made(&key, &call).await
        };
        self.room.take(&kept);
        Ok(Outcome::of(kept, &mut self.room))
    }

    async fn made(&self, key: &str, call: &ToolUse) -> Kept {
        tracing::debug!(tool = call.name(), key, "a plan has a tool called");
        match self.unless_it_asks_in_vain(call_within(self.context, key, call)).await {
            Ok(result) => self.room.fitting(kept(result)),
            Err(fault) => Kept::error(fault.to_string()),
        }
    }

    /// Gives a step up that asks the client when what was done before could not be kept until the answer comes.
    async fn unless_it_asks_in_vain<T>(&self, step: impl Future<Output = T>) -> Result<T, StepFault> {
        let rounds = matches!(self.context.0.caller.asking, Asking::Rounds(_));
        let in_vain = rounds && !self.room.can_be_carried();
        let root = self.context.root();
        let mut step = pin!(step);
        poll_fn(|task| match step.as_mut().poll(task) {
            Poll::Ready(result) => Poll::Ready(Ok(result)),
            Poll::Pending if in_vain && root.0.asks.is_asking() && !root.is_task() => {
                Poll::Ready(Err(StepFault::NotCarried))
            }
            Poll::Pending => Poll::Pending,
        })
        .await
    }
}
