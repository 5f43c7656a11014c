//! The skills of a server, and how they are listed.

use super::{Skill, SkillIndex, check::check, index::Draft};
use crate::{
    registry::{Faults, McpRouter},
    server::Limits,
    setting::SettingFaults,
};

/// The skills that a server offers, and how much of them a page of a list holds.
///
/// ```
/// use mcp_core::skill::{Skill, Skills};
/// # let all: Vec<Skill> = Vec::new();
/// let skills = Skills::from_iter(all).page_entries(20);
/// ```
#[derive(Debug)]
#[must_use]
pub struct Skills {
    all: Vec<Skill>,
    page_entries: usize,
    page_bytes: usize,
}

impl Default for Skills {
    fn default() -> Self {
        Self { all: Vec::new(), page_entries: 50, page_bytes: 256 * 1024 }
    }
}

impl Skills {
    /// No skills yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a skill; skills are listed in the order they were added.
    pub fn skill(mut self, skill: Skill) -> Self {
        self.all.push(skill);
        self
    }

    /// Sets how many entries a page of `skills/list` or `resources/directory/read` has, 1 to 10,000; 50 by default.
    pub fn page_entries(mut self, entries: usize) -> Self {
        self.page_entries = entries;
        self
    }

    /// Sets after how many bytes of entries a page ends, 1,024 to 1,073,741,824; 256 KiB by default.
    ///
    /// An entry is never split: one that is larger has a page of its own.
    pub fn page_bytes(mut self, bytes: usize) -> Self {
        self.page_bytes = bytes;
        self
    }

    /// Checks everything; the index that lists are made from, and the resources that files are read by.
    pub(crate) fn compile(self, limits: &Limits, faults: &mut Faults) -> (Option<SkillIndex>, McpRouter<()>) {
        self.check(faults);
        let mut draft = Draft::new(limits.output_bytes);
        for skill in self.all {
            if check(&skill, faults) {
                draft.add(skill, faults);
            }
        }
        draft.finish(self.page_entries, self.page_bytes)
    }

    /// Adds a fault for every setting that lies outside its range.
    fn check(&self, faults: &mut Faults) {
        let mut own = SettingFaults::default();
        own.within("skills.page_entries", self.page_entries, &(1..=10_000));
        own.within("skills.page_bytes", self.page_bytes, &(1_024..=1 << 30));
        faults.add_settings(&own);
    }
}

impl FromIterator<Skill> for Skills {
    fn from_iter<I: IntoIterator<Item = Skill>>(skills: I) -> Self {
        Self { all: skills.into_iter().collect(), ..Self::default() }
    }
}

impl From<Vec<Skill>> for Skills {
    fn from(skills: Vec<Skill>) -> Self {
        Self::from_iter(skills)
    }
}

impl Extend<Skill> for Skills {
    fn extend<I: IntoIterator<Item = Skill>>(&mut self, skills: I) {
        self.all.extend(skills);
    }
}
