//! What the results of a plan may still be together.

use super::fault::StepFault;
use crate::{
    ask::Kept,
    context::{Asking, Context},
    json::{Document, JsonLimits, to_text_within},
    presentation::ToolSearch,
};
use bytes::Bytes;

/// Arrays and objects that are around a result in the answer.
const LEVELS_AROUND: usize = 3;
/// Values and names that are around each result in the answer.
const TOKENS_AROUND: usize = 16;

/// How much the results of a plan may still be, and how much of them a client could carry.
#[derive(Debug)]
pub(super) struct Room {
    bytes: usize,
    /// Which setting says so.
    setting: &'static str,
    tokens: usize,
    limits: JsonLimits,
    /// What a client carries from round to round, where it does.
    carried: Option<Carried>,
}

/// The results that a client would carry if a step asked it now.
#[derive(Clone, Copy, Debug)]
struct Carried {
    bytes: usize,
    most: usize,
}

impl Room {
    pub(super) fn of(context: &Context, search: &ToolSearch, steps: usize) -> Self {
        let limits = context.limits();
        let (bytes, setting) = match limits.output_bytes / 4 {
            most if most < search.plan_bytes => (most, "limits.output_bytes"),
            _ => (search.plan_bytes, "tool_search.plan_bytes"),
        };
        let rounds = matches!(context.0.caller.asking, Asking::Rounds(_));
        // Half of what the client carries is for results: what it is asked, and the sealing, take the rest.
        let carried = rounds.then_some(Carried { bytes: 0, most: limits.ask_state_bytes / 2 });
        let around = steps.saturating_mul(TOKENS_AROUND).saturating_add(TOKENS_AROUND);
        Self {
            bytes,
            setting,
            tokens: limits.output_json.tokens.saturating_sub(around),
            limits: limits.output_json.clone(),
            carried,
        }
    }

    /// Tells whether what is done is to be remembered, because the handler may run again.
    pub(super) fn is_for_rounds(&self) -> bool {
        self.carried.is_some()
    }

    /// What was kept of a result, or, where it has no room, that it has none.
    pub(super) fn fitting(&self, kept: Kept) -> Kept {
        match to_text_within(&kept, self.bytes) {
            Ok(_) => kept,
            Err(_) => Kept::error(StepFault::NoRoom(self.setting).to_string()),
        }
    }

    /// Takes what a result needs.
    pub(super) fn take(&mut self, kept: &Kept) {
        let bytes = to_text_within(kept, self.bytes).map_or(0, |text| text.len());
        self.bytes -= bytes;
        if let Some(carried) = &mut self.carried {
            carried.bytes += bytes;
        }
    }

    /// Tells whether a client that is asked now could carry what was done.
    pub(super) fn can_be_carried(&self) -> bool {
        self.carried.is_none_or(|carried| carried.bytes <= carried.most)
    }

    /// Reads the JSON text of a result, which is to have room in the answer.
    pub(super) fn read(&mut self, text: String) -> Result<Document, StepFault> {
        let limits = JsonLimits {
            tokens: self.tokens,
            depth: self.limits.depth.saturating_sub(LEVELS_AROUND),
            ..self.limits.clone()
        };
        let document = Document::parse(Bytes::from(text), &limits)
            .map_err(|_| StepFault::NoRoom("limits.output_json"))?;
        self.tokens -= document.tokens();
        Ok(document)
    }
}
