//! Everything the service offers, with the words that models and people read.

use super::{
    Notes,
    announce::INDEX,
    import::import_notes,
    memory::MemoryNotes,
    prompts::{self, complete_tone, complete_topic, plan_from_notes},
    read::{get_note, list_notes, search_notes},
    resources::{MARKDOWN, complete_id, index, listed, note},
    summarise::summarise_note,
    write::{add_note, delete_note, update_note},
};
use mcp_server::{
    Annotations, BuildFaults, Icon, Implementation, McpRouter, Role, Server, prompt, resource,
    server as serve, tool,
};
use std::sync::Arc;

const INSTRUCTIONS: &str = "\
Keeps short notes in Markdown. Find notes with search_notes or list_notes, read one with get_note or as the \
resource notes://{id}, and write with add_note, update_note and delete_note. Before update_note, read the note \
and give the revision you read as expected_revision, so that nobody's change is lost. delete_note asks the user \
first; where it cannot, ask the user yourself. Notes live in memory: they are gone when the server stops.";

/// A sheet with a folded corner.
const SHEET: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#f4c542" d="M4 2h11l5 5v15H4z"/><path fill="#b8860b" d="M15 2v5h5z"/><path stroke="#5a4300" stroke-width="1.5" d="M7 11h10M7 15h10M7 19h6"/></svg>"##;

/// A magnifying glass.
const GLASS: &[u8] = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="#3b6ea5" stroke-width="2.5"><circle cx="10" cy="10" r="6.5"/><path d="m15 15 6.5 6.5"/></g></svg>"##;

fn icon(svg: &[u8]) -> Icon {
    Icon::embedded("image/svg+xml", svg).sizes(["any"])
}

/// The notes service over an empty store in memory.
pub(crate) fn in_memory() -> Result<Server, BuildFaults> {
    server(Arc::new(MemoryNotes::new()))
}

/// The notes service over a store.
///
/// The list of resources follows the notes, so the server is dynamic: `listChanged` is advertised and kept. The
/// lists of tools and prompts never change, and nothing is ever announced about them.
pub(super) fn server(notes: Notes) -> Result<Server, BuildFaults> {
    let identity = Implementation::new("notes", env!("CARGO_PKG_VERSION"))
        .title("Notes")
        .description("Short Markdown notes, kept in memory")
        .icon(icon(SHEET));
    serve(router().with_state(notes))
        .identity(identity)
        .instructions(INSTRUCTIONS)
        .dynamic()
        .resource_updates()
        .build()
}

fn router() -> McpRouter<Notes> {
    tools().merge(resources()).merge(prompts())
}

fn tools() -> McpRouter<Notes> {
    McpRouter::new()
        .tool(
            "add_note",
            tool(add_note)
                .title("Add a note")
                .describe("Adds a note and returns its id, with a link to it as a resource.")
                .closed_world()
                .icon(icon(SHEET)),
        )
        .tool(
            "get_note",
            tool(get_note).title("Read a note").describe("Returns a note with its text.").read_only().closed_world(),
        )
        .tool(
            "list_notes",
            tool(list_notes)
                .title("List notes")
                .describe("Lists notes without their texts, oldest first, a page at a time; optionally those with one tag.")
                .read_only()
                .closed_world(),
        )
        .tool(
            "search_notes",
            tool(search_notes)
                .title("Search notes")
                .describe("Finds notes that hold every word of a query in title, text or tags.")
                .read_only()
                .closed_world()
                .icon(icon(GLASS)),
        )
        .tool(
            "update_note",
            tool(update_note)
                .title("Change a note")
                .describe("Replaces the title, text or tags of a note; what is left out stays as it is.")
                .destructive()
                .closed_world(),
        )
        .tool(
            "delete_note",
            tool(delete_note)
                .title("Delete a note")
                .describe("Deletes a note for good and returns it one last time. The user is asked first.")
                .destructive()
                .closed_world(),
        )
        .tool(
            "summarise_note",
            tool(summarise_note)
                .title("Summarise a note")
                .describe("Has the client's model summarise a note in at most three sentences.")
                .read_only(),
        )
        .tool(
            "import_notes",
            tool(import_notes)
                .title("Import notes")
                .describe("Adds up to 200 notes in one call, reporting progress; notes that do not fit are named with their reasons.")
                .closed_world(),
        )
}

fn resources() -> McpRouter<Notes> {
    McpRouter::new()
        .resource(
            INDEX,
            resource(index)
                .title("All notes")
                .describe("A line per note: title, link, tags.")
                .mime_type(MARKDOWN)
                .annotate(Annotations::new().audience([Role::User, Role::Assistant]).priority(0.8))
                .icon(icon(SHEET)),
        )
        .resource(
            "notes://{id}",
            resource(note)
                .name("note")
                .title("A note")
                .describe("One note as Markdown, by id.")
                .mime_type(MARKDOWN)
                .complete("id", complete_id),
        )
        .list_resources(listed)
}

fn prompts() -> McpRouter<Notes> {
    McpRouter::new()
        .prompt(
            "summarise_note",
            prompt(prompts::summarise_note)
                .title("Summarise a note")
                .describe("Asks for a short summary of one note.")
                .icon(icon(SHEET))
                .complete("id", complete_id),
        )
        .prompt(
            "plan_from_notes",
            prompt(plan_from_notes)
                .title("Plan from notes")
                .describe("Asks for a plan made of every note about a topic.")
                .complete("topic", complete_topic)
                .complete("tone", complete_tone),
        )
}
