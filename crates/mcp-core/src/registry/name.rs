//! Names of tools and prompts.

use super::Faults;

/// The longest name, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// What names of tools may look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a name is held to the recommendation or it is not")]
pub enum NameRule {
    /// A name outside the recommended set (1–128 of `A-Z a-z 0-9 _ . -`) gets a warning in the log.
    ///
    /// Spec: 2026-07-28, server/tools#tool-names.
    #[default]
    Recommended,
    /// Any name without spaces, commas and control characters is taken without a word.
    Any,
}

/// Refuses names that clients cannot use; warns about those outside the recommended set.
pub(crate) fn check_name(kind: &str, name: &str, rule: NameRule, faults: &mut Faults) {
    let subject = format!("{kind} `{name}`");
    if name.is_empty() {
        faults.add(subject, "a name must not be empty");
    } else if name.len() > MAX_NAME_BYTES {
        faults.add(subject, format!("a name has at most {MAX_NAME_BYTES} bytes"));
    } else if name
        .chars()
        .any(|character| character.is_control() || character.is_whitespace() || character == ',')
    {
        faults.add(subject, "a name has no spaces, commas or control characters");
    } else if rule == NameRule::Recommended && !name.bytes().all(is_recommended) {
        tracing::warn!(%name, kind, "the name has characters outside A-Z a-z 0-9 _ . -; some clients refuse it");
    }
}

fn is_recommended(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}
