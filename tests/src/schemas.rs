//! The official JSON schemas of the protocol's revisions.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Names a folder with the schemas, one file `REVISION.json` each.
const FOLDER: &str = "MCP_SCHEMAS";

/// The official schema of a revision; `None` when there is none on this machine, which is said aloud.
///
/// It is looked for in the folder that `MCP_SCHEMAS` names, where `scripts/official-schemas` writes, and
/// in a folder `shared/schema` beside the repository.
#[must_use]
pub fn official(revision: &str) -> Option<Value> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository.join("target"), PathBuf::from);
    let folders = [
        std::env::var_os(FOLDER).map(PathBuf::from),
        Some(target.join("tools/schemas")),
        Some(repository.join("target/tools/schemas")),
        Some(repository.join("../shared/schema")),
    ];
    let file = format!("{revision}.json");
    let text = folders.into_iter().flatten().find_map(|folder| fs::read_to_string(folder.join(&file)).ok());
    if text.is_none() {
        eprintln!("SKIPPED: no official schema of {revision}; run scripts/official-schemas or set {FOLDER}");
    }
    serde_json::from_str(&text?).expect("the official schema is JSON")
}
