//! The tools that change notes: add_note, update_note, delete_note.

use super::{
    Notes,
    announce::{Change, announce},
    note::{Edit, NewNote, Note, NoteId, Summary},
    read::told,
    resources::as_resource,
};
use mcp_server::{
    App, Args, AskError, CallToolResult, Client, Content, Context, IntoReply, ProtocolError, RawJson,
    Request, Structured, ToolCall, ToolError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A note as it is now: structured, with a link to its resource.
#[derive(Debug)]
pub(super) struct Saved(Summary);

impl IntoReply<ToolCall> for Saved {
    fn into_reply(self, _: &Context) -> <ToolCall as Request>::Reply {
        let structured =
            RawJson::from_serialize(&self.0).map_err(|fault| ProtocolError::internal().caused_by(fault))?;
        let text = Content::text(structured.get());
        let link = Content::resource_link(as_resource(&self.0));
        Ok(CallToolResult::new([text, link]).structured(structured))
    }

    fn output_schema() -> Option<mcp_server::OutputSchema> {
        <Structured<Summary> as IntoReply<ToolCall>>::output_schema()
    }
}

/// What to change.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct UpdateNote {
    /// The note's id, such as `n12`.
    id: NoteId,
    /// A new title; left out, it stays.
    #[schemars(length(min = 1, max = 120))]
    title: Option<String>,
    /// A new text, which replaces the whole old one; left out, it stays.
    #[schemars(length(max = 65536))]
    text: Option<String>,
    /// New tags, which replace all old ones; left out, they stay.
    #[schemars(length(max = 8))]
    tags: Option<Vec<String>>,
    /// The revision you read. The change is refused when somebody wrote the note since.
    expected_revision: Option<u32>,
}

/// What to delete.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct DeleteNote {
    /// The note's id, such as `n12`.
    id: NoteId,
    /// That the user agreed. Counts only where the server cannot ask the user itself.
    #[serde(default)]
    confirmed: bool,
}

/// What the user is asked before a note goes.
#[derive(Debug, Deserialize, JsonSchema)]
struct Confirmation {
    /// Delete it?
    delete: bool,
}

/// What was deleted.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Deleted {
    /// The note that is gone, for the last time.
    deleted: Note,
}

pub(super) async fn add_note(
    App(notes): App<Notes>,
    context: Context,
    Args(new): Args<NewNote>,
) -> Result<Saved, ToolError> {
    let note = notes.add(new).await.map_err(told)?;
    announce(context.server(), Change::Added);
    Ok(Saved(note.summary()))
}

pub(super) async fn update_note(
    App(notes): App<Notes>,
    context: Context,
    Args(UpdateNote { id, title, text, tags, expected_revision }): Args<UpdateNote>,
) -> Result<Saved, ToolError> {
    if title.is_none() && text.is_none() && tags.is_none() {
        return Err(ToolError::new("nothing to change: give `title`, `text` or `tags`"));
    }
    let edit = Edit { title, text, tags, expected_revision };
    let note = notes.update(&id, edit).await.map_err(told)?;
    announce(context.server(), Change::Updated(&id));
    Ok(Saved(note.summary()))
}

pub(super) async fn delete_note(
    App(notes): App<Notes>,
    context: Context,
    client: Client,
    Args(DeleteNote { id, confirmed }): Args<DeleteNote>,
) -> Result<Structured<Deleted>, ToolError> {
    let note = notes.get(&id).await.map_err(told)?;
    // The question names the revision: a decision about an older one is none about this.
    let question = format!("Delete \"{}\" ({id}, revision {}) for good?", note.title, note.revision);
    let decided = match client.elicit::<Confirmation>("delete", question).issued_only().await {
        Ok(answer) => answer.accepted().is_some_and(|Confirmation { delete }| delete),
        // Nobody to ask: the model has to have asked.
        Err(AskError::MissingCapability(_)) if confirmed => true,
        Err(AskError::MissingCapability(_)) => {
            return Err(ToolError::new(format!(
                "{id} is not deleted: this client cannot be asked for a confirmation; ask the user, and if the \
                 note should go, call again with `confirmed: true`"
            )));
        }
        Err(error) => return Err(error.into()),
    };
    if !decided {
        return Err(ToolError::new(format!(
            "{id} is kept: the user does not want it deleted; do not ask again"
        )));
    }
    let deleted = notes.delete(&id, note.revision).await.map_err(told)?;
    announce(context.server(), Change::Deleted(&id));
    Ok(Structured(Deleted { deleted }))
}
