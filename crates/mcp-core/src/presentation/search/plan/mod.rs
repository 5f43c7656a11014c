//! `run_tools`: several calls in one, of which later ones use the results of earlier ones.
//!
//! Steps are declared calls and no code: a reference is a place in the result of a step before, and nothing is
//! evaluated. Each step goes the way of a call that the client's model asks for within a handler
//! (`dispatch/tool.rs`, `exchange/nested.rs`): with the rights of the caller, the checks and bounds of a direct call,
//! and its own place among the asks. What was done is remembered, so that on 2026-07-28, where the handler runs again
//! after every question, no step runs twice.

mod check;
mod fault;
mod outcome;
mod pointer;
mod reference;
mod report;
mod room;
mod run;
mod steps;

pub(super) use run::run_tools;
