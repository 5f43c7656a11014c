//! The notes service: the catalogue that the binary serves, and an example of every primitive.
//!
//! | file | what it shows |
//! |---|---|
//! | `note` | plain data with schemas and descriptions |
//! | `store` | a port: what the handlers need, with its errors |
//! | `memory` | its adapter in memory, bounded |
//! | `read`, `write`, `import` | tools: structured results, links, progress, errors a model can act on |
//! | `write`, `summarise` | asking: the user for a confirmation, the client's model for a text |
//! | `resources` | a static resource, a template with completion, a list by callback |
//! | `prompts` | prompts with typed arguments and completion |
//! | `announce` | what subscribers hear of a change |
//! | `catalogue` | names, descriptions, hints and icons, in the order clients see them |

mod announce;
mod catalogue;
mod import;
mod memory;
mod note;
mod prompts;
mod read;
mod resources;
mod store;
mod summarise;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use catalogue::in_memory;

use std::sync::Arc;

/// The state every handler is given.
type Notes = Arc<dyn store::NoteStore>;
