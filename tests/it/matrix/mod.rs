//! The same handlers in every revision over every transport: equal outcomes, but for what revisions differ in.

mod case;
mod cases;
mod exceptions;
mod run;
