//! Settings that cannot be used: collected, so that all of them are told at once.

use std::{error::Error, fmt, ops::RangeInclusive};

/// One setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingFault {
    setting: &'static str,
    problem: Box<str>,
}

impl SettingFault {
    /// The setting's name: that of its field.
    #[must_use]
    pub fn setting(&self) -> &'static str {
        self.setting
    }

    /// What is wrong with its value, and what it may be.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for SettingFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.setting, self.problem)
    }
}

/// Every setting of a kind that cannot be used.
///
/// ```
/// use mcp_core::setting::SettingFaults;
/// let mut faults = SettingFaults::default();
/// faults.within("depth", 0, &(1..=1_000));
/// faults.within("bytes", 64, &(64..=4_096));
/// let faults = faults.finish().unwrap_err();
/// assert_eq!(faults.to_string(), "a setting cannot be used: depth: 0 is outside 1 to 1000");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingFaults(Vec<SettingFault>);

impl SettingFaults {
    /// The faults, in the order they were found.
    pub fn iter(&self) -> impl Iterator<Item = &SettingFault> {
        self.0.iter()
    }

    /// Adds a fault.
    pub fn add(&mut self, setting: &'static str, problem: impl fmt::Display) {
        self.0.push(SettingFault { setting, problem: problem.to_string().into() });
    }

    /// Adds a fault when the value lies outside the range.
    pub fn within<T: Copy + PartialOrd + fmt::Debug>(
        &mut self,
        setting: &'static str,
        value: T,
        range: &RangeInclusive<T>,
    ) {
        if !range.contains(&value) {
            self.add(setting, format_args!("{value:?} is outside {:?} to {:?}", range.start(), range.end()));
        }
    }

    /// Succeeds when no fault was found.
    ///
    /// # Errors
    /// The faults, at least one.
    pub fn finish(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for SettingFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [only] => write!(formatter, "a setting cannot be used: {only}"),
            all => {
                write!(formatter, "{} settings cannot be used:", all.len())?;
                all.iter().try_for_each(|fault| write!(formatter, "\n  {fault}"))
            }
        }
    }
}

impl Error for SettingFaults {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_fault_is_told_with_its_range() {
        let mut faults = SettingFaults::default();
        faults.within("age", Duration::ZERO, &(Duration::from_secs(1)..=Duration::from_secs(60)));
        faults.within("count", 1, &(1..=2));
        faults.add("path", "must begin with `/`");
        let faults = faults.finish().unwrap_err();
        assert_eq!(
            faults.to_string(),
            "2 settings cannot be used:\n  age: 0ns is outside 1s to 60s\n  path: must begin with `/`"
        );
        assert_eq!(faults.iter().map(SettingFault::setting).collect::<Vec<_>>(), ["age", "path"]);
    }
}
