//! Skills from folders, and from files that are in the program.
//!
//! A skill is a folder with a `SKILL.md`, which begins with YAML front matter. [`folder`] reads every skill below a
//! folder, [`skill`] makes one of files that are in the program already, for instance by `include_str!`.
//!
//! ```no_run
//! use mcp_server::{McpRouter, server, skills};
//! let server = server(McpRouter::new())
//!     .name("shop")
//!     .version("1.0.0")
//!     .skills(skills::folder("skills").read()?)
//!     .build()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Files are read once, when the server is made, and kept: what is served then has the digests that are told, and
//! nothing that changes on the disk meanwhile reaches a client. Symbolic links are refused, so that nothing outside
//! the folder is served. Of YAML, front matter may use what JSON has a word for, as the core schema of YAML 1.2 reads
//! it: no tags, no anchors, no infinities.

mod fault;
mod folder;
mod front_matter;
mod make;
#[cfg(test)]
mod tests;

pub use fault::{FrontMatterFault, SkillFault, SkillFaults, SkillProblem};
pub use folder::{SkillFolder, folder};
pub use front_matter::MAX_FRONT_MATTER_BYTES;
pub use make::skill;
pub use mcp_core::skill::{MAX_SKILL_BYTES, MAX_SKILL_FILES, Skill, SkillFile, Skills};
