//! Completion of prompt arguments and template variables.

/// The most values one answer may carry.
///
/// Spec: 2026-07-28, server/utilities/completion.
pub(crate) const MAX_VALUES: usize = 100;

/// Suggested values, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    pub(crate) values: Vec<String>,
    pub(crate) total: Option<u64>,
    pub(crate) has_more: bool,
}

impl Completion {
    /// These values; beyond 100 they are cut, and `total` and `hasMore` say so.
    #[must_use]
    pub fn new<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        let mut values: Vec<String> = values.into_iter().map(Into::into).collect();
        let total = values.len() as u64;
        values.truncate(MAX_VALUES);
        Self { has_more: total > MAX_VALUES as u64, total: Some(total), values }
    }

    /// States how many values there are in all, where the handler did not give them all.
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.has_more = total > self.values.len() as u64;
        self.total = Some(total);
        self
    }
}

/// What a completion is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification knows these two references")]
pub enum CompletionReference {
    /// An argument of the prompt of this name.
    Prompt(Box<str>),
    /// A variable of this resource template.
    Template(Box<str>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_hundred_values_are_cut_and_counted() {
        let completion = Completion::new((0..250).map(|number| number.to_string()));
        assert_eq!((completion.values.len(), completion.total, completion.has_more), (100, Some(250), true));
        let few = Completion::new(["a"]);
        assert_eq!((few.total, few.has_more), (Some(1), false));
    }
}
