//! What is wrong with a server that cannot be built.

use crate::setting::SettingFaults;
use std::fmt;

/// One fault: what it concerns, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFault {
    subject: Box<str>,
    problem: Box<str>,
}

impl BuildFault {
    /// What the fault concerns, such as ``tool `add` `` or `limits.output_bytes`.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// What is wrong, and what to write instead.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for BuildFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.subject, self.problem)
    }
}

/// Everything that is wrong with a server, at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFaults(Vec<BuildFault>);

impl BuildFaults {
    /// The faults, at least one, in registration order.
    pub fn iter(&self) -> impl Iterator<Item = &BuildFault> {
        self.0.iter()
    }
}

impl fmt::Display for BuildFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [only] => write!(formatter, "the server cannot be built: {only}"),
            all => {
                write!(formatter, "the server cannot be built, {} faults:", all.len())?;
                all.iter().try_for_each(|fault| write!(formatter, "\n  {fault}"))
            }
        }
    }
}

impl std::error::Error for BuildFaults {}

/// Collects faults while a server is built.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<BuildFault>);

impl Faults {
    pub(crate) fn add(&mut self, subject: impl Into<Box<str>>, problem: impl fmt::Display) {
        self.0.push(BuildFault { subject: subject.into(), problem: problem.to_string().into() });
    }

    /// Adds what was found elsewhere.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Adds settings that cannot be used, by the names they were checked by.
    pub(crate) fn add_settings(&mut self, settings: &SettingFaults) {
        settings.iter().for_each(|fault| self.add(fault.setting(), fault.problem()));
    }

    /// Adds what the check of a group of settings found, each by the group's name and its own.
    pub(crate) fn add_group(&mut self, group: &str, checked: Result<(), SettingFaults>) {
        for fault in checked.err().iter().flat_map(SettingFaults::iter) {
            self.add(format!("{group}.{}", fault.setting()), fault.problem());
        }
    }

    /// Succeeds when nothing was collected.
    pub(crate) fn finish(self) -> Result<(), BuildFaults> {
        if self.0.is_empty() { Ok(()) } else { Err(BuildFaults(self.0)) }
    }
}
