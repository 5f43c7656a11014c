//! The same handlers in every revision over every transport: equal outcomes, but for what revisions differ in.

#![expect(clippy::needless_pass_by_value, reason = "JSON made in place reads best where it is passed")]

mod case;
mod cases;
mod exceptions;
mod in_process;
mod run;
