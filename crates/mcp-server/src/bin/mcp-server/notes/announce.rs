//! What subscribers hear of a change.

use super::note::NoteId;
use mcp_server::Server;

/// The resource that lists every note.
pub(super) const INDEX: &str = "notes://index";

/// What happened to the notes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change<'a> {
    /// Notes were added: the list of resources has grown.
    Added,
    /// A note was written anew.
    Updated(&'a NoteId),
    /// A note is gone, and with it its resource.
    Deleted(&'a NoteId),
}

/// Tells those who listen. Never waits.
pub(super) fn announce(server: &Server, change: Change<'_>) {
    // Titles stand in the list of resources, so an update changes the list as well.
    server.notify_resources_changed();
    server.notify_resource_updated(INDEX);
    if let Change::Updated(id) | Change::Deleted(id) = change {
        server.notify_resource_updated(&id.uri());
    }
}
