//! `describe_tools`: how tools are called that were found.

use crate::{
    context::Context,
    extract::Args,
    handler::{Structured, ToolError},
    json::RawJson,
    lower::ListKind,
    page::Sight,
    view::Listed,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeSet};

/// The most tools that are described at once.
const MOST_NAMES: usize = 20;

/// The arguments of `describe_tools`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Names {
    // As `search_tools` gives them.
    #[schemars(length(min = 1, max = MOST_NAMES), inner(length(max = 128)))]
    names: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Described {
    // In the order they were asked for.
    tools: Vec<Definition>,
    // Names of which there is no tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
}

/// A tool as `tools/list` would show it.
#[derive(Debug, Serialize)]
struct Definition(RawJson);

impl JsonSchema for Definition {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Definition".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

pub(super) async fn describe_tools(
    context: Context,
    Args(Names { names }): Args<Names>,
) -> Result<Structured<Described>, ToolError> {
    let sight = Sight::of(&context, ListKind::Tools);
    let catalogue = &context.0.catalogue;
    let mut described = Described { tools: Vec::new(), unknown: Vec::new() };
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name.clone()) {
            continue;
        }
        // What this caller's list would not have is not told from what there is not.
        let tool = catalogue.tool(&name, None).ok();
        match tool.filter(|tool| tool.definition.visibility.includes_model()) {
            Some(tool) if sight.may_see(Listed::of_tool(tool.clone())).await? => {
                let text = String::from_utf8(catalogue.tool_text(tool, context.version()))?;
                described.tools.push(Definition(RawJson::from_checked(text)));
            }
            _ => described.unknown.push(name),
        }
    }
    Ok(Structured(described))
}
