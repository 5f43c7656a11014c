//! Holds the workspace to its own rules: who may depend on whom, how files are laid out, which words stay out.
//!
//! Every rule is a plain function from text to complaints, so that each has a small test beside it
//! which shows that the rule can fail.

mod dependencies;
mod imports;
mod layout;
mod limits;
mod map;
mod protocol;
mod revisions;
mod source;
mod wording;

/// Fails with every complaint on a line of its own.
#[track_caller]
fn assert_none(rule: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{rule}:\n  {}", complaints.join("\n  "));
}
