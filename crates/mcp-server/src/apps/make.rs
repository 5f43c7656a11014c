//! Cards of their files.

use super::{CardFileFault, CardFileProblem, document::is_document};
use mcp_core::card::{CardSettings, card_path_problem, card_uri};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

/// How the name of a card ends.
const CARD: &str = ".html";

/// How the name of its settings ends, in place of that.
const SETTINGS: &str = ".meta.json";

/// The bytes of a digest that tell versions of a card apart: enough that nobody finds two of one.
const VERSION_BYTES: usize = 16;

/// A card as it is kept.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) path: Box<str>,
    pub(super) uri: Box<str>,
    pub(super) version: Box<str>,
    pub(super) html: Arc<str>,
    pub(super) settings: CardSettings,
}

/// Tells whether a file of this name is a card or the settings of one.
pub(super) fn wanted(name: &str) -> bool {
    name.ends_with(CARD) || name.ends_with(SETTINGS)
}

/// Makes cards of files, in the order of their paths.
pub(super) fn make(
    mut files: BTreeMap<String, Vec<u8>>,
    defaults: &CardSettings,
    faults: &mut Vec<CardFileFault>,
) -> Vec<Card> {
    let mut cards = Vec::new();
    let paths: BTreeSet<String> = files.keys().cloned().collect();
    for path in &paths {
        if let Some(stem) = path.strip_suffix(SETTINGS) {
            let card = format!("{stem}{CARD}");
            if !paths.contains(&card) {
                faults.push(CardFileFault::new(&**path, CardFileProblem::NoCard { card: card.into() }));
            }
            continue;
        }
        let Some(stem) = path.strip_suffix(CARD) else { continue };
        let beside = format!("{stem}{SETTINGS}");
        let settings = match files.get(&beside).map(|text| CardSettings::from_json(text)) {
            Some(Ok(own)) => defaults.clone().overridden_by(own),
            Some(Err(problem)) => {
                faults.push(CardFileFault::new(beside, CardFileProblem::Settings(problem)));
                continue;
            }
            None => defaults.clone(),
        };
        let bytes = files.remove(path).unwrap_or_default();
        match card(path, bytes, settings) {
            Ok(card) => cards.push(card),
            Err(problem) => faults.push(CardFileFault::new(&**path, problem)),
        }
    }
    cards
}

fn card(path: &str, bytes: Vec<u8>, settings: CardSettings) -> Result<Card, CardFileProblem> {
    if let Some(problem) = card_path_problem(path) {
        return Err(CardFileProblem::Path(problem));
    }
    let html = String::from_utf8(bytes).map_err(|_| CardFileProblem::NotText)?;
    if !is_document(&html) {
        return Err(CardFileProblem::NoDocument);
    }
    let (uri, version) = (card_uri(path).into(), version(&html, &settings));
    Ok(Card { path: path.into(), uri, version, html: html.into(), settings })
}

/// What tells this card from every other that was or will be at its path: the document, and what it asks of its host,
/// because hosts keep both under one URI.
fn version(html: &str, settings: &CardSettings) -> Box<str> {
    let mut hash = Sha256::new();
    hash.update((html.len() as u64).to_be_bytes());
    hash.update(html);
    if let Some(settings) = settings.to_value() {
        hash.update(settings.to_string());
    }
    let digest = hash.finalize();
    let text =
        digest.iter().take(VERSION_BYTES).fold(String::with_capacity(VERSION_BYTES * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
    text.into()
}
