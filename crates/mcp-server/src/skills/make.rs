//! One skill of its files.

use super::{FrontMatterFault, Skill, SkillFault, SkillFile, SkillProblem, front_matter::front_matter};
use crate::files::contents;
use mcp_core::protocol::ResourceBody;

/// The file that makes a folder a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// Makes a skill of files that are in the program: paths below the skill's folder, and what the files hold.
///
/// ```
/// use mcp_server::skills;
/// let skill = skills::skill(
///     "billing/refunds",
///     [
///         ("SKILL.md", "---\nname: refunds\ndescription: Pays customers back\n---\nAsk first.\n"),
///         ("examples/email.md", "Dear customer,\n"),
///     ],
/// )?;
/// assert_eq!(skill.front_matter()["name"], "refunds");
/// # Ok::<(), skills::SkillFault>(())
/// ```
///
/// Text is text where the file's type is a textual or unknown one and its bytes are UTF-8, anything else a blob.
///
/// # Errors
/// A [`SkillFault`] when `SKILL.md` is missing, is no UTF-8, or its front matter cannot be read. What else a skill
/// has to be is checked when the server is built.
pub fn skill(
    path: &str,
    files: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<[u8]>)>,
) -> Result<Skill, SkillFault> {
    let mut read = None;
    let mut all = Vec::new();
    for (name, bytes) in files {
        let (name, bytes) = (name.as_ref(), bytes.as_ref());
        if name == SKILL_FILE {
            let text = std::str::from_utf8(bytes)
                .map_err(|_| fault(path, SkillProblem::NotText))
                .map(front_matter)?;
            read = Some(text.map_err(|cause| fault(path, SkillProblem::FrontMatter(cause)))?);
        }
        all.push(file(name, bytes.to_vec()));
    }
    let read = read.ok_or_else(|| fault(path, SkillProblem::FrontMatter(FrontMatterFault::Absent)))?;
    Ok(Skill::new(path, read).files(all))
}

fn fault(path: &str, problem: SkillProblem) -> SkillFault {
    SkillFault::new(format!("{path}/{SKILL_FILE}"), problem)
}

/// A file with the media type that its extension stands for.
fn file(path: &str, bytes: Vec<u8>) -> SkillFile {
    let contents = contents(path.as_ref(), bytes);
    let mime_type = contents.declared_type().map(Box::<str>::from);
    let file = match contents.into_body() {
        ResourceBody::Text(text) => SkillFile::text(path, text),
        ResourceBody::Blob(bytes) => SkillFile::blob(path, bytes),
    };
    match mime_type {
        Some(mime_type) => file.mime_type(mime_type),
        None => file,
    }
}
