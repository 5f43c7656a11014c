//! Skills: folders of instructions for agents, served as resources and described as a whole.
//!
//! A [`Skill`] is data: the front matter of its `SKILL.md`, which whoever reads the file parses, and its files. The
//! server makes a resource of every file, tells with `skills/list` and `skills/get` which files there are and what
//! their digests are, and with `resources/directory/read` what a folder holds. The methods exist, and the extension
//! is advertised, only where there is a skill.
//!
//! Spec: the Skills extension, `io.modelcontextprotocol/skills` (SEP-2640).

mod check;
mod cursor;
mod definition;
mod file;
mod index;
mod name;
mod options;
mod page;
mod tree;

pub use definition::{MAX_SKILL_BYTES, MAX_SKILL_FILES, Skill};
pub use file::SkillFile;
pub use options::Skills;

pub(crate) use index::SkillIndex;
pub(crate) use page::Page;

use crate::protocol::Extension;

/// The identifier of the extension.
pub(crate) const SKILLS: &str = "io.modelcontextprotocol/skills";

/// The extension as it is advertised.
pub(crate) fn extension() -> Extension {
    Extension::new(SKILLS).setting("directoryRead", true)
}
