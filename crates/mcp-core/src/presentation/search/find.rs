//! `search_tools`: which tools do what is described.

use crate::{
    context::Context,
    extract::Args,
    handler::{Structured, ToolError},
    lower::ListKind,
    page::Sight,
    view::Listed,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest query, in characters.
const QUERY_CHARS: usize = 1_000;
/// The most tools that one search shows.
const MOST_SHOWN: usize = 50;
/// The most characters of the line that is shown of a description.
const LINE_CHARS: usize = 200;

/// The arguments of `search_tools`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Query {
    /// What the tool should do, in a few words.
    #[schemars(length(min = 1, max = QUERY_CHARS))]
    query: String,
    // How many tools to show at most.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = MOST_SHOWN))]
    limit: usize,
}

fn ten() -> usize {
    10
}

// What is published of a result costs every model that reads the list: names have to do.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Found {
    // The best first.
    tools: Vec<Match>,
    // There may be more, which were not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct Match {
    name: Box<str>,
    // The first line.
    description: String,
    // Only to compare within this result.
    score: f64,
}

pub(super) async fn search_tools(
    context: Context,
    Args(Query { query, limit }): Args<Query>,
) -> Result<Structured<Found>, ToolError> {
    let examined = context.0.server.presentation().as_search().map_or(0, |search| search.examined);
    let sight = Sight::of(&context, ListKind::Tools);
    let mut found = Found { tools: Vec::new(), note: None };
    for (looked_at, (tool, score)) in context.0.catalogue.search_index().ranked(&query).enumerate() {
        if found.tools.len() >= limit {
            break;
        }
        if looked_at >= examined {
            found.note = Some("Not every match was looked at; search with more precise words.");
            break;
        }
        if sight.may_see(Listed::of_tool(tool.clone())).await? {
            found.tools.push(Match {
                name: tool.name.clone(),
                description: first_line(&tool.definition.description),
                score: (f64::from(score) * 100.0).round() / 100.0,
            });
        }
    }
    Ok(Structured(found))
}

/// The first line that says something.
fn first_line(description: &str) -> String {
    let line = description.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(LINE_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}
