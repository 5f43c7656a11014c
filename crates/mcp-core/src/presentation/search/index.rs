//! The tools of a catalogue, found by the words of what is published about them.

use super::{names::is_name, words::Words};
use crate::registry::ToolEntry;
use bm25::{Embedder, EmbedderBuilder, Embedding, Scorer};
use std::{cmp::Ordering, collections::HashSet, fmt, sync::Arc};

/// How many bytes of a description tools are found by: what comes later in a long one tells little of its tool.
const DESCRIPTION_BYTES: usize = 4 * 1_024;
/// How many different words of a query count, the first ones.
const QUERY_WORDS: usize = 32;

/// The tools that can be found, ranked by BM25.
pub(crate) struct SearchIndex {
    tools: Vec<Arc<ToolEntry>>,
    embedder: Embedder<u64, Words>,
    scorer: Scorer<u32, u64>,
}

impl SearchIndex {
    /// Indexes the tools of a catalogue that a model may call, without those of the presentation itself.
    pub(crate) fn new(tools: &[Arc<ToolEntry>]) -> Self {
        let findable =
            |tool: &&Arc<ToolEntry>| tool.definition.visibility.includes_model() && !is_name(&tool.name);
        let tools: Vec<_> = tools.iter().filter(findable).cloned().collect();
        let texts: Vec<String> = tools.iter().map(|tool| text_of(tool)).collect();
        let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder = EmbedderBuilder::with_tokenizer_and_fit_to_corpus(Words, &corpus).build();
        let mut scorer = Scorer::new();
        for (place, text) in (0..).zip(&texts) {
            scorer.upsert(&place, distinct(embedder.embed(text)));
        }
        Self { tools, embedder, scorer }
    }

    /// The tools that have a word of the query, the best first; those that are as good stay in their order.
    pub(super) fn ranked(&self, query: &str) -> impl Iterator<Item = (&Arc<ToolEntry>, f32)> {
        let mut query = distinct(self.embedder.embed(query));
        query.0.truncate(QUERY_WORDS);
        let mut ranked = self.scorer.matches(&query);
        ranked.sort_by(|one, other| {
            other.score.partial_cmp(&one.score).unwrap_or(Ordering::Equal).then(one.id.cmp(&other.id))
        });
        ranked.into_iter().filter_map(|scored| Some((self.tools.get(scored.id as usize)?, scored.score)))
    }
}

/// What a tool is found by: its name says more than its title and tags, and these more than its description.
fn text_of(tool: &ToolEntry) -> String {
    let definition = &tool.definition;
    let mut text = String::new();
    let mut add = |part: &str, times: usize| {
        for _ in 0..times {
            text.push_str(part);
            text.push('\n');
        }
    };
    add(&tool.name, 3);
    definition.title.iter().for_each(|title| add(title, 2));
    definition.tags.iter().for_each(|tag| add(tag, 2));
    let description = &definition.description;
    add(&description[..description.floor_char_boundary(DESCRIPTION_BYTES)], 1);
    text
}

/// Each word once; the crate repeats it as often as the text does, with one and the same weight.
fn distinct(embedding: Embedding<u64>) -> Embedding<u64> {
    let mut seen = HashSet::new();
    Embedding(embedding.0.into_iter().filter(|word| seen.insert(word.index)).collect())
}

impl fmt::Debug for SearchIndex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SearchIndex of {} tools", self.tools.len())
    }
}
