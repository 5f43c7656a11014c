//! The handlers that tell of toolboxes, open and close them.

use super::{
    contents::{Contents, offered},
    names::LIST_TOOLBOXES,
    proxy::Proxy,
};
use crate::{
    context::Context,
    handler::{ProtocolError, ToolError},
    json::{JsonWriter, ObjectWriter},
    lower,
    ports::ListViewChange,
    protocol::CallToolResult,
    view::{View, VisibilityError, change_view},
};

/// The most characters of a name that an answer repeats.
const SHOWN_CHARS: usize = 64;

/// `list_toolboxes`: the toolboxes that have something in them for the caller.
pub(super) async fn list_toolboxes(context: Context) -> Result<CallToolResult, ToolError> {
    let offered = offered(&context, None).await?;
    answer(|answer| {
        answer.array("toolboxes", |list| {
            for Contents { toolbox, tools, prompts } in &offered {
                list.object(|object| {
                    object.string("name", &toolbox.name);
                    object.string("description", &toolbox.description);
                    object.unsigned("tools", count(tools));
                    object.unsigned("prompts", count(prompts));
                });
            }
        });
    })
}

/// `open_toolbox`: tells what is in a toolbox, and lists it from now on where the caller has lists of its own.
pub(super) async fn open_toolbox(name: String, context: Context) -> Result<CallToolResult, ToolError> {
    let offered = offered(&context, Some(&name)).await?;
    let Some(Contents { toolbox, tools, prompts }) = offered.first() else {
        let shown: String = name.chars().take(SHOWN_CHARS).collect();
        let text = format!("there is no toolbox `{shown}`; `{LIST_TOOLBOXES}` tells which there are");
        return Err(ToolError::new(text));
    };
    keep(&context, ListViewChange::Open(toolbox.name.clone())).await?;
    let has_proxies =
        context.0.server.presentation().as_toolboxes().is_some_and(super::Toolboxes::has_proxies);
    answer(|answer| {
        answer.string("name", &toolbox.name);
        answer.array("tools", |list| {
            for tool in tools {
                let proxy = has_proxies.then(|| Proxy::of_tool(tool).name());
                lower::boxed_tool(list.element(), tool, proxy);
            }
        });
        answer.array("prompts", |list| {
            prompts.iter().for_each(|prompt| lower::boxed_prompt(list.element(), prompt));
        });
    })
}

/// `close_toolbox`: takes from the caller's lists what opening it has added.
///
/// One that is gone meanwhile, or was never open, is closed as well.
pub(super) async fn close_toolbox(name: String, context: Context) -> Result<&'static str, ToolError> {
    keep(&context, ListViewChange::Close(name.into())).await?;
    Ok("closed")
}

/// Changes the caller's lists, where it has some of its own and hears of changes.
async fn keep(context: &Context, change: ListViewChange) -> Result<(), ToolError> {
    let server = &context.0.server;
    match &context.0.caller.view {
        // Each request stands alone: the answer is all there is.
        View::Common => return Ok(()),
        View::Session(..) if !server.sessions().is_some_and(|host| host.settings.get_stream) => return Ok(()),
        View::Session(..) | View::Connection(_) => {}
    }
    change_view(context, &change).await.map_err(|error| match error {
        VisibilityError::TooMany { setting } => ToolError::new(format!(
            "too many toolboxes are open (setting: {setting}); close one that is not needed any more"
        )),
        error => ToolError::new(error.to_string()).caused_by(error),
    })
}

fn answer(fill: impl FnOnce(&mut ObjectWriter<'_>)) -> Result<CallToolResult, ToolError> {
    let mut text = Vec::new();
    JsonWriter::new(&mut text).object(fill);
    let text = String::from_utf8(text).map_err(|fault| ProtocolError::internal().caused_by(fault))?;
    // Not as structured content, too: hosts that show models both would show everything twice.
    Ok(CallToolResult::text(text))
}

fn count<T>(entries: &[T]) -> u64 {
    u64::try_from(entries.len()).unwrap_or(u64::MAX)
}
