//! One skill: its place, its front matter, its files.

use super::SkillFile;
use serde_json::{Map, Value};

/// The most files of one skill, `SKILL.md` included: hosts need not take more.
///
/// Spec: the Skills extension, section Limits.
pub const MAX_SKILL_FILES: usize = 512;

/// The most bytes of all files of one skill together, 16 MiB: hosts need not take more.
///
/// Spec: the Skills extension, section Limits.
pub const MAX_SKILL_BYTES: u64 = 16 * 1024 * 1024;

/// A skill: a folder of files, one of them `SKILL.md`, which tells an agent how to do something.
///
/// ```
/// use mcp_core::skill::{Skill, SkillFile};
/// use serde_json::json;
///
/// let text = "---\nname: refunds\ndescription: Pays customers back\n---\nAsk for the receipt first.\n";
/// let front_matter = json!({ "name": "refunds", "description": "Pays customers back" });
/// let skill = Skill::new("billing/refunds", front_matter.as_object().cloned().unwrap_or_default())
///     .file(SkillFile::text("SKILL.md", text))
///     .file(SkillFile::text("examples/email.md", "Dear customer,"));
/// ```
#[derive(Debug)]
#[must_use]
pub struct Skill {
    pub(super) path: Box<str>,
    pub(super) front_matter: Map<String, Value>,
    pub(super) files: Vec<SkillFile>,
    pub(super) publication: Publication,
}

/// Whether a skill is among those that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Publication {
    Listed,
    ByUriOnly,
}

impl Skill {
    /// A skill without files at a path such as `refunds` or `billing/refunds`, whose last part is the skill's name.
    ///
    /// The front matter must be what `SKILL.md` begins with, every field of it: hosts compare the two and refuse a
    /// skill where they differ. `name` and `description` must be there.
    pub fn new(path: impl Into<Box<str>>, front_matter: Map<String, Value>) -> Self {
        Self { path: path.into(), front_matter, files: Vec::new(), publication: Publication::Listed }
    }

    /// Adds a file.
    pub fn file(mut self, file: SkillFile) -> Self {
        self.files.push(file);
        self
    }

    /// Adds files.
    pub fn files(mut self, files: impl IntoIterator<Item = SkillFile>) -> Self {
        self.files.extend(files);
        self
    }

    /// Leaves the skill out of `skills/list`; who knows its URI gets and reads it all the same.
    pub fn unlisted(mut self) -> Self {
        self.publication = Publication::ByUriOnly;
        self
    }

    /// Where the skill is: its path below `skill://`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The front matter.
    #[must_use]
    pub fn front_matter(&self) -> &Map<String, Value> {
        &self.front_matter
    }
}
