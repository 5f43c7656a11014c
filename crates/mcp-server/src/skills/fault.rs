//! Why skills cannot be read.

use crate::files::{FileFault, FileFaults, FileProblem, Problem};

/// Everything that is wrong with skills, at once.
pub type SkillFaults = FileFaults<SkillProblem>;

/// One fault: which file, folder or setting, and what is wrong with it.
pub type SkillFault = FileFault<SkillProblem>;

impl Problem for SkillProblem {
    const HOLDS: &'static str = "skills";
}

/// What is wrong with a file or folder of a skill.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillProblem {
    /// It cannot be read, or is not wanted in a folder of skills.
    #[error(transparent)]
    File(#[from] FileProblem),
    /// The folder of skills is a skill itself, so that its name is not known.
    #[error("it is no folder of skills but a skill: give the folder that this one is in")]
    SkillItself,
    /// There is no skill.
    #[error("no folder in it has a `SKILL.md`")]
    NoSkill,
    /// `SKILL.md` is no UTF-8.
    #[error("it is no UTF-8")]
    NotText,
    /// The front matter cannot be read.
    #[error("its front matter cannot be read")]
    FrontMatter(#[source] FrontMatterFault),
}

/// Why front matter cannot be read; `line` counts from 1 at the beginning of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontMatterFault {
    /// The file does not begin with a line `---`.
    #[error("the file does not begin with a line `---`")]
    Absent,
    /// No second line `---` ends it.
    #[error("no second line `---` ends it")]
    Open,
    /// It is larger than [`MAX_FRONT_MATTER_BYTES`](super::MAX_FRONT_MATTER_BYTES).
    #[error("it has more than {most} bytes")]
    TooLarge {
        /// The most bytes.
        most: usize,
    },
    /// It is no YAML.
    #[error("line {line}: {message}")]
    Syntax {
        /// The line.
        line: usize,
        /// What the parser says.
        message: Box<str>,
    },
    /// It is no mapping of names to values.
    #[error("it is no mapping of names to values")]
    NoMapping,
    /// A name is there twice.
    #[error("line {line}: `{key}` is there twice")]
    Twice {
        /// The line.
        line: usize,
        /// The name.
        key: Box<str>,
    },
    /// A name is no text.
    #[error("line {line}: a name must be text; put it in quotes")]
    Key {
        /// The line.
        line: usize,
    },
    /// A number that JSON has no word for.
    #[error("line {line}: JSON has no such number; put it in quotes")]
    Number {
        /// The line.
        line: usize,
    },
    /// A tag, an anchor or an alias.
    #[error("line {line}: tags, anchors and aliases have no place in front matter; write the value out")]
    Reference {
        /// The line.
        line: usize,
    },
    /// Values are nested too deep.
    #[error("line {line}: values are nested more than {most} deep")]
    TooDeep {
        /// The line.
        line: usize,
        /// The deepest nesting.
        most: usize,
    },
}
